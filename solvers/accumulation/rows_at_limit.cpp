#include "solvers/accumulation/rows_at_limit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// By so many times its error g is clear of zero, and within so many of them it is zero.
constexpr double clearly = 10.0;

struct Value {
  double g = 0.0, error = 0.0;

  [[nodiscard]] bool is_clear() const { return std::abs(g) > clearly * error; }
};

/// g at v, with what `error_of` each state leaves open about it. Nothing of a row that holds no states that are `taken`, or others
/// beside them.
template <class ErrorOf, class Takes>
std::optional<Value> value_at(const RowMap& g, int row, const Signature& signature, std::span<const double> v,
                              Takes taken, ErrorOf error_of) {
  bool of_states = true, varies = false;
  Value value;
  g.gradient(row, v, [&](int signal, double slope) {
    if (slope == 0.0 || signal >= signature.binary_row(0)) return;
    const int state = signal - signature.state_row(0);
    of_states = of_states && state >= 0 && state < signature.n() && taken(state);
    if (!of_states) return;
    varies = true;
    value.error += std::abs(slope) * error_of(state);
  });
  if (!of_states || !varies) return std::nullopt;
  value.g = g.value(row, v);
  return value;
}

using Events = std::deque<Approach::Event>;

/// The last events, up to and without the one before that met what the last one has met.
std::vector<const Approach::Event*> last_turn(const Events& events) {
  std::vector<const Approach::Event*> turn;
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    const bool again = !turn.empty() && std::ranges::any_of(event->constraints, [&](int row) {
      return std::ranges::find(turn.front()->constraints, row) != turn.front()->constraints.end();
    });
    if (again) break;
    turn.push_back(&*event);
  }
  return turn;
}

}  // namespace

RowsAtLimit rows_at_limit(const RowMap& g, std::span<const int> rows, const Signature& signature,
                          const Accuracy& accuracy, const Events& events, const Approach::Point& point,
                          std::span<const double> v) {
  const int first = signature.state_row(0);
  const auto any = [](int) { return true; };
  const auto takes_part = [&](int state) { return point.takes_part[at(state)] != 0; };
  const auto is_far = [&](int row, auto taken) {
    const auto there = value_at(g, row, signature, v, taken, [&](int i) {
      return point.error[at(i)] + accuracy.of(signature.state_row(i), v[at(first + i)]);
    });
    return there && there->is_clear();
  };
  const auto is_carried_across = [&](int row, const Approach::Event& event) {
    std::vector<double> left(v.begin(), v.end());
    for (int i = 0; i < signature.n(); ++i) left[at(first + i)] = event.x[at(i)] - event.jump[at(i)];
    const auto then = value_at(g, row, signature, left, any, [&](int i) {
      return accuracy.of(signature.state_row(i), left[at(first + i)]);
    });
    return then && !then->is_clear();
  };

  RowsAtLimit result;
  for (const int row : rows)
    if (!is_far(row, any)) result.rows.push_back(row);
  for (const Approach::Event* event : last_turn(events))
    for (const int row : event->constraints)
      if (is_far(row, takes_part) && is_carried_across(row, *event)) result.is_limit = false;
  return result;
}

}  // namespace mti
