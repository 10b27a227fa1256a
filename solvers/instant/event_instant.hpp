#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solvers/derivatives/restart_derivative.hpp"
#include "solvers/events/run_state.hpp"
#include "solvers/laws/risen_again.hpp"
#include "solvers/recording/run_recorder.hpp"
#include "solvers/run_limits/run_budget.hpp"
#include "solvers/switching/law_values.hpp"
#include "solvers/switching/successor.hpp"
#include "solvers/trajectory/instant_steps.hpp"

namespace mti {

/// What the events of a run have in common.
struct EventTools {
  const Model& model;
  Accuracy& accuracy;
  ModeCache& cache;
  const SuccessorSearch& search;
  RunRecorder& recorder;
  RunBudget& budget;
  bool keeps_restarts = false;  ///< instants remember what led from x⁻ to x⁺
};

/// One instant of a run at which the mode may change (docs/theory.md, "The successor problem"):
///
///     repeat
///       while laws of constraints that are reached, or reached again, are due and change x⁻: apply them
///       pose the successor problem for z⁻, pre(z) and x⁻;   z⁻ := z, x⁻ := x⁺, pre(z) := z
///     until the mode repeats itself with pre(z) = z
///
/// Where no mode follows, one goes on that only leaves through constraints with laws of their own; and if there is none, the laws of
/// what is still reached are due once more. Where a motion arrives at the threshold
/// of a condition whose becoming true has a law, it has become true, also where a slide begins there or something else holds the motion:
/// that comes behind the law.
/// Steps that go round in circles may slide instead; a step that memory has made, and that leads nowhere or to nothing but
/// an impulse, is taken back and the problem posed without it. If that has no answer, the impulse is the one.
class EventInstant {
 public:
  /// `state` is at the instant, with x⁻ and z⁻.
  EventInstant(const EventTools& tools, RunState& state, EventKind kind);

  /// Moves `state` to where the motion goes on. Otherwise why the run ends: of a dead end what is said is only where and
  /// why, for the run knows what has led there.
  [[nodiscard]] std::optional<Ending> settle();

  /// What has happened, once it is settled. To be asked for once.
  [[nodiscard]] Event conclude();
  /// Why each candidate so far was turned down, if that is asked for.
  [[nodiscard]] const std::vector<ExplainedCandidate>& explanation() const { return event_.explanation; }
  /// Laws and restarts, one after the other, if they are kept.
  [[nodiscard]] const std::vector<RestartStep>& restarts() const noexcept { return restarts_; }
  [[nodiscard]] const Mode& before() const noexcept { return before_; }
  [[nodiscard]] const std::vector<double>& left_limits() const noexcept { return left_; }

 private:
  /// Where the instant goes on if a sequence of steps by memory leads nowhere.
  struct WayBack {
    Mode mode;
    std::vector<double> v;
    Event event;
    std::size_t restarts = 0;
    std::vector<int> answered;
    RisenAgain risen_again;
  };
  void relent(Successor& dead_end);
  [[nodiscard]] bool laws_may_go_on();
  /// What laws do to the states: only beyond the errors of a run may the instant go on with others.
  enum class LawEffect { none, within_errors, beyond_errors };
  std::optional<Ending> apply_reach_laws();
  std::optional<Ending> apply_risen_laws(bool& applied);
  std::optional<Ending> apply(const DueLaws& laws, const std::string& what, LawEffect& effect);
  void tell(const DueLaws& laws);
  [[nodiscard]] std::optional<Ending> refused(const DueLaws& laws) const;
  std::optional<Ending> settled();
  void count(const Successor& successor);
  void explain(Successor& successor);
  [[nodiscard]] Ending failure(const Successor& successor) const;
  void go_back();
  bool take(const Successor& successor);
  [[nodiscard]] std::optional<Successor> across(const Successor& successor);
  [[nodiscard]] std::optional<Successor> across_slide(const Successor& slide);
  [[nodiscard]] std::optional<Successor> across_threshold(const Successor& successor);
  [[nodiscard]] bool is_at_boundary(int constraint) const;
  void note_crossed();
  [[nodiscard]] std::optional<Successor> to_laws(const Successor& dead_end) const;
  void begin_steps();

  const EventTools& tools_;
  const Signature& signature_;
  RunState& state_;
  EventKind kind_;
  bool has_reach_laws_, has_change_laws_, has_risen_laws_;
  Mode before_;
  std::vector<double> left_;
  std::shared_ptr<const Vouched> vouched_;           ///< at the left
  std::shared_ptr<const ModeSystem> system_before_;  ///< of the mode that ends, if there was one
  Event event_;
  std::vector<Change> changed_;  ///< by the step taken last
  InstantSteps steps_;
  LawValues law_values_;
  RisenAgain risen_again_;
  std::vector<char> z_risen_;  ///< up to which laws of what has risen have been applied; none: up to z
  /// Binaries that have changed here, and those with a law of what has risen that what follows has been put off for.
  std::vector<int> crossed_;
  std::optional<std::vector<int>> arriving_;  ///< rows at whose boundary the motion that ends has arrived
  int law_rounds_ = 0;
  bool laws_have_moved_ = false;  ///< since a dead end, if there was one
  std::vector<RestartStep> restarts_;
  std::optional<WayBack> way_back_ = {};
  bool by_memory_ = true;
  bool has_left_a_jump_ = false;      ///< that steps of memory had led to, to look for more without them
  bool jumps_behind_memory_ = false;  ///< there was no more: it is where the instant goes on
  bool has_moved_ = true;             ///< by the step taken last, if there was one: with its laws
  bool left_a_circle_ = false;
};

}  // namespace mti
