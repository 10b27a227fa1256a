#include "solvers/instant/event_instant.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/model/freeze.hpp"
#include "solvers/blocks/smaller_errors.hpp"
#include "solvers/blocks/start_point.hpp"
#include "solvers/laws/transition_laws.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/mode/sliding_mode.hpp"
#include "solvers/trajectory/event_record.hpp"

namespace mti {
namespace {

using Status = Successor::Status;

}  // namespace

EventInstant::EventInstant(const EventTools& tools, RunState& state, EventKind kind)
    : tools_(tools),
      signature_(tools.model.signature),
      state_(state),
      kind_(kind),
      has_reach_laws_(has_reach_laws(tools.model)),
      has_change_laws_(has_change_laws(tools.model)),
      has_risen_laws_(has_risen_laws(tools.model)),
      before_(mode_at_left(state, kind == EventKind::input, signature_)),
      left_(state.here.v),
      vouched_(state.here.vouched),
      system_before_(state.system),
      steps_(signature_, tools.accuracy, state.mode, state.here.v),
      law_values_(tools.model, tools.cache),
      risen_again_(tools.model, tools.accuracy) {
  event_.time = state.here.t;
  event_.kind = kind;
}

std::optional<Ending> EventInstant::settle() {
  Instant& here = state_.here;
  Mode& mode = state_.mode;
  for (;;) {
    // A step that only logic makes applies no law: what has changed with it is due with the motion that follows.
    if (has_change_laws_ && has_moved_) here.z_before = mode.z;
    // At a limit of switches the laws have been applied infinitely often: what they lead to is the limit itself.
    if (kind_ != EventKind::zeno)
      if (auto ending = apply_reach_laws()) return ending;
    Successor successor = tools_.search.find(here, mode, by_memory_);
    std::optional<Successor> between = to_laws(successor);
    if (!between && successor.status == Status::dead_end && !way_back_ && laws_may_go_on()) {
      count(successor);
      explain(successor);
      continue;
    }
    bool by_law = between.has_value();
    if (between) successor = *std::move(between);
    const bool dead_end = successor.status == Status::dead_end, jump = successor.status == Status::jump;
    const bool goes_nowhere = dead_end || (jump && !(way_back_ && jumps_behind_memory_));
    if (dead_end && std::exchange(has_left_a_jump_, false)) {
      count(successor);
      explain(successor);
      by_memory_ = jumps_behind_memory_ = true;
      continue;
    }
    if (goes_nowhere && !way_back_) relent(successor);
    // What the integrator vouches for are the limits at the left; a step, or a law, leaves them.
    here.vouched.reset();
    count(successor);
    explain(successor);
    for (const std::string* news : {&successor.open, &successor.needless_jump})
      if (!news->empty()) tools_.recorder.warn_once(*news, " (at t = " + number(here.t) + ")");
    if (goes_nowhere && way_back_) {
      has_left_a_jump_ = jump;
      go_back();
      continue;
    }
    has_left_a_jump_ = false;
    if (successor.status != Status::found && successor.status != Status::step &&
        successor.status != Status::jump)
      return failure(successor);
    std::optional<Successor> crossing = across(successor);
    by_law = by_law || crossing;
    if (crossing) successor = *std::move(crossing);
    if (auto ending = refused(change_laws(tools_.model, here.z_before, successor.mode.z))) return ending;
    if (successor.status == Status::step && !by_law && !way_back_)
      way_back_ = WayBack{mode, here.v, event_, restarts_.size(), here.answered, risen_again_};
    if (z_risen_.empty()) z_risen_ = mode.z;
    const bool is_settled = take(successor);
    bool moved = false;
    if (auto ending = apply_risen_laws(moved)) return ending;
    if (is_settled && !moved) return settled();
    if (!moved && !steps_.take(changed_, mode, here.v)) {
      // Each change is admissible by itself, yet the motion does not advance: it may slide. Once only, or the circle
      // of what follows from sliding would be left again and again.
      Successor sliding =
          left_a_circle_ ? Successor{} : tools_.search.slide_over(here, mode, steps_.binaries());
      explain(sliding);
      count(sliding);
      if (sliding.status != Status::found) {
        const std::string why_not = diagnosis(sliding, mode, tools_.model);
        return Ending{OutcomeKind::cycle,
                      "at t = " + number(here.t) + " the changes of one instant repeat: mode " +
                          mode_text(signature_, here.v) + " comes again after " + steps_.text() +
                          (why_not.empty() ? "" : "; sliding instead: " + why_not)};
      }
      left_a_circle_ = true;
      event_.steps.resize(event_.steps.size() - std::min(event_.steps.size(), steps_.period()));
      begin_steps();
      if (take(sliding)) return settled();
    }
    if (auto ending = tools_.budget.look(here.t)) return ending;
  }
}

/// Where nothing is admissible, as where an input turns and a fast state is still on its way from where it stood before,
/// a row counts as inside that falls inside within the time to which switches are known anyway. Where still nothing is, some
/// row is farther inside than ε hides, as of two diodes that share a current as soon as both conduct, by 10⁻⁸ V beside ε of
/// their source: ε is as much smaller as it takes.
void EventInstant::relent(Successor& dead_end) {
  const auto search = [&](double grace, double part) {
    state_.here.grace = grace;
    const SmallerErrors smaller(tools_.accuracy, part);
    Successor found = tools_.search.find(state_.here, state_.mode, by_memory_);
    state_.here.grace = 0.0;
    if (found.status != Status::found && found.status != Status::step) return false;
    count(dead_end);
    explain(dead_end);
    dead_end = std::move(found);
    return true;
  };
  constexpr double resolutions = 8.0;               // of the ten that a switch may be early or late
  const bool begins = kind_ == EventKind::initial;  // and nothing is on its way from anywhere
  if (!begins && search(resolutions * tools_.accuracy.resolution, 1.0)) return;
  for (const double part : {1e-2, 1e-4, 1e-6})
    if (tools_.accuracy.rtol * part > machine_epsilon && search(0.0, part)) return;
}

/// No mode answers: laws that have moved anything are due again, as one that counts single steps of several.
bool EventInstant::laws_may_go_on() {
  state_.here.answered.clear();
  return std::exchange(laws_have_moved_, false);
}

/// Laws of constraints that are reached: each changes x⁻ before the successor problem is posed, until none is
/// due or changes anything.
std::optional<Ending> EventInstant::apply_reach_laws() {
  const Model& model = tools_.model;
  std::vector<int>& answered = state_.here.answered;
  while (has_reach_laws_) {
    const Admissibility verdict = tools_.search.check_unchanged(state_.here, state_.mode);
    const std::vector<int> rows = reached_anew(verdict.constraints, answered);
    const DueLaws laws = reach_laws(model, rows);
    law_values_.look(state_.mode, verdict, laws);
    if (laws.empty()) break;
    const std::vector<int> reached = constraints_of_rows(model, state_.mode, rows);
    answered.insert(answered.end(), rows.begin(), rows.end());
    add_arrived(reached, event_.constraints);
    LawEffect effect = LawEffect::none;
    if (auto ending = apply(laws, "the law of " + constraint_list(model, reached), effect)) return ending;
    if (effect != LawEffect::none) tell(laws);
    if (effect != LawEffect::beyond_errors) break;  // it is at rest with its laws
    laws_have_moved_ = true;
  }
  return std::nullopt;
}

/// Laws of binaries that have just become 1, behind those that the same step makes due. Nothing becomes so at the start of a run;
/// at a limit of switches they would be due infinitely often.
std::optional<Ending> EventInstant::apply_risen_laws(bool& applied) {
  if (kind_ == EventKind::initial) return std::nullopt;
  if (!has_moved_ && !change_laws(tools_.model, state_.here.z_before, state_.mode.z).empty())
    return std::nullopt;
  const std::vector<char> z_before =
      risen_again_.before(std::exchange(z_risen_, {}), state_.mode.z, state_.here.v);
  const RisenLaws risen = risen_laws(tools_.model, z_before, state_.mode.z);
  if (risen.names.empty()) return std::nullopt;
  if (kind_ == EventKind::zeno)
    return Ending{OutcomeKind::dead_end, at_instant(state_.here.t, signature_, state_.here.v) +
                                             ", a limit of switches, " + risen.names.front() +
                                             " is due again"};
  event_.emitted.insert(event_.emitted.end(), risen.emitted.begin(), risen.emitted.end());
  if (risen.due.empty()) return std::nullopt;
  std::string names;
  for (const std::string& name : risen.names) names += (names.empty() ? "" : ", ") + name;
  applied = true;
  LawEffect effect = LawEffect::none;
  return apply(risen.due,
               "what is set where " + names + (risen.names.size() == 1 ? " becomes" : " become") + " true",
               effect);
}

/// Laws move x⁻. What they set counts however small it is beside the errors, which decide whether the instant goes on.
std::optional<Ending> EventInstant::apply(const DueLaws& laws, const std::string& what, LawEffect& effect) {
  constexpr int most_rounds = 1000;  // of one instant
  const Model& model = tools_.model;
  Instant& here = state_.here;
  if (auto ending = refused(laws)) return ending;
  if (law_rounds_++ == most_rounds)
    return Ending{OutcomeKind::cycle,
                  "at t = " + number(here.t) + " transition laws are due again and again"};
  const auto applied =
      std::make_shared<Motion>(model, preferred(tools_.cache.get(state_.mode)), tools_.accuracy, here, laws);
  const Motion& motion = *applied;
  if (!motion.solved())
    return Ending{
        depends_on_writing(motion.failure().kind) ? OutcomeKind::refused_restart : OutcomeKind::refused_law,
        at_instant(here.t, signature_, here.v) + " " + what + ": " +
            describe(motion.failure(), model, state_.mode)};
  ++event_.candidates_tried;
  tools_.recorder.count_candidates(1);
  const bool beyond = note_restart(motion, here, signature_, event_);
  effect = beyond                                   ? LawEffect::beyond_errors
           : moves_states(motion, here, signature_) ? LawEffect::within_errors
                                                    : LawEffect::none;
  // Where it sets what is there already, its derivatives are not those of what is there.
  if (tools_.keeps_restarts) restarts_.push_back({motion.shared_system(), applied, laws, here.v, true});
  if (effect == LawEffect::none) return std::nullopt;
  if (event_.kind != EventKind::initial) event_.kind = EventKind::law;
  here.v = motion.v();
  here.vouched.reset();
  law_values_.note_law();
  return std::nullopt;
}

/// Names that the event has of laws.
void EventInstant::tell(const DueLaws& laws) {
  for (const Transition* law : laws)
    if (!law->emit.empty()) event_.emitted.push_back(law->emit);
}

std::optional<Ending> EventInstant::refused(const DueLaws& laws) const {
  const auto why = law_values_.refusal(state_.mode, laws);
  if (!why) return std::nullopt;
  return Ending{OutcomeKind::refused_law, at_instant(state_.here.t, signature_, state_.here.v) + " " + *why};
}

/// The laws of the instant are behind it: a motion that begins anew in the mode has none.
std::optional<Ending> EventInstant::settled() {
  state_.here.z_before.clear();
  state_.here.answered.clear();
  state_.here.arrived.clear();
  return std::nullopt;
}

void EventInstant::count(const Successor& successor) {
  tools_.recorder.count_candidates(successor.tried);
  event_.candidates_tried += successor.tried;
}

/// Enters why candidates were turned down, if that is asked for.
void EventInstant::explain(Successor& successor) {
  for (ExplainedCandidate& candidate : successor.explained) {
    candidate.step = static_cast<int>(event_.steps.size()) + 1;
    event_.explanation.push_back(std::move(candidate));
  }
}

Ending EventInstant::failure(const Successor& successor) const {
  const std::string reached = constraint_list(tools_.model, successor.triggered);
  const std::string why = at_instant(state_.here.t, signature_, state_.here.v) +
                          (reached.empty() ? "" : " at ") + reached + ": " +
                          diagnosis(successor, state_.mode, tools_.model);
  if (successor.status == Status::limit)
    return {OutcomeKind::candidate_limit, successor.limit + " before a successor was found " + why};
  if (successor.status == Status::refused)
    return {OutcomeKind::refused_restart, "the restart is refused " + why};
  if (kind_ == EventKind::initial) return {OutcomeKind::no_consistent_start, "no consistent start " + why};
  return {OutcomeKind::dead_end, why};
}

/// The sequence has led nowhere: what would have been asked for without memory.
void EventInstant::go_back() {
  by_memory_ = false;
  has_moved_ = true;  // z_before is what the sequence began with, which comes again
  z_risen_.clear();
  state_.mode = std::move(way_back_->mode);
  state_.here.v = std::move(way_back_->v);
  restarts_.resize(way_back_->restarts);
  state_.here.answered = std::move(way_back_->answered);
  risen_again_ = std::move(way_back_->risen_again);
  state_.here.vouched = vouched_;
  way_back_->event.candidates_tried = event_.candidates_tried;
  way_back_->event.explanation = std::move(event_.explanation);
  event_ = std::move(way_back_->event);
  way_back_.reset();
  crossed_.clear();
  begin_steps();
}

void EventInstant::begin_steps() {
  steps_ = InstantSteps(signature_, tools_.accuracy, state_.mode, state_.here.v);
}

/// Takes over what follows, and pre(z) := z. True if the mode that follows has that pre(z) already.
bool EventInstant::take(const Successor& successor) {
  Instant& here = state_.here;
  const bool moves = successor.status != Status::step;
  has_moved_ = moves;
  add_arrived(successor.triggered, event_.constraints);
  const DueLaws laws = moves ? change_laws(tools_.model, here.z_before, successor.mode.z) : DueLaws();
  if (!laws.empty() && event_.kind != EventKind::initial) event_.kind = EventKind::law;
  tell(laws);
  for (const TiedMode& tie : successor.tied_modes) {
    std::vector<double> v = tie.v.empty() ? here.v : tie.v;
    write_mode(signature_, tie.mode, v);
    event_.ties.push_back(changes_between(signature_, state_.mode, here.v, tie.mode, v));
  }
  Mode next = successor.mode;
  std::vector<double> v = moves ? successor.motion->v() : here.v;
  write_mode(signature_, next, v);
  changed_ = changes_between(signature_, state_.mode, here.v, next, v);
  note_crossed();
  if (next != state_.mode) event_.steps.push_back(changed_);
  remember(signature_, next);
  const bool settled = successor.status == Status::found && next.pre == state_.mode.pre;
  if (moves && tools_.keeps_restarts)
    restarts_.push_back({successor.system, successor.motion, laws, here.v, false});
  if (moves) {
    law_values_.note_motion();
    note_restart(*successor.motion, here, signature_, event_);
    state_.system = successor.system;
    state_.motion = successor.motion;
    keep_weights_in_range(*state_.system, v);
  }
  here.v = std::move(v);
  state_.mode = std::move(next);
  write_mode(signature_, state_.mode, here.v);
  return settled;
}

/// A step to a mode that a motion would leave at once, and only through constraints that have laws: as what is set at a threshold turns
/// the motion back over the one behind it. Their laws are due there.
std::optional<Successor> EventInstant::to_laws(const Successor& dead_end) const {
  if (!has_reach_laws_ || dead_end.status != Status::dead_end || kind_ == EventKind::zeno)
    return std::nullopt;
  const auto has_law = [&](int row) {
    std::vector<int> answered = state_.here.answered;
    return !reach_laws(tools_.model, reached_anew({row}, answered)).empty();
  };
  for (const RejectedCandidate& candidate : dead_end.rejected) {
    const Admissibility& verdict = candidate.verdict;
    if (verdict.rejection != Rejection::constraint_rising || verdict.system == nullptr || verdict.by_impulse)
      continue;
    const Mode& mode = verdict.system->mode;
    if (mode.slides != state_.mode.slides || mode.z == state_.mode.z) continue;
    const bool leaves = std::ranges::all_of(verdict.decided_at, [](int order) { return order >= 1; });
    if (!leaves || verdict.constraints.empty() || !std::ranges::all_of(verdict.constraints, has_law))
      continue;
    Successor step{.status = Status::step, .mode = mode, .triggered = dead_end.triggered};
    step.mode.pre = state_.mode.pre;
    step.tried = dead_end.tried;
    step.explained = dead_end.explained;
    return step;
  }
  return std::nullopt;
}

Event EventInstant::conclude() {
  event_.changed = changes_between(signature_, before_, left_, state_.mode, state_.here.v);
  if (event_.kind != EventKind::law) event_.kind = kind_of(kind_, before_, state_.mode);
  if (event_.steps.size() < 2) event_.steps.clear();
  complete_jumps(event_, left_, state_.here.v);
  return std::move(event_);
}

}  // namespace mti
