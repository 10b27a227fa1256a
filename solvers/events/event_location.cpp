#include "solvers/events/event_location.hpp"

#include <algorithm>
#include <array>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/model/freeze.hpp"
#include "mti/multilinear/cp_rows.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

constexpr int deepest = 24;
/// A crossing takes some ten samples for each row; a step that asks for so many is resolved no further.
constexpr int most_samples = 20'000;

/// The live rows of g in the segment's mode, unless the whole model's kernel serves.
CpKernel kernel_of_rows(const Model& model, const SegmentDae& segment, const std::vector<int>& rows) {
  if (segment.whole()) return {};
  const ModeSystem& system = segment.mode_system();
  if (system.extended) return CpKernel(select_rows(system.extended->g, rows));
  if (CpKernel::suits(system.g, rows)) return {system.g, rows, model.signature.size()};
  return CpKernel(freeze(select_rows(model.g(), rows), fixed_signals(model.signature, system.mode)));
}

}  // namespace

EventLocation::EventLocation(const Model& model, const Accuracy& accuracy, const SegmentDae& segment,
                             const SmoothIntegrator& integrator)
    : model_(model),
      accuracy_(accuracy),
      segment_(segment),
      integrator_(integrator),
      rows_(segment.mode_system().live_constraints),
      own_kernel_(kernel_of_rows(model, segment, rows_)),
      kernel_(segment.whole() ? segment.whole()->g : own_kernel_) {
  for (std::size_t i = 0; i < rows_.size(); ++i) kernel_row_.push_back(segment.whole() ? at(rows_[i]) : i);
  const Signature& signature = model.signature;
  const auto size = at(signature.size());
  v_.assign(size, 0.0);
  rate_.assign(size, 0.0);
  level_.assign(rows_.size(), 0.0);
  touching_.assign(rows_.size(), -1.0);
  inside_at_.assign(rows_.size(), std::numeric_limits<double>::infinity());
  for (int i = 0; i < signature.n(); ++i)
    uses_derivatives_ = uses_derivatives_ ||
                        kernel_.pattern().column_start[at(i)] < kernel_.pattern().column_start[at(i) + 1];
  for (int i = 0; i < signature.m(); ++i)
    if (!signature.inputs()[at(i)].binary &&
        !std::holds_alternative<ConstantInput>(model.inputs[at(i)].form()))
      varying_inputs_.push_back(i);
  const RowMap& g = segment.mode_system().g;
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (!std::ranges::all_of(g.terms(rows_[row]),
                             [&](const RowMap::Term& term) { return g.is_affine(term.column); }))
      products_.push_back(row);
  for (Sample* sample : {&here_, &next_}) {
    sample->g.assign(at(kernel_.rows()), 0.0);
    sample->slope.assign(at(kernel_.rows()), 0.0);
  }
}

/// A quarter of the shortest period that products of sine inputs in g can have, as which a part of each polynomial counts: nothing but the monitor
/// limits the distance of samples where g depends on inputs alone.
double EventLocation::longest_resolved_gap(double t) const {
  double frequency = 0.0;
  for (const int i : varying_inputs_) {
    const auto column = at(model_.signature.input_row(i));
    if (kernel_.pattern().column_start[column] < kernel_.pattern().column_start[column + 1])
      frequency += highest_frequency(model_.inputs[at(i)], t);
  }
  return frequency > 0.0 ? 0.25 / frequency : std::numeric_limits<double>::infinity();
}

void EventLocation::evaluate(double t, Sample& sample) {
  sample.t = time_ = t;
  kernel_.value_and_rate(v_, rate_, sample.g, sample.slope);
  put_right(sample);
}

/// ε_j at the point that was evaluated last, and no more than what the integrator is off.
double EventLocation::error_of(int signal) const {
  const int input = signal - model_.signature.input_row(0);
  if (input >= 0 && input < model_.signature.m())
    return accuracy_.of_input(signal, v_[at(signal)], rate_[at(signal)]);
  return std::min(accuracy_.of(signal, v_[at(signal)]), integrator_.error_of(signal, v_[at(signal)], time_));
}

