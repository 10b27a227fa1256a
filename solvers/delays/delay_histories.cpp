#include "solvers/delays/delay_histories.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "mti/common/at.hpp"
#include "mti/common/barycentric.hpp"

namespace mti {
namespace {

/// Times closer than this part of them are one to the integrator.
constexpr double same_time = 1e-13;

}  // namespace

DelayHistories::DelayHistories(const Model& model, const Accuracy& accuracy)
    : model_(model), accuracy_(accuracy) {
  for (const Input& input : model.inputs)
    if (const auto* delayed = std::get_if<DelayedInput>(&input.form());
        delayed != nullptr && delayed->history != nullptr)
      delays_.push_back({delayed->row, delayed->history});
}

void DelayHistories::add(double begin, double end, int n,
                         const std::function<std::span<const double>(double t)>& v) {
  const auto degree = static_cast<std::size_t>(std::max(n, 1));
  for (Delay& delay : delays_) delay.values.clear();
  for (std::size_t j = 0; j <= degree; ++j) {
    const std::span<const double> point = v(interpolation_node(begin, end, j, degree));
    for (Delay& delay : delays_) delay.values.push_back(point[at(delay.row)]);
  }
  for (const Delay& delay : delays_) {
    delay.history->add(begin, end, delay.values);
    delay.history->forget_before(begin - 2.0 * delay.history->delay());
  }
}

void DelayHistories::begin_segment(double t, std::span<const double> v, bool with_event) {
  for (const Delay& delay : delays_)
    if (!(std::abs(delay.history->end() - t) <= same_time * std::abs(t)))
      delay.history->begin(t, v[at(delay.row)]);
  const int order = with_event || is_own_breakpoint(t) ? 0 : smoothness_at(t);
  for (const Delay& delay : delays_) delay.history->add_kink(t, order);
}

/// An input that is not delayed has one here.
bool DelayHistories::is_own_breakpoint(double t) const {
  const double reach = same_time * std::abs(t);
  return std::ranges::any_of(model_.inputs, [&](const Input& input) {
    return !std::holds_alternative<DelayedInput>(input.form()) &&
           input.next_breakpoint(t - reach) <= t + reach;
  });
}

/// What a kink of a delayed signal makes of the motion here: one that jumps may make others jump too. Sides that differ by
/// what both are known to are one.
int DelayHistories::smoothness_at(double t) const {
  int order = SignalHistory::smoothest + 1;
  for (const Delay& delay : delays_) {
    const SignalHistory& history = *delay.history;
    const double s = history.snapped(t - history.delay(), t);
    const int there = history.order_at(s, t);
    if (there > SignalHistory::smoothest) continue;
    order = std::min(order, there + 1);
    constexpr double own_accuracy = 8.0;
    const double left = history.derivative(s, 0, false), right = history.derivative(s, 0, true);
    if (std::abs(right - left) > own_accuracy * accuracy_.of(delay.row, right)) return 0;
  }
  return order;
}

}  // namespace mti
