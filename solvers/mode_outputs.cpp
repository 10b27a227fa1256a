#include "solvers/mode_outputs.hpp"

#include <algorithm>

namespace mti {

const Slide* slide_of(const Mode& mode, int binary) {
  for (const Slide& slide : mode.slides)
    if (std::binary_search(slide.binaries.begin(), slide.binaries.end(), binary)) return &slide;
  return nullptr;
}

bool settle_outputs(const Outputs& outputs, Mode& mode) {
  const bool settled = outputs.settle(mode);
  for (Slide& slide : mode.slides) {
    Slide deciders{slide.constraint, {}, {}, {}};
    for (std::size_t i = 0; i < slide.binaries.size(); ++i) {
      if (outputs.is_output(slide.binaries[i])) continue;
      deciders.binaries.push_back(slide.binaries[i]);
      deciders.below.push_back(slide.below[i]);
      deciders.above.push_back(slide.above[i]);
    }
    const std::vector<int> behind = outputs.outputs_behind(deciders.binaries);
    Mode below = mode, above = mode;
    for (std::size_t i = 0; i < deciders.binaries.size(); ++i) {
      below.z[static_cast<std::size_t>(deciders.binaries[i])] = deciders.below[i];
      above.z[static_cast<std::size_t>(deciders.binaries[i])] = deciders.above[i];
    }
    outputs.settle(below, behind);
    outputs.settle(above, behind);
    slide = {slide.constraint, {}, {}, {}};
    for (int binary = 0; binary < static_cast<int>(mode.z.size()); ++binary) {
      const auto i = static_cast<std::size_t>(binary);
      const bool is_decider = std::binary_search(deciders.binaries.begin(), deciders.binaries.end(), binary);
      if (!is_decider && below.z[i] == above.z[i]) continue;
      slide.binaries.push_back(binary);
      slide.below.push_back(below.z[i]);
      slide.above.push_back(above.z[i]);
    }
  }
  return settled;
}

bool may_chatter(const Signature& signature, const Outputs& outputs, const Mode& mode) {
  if (signature.r() == 0) return true;
  constexpr int most_rounds = 32;
  const auto remember = [&](Mode& side, int binary, char value) {
    if (const auto row = signature.find_pre(binary))
      side.pre[static_cast<std::size_t>(*row - signature.pre_row(0))] = value;
  };
  for (const Slide& slide : mode.slides)
    for (const bool above : {false, true}) {
      const std::vector<char>&here = above ? slide.above : slide.below,
            &there = above ? slide.below : slide.above;
      Mode side = mode;
      for (std::size_t i = 0; i < slide.binaries.size(); ++i) {
        side.z[static_cast<std::size_t>(slide.binaries[i])] = here[i];
        remember(side, slide.binaries[i], there[i]);
      }
      const std::vector<char> expected = side.z;
      for (int round = 0; round < most_rounds; ++round) {
        outputs.settle(side);
        const std::vector<char> before = side.pre;
        for (const int binary : slide.binaries)
          remember(side, binary, side.z[static_cast<std::size_t>(binary)]);
        for (const int output : outputs.order())
          remember(side, output, side.z[static_cast<std::size_t>(output)]);
        if (side.pre == before) break;
      }
      const auto slides_elsewhere = [&](int output) {
        const Slide* of_output = slide_of(mode, output);
        return of_output != nullptr && of_output != &slide;
      };
      for (const int output : outputs.order())
        if (side.z[static_cast<std::size_t>(output)] != expected[static_cast<std::size_t>(output)] &&
            !slides_elsewhere(output))
          return false;
    }
  return true;
}

}  // namespace mti
