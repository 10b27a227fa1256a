#include "solvers/events/segment_integration.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/model/delays.hpp"
#include "mti/model/freeze.hpp"

namespace mti {
namespace {

using Slots = std::vector<SegmentUnknowns::Slot>;

/// Local errors add up: half of what is allowed keeps many periods of an oscillation within some tens of it.
/// Motions within a surface are often unstable, and when they leave it depends on a derivative; impacts under a
/// law follow each other ever faster and multiply what the first one is off: then a tenth. What is integrated
/// of constrained motions changes on the way, and so does what integrates a stiff mode: then a fifth. What a
/// delayed signal is off comes back time and again, by what times are off as well.
constexpr double usual_caution = 0.5, greater_caution = 0.2, greatest_caution = 0.1, caution_of_delays = 0.02;
/// So many steps of IDA in one mode add up to more: what oscillates for so long is kept to this part from then on.
constexpr long many_steps_in_a_mode = 10'000;
constexpr double caution_of_many_steps = 0.005;
/// Dense exponentials of n states cost what some n²/2 steps of IDA do. Of so few states they are made at once, of more
/// when IDA has taken as many steps in the mode: then it may go on for as long again.
constexpr long few_states = 40;
/// An entry of M takes some 500 bytes in the rungs of its ladder.
constexpr long most_flow_entries = 200'000;
constexpr std::size_t most_segments_kept = 128, most_large_segments_kept = 4;

}  // namespace

SegmentIntegration::SegmentIntegration(const Model& model, const Accuracy& accuracy, double t_stop,
                                       IntegratorChoice choice, LinearSolver linear_solver)
    : model_(model),
      signature_(model.signature),
      accuracy_(accuracy),
      t_stop_(t_stop),
      choice_(choice),
      integrator_(accuracy, linear_solver),
      whole_(WholeModelKernels::suit(model) ? std::make_shared<const WholeModelKernels>(model) : nullptr),
      point_(at(signature_.size()), 0.0),
      rate_(at(signature_.size()), 0.0),
      accumulated_error_(has_laws_of_motions(model) ? 1.0 : 0.0),
      has_delays_(has_delays(model)) {}

SegmentIntegration::Segment& SegmentIntegration::segment(const std::shared_ptr<const ModeSystem>& system) {
  if (const auto found = segments_.find(system.get()); found != segments_.end()) return *found->second;
  if (segments_.size() >= (whole_ ? most_large_segments_kept : most_segments_kept)) {
    segments_.clear();
    flow_entries_ = 0;
  }
  auto made = std::make_unique<Segment>(model_, accuracy_, integrator_, system, whole_);
  Segment& result = *made;
  if (choice_ != IntegratorChoice::ida)
    if (std::shared_ptr<const SeriesProgram> program = SeriesProgram::of(model_, *system))
      result.series = std::make_unique<SeriesSegment>(std::move(program), accuracy_);
  segments_.emplace(system.get(), std::move(made));
  return result;
}

double SegmentIntegration::caution(const ModeSystem& system) const {
  // Below this part of the unknowns rounding decides, and BDF takes ever smaller steps.
  constexpr double least_relative_tolerance = 1e-12;
  const bool is_stiff = segment_->is_stiff && greater_caution * accuracy_.rtol >= least_relative_tolerance;
  const double of_mode = slid_ || has_laws_of_motions(model_)        ? greatest_caution
                         : system.plan->differentiated() || is_stiff ? greater_caution
                                                                     : usual_caution;
  // A past is read off polynomials of low order, whose slopes have fewer digits than that.
  constexpr double least_of_delays = 1e-11;
  if (has_delays_) return std::min(of_mode, std::max(least_of_delays / accuracy_.rtol, caution_of_delays));
  return ida_steps_ >= many_steps_in_a_mode
             ? std::min(of_mode, std::max(least_relative_tolerance / accuracy_.rtol, caution_of_many_steps))
             : of_mode;
}

void SegmentIntegration::start(const RunState& state) {
  const Instant& here = state.here;
  const ModeSystem& system = *state.system;
  const bool is_continuous = system.plan->plain() && !model_.is_discrete() && model_.transitions.empty();
  const bool left_a_flow = stepped_ && integrator_.engine() == SmoothIntegrator::Engine::flow;
  if (left_a_flow) look_back_at_flow(here.t);
  if (left_a_flow && is_continuous) integrator_.leave(here.t);
  series_steps_ = steps_of_segment_ = 0;
  begun_at_ = here.t;
  Segment* const next = &segment(state.system);
  if (segment_ != nullptr && segment_ != next) ida_steps_ = 0;
  segment_ = next;
  segment_->dae.set_segment(here.t, here.pieces, here.v);

  // The motion gives one order more than f: Dg at the start for the event location.
  Motion& motion = *state.motion;
  for (int row = 0; row < signature_.binary_row(0); ++row) rate_[at(row)] = motion.signal(row, 1).value;
  for (int row = signature_.binary_row(0); row < signature_.size(); ++row) rate_[at(row)] = 0.0;
  for (const int row : system.sliding) rate_[at(row)] = motion.signal(row, 1).value;
  // Where fast states have relaxed, x₁ stands at the end of the time that takes, and ẋ at the instant itself.
  if (motion.relaxation() > 0.0)
    for (int i = 0; i < signature_.n(); ++i)
      rate_[at(signature_.state_row(i))] = motion.signal(signature_.derivative_row(i), 0).value;
  w_.resize(at(segment_->dae.unknowns().size()));
  wp_.resize(w_.size());
  slid_ = slid_ || !system.sliding.empty();
  if (!start_flow(state, left_a_flow, is_continuous)) {
    account_for_restart(here);
    if (!start_series(state)) start_ida(state);
  } else if (!integrator_.begins_exactly()) {
    account_for_restart(here);
  }
  stepped_ = false;
  segment_->monitor.begin(here.t, here.v, rate_, integrator_.uses_series() ? accumulated_error() : 1.0,
                          motion);

  // Constant inputs and binaries stand in every output of the segment.
  std::copy_n(here.v.begin() + signature_.input_row(0), signature_.m(),
              point_.begin() + signature_.input_row(0));
  write_mode(signature_, state.mode, point_);
}

/// False where the mode is left to others. After a flow, where the run begins, and where states have relaxed at once, the mode
/// may be stiff: that need not be found out by series, which would lose digits of the states.
bool SegmentIntegration::start_flow(const RunState& state, bool left_a_flow, bool is_continuous) {
  const bool automatic = choice_ == IntegratorChoice::automatic;
  const bool may_be_stiff = left_a_flow || !stepped_ || state.motion->relaxation() > 0.0;
  const bool is_looked_at =
      automatic && may_be_stiff && !segment_->is_stiff && !segment_->is_not_stiff_at_once;
  const bool wanted =
      choice_ == IntegratorChoice::flow || (automatic && (segment_->is_stiff || is_looked_at));
  constexpr long many_idle_flows = 100;
  const bool is_idle = automatic && idle_flows_ >= many_idle_flows && segment_->series;
  if (!wanted || is_idle || segment_->has_no_flow) return false;
  if (!make_flow(state)) return false;
  if (automatic && !flow_pays()) return false;
  segment_->ida_steps = 0;
  if (!(left_a_flow && is_continuous)) integrator_.arrive(is_continuous ? arrived(state) : std::nullopt);
  if (!integrator_.start(*segment_->flow, segment_->dae.unknowns(), state.here.t, state.here.v,
                         state.here.pieces))
    return false;
  if (!is_looked_at) return true;
  segment_->is_stiff = segment_->flow->is_split();
  segment_->is_not_stiff_at_once = left_a_flow && !segment_->is_stiff;
  return segment_->is_stiff;
}

/// A mode that is stiff over the length of the run need not be so over that of its segments: where nothing of the last one has
/// relaxed, |M|·length ≤ 4, one series would have done.
void SegmentIntegration::look_back_at_flow(double now) {
  constexpr double nothing_relaxes = 4.0;
  const bool idle = segment_->flow && segment_->flow->size_of_M() * (now - begun_at_) <= nothing_relaxes;
  idle_flows_ = idle ? idle_flows_ + 1 : 0;
}

/// False if the present segment's mode has none.
bool SegmentIntegration::make_flow(const RunState& state) {
  if (segment_->flow || segment_->has_no_flow) return !segment_->has_no_flow;
  if (segment_->series)
    segment_->flow = FlowMode::of(model_, *state.system, segment_->series->program, t_stop_ - state.here.t);
  else if (const auto program = SeriesProgram::of(model_, *state.system))
    segment_->flow = FlowMode::of(model_, *state.system, program, t_stop_ - state.here.t);
  segment_->has_no_flow = !segment_->flow;
  if (segment_->flow) bound_flows();
  return !segment_->has_no_flow;
}

/// Series have made many steps, far more are to come, and the mode has a flow: whatever holds them up, such as rounding that
/// an equation magnifies, that has no such limit. Where it has none, IDA may not be held up either.
bool SegmentIntegration::crawls(double t, const RunState& state) {
  constexpr long many_steps = 10'000, several_steps = 1'000, far_more = 100'000;
  if (choice_ != IntegratorChoice::automatic || !integrator_.uses_series()) return false;
  if (++series_steps_ % several_steps != 0 || t_stop_ - t < far_more * integrator_.last_step()) return false;
  return (series_steps_ % many_steps == 0 && make_flow(state)) || is_held_by_relaxation(t, state);
}

/// Steps of series as long as a state of the mode takes to relax: what they resolve is rounding that an equation magnifies, and
/// the series do not show that they are held by it.
bool SegmentIntegration::is_held_by_relaxation(double t, const RunState& state) {
  constexpr double shortest = 0.02, longest = 50.0;
  std::vector<double> v(state.here.v);
  read(t, state, v);
  const double relaxed = integrator_.last_step() * largest_relaxation(*state.system, signature_, v);
  return relaxed > shortest && relaxed < longest;
}

/// Room for the flow of the present segment: those of other modes are made again when they are needed.
void SegmentIntegration::bound_flows() {
  const long size = segment_->flow->affine().size();
  flow_entries_ += size * size;
  if (flow_entries_ <= most_flow_entries) return;
  for (const auto& [system, other] : segments_)
    if (other.get() != segment_) other->flow.reset();
  flow_entries_ = size * size;
}

bool SegmentIntegration::flow_pays() const {
  const long states = segment_->flow->affine().states();
  return states <= few_states || 2 * segment_->ida_steps >= states * states;
}

/// A restart that moves a state by about its ε, onto a constraint or to rest, leaves it no better known than that.
void SegmentIntegration::account_for_restart(const Instant& here) {
  if (accumulated_error_ >= 1.0 || !stepped_ || left_.empty()) return;
  constexpr double many = 100.0, rounding = 16.0 * machine_epsilon;
  for (int row = signature_.state_row(0); row < signature_.input_row(0); ++row) {
    const double before = left_[at(row)], now = here.v[at(row)], move = std::abs(now - before);
    if (move > rounding * std::max(std::abs(before), std::abs(now)) &&
        move <= many * accuracy_.of(row, std::max(std::abs(before), std::abs(now))))
      accumulated_error_ = 1.0;
  }
}

/// False where the mode is left to IDA.
bool SegmentIntegration::start_series(const RunState& state) {
  if (!segment_->series) return false;
  const SeriesProgram& program = *segment_->series->program;
  const auto width = at(program.most_given_orders());
  series_values_.assign(program.slots().size() * width, 0.0);
  for (std::size_t slot = 0; slot < program.slots().size(); ++slot) {
    const SeriesProgram::Slot& s = program.slots()[slot];
    if (s.kind == SeriesProgram::Slot::Kind::input) continue;
    series_values_[slot * width] = state.here.v[at(s.row)];
    for (int k = 1; k < program.given_orders(slot); ++k)
      series_values_[slot * width + at(k)] = state.motion->signal(s.row, k).value;
  }
  return integrator_.start(*segment_->series, segment_->dae.unknowns(), state.here.t, state.here.v,
                           series_values_, state.here.pieces);
}

void SegmentIntegration::start_ida(const RunState& state) {
  const Instant& here = state.here;
  Motion& motion = *state.motion;
  if (segment_->is_stiff) {
    has_joined_ = std::exchange(keeps_differences_together_, false);
    if (has_joined_)
      segment_->dae.join_small_differences();
    else
      segment_->dae.separate_small_differences(here.v, rate_, t_stop_ - here.t);
    w_.resize(at(segment_->dae.unknowns().size()));
    wp_.resize(w_.size());
  }
  // ẏ is known too, for the integrator's first step.
  const Slots& slots = segment_->dae.unknowns().slots();
  double curvature = 0.0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto [row, order] = slots[i];
    w_[i] = order == 0 ? here.v[at(row)] : factorial(order) * motion.signal(row, order).value;
    wp_[i] = factorial(order + 1) * motion.signal(row, order + 1).value;
    if (order > 0 || row < signature_.state_row(0)) continue;  // follows from the others
    curvature = std::max(curvature, std::abs(2.0 * motion.signal(row, 2).value) / accuracy_.of(row, w_[i]));
  }

