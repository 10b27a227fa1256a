#pragma once

#include <functional>

#include "solvers/admissibility/admissibility.hpp"
#include "solvers/admissibility/dependencies.hpp"
#include "solvers/mode/mode_cache.hpp"

namespace mti {

/// The mode switching problem of one instant: which modes may follow (x, u, t) there, as docs/theory.md, "The
/// successor problem", defines it. It refers to its parts, which outlive it.
struct SwitchingProblem {
  const Model& model;
  ModeCache& cache;
  const Accuracy& accuracy;
  const Dependencies& dependencies;
  const Instant& instant;
  /// Told of every candidate that is judged in search of a successor, where somebody wants to know.
  std::function<void(const Admissibility& verdict)> told = {};

  /// Of the model's logic.
  [[nodiscard]] const Outputs& outputs() const { return cache.outputs(); }
  /// a to c on a mode. Whether the surfaces that it slides on attract is for check_mode() to say.
  [[nodiscard]] Admissibility check(const Mode& mode) const {
    return check_admissibility(model, cache.get(mode), accuracy, instant);
  }
  void tell(const Admissibility& verdict) const {
    if (told) told(verdict);
  }
};

}  // namespace mti
