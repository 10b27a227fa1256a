#pragma once

#include <span>
#include <vector>

#include "solvers/admissibility/admissibility.hpp"
#include "solvers/mode/mode_cache.hpp"
#include "solvers/search/assignment_search.hpp"

namespace mti::bench {

/// Assignments of binaries judged by solving the mode: what drives an AssignmentSearch by itself.
class JudgedAssignments {
 public:
  /// All states are 0 and t is 0; rtol and atol as given.
  JudgedAssignments(const Model& model, double tolerance);

  [[nodiscard]] bool admissible(std::span<const char> z) { return judged(z).admissible(); }

  struct Outcome {
    AssignmentSearch::Result::Status status;
    std::vector<std::vector<int>> flips;  ///< of the admissible assignments, in their order
    int yielded = 0;                      ///< assignments that were judged
    long nodes = 0, linear_programmes = 0;
  };
  /// Takes assignments of A from a search and judges them until `most` are found admissible or none is left.
  /// A rejected one is excluded on the binaries that its broken rows can depend on.
  [[nodiscard]] Outcome search(std::vector<int> A, std::span<const char> before,
                               const AssignmentLimits& limits, std::size_t most);

  [[nodiscard]] Instant& instant() noexcept { return instant_; }

 private:
  [[nodiscard]] Admissibility judged(std::span<const char> z);
  /// The binaries that a row's value, or its derivative along the motion, can depend on.
  [[nodiscard]] std::vector<int> reason(const IndexedRowMap& map, int row) const;

  const Model& model_;
  Accuracy accuracy_;
  ModeCache cache_;
  Instant instant_;
};

}  // namespace mti::bench
