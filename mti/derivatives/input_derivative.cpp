#include "mti/derivatives/input_derivative.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/rounding.hpp"
#include "mti/model/input_periods.hpp"

namespace mti {
namespace {

/// A number and its derivative.
struct Varied {
  double value = 0.0, slope = 0.0;
};

/// The line from (t0, v0) to (t1, v1):  v0 + c (t − t0),  c = (v1 − v0)/(t1 − t0).
InputDerivativePiece line(Varied t0, Varied v0, Varied t1, Varied v1) {
  const double length = t1.value - t0.value, c = (v1.value - v0.value) / length;
  const double c_p = (v1.slope - v0.slope - c * (t1.slope - t0.slope)) / length;
  return {t0.value, v0.slope - c * t0.slope, c_p};
}

InputDerivativePiece held(double slope) { return {0.0, slope, 0.0}; }

InputDerivativePiece piece_of(const TableInput& table, const TableInput& slopes, double t) {
  const auto next = at(std::upper_bound(table.time.begin(), table.time.end(), t) - table.time.begin());
  if (next == 0) return held(slopes.value.front());
  const std::size_t here = next - 1;
  if (next == table.time.size() || table.interpolation == Interpolation::previous)
    return held(slopes.value[here]);
  return line({table.time[here], slopes.time[here]}, {table.value[here], slopes.value[here]},
              {table.time[next], slopes.time[next]}, {table.value[next], slopes.value[next]});
}

/// Entry i in the period, and its derivative: k·period_p + start_p + offset_p.
Varied time_of(const PeriodTable& period, const PeriodicInput& input, const PeriodicInput& slopes,
               std::size_t i) {
  const bool is_end = input.table.time[i] >= input.period;
  return {period.time(i), std::fma(period.k() + (is_end ? 1.0 : 0.0), slopes.period, slopes.start) +
                              (is_end ? 0.0 : slopes.table.time[i])};
}

InputDerivativePiece piece_of(const PeriodicInput& input, const PeriodicInput& slopes, double t) {
  const PeriodTable period(input, t);
  const TableInput& table = input.table;
  const std::size_t next = period.after(t), here = next == 0 ? 0 : next - 1;
  if (next == 0 || next == table.time.size() || table.interpolation == Interpolation::previous)
    return held(slopes.table.value[here]);
  return line(time_of(period, input, slopes, here), {table.value[here], slopes.table.value[here]},
              time_of(period, input, slopes, next), {table.value[next], slopes.table.value[next]});
}

bool is_close(double a, double b) {
  return std::abs(a - b) <= 8.0 * machine_epsilon * std::max(std::abs(a), std::abs(b));
}

void require(bool stays, const char* what) {
  if (!stays)
    throw InvalidOption("not-differentiable", "",
                        std::string(what) + " stand at one time here, and no longer for other values");
}

void require_together(const TableInput& table, const TableInput& slopes) {
  for (std::size_t i = 1; i < table.time.size(); ++i)
    if (table.time[i] == table.time[i - 1])
      require(is_close(slopes.time[i], slopes.time[i - 1]), "entries of a table");
}

std::optional<double> breakpoint_of(const TableInput& table, const TableInput& slopes, double t) {
  const auto found = std::lower_bound(table.time.begin(), table.time.end(), t);
  if (found == table.time.end() || *found != t) return std::nullopt;
  return slopes.time[at(found - table.time.begin())];
}

std::optional<double> breakpoint_of(const PeriodicInput& input, const PeriodicInput& slopes, double t) {
  const PeriodTable period(input, t);
  if (t == period.begin()) return std::fma(period.k(), slopes.period, slopes.start);
  const std::size_t after = period.after(t);
  if (after == 0 || period.time(after - 1) != t) return std::nullopt;
  return time_of(period, input, slopes, after - 1).slope;
}

/// d(t_k) of the period that holds t, and its derivative along with t_k.
Varied width_at(const PulseWidthInput& input, const PulseWidthInput& slopes, const InputDerivative& duty,
                double t) {
  const Pulse pulse = pulse_at(input, t);
  const double begin_p = std::fma(pulse.k, slopes.period, slopes.start);
  return {pulse.duty, duty.piece(pulse.sampled).value(pulse.sampled) +
                          input.duty->piece(pulse.sampled).derivative(pulse.sampled, 1) * begin_p};
}

/// Rise at t_k = start + k·period, fall at t_k + d(t_k)·period.
std::optional<double> breakpoint_of(const PulseWidthInput& input, const PulseWidthInput& slopes,
                                    const InputDerivative& duty, double t) {
  const Pulse pulse = pulse_at(input, t);
  const double begin_p = std::fma(pulse.k, slopes.period, slopes.start);
  const Varied width = width_at(input, slopes, duty, t);
  if (t == pulse.begin) {
    const Varied before =
        width_at(input, slopes, duty, std::nextafter(t, -std::numeric_limits<double>::infinity()));
    const bool splits =
        (width.value == 0.0 && width.slope != 0.0) || (before.value == 1.0 && before.slope != 0.0);
    return splits ? std::nullopt : std::optional(begin_p);
  }
  if (t != pulse.fall) return std::nullopt;
  return begin_p + width.slope * input.period + width.value * slopes.period;
}

template <class Form>
bool vanishes(const Form& slopes, const InputDerivative* duty) {
  const auto none = [](const std::vector<double>& list) {
    return std::all_of(list.begin(), list.end(), [](double slope) { return slope == 0.0; });
  };
  const auto none_of_table = [&](const TableInput& table) { return none(table.time) && none(table.value); };
  if constexpr (std::is_same_v<Form, ConstantInput>)
    return slopes.value == 0.0;
  else if constexpr (std::is_same_v<Form, TableInput>)
    return none_of_table(slopes);
  else if constexpr (std::is_same_v<Form, SineInput>)
    return none({slopes.amplitude, slopes.frequency, slopes.phase, slopes.offset});
  else if constexpr (std::is_same_v<Form, PeriodicInput>)
    return none_of_table(slopes.table) && none({slopes.period, slopes.start});
  else if constexpr (std::is_same_v<Form, PulseWidthInput>)
    return none({slopes.period, slopes.start, slopes.low, slopes.high}) &&
           (duty == nullptr || duty->is_zero());
  else
    return true;
}

}  // namespace

double InputDerivativePiece::derivative(double t, int k) const {
  if (!is_sine_) {
    if (k == 0) return c1_ == 0.0 ? c0_ : c0_ + c1_ * (t - t0_);
    return k == 1 ? c1_ : 0.0;
  }
  const double omega = 2.0 * std::numbers::pi * sine_.frequency;
  const double omega_p = 2.0 * std::numbers::pi * slopes_.frequency;
  const double angle = omega * t + sine_.phase;
  const double wave[4] = {std::sin(angle), std::cos(angle), -std::sin(angle), -std::cos(angle)};
  // d^k/dt^k of a_p sin θ + a (φ_p + ω_p t) cos θ; that of t cos θ is t (cos θ)^(k) + k (cos θ)^(k−1).
  double result = slopes_.amplitude * std::pow(omega, k) * wave[k % 4] +
                  sine_.amplitude * (slopes_.phase + omega_p * t) * std::pow(omega, k) * wave[(k + 1) % 4];
  if (k > 0) result += sine_.amplitude * omega_p * k * std::pow(omega, k - 1) * wave[k % 4];
  return k == 0 ? slopes_.offset + result : result;
}

InputDerivative::InputDerivative(Input input, Input::Form slopes, std::shared_ptr<const InputDerivative> duty)
    : input_(std::move(input)), slopes_(std::move(slopes)), duty_(std::move(duty)) {
  is_zero_ = std::visit([&](const auto& form) { return vanishes(form, duty_.get()); }, slopes_);
  if (const auto* table = std::get_if<TableInput>(&input_.form()))
    require_together(*table, std::get<TableInput>(slopes_));
  if (const auto* periodic = std::get_if<PeriodicInput>(&input_.form())) {
    const auto& of_periodic = std::get<PeriodicInput>(slopes_);
    require_together(periodic->table, of_periodic.table);
    require(of_periodic.table.time.front() == 0.0, "the begin of a period and an entry of its table");
    require(periodic->table.time.back() < periodic->period ||
                is_close(of_periodic.table.time.back(), of_periodic.period),
            "the end of a period and an entry of its table");
  }
}

bool InputDerivative::changes_values() const {
  const auto changes = [](const TableInput& slopes) {
    return std::any_of(slopes.value.begin(), slopes.value.end(), [](double slope) { return slope != 0.0; });
  };
  if (const auto* constant = std::get_if<ConstantInput>(&slopes_)) return constant->value != 0.0;
  if (const auto* table = std::get_if<TableInput>(&slopes_)) return changes(*table);
  if (const auto* periodic = std::get_if<PeriodicInput>(&slopes_)) return changes(periodic->table);
  if (const auto* pulses = std::get_if<PulseWidthInput>(&slopes_))
    return pulses->low != 0.0 || pulses->high != 0.0;
  return !is_zero_;
}

InputDerivativePiece InputDerivative::piece(double t) const {
  if (is_zero_) return held(0.0);
  if (const auto* table = std::get_if<TableInput>(&input_.form()))
    return piece_of(*table, std::get<TableInput>(slopes_), t);
  if (const auto* periodic = std::get_if<PeriodicInput>(&input_.form()))
    return piece_of(*periodic, std::get<PeriodicInput>(slopes_), t);
  if (const auto* sine = std::get_if<SineInput>(&input_.form())) return {*sine, std::get<SineInput>(slopes_)};
  if (const auto* pulses = std::get_if<PulseWidthInput>(&input_.form())) {
    const auto& of_pulses = std::get<PulseWidthInput>(slopes_);
    return held(t < pulse_at(*pulses, t).fall ? of_pulses.high : of_pulses.low);
  }
  return held(std::get<ConstantInput>(slopes_).value);
}

double InputDerivative::period() const {
  if (is_zero_) return 0.0;
  if (const auto* sine = std::get_if<SineInput>(&input_.form()))
    return -std::get<SineInput>(slopes_).frequency / (sine->frequency * std::abs(sine->frequency));
  if (const auto* periodic = std::get_if<PeriodicInput>(&slopes_)) return periodic->period;
  if (const auto* pulses = std::get_if<PulseWidthInput>(&slopes_)) return pulses->period;
  return 0.0;
}

std::optional<double> InputDerivative::breakpoint(double t) const {
  if (is_zero_) return 0.0;
  if (const auto* table = std::get_if<TableInput>(&input_.form()))
    return breakpoint_of(*table, std::get<TableInput>(slopes_), t);
  if (const auto* periodic = std::get_if<PeriodicInput>(&input_.form()))
    return breakpoint_of(*periodic, std::get<PeriodicInput>(slopes_), t);
  if (const auto* pulses = std::get_if<PulseWidthInput>(&input_.form()))
    return breakpoint_of(*pulses, std::get<PulseWidthInput>(slopes_), duty_ ? *duty_ : InputDerivative(), t);
  return std::nullopt;
}

}  // namespace mti