  // A first-order step of length h errs by ½h²|ẅ|: half of what is allowed. Where the curvature happens to vanish
  // that says little.
  constexpr double most_of_the_rest = 0.01;
  const double rest = t_stop_ - here.t;
  const double first_step =
      curvature > 0.0 ? std::min(std::sqrt(1.0 / curvature), most_of_the_rest * rest) : 0.0;
  segment_->dae.prepare_equations();
  caution_ = caution(*state.system);
  segment_->dae.set_caution(caution_);
  segment_->dae.set_length_of_steps(first_step > 0.0 ? first_step : rest);
  integrator_.start(segment_->dae.dae(), segment_->dae.unknowns(), here.t, w_, wp_, first_step);
}

StepResult SegmentIntegration::step(double t_goal) {
  StepResult result = integrator_.step(t_goal);
  stepped_ = stepped_ || result.ok;
  if (integrator_.engine() == SmoothIntegrator::Engine::ida) {
    ++segment_->ida_steps;
    ++ida_steps_;
  }
  if (result.ok && accumulated_error_ < 1.0) accumulated_error_ += integrator_.local_error();
  return result;
}

std::optional<EventLocation::Crossing> SegmentIntegration::next_crossing(double t) {
  return segment_->monitor.advance(t);
}

bool SegmentIntegration::accept(Motion& motion, int constraint) {
  return segment_->monitor.accept(constraint, motion.constraint(constraint, 0),
                                  motion.constraint(constraint, 1));
}

