#include "mti/model/input.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/model/input_periods.hpp"
#include "mti/model/signal_history.hpp"

namespace mti {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Where periods are added up: start + k·period may be far larger in its summands than in its sum.
double summand_of(const Input::Form& form, double t) {
  if (const auto* periodic = std::get_if<PeriodicInput>(&form))
    return std::abs(periodic->start) + std::abs(t);
  if (const auto* pulses = std::get_if<PulseWidthInput>(&form)) return std::abs(pulses->start) + std::abs(t);
  return 0.0;
}

InputPiece table_piece(const TableInput& table, double t) {
  const auto after = std::upper_bound(table.time.begin(), table.time.end(), t);
  const auto next = at(after - table.time.begin());
  if (next == 0) return {t, table.value.front(), 0.0};
  const std::size_t here = next - 1;
  const bool last = next == table.time.size();
  if (last || table.interpolation == Interpolation::previous) return {t, table.value[here], 0.0};
  const double slope = (table.value[next] - table.value[here]) / (table.time[next] - table.time[here]);
  return {table.time[here], table.value[here], slope};
}

void require_valid(const TableInput& table) {
  if (table.time.empty() || table.time.size() != table.value.size())
    throw InvalidModel("bad-table", "",
                       "a table needs as many values as times and at least one; found " +
                           std::to_string(table.time.size()) + " times and " +
                           std::to_string(table.value.size()) + " values");
  const auto finite = [](double number) { return std::isfinite(number); };
  if (!std::all_of(table.time.begin(), table.time.end(), finite) ||
      !std::all_of(table.value.begin(), table.value.end(), finite))
    throw InvalidModel("bad-table", "", "a table holds a number that is not finite");
  if (!std::is_sorted(table.time.begin(), table.time.end()))
    throw InvalidModel("bad-table", "", "the times of a table must not decrease");
}

void require_valid(double period, double start) {
  if (!(period > 0.0) || !std::isfinite(period) || !std::isfinite(start))
    throw InvalidModel("bad-period", "", "a periodic input needs a finite period above 0 and a finite start");
}

InputPiece periodic_piece(const PeriodicInput& input, double t) {
  const PeriodTable period(input, t);
  const TableInput& table = input.table;
  const std::size_t next = period.after(t), here = next == 0 ? 0 : next - 1;
  const bool held = next == 0 || next == table.time.size() || table.interpolation == Interpolation::previous;
  if (held) return {t, table.value[here], 0.0};
  const double begin = period.time(here), length = period.time(next) - begin;
  return {begin, table.value[here], (table.value[next] - table.value[here]) / length};
}

double next_breakpoint_of(const PeriodicInput& input, double t) {
  const PeriodTable period(input, t);
  const std::size_t next = period.after(t);
  return next == input.table.time.size() ? period.end() : period.time(next);
}

InputPiece polynomial_piece(const PolynomialInput& input, double t) {
  const std::size_t width = at(input.degree) + 1, pieces = input.time.size() - 1;
  const auto after = std::upper_bound(input.time.begin(), input.time.end(), t);
  if (after == input.time.begin()) return {t, input.coefficients->front(), 0.0};
  const std::size_t here = at(after - input.time.begin()) - 1;
  if (here < pieces) return {input.time[here], input.coefficients, here * width, input.degree};
  const InputPiece last(input.time[pieces - 1], input.coefficients, (pieces - 1) * width, input.degree);
  return {t, last.value(input.time.back()), 0.0};
}

void require_valid(const PolynomialInput& input) {
  const auto finite = [](double number) { return std::isfinite(number); };
  const auto not_ascending = [](double a, double b) { return !(a < b); };
  if (input.time.size() < 2 || input.degree < 0 || input.coefficients == nullptr ||
      input.coefficients->size() != (input.time.size() - 1) * (at(input.degree) + 1))
    throw InvalidModel(
        "bad-polynomial", "",
        "polynomials need two times or more, and as many coefficients for each piece between them");
  if (std::ranges::adjacent_find(input.time, not_ascending) != input.time.end())
    throw InvalidModel("bad-polynomial", "", "the times of polynomials must increase");
  if (!std::ranges::all_of(input.time, finite) || !std::ranges::all_of(*input.coefficients, finite))
    throw InvalidModel("bad-polynomial", "", "polynomials hold a number that is not finite");
}

InputPiece delayed_piece(const DelayedInput& input, double t) {
  if (input.history == nullptr) return {t, input.before, 0.0};
  const double s = input.history->snapped(t - input.delay, t);
  return {t, s, std::min(input.history->next_kink(s, t), input.history->end()), input.history};
}

/// Where the past is not smooth, and up to where it is known.
double next_breakpoint_of(const DelayedInput& input, double t) {
  if (input.history == nullptr) return infinity;
  const double next = std::min(input.history->next_kink(t - input.delay, t), input.history->end());
  return next + input.delay;
}

template <class... Cases>
struct Overload : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overload(Cases...) -> Overload<Cases...>;

}  // namespace

double InputPiece::value(double t) const { return derivative(t, 0); }

