#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "mti/common/at.hpp"
#include "solvers/admissibility/switching_problem.hpp"

namespace mti::test {

/// A mode switching problem at an instant, with all it refers to.
struct PosedProblem {
  PosedProblem(const Model& model, const Instant& instant, double tolerance)
      : accuracies(model, tolerance, tolerance),
        cache(model),
        dependencies(cache.rows()),
        problem{model, cache, accuracies, dependencies, instant} {}
  PosedProblem(const PosedProblem&) = delete;
  PosedProblem& operator=(const PosedProblem&) = delete;
  ~PosedProblem() = default;

  const Accuracy accuracies;
  ModeCache cache;
  const Dependencies dependencies;
  const SwitchingProblem problem;
};

/// Every assignment of the model's binaries that agrees with the mode in a reason is judged: none is admissible.
inline void expect_to_exclude(const SwitchingProblem& problem, const Mode& mode,
                              const std::vector<int>& reason) {
  const int q = problem.model.signature.q();
  for (unsigned code = 0; code < 1U << static_cast<unsigned>(q); ++code) {
    Mode other = mode;
    for (int b = 0; b < q; ++b) other.z[at(b)] = static_cast<char>(code >> static_cast<unsigned>(b) & 1U);
    for (const int b : reason) other.z[at(b)] = mode.z[at(b)];
    ASSERT_FALSE(problem.check(other).admissible()) << "assignment " << code;
  }
}

}  // namespace mti::test