bool SegmentIntegration::should_begin_anew(double t, RunState& state) {
  const bool is_stiff = integrator_.is_stiff() || crawls(t, state);
  const bool by_ida = integrator_.engine() == SmoothIntegrator::Engine::ida;
  const bool flow_is_due =
      by_ida && segment_->flow && segment_->flow->affine().states() > few_states && flow_pays();
  const bool may_wear_out = by_ida && state.system->plan->differentiated();
  const bool may_have_relaxed = by_ida && segment_->is_stiff && may_have_relaxed_since();
  const bool becomes_long =
      by_ida && ida_steps_ >= many_steps_in_a_mode && caution(*state.system) < std::exchange(caution_, 0.0);
  if (!is_stiff && !flow_is_due && !may_wear_out && !may_have_relaxed && !becomes_long) return false;
  read(t, state, state.here.v);
  return becomes_long || (is_stiff && change_engine()) || flow_is_due ||
         (may_have_relaxed && has_relaxed(t, state.here.v)) ||
         (may_wear_out && segment_->dae.is_worn_out(t, state.here.v));
}

/// Fast motions that a segment of IDA began with may have relaxed by now: after so many steps, or since steps have become so
/// much longer. The first step may have gone past them. Where small differences are kept together because of these motions, that
/// is looked at again and again.
bool SegmentIntegration::may_have_relaxed_since() {
  constexpr long steps_to_relax = 200, first_look = 4, second_look = 16;
  constexpr double much_longer = 100.0;
  const double step = integrator_.last_step();
  ++steps_of_segment_;
  if (steps_of_segment_ == 1) step_looked_at_ = step;
  const bool has_grown = step >= much_longer * step_looked_at_;
  if (has_grown) step_looked_at_ = step;
  return has_grown || steps_of_segment_ == first_look || steps_of_segment_ == second_look ||
         steps_of_segment_ == steps_to_relax ||
         (has_joined_ && steps_of_segment_ >= first_look && steps_of_segment_ < steps_to_relax &&
          std::has_single_bit(at(steps_of_segment_)));
}

