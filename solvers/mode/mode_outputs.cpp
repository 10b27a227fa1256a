#include "solvers/mode/mode_outputs.hpp"

#include <algorithm>

#include "solvers/mode/surface_columns.hpp"

namespace mti {

const Slide* slide_of(const Mode& mode, int binary) {
  for (const Slide& slide : mode.slides)
    if (std::binary_search(slide.binaries.begin(), slide.binaries.end(), binary)) return &slide;
  return nullptr;
}

bool settle_outputs(const Outputs& outputs, Mode& mode) {
  const bool settled = outputs.settle(mode);
  mode.blended.clear();
  if (!mode.slides.empty()) follow_slides(outputs.signature(), outputs, mode);
  return settled;
}

}  // namespace mti
