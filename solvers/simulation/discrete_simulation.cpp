#include "solvers/simulation/discrete_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/model/sample_reach.hpp"
#include "solvers/blocks/start_point.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/run_limits/interruption.hpp"

namespace mti {
namespace {

/// The rounding error of a signal, relative to it and to its nominal value.
constexpr double sample_rounding = 1e-12;
}  // namespace

DiscreteSimulation::DiscreteSimulation(const Model& model, const SimulationOptions& options,
                                       RunRecorder& recorder, RunBudget& budget)
    : model_(model),
      signature_(model.signature),
      resolved_(resolve(model, options)),
      recorded_(model, options, resolved_),
      accuracy_(model, std::min(sample_rounding, resolved_.rtol), std::min(sample_rounding, resolved_.atol)),
      cache_(model),
      search_(model, cache_, accuracy_,
              {.max_candidates = options.max_candidates,
               .sliding = false,
               .causal = false,
               .explain = options.explain,
               .remember = options.remember}),
      budget_(budget),
      recorder_(recorder),
      mode_(start_mode(model, resolved_.start)) {
  here_ = start_instant(model, resolved_.start, mode_);
  for (std::vector<double>* values : {&here_.v, &here_.guess})  // next(x): it stays where it is
    std::copy(model.x_start.begin(), model.x_start.end(), values->begin());
}

double DiscreteSimulation::time_of(long sample) const noexcept {
  return resolved_.start + static_cast<double>(sample) * model_.sample_time;
}

void DiscreteSimulation::advance(double limit, bool to_events) {
  if (ended_) return;
  if (auto interruption = interruption_of(budget_, [&] { run_samples(limit, to_events); })) {
    // The sample that was being solved is none of the run's.
    if (interruption->cause == Interruption::Cause::budget) here_.t = time();
    finish(ending_of(*std::move(interruption), budget_, here_.t));
  }
}

void DiscreteSimulation::run_samples(double limit, bool to_events) {
  // Cheap samples are looked at now and then, in large models each of them.
  const long samples_between_looks = std::clamp(128L * 64 / std::max(model_.signature.size(), 1), 1L, 128L);
  const std::size_t events = recorder_.events();
  pause_asked_ = false;
  const long last = limit < time_of(recorded_.last())
                        ? samples_within(limit - resolved_.start, model_.sample_time)
                        : recorded_.last();
  while (sample_ <= last && !std::exchange(pause_asked_, false)) {
    begin_sample();
    if (!solve_sample()) return;
    recorder_.count_step();
    const long solved = sample_++;
    if (recorded_.contains(solved)) recorder_.add_row(here_.t, 0, mode_, v_);
    std::swap(last_, v_);
    if (solved < recorded_.last() && solved % samples_between_looks == 0)
      if (auto ending = budget_.look(here_.t)) return finish(*std::move(ending));
    if (recorder_.is_full()) {
      return finish({OutcomeKind::event_limit, "more than " + std::to_string(recorder_.events() - 1) +
                                                   " events, the last at t = " + number(here_.t)});
    }
    here_.v = last_;  // guesses for next(x) and y
    std::copy_n(last_.begin(), signature_.n(), here_.v.begin() + signature_.state_row(0));
    if (to_events && recorder_.events() != events && solved < recorded_.last()) return;
  }
  if (sample_ > recorded_.last()) finish({OutcomeKind::reached_stop});
}

RunSnapshot DiscreteSimulation::snapshot() const {
  return {.time = time(),
          .constraints = model_.constraints(),
          .mode = mode_,
          .v = sample_ > 0 ? last_ : here_.v,
          .sample = sample_};
}

void DiscreteSimulation::resume(const RunSnapshot& snapshot) {
  mode_ = snapshot.mode;
  sample_ = snapshot.sample;
  last_ = here_.v = snapshot.v;
  if (sample_ > 0) std::copy_n(last_.begin(), signature_.n(), here_.v.begin() + signature_.state_row(0));
  here_.t = time();
}

/// Time, inputs and remembered binaries of the sample.
void DiscreteSimulation::begin_sample() {
  here_.t = time_of(sample_);
  take_inputs();
  bool same = system_ != nullptr && !inputs_changed_;
  for (std::size_t i = 0; i < mode_.pre.size(); ++i) {
    const char z = mode_.z[at(signature_.pre()[i])];
    same = same && mode_.pre[i] == z;
    mode_.pre[i] = z;
  }
  if (!same) system_ = cache_.get(mode_);
  write_mode(signature_, mode_, here_.v);
}

void DiscreteSimulation::take_inputs() {
  const double t = here_.t, reach = sample_reach(model_, t, resolved_.start);
  inputs_changed_ = false;
  if (reach >= t_breakpoint_) {
    InputsFrom inputs = inputs_from(model_, reach);
    here_.pieces = std::move(inputs.pieces);
    inputs_before_ = std::exchange(mode_.binary_inputs, std::move(inputs.binary));
    t_breakpoint_ = inputs.next_breakpoint;
    inputs_changed_ = sample_ > 0 && inputs_before_ != mode_.binary_inputs;
  }
  for (int i = 0; i < signature_.m(); ++i)
    if (!signature_.inputs()[at(i)].binary)
      here_.v[at(signature_.input_row(i))] = here_.pieces[at(i)].value(t);
}

/// False if the run ended before the sample was solved.
bool DiscreteSimulation::solve_sample() {
  Event event;
  event.time = here_.t;
  event.kind = sample_ == 0      ? EventKind::initial
               : inputs_changed_ ? EventKind::input
                                 : EventKind::switch_mode;
  std::vector<int> flipped;
  if (stays()) {
    ++event.candidates_tried;
  } else {
    Successor successor = search_.find(here_, mode_);
    recorder_.count_candidates(successor.tried);
    event.explanation = std::move(successor.explained);
    if (successor.status != Successor::Status::found) {
      finish(failure(successor));
      recorder_.explain_outcome(std::move(event.explanation));
      return false;
    }
    event.candidates_tried = successor.tried;
    event.constraints = std::move(successor.triggered);
    if (!successor.open.empty()) recorder_.warn_once(successor.open, " (at t = " + number(here_.t) + ")");
    for (const std::vector<int>& tie : successor.ties) event.ties.push_back(changes(tie));
    flipped = std::move(successor.flipped);
    v_ = successor.motion->v();
  }
  if (!is_finite()) return false;
  const bool is_new = event.kind == EventKind::initial || !flipped.empty() || inputs_changed_;
  if (is_new) event.changed = changes(flipped);
  if (!flipped.empty()) take_over(flipped);
  if (system_ != accounted_) recorder_.account_absences(*system_, event);
  accounted_ = system_;
  if (is_new) {
    note_mode();
    if (!event.changed.empty()) recorder_.add_event(std::move(event));
  }
  return true;
}

/// The mode as it is has a solution with g ≤ 0, which is then in v_: what most samples are. Anything else,
/// and all that is close to a boundary, is left to the search.
bool DiscreteSimulation::stays() {
  if (!system_->structurally_solvable() || !system_->broken_constraints.empty()) return false;
  v_ = here_.v;
  for (const SolutionBlock& block : system_->plan->blocks)
    if (!solve_block(system_->f, block, v_, here_.guess, {}).solved()) return false;
  return std::none_of(system_->live_constraints.begin(), system_->live_constraints.end(),
                      [&](int row) { return system_->g.value(row, v_) > 0.0; });
}

void DiscreteSimulation::take_over(const std::vector<int>& flipped) {
  for (const int binary : flipped) mode_.z[at(binary)] ^= 1;
  system_ = cache_.get(mode_);
}

/// A step that overflows ends the run: nothing can follow from it.
bool DiscreteSimulation::is_finite() {
  const auto good = [&](int first, int count) {
    for (int row = first; row < first + count; ++row)
      if (!std::isfinite(v_[at(row)])) {
        finish({OutcomeKind::solver_failure, at_instant(here_.t, signature_, here_.v) + " the value of " +
                                                 signature_.row_name(row) + " is not finite"});
        return false;
      }
    return true;
  };
  return good(signature_.derivative_row(0), signature_.n()) &&
         good(signature_.algebraic_row(0), signature_.p());
}

Ending DiscreteSimulation::failure(const Successor& successor) const {
  const std::string reached = constraint_list(model_, successor.triggered);
  const std::string why = at_instant(here_.t, signature_, here_.v) + (reached.empty() ? "" : " at ") +
                          reached + ": " + diagnosis(successor, mode_, model_);
  if (successor.status == Successor::Status::limit)
    return {OutcomeKind::candidate_limit, successor.limit + " before admissible binaries were found " + why};
  for (const RejectedCandidate& candidate : successor.rejected)
    if (const SolveFailure& failure = candidate.verdict.failure;
        failure.kind == SolveFailure::Kind::not_finite)
      return {OutcomeKind::solver_failure, at_instant(here_.t, signature_, here_.v) + " the value of " +
                                               signature_.row_name(failure.signals.front()) +
                                               " is not finite"};
  if (sample_ == 0) return {OutcomeKind::no_consistent_start, "the first sample has no solution " + why};
  return {OutcomeKind::dead_end, "the sample has no solution " + why};
}

/// The binaries that flip, and the binary inputs that have changed.
std::vector<Change> DiscreteSimulation::changes(const std::vector<int>& flipped) const {
  std::vector<Change> result;
  for (const int binary : flipped) {
    const double before = mode_.z[at(binary)];
    result.push_back({signature_.binary_row(binary), before, 1.0 - before});
  }
  std::size_t next = 0;
  for (int i = 0; inputs_changed_ && i < signature_.m(); ++i) {
    if (!signature_.inputs()[at(i)].binary) continue;
    const double before = inputs_before_[next], after = mode_.binary_inputs[next];
    if (before != after) result.push_back({signature_.input_row(i), before, after});
    ++next;
  }
  return result;
}

/// A mode of the run, whatever its binaries were at the sample before.
void DiscreteSimulation::note_mode() {
  Mode mode = mode_;
  remember(signature_, mode);
  recorder_.add_undetermined(open_signals(*system_, signature_));
  recorder_.add_mode(here_.t, mode);
}

void DiscreteSimulation::finish(Ending ending) {
  ended_ = true;
  // The sample that was solved last belongs to the results of a run that ends early.
  const long solved = sample_ - 1;
  if (ending.kind != OutcomeKind::reached_stop && solved >= 0 && recorder_.ends_before(time_of(solved))) try {
      recorder_.add_row(time_of(solved), 0, mode_, last_);
    } catch (const std::bad_alloc&) {  // the rows before it are kept
    }
  recorder_.finish(std::move(ending), here_.t, solved >= 0 ? last_ : here_.v);
}

}  // namespace mti