/// Σ |∂g/∂v_j| ε_j, `part` of every ε counting.
double EventLocation::tolerance(std::size_t row, double part) const {
  const RowMap& g = segment_.mode_system().g;
  const double rounded = 16.0 * machine_epsilon * g.magnitude(rows_[row], v_);
  if (is_put_right_[row] != 0) return rounded + tolerance_of(*reduced_[row], part);
  double sum = rounded;
  g.gradient(rows_[row], v_,
             [&](int signal, double slope) { sum += part * std::abs(slope) * error_of(signal); });
  // Series keep what the equations say to rounding; what BDF gives of two signals is off by the tolerance of each.
  if (const auto& reduced = reduced_[row]; reduced && integrator_.uses_series())
    sum = std::min(sum, tolerance_of(*reduced, part));
  const auto known = integrator_.constraint(row, time_, 0);
  return known ? std::min(sum, part * known->error) : sum;
}

/// What the integrator's rounding leaves open about the row at the point that was evaluated last.
double EventLocation::rounding(std::size_t row) const {
  const std::span<const double> of_unknowns = integrator_.rounding();
  if (of_unknowns.empty()) return 0.0;
  if (const auto known = integrator_.constraint(row, time_, 0)) return known->floor;
  constexpr double of_summands = 4.0 * machine_epsilon;
  const RowMap& g = segment_.mode_system().g;
  double sum = of_summands * g.magnitude(rows_[row], v_);
  const auto add = [&](int signal, double slope) {
    if (const int slot = slot_of_[at(signal)]; slot >= 0) sum += std::abs(slope) * of_unknowns[at(slot)];
  };
  if (is_put_right_[row] != 0)
    for (const auto& [signal, weight] : reduced_[row]->known) add(signal, weight);
  else
    g.gradient(rows_[row], v_, add);
  return sum;
}

/// A time is known to no more than the rounding of what is read there: of a slow rise out of a long step that is much.
double EventLocation::rounding_of_time(std::size_t row, double t) {
  const double of_value = rounding(row);
  if (of_value == 0.0) return 0.0;
  Sample there{0.0, std::vector<double>(here_.g.size()), std::vector<double>(here_.g.size())};
  interpolate(t, there);
  return of_value / std::abs(there.slope[kernel_row_[row]]);
}

void EventLocation::begin(double t, std::span<const double> v, std::span<const double> rate, double part,
                          Motion& motion) {
  std::copy(v.begin(), v.end(), v_.begin());
  std::copy(rate.begin(), rate.end(), rate_.begin());
  for (std::vector<double>* buffer : {&w_, &wp_, &wpp_}) buffer->assign(at(segment_.unknowns().size()), 0.0);
  slot_of_.assign(v_.size(), -1);
  const std::vector<SegmentUnknowns::Slot>& slots = segment_.unknowns().slots();
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (slots[i].order == 0) slot_of_[at(slots[i].row)] = static_cast<int>(i);
  time_ = t;
  reduce(motion);
  longest_gap_ = longest_resolved_gap(t);
  evaluate(t, here_);
  excused_.assign(rows_.size(), 1);
  outside_since_.assign(rows_.size(), std::numeric_limits<double>::infinity());
  above_since_.assign(rows_.size(), std::numeric_limits<double>::infinity());
  looks_.assign(rows_.size(), {});
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    double limit = tolerance(row, part);
    // Of a small signal ε of the states may leave less open than its own tolerance: i = G·s with G = 10⁻¹⁵.
    if (integrator_.engine() != SmoothIntegrator::Engine::ida)
      limit = std::min(limit, std::max(tolerance(row, 0.0), motion.constraint(rows_[row], 0).error));
    const double g = here_.g[kernel_row_[row]];
    // A row that falls needs no more than to be told from where it starts; nor does one that is inside, if only by a part of
    // its tolerance, and rises for certain: a ball whose bounces are as small as that, looked at between two of them.
    const auto rises_from_inside = [&] {
      constexpr int orders = 3;
      if (!(g < -tolerance(row, 0.0))) return false;
      for (int k = 1; k <= orders; ++k)
        if (const Ball slope = motion.constraint(rows_[row], k); std::abs(slope.value) > slope.error)
          return slope.value > 0.0;
      return false;
    };
    if (g <= -limit)
      level_[row] = 0.0;
    else
      level_[row] =
          std::max(here_.slope[kernel_row_[row]] < 0.0 || rises_from_inside() ? 0.0 : limit, 2.0 * g);
  }
  // Fast signals need that long to relax.
  constexpr double resolutions = 3.0;
  grace_ = std::max(resolutions * accuracy_.resolution, std::numeric_limits<double>::min());
  grace_ends_ = t + grace_;
  has_begun_ = true;
}

