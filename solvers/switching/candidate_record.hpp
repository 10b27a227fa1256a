#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "solvers/admissibility/switching_problem.hpp"
#include "solvers/sliding/sliding.hpp"
#include "solvers/switching/successor.hpp"

namespace mti {

/// What has become of the candidates of one search, and the successor that follows from it.
class CandidateRecord {
 public:
  /// `as_it_came` is z⁻ before its outputs were settled: what has changed is told from there.
  CandidateRecord(const SwitchingProblem& problem, Mode as_it_came, bool explains)
      : problem_(problem), before_(std::move(as_it_came)), explains_(explains) {}

  [[nodiscard]] bool found() const { return result_.status == Successor::Status::found; }
  [[nodiscard]] bool decided() const {
    return found() || stopped() || result_.status == Successor::Status::step;
  }
  [[nodiscard]] bool stopped() const { return result_.status == Successor::Status::limit; }
  /// Deciders that flip in the assignment that was found; what slides is behind all assignments.
  [[nodiscard]] std::size_t distance() const noexcept { return distance_; }
  /// Some candidate's restart was refused.
  [[nodiscard]] bool refuses() const noexcept {
    return refused_at_ != std::numeric_limits<std::size_t>::max();
  }
  /// No candidate's motion begins with a jump of a state that structure says does not jump (JumpingStates).
  [[nodiscard]] bool jumps_foreseen() const noexcept { return jumps_foreseen_; }
  [[nodiscard]] bool foresees_jumps_of(const Motion& motion) const;
  [[nodiscard]] long tried() const noexcept { return result_.tried; }
  [[nodiscard]] std::size_t ties() const noexcept { return result_.ties.size(); }

  /// The constraints that z⁻ breaks, `mode` being z⁻ with its outputs.
  void trigger(const std::vector<int>& constraints, const Mode& mode);
  /// The verdict on `mode`, which differs from z⁻ by so many deciders. The first admissible one is found, others are its
  /// ties.
  void add(const Mode& mode, std::size_t distance, const Admissibility& verdict);
  /// Some candidate is admissible for no better reason than that its mode leaves signals open (Doubt). The
  /// nearest of these follows if no other one does: it is put aside until this is called.
  [[nodiscard]] bool has_doubtful() const noexcept { return !open_.empty() || let_pass_; }
  void take_doubtful();
  /// One of Doubt::open, which gives way to what is as near and no farther.
  [[nodiscard]] bool has_open_nearer_than(std::size_t distance) const noexcept {
    return !open_.empty() && open_.front().distance > 0 && open_.front().distance < distance;
  }
  /// A transition has come again, with so many candidates turned down as they were before; add() those that follow.
  void repeat(long turned_down) {
    result_.repeated = true;
    result_.tried += turned_down;
  }
  /// What a search for sliding motions has found and turned down.
  void add(SlidingMotion sliding);
  /// Of a candidate that was judged, whatever for: it stands in the explanation once, if there is one. add() has no other say
  /// about that.
  void explain_verdict(const Admissibility& verdict);
  /// A step of memory or of logic is the answer.
  void take_step(const Mode& mode);
  /// What was found is not proved to be what theory.md asks for.
  void leave_open(std::string what) { result_.open = std::move(what); }
  /// Binaries that change in what was found.
  [[nodiscard]] const std::vector<int>& flipped() const noexcept { return result_.flipped; }
  void give_up(std::string what) { result_.given_up = std::move(what); }
  /// Bounds and nogoods exclude all other assignments of so many binaries.
  void exclude_others_among(std::size_t binaries) { result_.excluded_among = binaries; }
  void stop_at(std::string limit);
  /// The limit was only one of a part of the search.
  void resume();

  [[nodiscard]] Successor conclude();

 private:
  [[nodiscard]] std::vector<int> changed_in(const Mode& mode) const;
  [[nodiscard]] std::vector<int> moved_by(const Motion& motion) const;
  void look_for_needless_jump(const Mode& mode, const Motion& motion);
  void explain_step(const Mode& mode);
  void accept(const Mode& mode, const Admissibility& verdict);
  void add_tie(const Mode& mode, const Admissibility& verdict);
  void keep_jump(const Mode& mode, std::size_t distance, const Admissibility& verdict);
  void reject(Admissibility verdict);
  void look_for_narrow_hysteresis(const Admissibility& verdict);

  /// A row that turned a candidate down by Dg, D²g, … since |g| ≤ ε, where g is more than rounding leaves.
  struct Unresolved {
    std::shared_ptr<const ModeSystem> system;
    int row;
    double error;  ///< ε
  };
  [[nodiscard]] std::optional<NarrowHysteresis> between(const Unresolved& a, const Unresolved& b,
                                                        std::span<const double> v) const;

  const SwitchingProblem& problem_;
  const Mode before_;
  const bool explains_;
  std::unordered_set<Mode, ModeHash> explained_ = {};
  Successor result_;
  struct Candidate {
    Mode mode;
    std::size_t distance;
    Admissibility verdict;
  };
  /// The nearest that breaks nothing but rows that let its impulses pass.
  std::optional<Candidate> jump_;
  std::vector<Candidate> open_ = {};  ///< of the smallest distance
  std::optional<Candidate> let_pass_ = {};
  std::vector<Unresolved> unresolved_;  ///< the first few
  std::size_t distance_ = 0;
  /// Distance of the nearest candidate whose restart was refused.
  std::size_t refused_at_ = std::numeric_limits<std::size_t>::max();
  bool jumps_foreseen_ = true;
  bool off_position_ = false;  ///< some candidate would need a jump of positions
};

}  // namespace mti
