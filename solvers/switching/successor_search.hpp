#pragma once

#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "solvers/admissibility/causal_step.hpp"
#include "solvers/search/assignment_search.hpp"
#include "solvers/switching/successor.hpp"

namespace mti {

/// Up to so many binaries every assignment is judged before A is extended, so that all they break counts.
inline constexpr std::size_t most_binaries_judged_out = 10;

/// What a search for the successor is made with; once per model.
struct SuccessorTools {
  const Model& model;
  ModeCache& cache;
  const Accuracy& accuracy;
  const Dependencies& influence;
  const SignalRows& model_rows;
  const Outputs& outputs;
  const CausalSteps& causal_steps;
};

/// One search from a given z⁻ with the surfaces it keeps: its candidates so far and what they broke. A holds
/// deciders; outputs of logic follow every candidate.
class SuccessorRun {
 public:
  SuccessorRun(const SuccessorTools& tools, const Instant& instant, const SearchOptions& options)
      : tools_(tools), model_(tools.model), instant_(instant), options_(options) {}

  [[nodiscard]] Successor run(const Mode& before);
  /// Only a motion that slides over these binaries, or the deciders behind them.
  [[nodiscard]] Successor slide_over(const Mode& before, std::span<const int> binaries);

 private:
  /// A candidate that was turned down, and with it all that agree with it on these binaries.
  struct Nogood {
    std::vector<char> z;
    std::vector<int> binaries;  ///< ascending
    bool alone = false;         ///< it alone, whatever it depended on
  };
  /// What changes when surfaces are given up.
  struct Stage {
    Mode before;  ///< z⁻ with the surfaces that are kept, outputs in place
    std::set<int> A;
    std::set<int> broken;  ///< binaries of what candidates broke: what A grows by
    std::vector<Nogood> learned = {};
    std::set<std::vector<int>> judged = {};  ///< flips
    bool only_z_minus_left = true;           ///< z⁻ with these surfaces has been judged
  };

  [[nodiscard]] bool found() const { return result_.status == Successor::Status::found; }
  [[nodiscard]] bool decided() const {
    return found() || result_.status == Successor::Status::limit || result_.status == Successor::Status::step;
  }
  [[nodiscard]] std::vector<int> A() const { return {at_.A.begin(), at_.A.end()}; }
  [[nodiscard]] bool logic_still_moves() const;
  void take_step(const Mode& mode);
  /// Up to so many binaries every assignment is judged before A is extended, so that all they break counts.
  static constexpr std::size_t most_binaries_judged_out = 10;

  void add_to_A(std::span<const int> binaries);
  void begin_with(const Admissibility& first);
  void release(const std::vector<int>& rows, Rejection rejection);
  void release_all();
  void search_once();
  void grow();
  [[nodiscard]] bool slides(int binary) const;
  void search_sliding();
  void accept(Mode mode, Admissibility verdict);
  void reject(Admissibility verdict);
  void note_unresolved(const Admissibility& verdict);
  Admissibility try_candidate(const std::vector<int>& flipped);
  void note(const Admissibility& verdict);
  [[nodiscard]] ExplainedCandidate explain_step(const Mode& mode) const;
  void learn(const Admissibility& verdict);
  void extend(std::span<const int> binaries) { at_.broken.insert(binaries.begin(), binaries.end()); }
  void extend_by(const Admissibility& verdict);
  void search_assignments();
  void pivot(const std::vector<int>& A);
  [[nodiscard]] bool search_assignments(const std::vector<int>& A);
  void check_out();
  void extend_by_all_that_depends_on(const std::vector<int>& A);
  [[nodiscard]] Ball known(int signal) const;
  [[nodiscard]] Mode with_flips(const std::vector<int>& flipped) const;
  [[nodiscard]] std::vector<int> changed_from_z_minus(const Mode& mode) const;

  const SuccessorTools& tools_;
  const Model& model_;
  const Instant& instant_;
  const SearchOptions& options_;
  Stage at_;
  std::vector<char> z_minus_;           ///< as it came, outputs included
  bool states_known_ = true;            ///< x⁻ holds for all candidates: none of them jumps
  bool off_position_ = false;           ///< some candidate would need a jump of positions
  bool jumps_seen_ = false;             ///< some candidate's motion begins with a jump
  std::optional<Admissibility> first_;  ///< on z⁻ as it came
  std::optional<Admissibility> base_;   ///< the same, if candidates can be compared with it
  Successor result_;
  std::size_t distance_ = 0;  ///< deciders that flip in what was found
  /// Distance of the nearest candidate whose restart was refused.
  std::size_t refused_at_ = std::numeric_limits<std::size_t>::max();
  long candidate_limit_ = 0;  ///< of the search that is under way
  std::set<int> triggered_, triggered_equations_;
  std::vector<double> mode_values_;  ///< of z⁻, in v
};

}  // namespace mti