EventLocation::Course EventLocation::course(std::size_t row, const Sample& a, const Sample& b, int depth) {
  const double h = b.t - a.t;
  const double level = level_[row];
  const std::array<double, 4> bernstein{
      a.g[kernel_row_[row]] - level, a.g[kernel_row_[row]] - level + h / 3.0 * a.slope[kernel_row_[row]],
      b.g[kernel_row_[row]] - level - h / 3.0 * b.slope[kernel_row_[row]], b.g[kernel_row_[row]] - level};
  const auto [lowest, highest] = std::minmax_element(bernstein.begin(), bernstein.end());
  // The cubic is off by O(h⁴): half of its own variation is allowed for at first, 1/16 of that per halving.
  const double margin = depth >= 6 ? 0.0 : std::ldexp(0.5 * (*highest - *lowest), -4 * depth);
  if (*highest + margin <= 0.0) return Course::clear;
  // Value and slope at a are exact, so a row that starts on its boundary and falls needs no margin there.
  if (bernstein[0] <= 0.0 && std::max({bernstein[1], bernstein[2], bernstein[3]}) + margin <= 0.0)
    return Course::clear;
  int sign_changes = 0;
  for (std::size_t i = 1; i < bernstein.size(); ++i)
    sign_changes += (bernstein[i] > 0.0) != (bernstein[i - 1] > 0.0) ? 1 : 0;
  // An end that is zero to rounding, where the row may have come back to, brackets nothing.
  constexpr double several_roundings = 64.0 * machine_epsilon;
  const bool end_is_above =
      bernstein[3] > several_roundings * (*highest - *lowest) || bernstein[3] >= *highest;
  if (bernstein[3] > 0.0 && sign_changes == 1 && end_is_above) return Course::crossing;
  // What rises by no more than the row's tolerance cannot be told from touching. Without this a row that
  // stays on its boundary, as between two bodies that move together, would be halved for its rounding errors.
  if (*highest + margin <= touching_tolerance(row))
    return bernstein[3] > 0.0 ? Course::crossing : Course::clear;
  return Course::unclear;
}

/// The tolerance of the row near the present step, computed only where the course of the row is unclear.
double EventLocation::touching_tolerance(std::size_t row) {
  double& known = touching_[row];
  if (known < 0.0) known = tolerance(row);
  return known;
}

void EventLocation::interpolate(double t, Sample& sample) {
  check_budget();
  ++samples_;
  integrator_.interpolate(t, 0, w_);
  integrator_.interpolate(t, 1, wp_);
  if (needs_second_derivatives()) integrator_.interpolate(t, 2, wpp_);
  segment_.point(t, w_, wp_, v_);
  segment_.rate(t, wp_, wpp_, rate_);
  evaluate(t, sample);
  if (by_polynomials_)
    read_polynomials(sample);
  else
    read_constraints(sample);
}

/// Constraints that the integrator keeps as signals of their own.
void EventLocation::read_constraints(Sample& sample) const {
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const auto known = integrator_.constraint(row, sample.t, 0);
    if (!known) continue;
    sample.g[kernel_row_[row]] = known->value;
    sample.slope[kernel_row_[row]] = integrator_.constraint(row, sample.t, 1)->value;
  }
}

double EventLocation::value_at(std::size_t row, double t) {
  integrator_.interpolate(t, 0, w_);
  if (needs_second_derivatives()) integrator_.interpolate(t, 1, wp_);
  segment_.point(t, w_, wp_, v_);
  time_ = t;
  const auto known = integrator_.constraint(row, t, 0);
  if (known) return known->value;
  return segment_.mode_system().g.value(rows_[row], v_) - left_of_equations(row);
}

EventLocation::Crossing EventLocation::locate(std::size_t row, const Sample& a, const Sample& b) {
  const double level = level_[row];
  double left = a.t, right = b.t;  // a first step may be none at all
  double g_left = a.g[kernel_row_[row]] - level, g_right = b.g[kernel_row_[row]] - level;
  const auto resolution = [](double t0, double t1) {
    return std::abs(t1 - t0) <= 4.0 * machine_epsilon * std::max(std::abs(t0), std::abs(t1));
  };
  // From its level itself, to rounding, a row may go inwards before it rises: where it is inside bounds the crossing.
  while (!(g_left < 0.0) && !resolution(a.t, right)) {
    const double middle = 0.5 * (a.t + right), g = value_at(row, middle) - level;
    (g < 0.0 ? left : right) = middle;
    (g < 0.0 ? g_left : g_right) = g;
  }
  if (g_left < 0.0 && left < right) {
    std::uintmax_t evaluations = 100;
    std::tie(left, right) =
        boost::math::tools::toms748_solve([&](double t) { return value_at(row, t) - level; }, left, right,
                                          g_left, g_right, resolution, evaluations);
    if (value_at(row, left) - level >= 0.0) right = left;
  }
  (void)value_at(row, right);
  const double slope = std::max(std::abs(a.slope[kernel_row_[row]]), std::abs(b.slope[kernel_row_[row]]));
  return crossing_at(row, right, slope, b.t - a.t);
}

