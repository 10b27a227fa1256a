#include "solvers/sliding/sliding_rows.hpp"

#include <algorithm>

#include "mti/common/at.hpp"

namespace mti {

SlidingRows sliding_rows(const Model& model, const Accuracy& accuracy, const Dependencies& influence,
                         const Instant& instant, std::span<const int> A) {
  SlidingRows rows;
  for (int row = 0; row < model.constraints(); ++row) {
    const auto binaries = influence.of_constraint(row);
    if (std::any_of(binaries.begin(), binaries.end(),
                    [&](int binary) { return std::binary_search(A.begin(), A.end(), binary); }))
      rows.constraints.push_back(row);
  }
  rows.scale.assign(at(model.signature.size()), 1.0);
  for (std::size_t row = 0; row < rows.scale.size(); ++row) {
    const double size = accuracy.of(static_cast<int>(row), instant.v[row]) / accuracy.rtol;
    if (size > 0.0) rows.scale[row] = size;
  }
  return rows;
}

}  // namespace mti
