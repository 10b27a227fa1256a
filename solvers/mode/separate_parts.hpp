#pragma once

#include <span>
#include <vector>

#include "mti/model/signature.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/plan/solution_plan.hpp"

namespace mti {

/// What equations of a mode are connected with each other, by signals that they share, x and ẋ being one signal. Inputs are
/// known and connect nothing.
struct SeparateParts {
  /// `sliding` are the rows of v of weights ζ.
  SeparateParts(const RowMap& f, const SolutionPlan& plan, std::span<const int> sliding,
                const Signature& signature);

  /// By row of f: connected with a ζ. Empty where nothing slides.
  std::vector<char> with_surfaces;
  /// The other rows; empty, too, where nothing slides.
  [[nodiscard]] std::vector<char> without_surfaces() const;
  /// By row of S: connected with nothing that slides, is differentiated, or is a state without slope. Such a part moves as it
  /// would alone, in a mode of index 1. Empty where that is true of the whole mode.
  std::vector<char> plain_signals;
};

}  // namespace mti
