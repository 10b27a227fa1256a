#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/simulation/instant_steps.hpp"
#include "solvers/simulation/simulation.hpp"

namespace mti {

/// The pieces that inputs follow to the right of t, the values of binary inputs, and the next breakpoint.
void Simulation::take_inputs(double t) {
  here_.pieces.clear();
  mode_.binary_inputs.clear();
  t_breakpoint_ = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
    here_.pieces.push_back(model_.inputs[i].piece(t));
    t_breakpoint_ = std::min(t_breakpoint_, model_.inputs[i].next_breakpoint(t));
    if (signature_.inputs()[i].binary)
      mode_.binary_inputs.push_back(here_.pieces.back().value(t) != 0.0 ? 1 : 0);
  }
}

namespace {

bool same_surface(const Slide* a, const Slide* b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

bool is_blended(const Mode& mode, int binary) {
  return std::binary_search(mode.blended.begin(), mode.blended.end(), binary);
}

/// A binary has another value, slides on another surface, or begins or ends to slide.
bool has_changed(const Mode& before, const Mode& after, int binary) {
  const Slide *const slid = slide_of(before, binary), *const slides = slide_of(after, binary);
  if (is_blended(before, binary) || is_blended(after, binary))
    return is_blended(before, binary) != is_blended(after, binary) || before.slides != after.slides;
  if (slid != nullptr || slides != nullptr) return !same_surface(slid, slides);
  return before.z[at(binary)] != after.z[at(binary)];
}

/// The kind of an event that changed what slides.
EventKind kind_of(EventKind kind, const Mode& before, const Mode& after) {
  const auto has = [](const Mode& mode, const Slide& slide) {
    return std::find(mode.slides.begin(), mode.slides.end(), slide) != mode.slides.end();
  };
  if (kind == EventKind::initial || kind == EventKind::zeno || before.slides == after.slides) return kind;
  const bool begins = std::any_of(after.slides.begin(), after.slides.end(),
                                  [&](const Slide& slide) { return !has(before, slide); });
  return begins ? EventKind::slide_begin : EventKind::slide_end;
}

}  // namespace

std::vector<Change> Simulation::changes(const Mode& before, std::span<const double> v_before,
                                        const Mode& after, std::span<const double> v_after) const {
  std::vector<Change> result;
  for (int i = 0; i < signature_.q(); ++i) {
    const auto row = at(signature_.binary_row(i));
    if (has_changed(before, after, i)) result.push_back({static_cast<int>(row), v_before[row], v_after[row]});
  }
  std::size_t next = 0;
  for (int i = 0; i < signature_.m(); ++i) {
    if (!signature_.inputs()[at(i)].binary) continue;
    if (before.binary_inputs[next] != after.binary_inputs[next])
      result.push_back({signature_.input_row(i), static_cast<double>(before.binary_inputs[next]),
                        static_cast<double>(after.binary_inputs[next])});
    ++next;
  }
  return result;
}

/// Laws of constraints that are reached: each changes x⁻ before the successor problem is posed, until none is
/// due or changes anything. False if the run ended.
bool Simulation::apply_reach_laws(Event& event) {
  constexpr int most_rounds = 1000;
  for (int round = 0; has_reach_laws_; ++round) {
    const Admissibility verdict = search_.check_unchanged(here_, mode_);
    const DueLaws laws = reach_laws(model_, verdict.constraints);
    if (laws.empty()) break;
    if (round == most_rounds) {
      finish(OutcomeKind::cycle, "at t = " + number(here_.t) + " transition laws are due again and again");
      return false;
    }
    const Motion motion(model_, preferred(cache_.get(mode_)), accuracy_, here_, laws);
    if (!motion.solved()) {
      finish(OutcomeKind::refused_law, "at t = " + number(here_.t) + in_mode(signature_, here_.v) +
                                           " the law of " + reached_text(verdict.constraints) + ": " +
                                           describe(motion.failure(), model_, mode_));
      return false;
    }
    if (event.constraints.empty()) event.constraints = verdict.constraints;
    ++event.candidates_tried;
    keep([&] { ++trajectory_.statistics.candidates; });
    if (!note_restart(motion, event)) break;  // it is at rest with its laws
    if (event.kind != EventKind::initial) event.kind = EventKind::law;
    here_.v = motion.v();
    here_.vouched.reset();
  }
  return true;
}

std::string Simulation::reached_text(const std::vector<int>& constraints) const {
  std::string text;
  for (const int row : constraints) text += (text.empty() ? "" : ", ") + model_.constraint_names[at(row)];
  return text;
}

bool Simulation::apply(const Successor& successor, EventKind kind, Event& event) {
  keep([&] { trajectory_.statistics.candidates += successor.tried; });
  event.candidates_tried += successor.tried;
  const std::string where = "at t = " + number(here_.t) + in_mode(signature_, here_.v);
  if (successor.status == Successor::Status::found || successor.status == Successor::Status::step)
    return true;
  const std::string reached = reached_text(successor.triggered);
  const std::string why =
      where + (reached.empty() ? "" : " at ") + reached + ": " + diagnosis(successor, mode_, model_);
  if (successor.status == Successor::Status::limit)
    finish(OutcomeKind::candidate_limit, successor.limit + " before a successor was found " + why);
  else if (successor.status == Successor::Status::refused)
    finish(OutcomeKind::refused_restart, "the restart is refused " + why);
  else if (kind == EventKind::initial)
    finish(OutcomeKind::no_consistent_start, "no consistent start " + why);
  else if (const auto limit = kind == EventKind::zeno ? std::nullopt : zeno_.near(here_.t))
    end_at_limit(*limit, "; there is no admissible mode " + why);
  else
    finish(OutcomeKind::dead_end, "no admissible mode follows " + why);
  return false;
}

void Simulation::add_explanation(Successor& successor, Event& event) {
  for (ExplainedCandidate& candidate : successor.explained) {
    candidate.step = static_cast<int>(event.steps.size()) + 1;
    event.explanation.push_back(std::move(candidate));
  }
}

/// Takes over what follows, and pre(z) := z. True if the mode that follows has that pre(z) already.
bool Simulation::take(const Successor& successor, Event& event, std::vector<Change>& changed) {
  const bool moves = successor.status == Successor::Status::found;
  if (event.constraints.empty()) event.constraints = successor.triggered;
  if (moves && !change_laws(model_, here_.z_before, successor.mode.z).empty() &&
      event.kind != EventKind::initial)
    event.kind = EventKind::law;
  Mode next = successor.mode;
  for (const std::vector<int>& tie : successor.ties) {
    Mode other = successor.mode;
    other.z = mode_.z;
    for (const int binary : tie) other.z[at(binary)] ^= 1;
    std::vector<double> v = successor.motion->v();
    write_mode(signature_, other, v);
    event.ties.push_back(changes(mode_, here_.v, other, v));
  }
  std::vector<double> v = moves ? successor.motion->v() : here_.v;
  write_mode(signature_, next, v);
  changed = changes(mode_, here_.v, next, v);
  if (next != mode_) event.steps.push_back(changed);
  for (std::size_t i = 0; i < next.pre.size(); ++i) next.pre[i] = next.z[at(signature_.pre()[i])];
  const bool settled = moves && next.pre == successor.mode.pre;
  if (moves) {
    note_restart(*successor.motion, event);
    system_ = successor.system;
    motion_ = successor.motion;
    keep_weights_in_range(*system_, v);
  }
  here_.v = std::move(v);
  mode_ = std::move(next);
  write_mode(signature_, mode_, here_.v);
  return settled;
}

bool Simulation::enter_mode(EventKind kind) {
  Event event;
  event.time = here_.t;
  event.kind = kind;
  const std::vector<double> left = here_.v;
  Mode before = mode_;
  if (kind == EventKind::input) {
    // mode_ holds the new binary inputs already; the event starts from the old ones.
    std::size_t next = 0;
    for (int i = 0; i < signature_.m(); ++i)
      if (signature_.inputs()[at(i)].binary)
        before.binary_inputs[next++] = left[at(signature_.input_row(i))] != 0.0 ? 1 : 0;
  }
  here_.accumulates =
      kind == EventKind::zeno || (here_.accumulates && !gathered_.empty() && mode_.slides == gathered_);
  InstantSteps steps(signature_, accuracy_, mode_, here_.v);
  std::optional<WayBack> way_back;
  const std::shared_ptr<const Vouched> vouched = here_.vouched;
  bool by_memory = true;
  bool left_a_circle = false;
  for (;;) {
    if (has_change_laws_) here_.z_before = mode_.z;
    if (kind != EventKind::zeno && !apply_reach_laws(event)) return false;
    Successor successor = search_.find(here_, mode_, by_memory);
    here_.vouched.reset();
    add_explanation(successor, event);
    if (successor.status == Successor::Status::dead_end && way_back) {
      // The sequence has led nowhere: what would have been asked for without memory.
      by_memory = false;
      mode_ = std::move(way_back->mode);
      here_.v = std::move(way_back->v);
      here_.vouched = vouched;
      way_back->event.candidates_tried = event.candidates_tried + successor.tried;
      way_back->event.explanation = std::move(event.explanation);
      event = std::move(way_back->event);
      keep([&] { trajectory_.statistics.candidates += successor.tried; });
      steps = InstantSteps(signature_, accuracy_, mode_, here_.v);
      way_back.reset();
      continue;
    }
    if (!apply(successor, kind, event)) {
      keep([&] { trajectory_.outcome.explanation = std::move(event.explanation); });
      return false;
    }
    if (successor.status == Successor::Status::step && !way_back) way_back = WayBack{mode_, here_.v, event};
    std::vector<Change> changed;
    if (take(successor, event, changed)) break;
    if (!steps.take(changed, mode_, here_.v)) {
      // Each change is admissible by itself, yet the motion does not advance: it may slide.
      Successor sliding = left_a_circle ? Successor{} : search_.slide_over(here_, mode_, steps.binaries());
      add_explanation(sliding, event);
      if (sliding.status != Successor::Status::found) {
        finish(OutcomeKind::cycle, "at t = " + number(here_.t) + " the changes of one instant repeat: mode " +
                                       mode_text() + " comes again after " + steps.text());
        keep([&] { trajectory_.outcome.explanation = std::move(event.explanation); });
        return false;
      }
      left_a_circle = true;
      event.steps.resize(event.steps.size() - std::min(event.steps.size(), steps.period()));
      steps = InstantSteps(signature_, accuracy_, mode_, here_.v);
      if (apply(sliding, kind, event) && take(sliding, event, changed)) break;
    }
    if (auto end = budget_.look(here_.t)) {
      finish(end->kind, std::move(end->message));
      return false;
    }
  }
  if (visited_.insert(ModeHash{}(mode_)).second && trajectory_.modes.size() < Trajectory::most_modes)
    keep([&] { trajectory_.modes.push_back({here_.t, mode_}); });
  event.changed = changes(before, left, mode_, here_.v);
  if (event.kind != EventKind::law) event.kind = kind_of(kind, before, mode_);
  if (event.steps.size() < 2) event.steps.clear();
  complete_jumps(event, left);
  keep([&] { absences_.enter(*system_, signature_, event, trajectory_); });
  jumped_ = !event.jumps.empty();
  here_.has_past = true;
  if (!event.changed.empty() || !event.steps.empty() || !event.jumps.empty() || !event.impulses.empty())
    record_event(std::move(event), before, left);
  return !ended_;
}

namespace {

/// Weights of one order add up over the steps of an instant; by row, the highest order first.
void merge(std::vector<Impulse>& impulses) {
  std::stable_sort(impulses.begin(), impulses.end(), [](const Impulse& a, const Impulse& b) {
    return a.row != b.row ? a.row < b.row : a.order > b.order;
  });
  std::vector<Impulse> merged;
  for (const Impulse& impulse : impulses)
    if (!merged.empty() && merged.back().row == impulse.row && merged.back().order == impulse.order)
      merged.back().weight += impulse.weight;
    else
      merged.push_back(impulse);
  impulses = std::move(merged);
}

}  // namespace

/// Takes over which states jump at the beginning of a motion from here_, and the impulses. False if none
/// jumps.
bool Simulation::note_restart(const Motion& motion, Event& event) const {
  const std::size_t before = event.jumps.size();
  for (const ImpulsivePart& part : motion.restart().impulsive_parts()) {
    if (part.row < signature_.n())
      event.jumps.push_back({part.row + signature_.n(), 0.0, 0.0});
    else if (!is_auxiliary(part.row))
      event.impulses.push_back({part.row, part.weight.value, part.order});
  }
  for (const int row : motion.system().plan->algebraic_states) {
    const auto place = at(row);
    const double slope = std::abs(here_.v[place - at(signature_.n())]);
    const double error = accuracy_.of(row, here_.v[place]) + accuracy_.of(row, motion.v()[place]);
    constexpr double own_accuracy = 8.0;
    if (std::abs(motion.v()[place] - here_.v[place]) > own_accuracy * error + slope * here_.time_uncertainty)
      event.jumps.push_back({row, 0.0, 0.0});
  }
  return event.jumps.size() > before;
}

/// The states that jumped at an instant, with their first and last limits.
void Simulation::complete_jumps(Event& event, std::span<const double> left) const {
  std::sort(event.jumps.begin(), event.jumps.end(),
            [](const Change& a, const Change& b) { return a.row < b.row; });
  const auto same = [](const Change& a, const Change& b) { return a.row == b.row; };
  event.jumps.erase(std::unique(event.jumps.begin(), event.jumps.end(), same), event.jumps.end());
  for (Change& jump : event.jumps) {
    jump.before = left[at(jump.row)];
    jump.after = here_.v[at(jump.row)];
  }
  constexpr double rounding = 1e-14;
  std::erase_if(event.jumps, [&](const Change& jump) {
    return std::abs(jump.after - jump.before) <= rounding * (std::abs(jump.before) + std::abs(jump.after));
  });
  merge(event.impulses);
}

bool Simulation::is_auxiliary(int row) const {
  const int y = row - signature_.algebraic_row(0);
  return y >= 0 && y < signature_.p() && signature_.algebraic()[at(y)].auxiliary;
}

void Simulation::record_event(Event event, const Mode& before, const std::vector<double>& left) {
  const double time = event.time;
  // An output time that coincides with an event has the event's two rows only.
  const std::size_t rows = trajectory_.size();
  if (rows > 0 && trajectory_.side(rows - 1) == 0 && outputs_.coincide(trajectory_.time(rows - 1), time))
    keep([&] { trajectory_.remove_last(); });
  outputs_.skip_through(time);
  record_row(time, -1, before, left);
  record_row(time, 1, mode_, here_.v);
  passed_event_ = true;
  const bool counts =
      event.kind != EventKind::initial && event.kind != EventKind::input && event.kind != EventKind::zeno;
  keep([&] { trajectory_.events.push_back(std::move(event)); });
  if (static_cast<long>(trajectory_.events.size()) >= options_.max_events)
    finish(OutcomeKind::event_limit, "at t = " + number(time) + " after " +
                                         std::to_string(options_.max_events) + " events, the most recent" +
                                         in_mode(signature_, here_.v));
  if (!counts) return;
  approach_.note(time, here_.v);
  const auto limit = zeno_.add(time, here_.time_uncertainty);
  if (limit && !ended_) pass_limit(*limit);
}

}  // namespace mti
