#pragma once

#include <string>
#include <vector>

#include "solvers/initialization/coupled_rows.hpp"
#include "solvers/initialization/start_solution.hpp"
#include "solvers/mode/mode_cache.hpp"
#include "solvers/switching/successor.hpp"

namespace mti {

/// Where a run begins whose start values are not all fixed, or why it cannot.
struct FoundStart {
  enum class Status { found, none, limit };
  Status status = Status::none;
  Mode mode = {};
  std::vector<double> v = {};
  long tried = 0;            ///< modes
  std::string message = {};  ///< why there is none, for each of the first few modes
  std::string warning = {};  ///< initial equations that follow from others

  [[nodiscard]] bool found() const noexcept { return status == Status::found; }
};

/// The successor problem of a start with its initial equations (docs/theory.md, "Starts that are solved for"): the mode z
/// with the fewest deciders that differ from z⁻, ties lexicographically, in which
///
///     f = 0 with its derivatives up to c,  h = 0,  fixed starts  have a solution (StartEquations),
///
/// and whose motion from there is admissible, keeps x where it is, and fulfils h. pre(z) is z⁻; where z differs, the mode
/// with pre(z) = z has to be admissible there too. Sliding modes are not looked for.
///
/// A mode that is turned down excludes others: with it all that agree with it on the binaries of the rows that failed and
/// of those that share unknowns with these, as far as nothing is differentiated there.
class StartSearch {
 public:
  /// All outlive the search.
  StartSearch(const Model& model, ModeCache& cache, const Accuracy& accuracy,
              const SuccessorSearch& successors);

  /// `start` has the start values, `before` is z⁻.
  [[nodiscard]] FoundStart find(const Instant& start, Mode before) const;
  /// The same, and moves the instant and z there if a start is found; pre(z) stays.
  [[nodiscard]] FoundStart enter(Instant& start, Mode& mode) const;

 private:
  struct Verdict {
    bool admissible = false;
    std::vector<double> v = {};
    std::string why = {};
    std::vector<int> superfluous = {};
    bool from_elsewhere = false;
    std::vector<std::vector<int>> reasons = {};  ///< binaries; none: the mode alone
  };
  [[nodiscard]] Verdict judge(const Instant& start, const Mode& mode, const CoupledRows& coupled) const;
  /// What becomes of a solution of the equations of the start, the memories of binaries included.
  [[nodiscard]] Verdict begin_with(const StartSolution& solution, const Instant& guess, const Mode& mode,
                                   const CoupledRows& coupled) const;
  /// The motion from a solution, in a mode.
  [[nodiscard]] Verdict follow(const Instant& solved, const Mode& mode, const CoupledRows& coupled) const;
  [[nodiscard]] bool holds_initially(Motion& motion) const;
  [[nodiscard]] bool is_meant(const Mode& mode, std::vector<double> v) const;
  [[nodiscard]] std::vector<int> why_not_meant(const Mode& mode, std::vector<double> v) const;

  const Model& model_;
  ModeCache& cache_;
  const Accuracy& accuracy_;
  const SuccessorSearch& successors_;
};

}  // namespace mti