/// With v_ there; `slope` is that of the row about it, and `bracket` the length that it has been isolated within.
EventLocation::Crossing EventLocation::crossing_at(std::size_t row, double right, double slope,
                                                   double bracket) {
  const int constraint = rows_[row];
  const double level = level_[row];
  // A row that counts from a level above zero has passed zero that much earlier. What is beyond its tolerance is no
  // matter of time: it would excuse any value of the row, however far outside.
  const double limit = tolerance(row);
  const double blur = slope > 0.0 ? limit / slope : 0.0;
  const double since = slope > 0.0 ? std::min(level, limit) / slope : 0.0;
  // What has been outside for so long is so at any of the times that this crossing may have had.
  if (right - outside_since_[row] > longest_excuse * accuracy_.resolution) return {right, constraint, 0.0};
  const double rounded = std::min(rounding_of_time(row, right), bracket);
  return {right, constraint,
          std::max(std::min(blur, 0.1 * bracket), rounded) + since + 4.0 * machine_epsilon * std::abs(right)};
}

std::optional<EventLocation::Crossing> EventLocation::search(const Sample& a, const Sample& b, int depth) {
  std::vector<std::size_t> crossing;
  bool unclear = false;
  const bool resolved =
      depth >= deepest || samples_ >= most_samples || b.t - a.t <= 16.0 * machine_epsilon * std::abs(b.t);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const Course found = course(row, a, b, depth);
    if (found == Course::crossing || (resolved && b.g[kernel_row_[row]] > level_[row]))
      crossing.push_back(row);
    unclear = unclear || found == Course::unclear;
  }
  if (unclear && !resolved) {
    Sample middle{0.0, std::vector<double>(a.g.size()), std::vector<double>(a.g.size())};
    interpolate(0.5 * (a.t + b.t), middle);
    if (const auto first = search(a, middle, depth + 1)) return first;
    update_levels(middle);
    return search(middle, b, depth + 1);
  }
  std::optional<Crossing> first;
  for (const std::size_t row : crossing) {
    const Crossing found = locate(row, a, b);
    if (!first || found.t < first->t) first = found;
  }
  return first;
}

std::optional<EventLocation::Crossing> EventLocation::advance(double t) {
  if (rows_.empty()) return std::nullopt;
  step_end_ = t;
  if (std::exchange(has_begun_, false) && integrator_.is_continued()) begin_with_all_digits();
  while (grace_ends_ <= t) {
    if (grace_ends_ > here_.t)
      if (const auto crossing = look_up_to(grace_ends_)) return crossing;
    end_grace();
  }
  return look_up_to(t);
}

/// The first crossing up to t, with the levels unchanged.
std::optional<EventLocation::Crossing> EventLocation::look_up_to(double t) {
  by_polynomials_ = integrator_.uses_series() && polynomials_hold_at(t);
  if (by_polynomials_) return look_at_polynomials(t);
  if (integrator_.uses_series()) interpolate(here_.t, here_);
  return look_at_samples(t);
}

/// The bounds of all rows exclude a crossing.
bool EventLocation::is_clear_in_step() const {
  for (std::size_t row = 0; row < rows_.size(); ++row)
    // A row that counts from where it began has to be seen where it is clearly inside.
    if (level_[row] > 0.0 || !(integrator_.constraint_bound(row) <= 0.0)) return false;
  return true;
}

std::optional<EventLocation::Crossing> EventLocation::look_at_samples(double t) {
  std::optional<Crossing> crossing;
  const double begin = here_.t;
  const bool clear = is_clear_in_step();
  const double gap = std::min(longest_gap_, integrator_.resolved_length());
  const double parts = clear ? 1.0 : std::max(1.0, std::ceil((t - begin) / gap));
  std::fill(touching_.begin(), touching_.end(), -1.0);
  for (double part = 1.0; part <= parts && !crossing; ++part) {
    samples_ = 0;
    interpolate(part == parts ? t : begin + (t - begin) * (part / parts), next_);
    if (!clear) crossing = search(here_, next_, 0);
    if (crossing) interpolate(crossing->t, next_);
    std::swap(here_, next_);
    update_levels(here_);
  }
  return crossing;
}

}  // namespace mti
