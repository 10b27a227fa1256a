#pragma once

#include <span>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/admissibility/dependencies.hpp"
#include "solvers/blocks/instant.hpp"

namespace mti {

/// What surfaces are looked for among, and compared by.
struct SlidingRows {
  std::vector<int> constraints;  ///< with a binary of A, ascending
  std::vector<double> scale;     ///< what an entry of v is large against; 1 where nothing is known
};

/// `A` is ascending.
[[nodiscard]] SlidingRows sliding_rows(const Model& model, const Accuracy& accuracy,
                                       const Dependencies& influence, const Instant& instant,
                                       std::span<const int> A);

}  // namespace mti