/// Differences that were not small where the segment began are so by now.
bool SegmentIntegration::has_relaxed(double t, std::span<const double> v) {
  std::vector<double> wpp(w_.size());
  integrator_.interpolate(t, 2, wpp);
  segment_->dae.rate(t, wp_, wpp, rate_);
  return segment_->dae.has_more_small_differences(v, rate_, t_stop_ - t);
}

bool SegmentIntegration::change_engine() {
  using Engine = SmoothIntegrator::Engine;
  if (integrator_.engine() == Engine::ida) {
    // A small difference can be integrated where it has relaxed, and not yet where rounding of large signals began it.
    return segment_->dae.has_small_differences() && !std::exchange(keeps_differences_together_, true);
  }
  if (choice_ == IntegratorChoice::series) return false;
  // The present step is still read from what is given up; the next segment in the mode does not find it.
  // Where no motion could begin there, the same was given up before and is still at work.
  if (integrator_.engine() == Engine::flow) {
    if (segment_->flow) {
      flow_entries_ -= static_cast<long>(segment_->flow->affine().size()) * segment_->flow->affine().size();
      retired_flow_ = std::move(segment_->flow);
    }
    segment_->has_no_flow = true;
  } else {
    if (segment_->series) retired_series_ = std::move(segment_->series);
    segment_->is_stiff = true;
  }
  return true;
}

void SegmentIntegration::read(double t, const RunState& state, std::vector<double>& v) {
  if (!stepped_) {
    v = state.here.v;
    return;
  }
  integrator_.interpolate(t, 0, w_);
  integrator_.interpolate(t, 1, wp_);
  segment_->dae.point(t, w_, wp_, v);
  write_mode(signature_, state.mode, v);
  keep_weights_in_range(*state.system, v);
  left_ = v;
  left_at_ = t;
}

const std::vector<double>& SegmentIntegration::output(double t, const ModeSystem& system, bool with_rates) {
  integrator_.interpolate(t, 0, w_);
  if (with_rates) integrator_.interpolate(t, 1, wp_);
  segment_->dae.point(t, w_, wp_, point_);
  keep_weights_in_range(system, point_);
  return point_;
}

void SegmentIntegration::release() {
  segment_ = nullptr;
  segments_.clear();
}

}  // namespace mti