double InputPiece::derivative(double t, int k) const {
  if (coefficients_) {
    // Horner's scheme of Σ_j c_j j!/(j − k)! s^(j−k).
    double sum = 0.0;
    for (int j = degree_; j >= k; --j) {
      double falling = 1.0;
      for (int i = 0; i < k; ++i) falling *= j - i;
      sum = sum * (t - t0_) + (*coefficients_)[first_ + at(j)] * falling;
    }
    return sum;
  }
  if (history_) {
    const double s = std::min(c0_ + (t - t0_), c1_);
    return history_->derivative(s, k, s <= c0_);
  }
  if (is_sine_) {
    const double omega = 2.0 * std::numbers::pi * sine_.frequency;
    // d^k/dt^k sin(ωt + φ) = ω^k sin(ωt + φ + kπ/2), written without the rounding of kπ/2.
    const double angle = omega * t + sine_.phase;
    const double wave[4] = {std::sin(angle), std::cos(angle), -std::sin(angle), -std::cos(angle)};
    const double oscillation = sine_.amplitude * std::pow(omega, k) * wave[k % 4];
    return k == 0 ? sine_.offset + oscillation : oscillation;
  }
  if (k == 0) return c1_ == 0.0 ? c0_ : c0_ + c1_ * (t - t0_);
  return k == 1 ? c1_ : 0.0;
}

Input::Input(Form form) : form_(std::move(form)) {
  if (const auto* table = std::get_if<TableInput>(&form_)) require_valid(*table);
  if (const auto* periodic = std::get_if<PeriodicInput>(&form_)) {
    require_valid(periodic->table);
    require_valid(periodic->period, periodic->start);
    if (periodic->table.time.front() != 0.0 || periodic->table.time.back() > periodic->period)
      throw InvalidModel("bad-table", "",
                         "the times of a table that comes again begin at 0 and end within the period");
  }
  if (const auto* pulses = std::get_if<PulseWidthInput>(&form_)) {
    require_valid(pulses->period, pulses->start);
    if (pulses->duty == nullptr) throw InvalidModel("bad-duty", "", "pulses need an input for their widths");
  }
  if (const auto* polynomial = std::get_if<PolynomialInput>(&form_)) require_valid(*polynomial);
  if (const auto* delayed = std::get_if<DelayedInput>(&form_))
    if (!(delayed->delay > 0.0) || !std::isfinite(delayed->delay) || !std::isfinite(delayed->before))
      throw InvalidModel("bad-delay", "", "a delay needs a finite time above 0 and a finite value before it");
}

bool operator==(const PolynomialInput& a, const PolynomialInput& b) {
  return a.time == b.time && a.degree == b.degree &&
         (a.coefficients == b.coefficients ||
          (a.coefficients != nullptr && b.coefficients != nullptr && *a.coefficients == *b.coefficients));
}

bool operator==(const PulseWidthInput& a, const PulseWidthInput& b) {
  const bool same_duty = a.duty == b.duty || (a.duty != nullptr && b.duty != nullptr && *a.duty == *b.duty);
  return a.period == b.period && a.start == b.start && a.low == b.low && a.high == b.high &&
         a.duty_name == b.duty_name && same_duty;
}

InputPiece Input::piece(double t) const {
  return std::visit(
      Overload{[](const ConstantInput& constant) { return InputPiece(0.0, constant.value, 0.0); },
               [t](const TableInput& table) { return table_piece(table, t); },
               [](const SineInput& sine) { return InputPiece(sine); },
               [](const ClockInput&) { return InputPiece(0.0, 0.0, 1.0); },
               [t](const PeriodicInput& periodic) { return periodic_piece(periodic, t); },
               [t](const PolynomialInput& polynomial) { return polynomial_piece(polynomial, t); },
               [t](const DelayedInput& delayed) { return delayed_piece(delayed, t); },
               [t](const PulseWidthInput& pulses) {
                 return InputPiece(t, t < pulse_at(pulses, t).fall ? pulses.high : pulses.low, 0.0);
               }},
      form_);
}

double Input::next_breakpoint(double t) const {
  if (const auto* periodic = std::get_if<PeriodicInput>(&form_)) return next_breakpoint_of(*periodic, t);
  if (const auto* delayed = std::get_if<DelayedInput>(&form_)) return next_breakpoint_of(*delayed, t);
  if (const auto* pulses = std::get_if<PulseWidthInput>(&form_)) {
    const Pulse pulse = pulse_at(*pulses, t);
    return t < pulse.fall ? pulse.fall : pulse.end;
  }
  const auto* table = std::get_if<TableInput>(&form_);
  const auto* polynomial = std::get_if<PolynomialInput>(&form_);
  if (table == nullptr && polynomial == nullptr) return infinity;
  const std::vector<double>& times = table != nullptr ? table->time : polynomial->time;
  const auto after = std::upper_bound(times.begin(), times.end(), t);
  if (after == times.end()) return infinity;
  return *after;
}

double end_of_instant(const Input& input, double t, double size) {
  constexpr double roundings = 8.0 * std::numeric_limits<double>::epsilon();
  const double next = input.next_breakpoint(t);
  return next - t <= roundings * std::max(size, summand_of(input.form(), t)) ? next : t;
}

double highest_frequency(const Input& input, double t) {
  if (const auto* sine = std::get_if<SineInput>(&input.form())) return std::abs(sine->frequency);
  const auto* polynomial = std::get_if<PolynomialInput>(&input.form());
  if (polynomial == nullptr || polynomial->degree < 2) return 0.0;
  const std::vector<double>& times = polynomial->time;
  const auto end = std::upper_bound(times.begin(), times.end(), end_of_instant(input, t, std::abs(t)));
  if (end == times.begin() || end == times.end()) return 0.0;
  return 0.25 * (polynomial->degree + 1) / (*end - *(end - 1));
}

}  // namespace mti
