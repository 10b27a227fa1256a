#include "solvers/accumulation/zeno_approach.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// So many numbers are kept at most, and of small models so many events.
constexpr std::size_t most_numbers = 1'000'000, most_approach_events = 128, fewest_events = 17;
/// Rates at the left of an event are those of an integration: what differs by so many times rtol has changed there.
constexpr double several = 10.0;

bool meets(std::span<const int> constraints, std::span<const int> pattern) {
  return std::ranges::find_first_of(constraints, pattern) != constraints.end();
}

constexpr double most_moved = 0.1, as_much = 1.0 - 1e-6;

bool is_same_ratio(double q, double before) {
  constexpr double same_ratio = 1e-2;
  return std::abs(q) <= as_much && std::abs(q - before) <= same_ratio * (1.0 - std::abs(q));
}

/// Of these constraints both events have met the same.
bool meet_same(const Approach::Event& one, const Approach::Event& other, std::span<const int> constraints) {
  return std::ranges::all_of(constraints, [&](const int& constraint) {
    return meets(one.constraints, {&constraint, 1}) == meets(other.constraints, {&constraint, 1});
  });
}

}  // namespace

Approach::Approach(const Accuracy& accuracy, const Signature& signature)
    : n_(signature.n()),
      state_row_(signature.state_row(0)),
      q_(signature.q()),
      binary_row_(signature.binary_row(0)),
      continuous_(several * accuracy.rtol),
      most_(std::clamp(most_numbers / at(4 * n_ + 1), fewest_events, most_approach_events)) {
  for (int i = 0; i < n_; ++i) smallest_.push_back(accuracy.of(signature.state_row(i), 0.0));
}

void Approach::note(double time, std::span<const int> constraints, std::span<const double> left,
                    std::span<const double> right) {
  const auto states_from = [&](int first) {
    return std::vector<double>(right.begin() + first, right.begin() + first + n_);
  };
  const auto differs = [&](std::size_t row) {
    return std::abs(left[row] - right[row]) > continuous_ * (std::abs(left[row]) + std::abs(right[row]));
  };
  // A rate of rounding alone differs, too.
  const double span = events_.empty() ? 0.0 : time - events_.front().time;
  const auto bends = [&](std::size_t i) {
    return differs(i) && std::abs(left[i] - right[i]) * span > smallest_[i];
  };
  Event event{time, {constraints.begin(), constraints.end()}, states_from(state_row_), states_from(0)};
  for (int i = 0; i < n_; ++i) {
    const std::size_t row = at(state_row_ + i);
    const double jump = right[row] - left[row];
    event.jump.push_back(differs(row) && std::abs(jump) > smallest_[at(i)] ? jump : 0.0);
    event.changes.push_back(differs(row) || bends(at(i)) ? 1 : 0);
  }
  for (int i = 0; i < q_; ++i)
    if (const double before = left[at(binary_row_ + i)], now = right[at(binary_row_ + i)];
        std::abs(now - before) == 1.0)  // and no part of it, as of one that slides
      event.switched.push_back(now > before ? i + 1 : -i - 1);
  events_.push_back(std::move(event));
  if (events_.size() > most_) events_.pop_front();
}

/// The events of the pattern, the last one first. The run stands at the last event.
std::vector<const Approach::Event*> Approach::pattern(std::span<const int> constraints) const {
  std::vector<const Event*> events;
  for (auto event = events_.rbegin(); event != events_.rend(); ++event)
    if (events.empty() || meets(event->constraints, constraints)) events.push_back(&*event);
  return events;
}

/// Intervals may shrink from event to event where it is two that meet different constraints in turn: a turn is over where the same
/// ones are met again, and the same binaries change there, but for what has changed once: a relay in one row, (1 − 2z)·s ≤ 0, is met by
/// both of its changes. A multiple of `period`, and that itself where nothing comes again. The last ones may have become one event that
/// is like none before.
std::size_t Approach::turn_of(const std::vector<const Event*>& events, std::size_t period,
                              std::span<const int> constraints) {
  constexpr std::size_t most_merged = 1;
  std::map<int, int> times;
  for (const Event* event : events)
    for (const int change : event->switched) ++times[change];
  std::vector<std::vector<int>> switched;
  for (const Event* event : events) {
    switched.push_back(event->switched);
    std::erase_if(switched.back(), [&](int change) { return times[change] == 1; });
  }
  const auto comes_again = [&](std::size_t first, std::size_t turn) {
    for (std::size_t k = first; k < first + turn; ++k)
      if (!meet_same(*events[k], *events[k + turn], constraints) || switched[k] != switched[k + turn])
        return false;
    return true;
  };
  for (std::size_t first = 0; first <= most_merged; ++first)
    for (std::size_t turn = period; period > 0 && first + 2 * turn <= events.size(); turn += period)
      if (comes_again(first, turn)) return turn;
  return period;
}

/// A state at the events of a pattern, without what other events since have changed it by.
std::vector<Approach::Node> Approach::nodes_of(std::size_t i, const std::vector<const Event*>& events) const {
  std::vector<Node> nodes;
  double by_others = 0.0;
  auto event = events_.rbegin();
  for (const Event* member : events) {
    for (; &*event != member; ++event) by_others += event->jump[i];
    nodes.push_back({member->time, member->x[i] + by_others});
    ++event;
  }
  return nodes;
}

/// Of a state whose jumps are most of how it moves in a turn; nothing of others. Jumps of three turns tell: that they become smaller, or
/// by which factor q.
std::optional<Approach::Jumping> Approach::jumping(std::size_t i, std::span<const Node> nodes,
                                                   const std::vector<const Event*>& events, std::size_t turn,
                                                   std::span<const int> constraints) {
  constexpr double below_one = 0.95;
  if (turn == 0 || turn >= events.size()) return std::nullopt;
  if (3 * turn > events.size()) return jumping_alone(i, nodes, events);
  for (std::size_t k = 0; k < 2 * turn; ++k)
    if (!meet_same(*events[k], *events[k + turn], constraints)) return jumping_alone(i, nodes, events);
  std::array<double, 3> sum{}, size{};
  for (std::size_t k = 0; k < 3 * turn; ++k) {
    sum[k / turn] += events[k]->jump[i];
    size[k / turn] += std::abs(events[k]->jump[i]);
  }
  Jumping result;
  const double moved = nodes[0].x - nodes[turn].x - sum[0], time = nodes[0].time - nodes[turn].time;
  if (!(std::abs(moved) <= most_moved * std::ranges::max(size)) || std::ranges::max(size) == 0.0)
    return std::nullopt;
  if (size[1] == 0.0 && size[2] == 0.0) return std::nullopt;  // it comes for the first time
  result.rate = time > 0.0 ? moved / time : 0.0;
  if (size[0] == 0.0 && size[1] == 0.0) return result;  // it came once
  const bool decreases = size[0] <= below_one * size[1] && size[1] <= below_one * size[2];
  const double q = sum[0] / sum[1], before = sum[1] / sum[2];
  const bool has_ratio = is_same_ratio(q, before);
  if (has_ratio || (decreases && std::abs(q) <= below_one && std::abs(before) <= below_one))
    result.still_to_come = sum[0] * q / (1.0 - q);
  else
    result.has_limit = decreases;
  if (has_ratio) result.error = std::abs(result.still_to_come * (q - before) / (1.0 - q));
  if (!(size[0] < as_much * size[1])) result = {.has_limit = false, .rate = result.rate};
  return result;
}

/// Where turns are not alike, as some of their events fall together and others do not: by its last three jumps, if these have one ratio, or
/// do not become smaller.
std::optional<Approach::Jumping> Approach::jumping_alone(std::size_t i, std::span<const Node> nodes,
                                                         const std::vector<const Event*>& events) {
  std::vector<std::size_t> jumps;
  for (std::size_t k = 0; k < events.size() && jumps.size() < 3; ++k)
    if (events[k]->jump[i] != 0.0) jumps.push_back(k);
  if (jumps.size() < 2) return std::nullopt;
  const double last = events[jumps[0]]->jump[i], q = last / events[jumps[1]]->jump[i],
               before = jumps.size() == 3 ? events[jumps[1]]->jump[i] / events[jumps[2]]->jump[i] : q;
  const double moved = nodes[jumps[0]].x - nodes[jumps[1]].x - last,
               time = nodes[jumps[0]].time - nodes[jumps[1]].time;
  if (!(std::abs(moved) <= most_moved * std::abs(last)) || !(time > 0.0)) return std::nullopt;
  if (std::abs(q) > as_much && std::abs(before) > as_much)
    return Jumping{.has_limit = false, .rate = moved / time};
  if (jumps.size() < 3 || !is_same_ratio(q, before)) return std::nullopt;
  const double still_to_come = last * q / (1.0 - q);
  return Jumping{.still_to_come = still_to_come,
                 .rate = moved / time,
                 .error = std::abs(still_to_come * (q - before) / (1.0 - q))};
}

/// What changes once in two turns does so by something that came between. What other events change, and these only together with
/// others, belongs to those.
bool Approach::belongs_to(std::size_t i, const std::vector<const Event*>& events, std::size_t turn,
                          std::span<const int> constraints) const {
  int changes = 0;
  for (std::size_t k = 0; k <= std::min(2 * turn, events.size() - 1); ++k) changes += events[k]->changes[i];
  if (changes < 2) return false;
  const auto is_met = [&](int constraint) { return meets({&constraint, 1}, constraints); };
  bool by_others = false;
  for (const Event& event : events_) {
    if (event.changes[i] == 0) continue;
    if (std::ranges::all_of(event.constraints, is_met)) return true;
    by_others = by_others || std::ranges::none_of(event.constraints, is_met);
  }
  return !by_others;
}

std::vector<int> Approach::without_limit(std::size_t period, std::span<const int> constraints) const {
  const std::vector<const Event*> events = pattern(constraints);
  const std::size_t turn = turn_of(events, period, constraints);
  std::vector<int> states;
  for (int i = 0; i < n_; ++i)
    if (belongs_to(at(i), events, turn, constraints))
      if (const auto found = jumping(at(i), nodes_of(at(i), events), events, turn, constraints);
          found && !found->has_limit)
        states.push_back(i);
  return states;
}

/// Its changes in three turns decrease by another factor than the times do. In a pile, where impacts turn each other's velocities
/// round and no weight does, these fall to zero by another law than t_∞ − t.
std::optional<double> Approach::own_factor(const Node& now, const Node& before, const Node* earlier) {
  constexpr double another = 0.1, decreasing = 0.9;
  if (earlier == nullptr || !(earlier->time < before.time)) return std::nullopt;
  const double q = (now.x - before.x) / (before.x - earlier->x);
  const double of_times = (now.time - before.time) / (before.time - earlier->time);
  if (q > 0.0 && q < decreasing && std::abs(q - of_times) > another) return q;
  return std::nullopt;
}

/// What a state still moves from x to the limit, in the time `left`: by its mean rate, or by the geometric sum of its own factor.
double Approach::still_to_come(const Node& now, const Node& before, const Node* earlier, double left) {
  const double change = now.x - before.x, time = now.time - before.time;
  if (!(time > 0.0)) return 0.0;
  if (const auto q = own_factor(now, before, earlier)) return change * *q / (1.0 - *q);
  return change * left / time;
}

/// From the last turns of one phase: at these, bodies that fall, and velocities that impacts make smaller, are polynomials of degree
/// 2 in t, and what each impact multiplies by a factor is a geometric series. Nothing where less than three turns are known, or
/// three alone, which do not tell a factor of its own from a polynomial.
std::optional<Extrapolated> Approach::extrapolated(std::span<const Node> nodes,
                                                   const std::vector<const Event*>& events, std::size_t turn,
                                                   double time, std::span<const int> constraints) {
  constexpr std::size_t fewest_nodes = 3, enough_nodes = 4, most_nodes = 5;
  const std::size_t last = nodes.size() - 1;
  if (turn == 0 || (fewest_nodes - 1) * turn > last) return std::nullopt;
  std::size_t stride = turn;
  while ((enough_nodes - 1) * (stride + turn) <= last &&
         nodes[0].time - nodes[stride].time < time - nodes[0].time)
    stride += turn;
  std::vector<double> t, x;
  for (std::size_t k = 0; k < most_nodes * stride && k <= last; k += stride) {
    if (!meet_same(*events[k], *events[0], constraints) || (k > 0 && !(nodes[k].time - time < t.back())))
      break;
    t.push_back(nodes[k].time - time);
    x.push_back(nodes[k].x);
  }
  if (t.size() < enough_nodes && own_factor(nodes[0], nodes[stride], &nodes[2 * stride])) return std::nullopt;
  return extrapolated_to_zero(t, x);
}

Approach::Point Approach::at_limit(double time, double of_time, std::size_t period_of_times,
                                   std::span<const int> constraints, std::span<const int> held) const {
  const std::vector<const Event*> events = pattern(constraints);
  const std::size_t period = turn_of(events, period_of_times, constraints);
  const std::size_t last = events.size() - 1, turn = std::min(period, last);
  const Event& now = *events.front();
  const double d = now.time - events[turn]->time, left = time - now.time;
  std::size_t back = turn;
  while (back + period <= last && now.time - events[back]->time < left) back += period;

  const std::vector<double> none(now.x.size(), 0.0);
  Point point{now.x, none, none, std::vector<char>(now.x.size(), 0)};
  for (const int state : held) point.takes_part[at(state)] = 1;
  for (std::size_t i = 0; i < now.x.size(); ++i) {
    const std::vector<Node> nodes = nodes_of(i, events);
    if (belongs_to(i, events, turn, constraints)) point.takes_part[i] = 1;
    const std::optional<Jumping> by_jumps = jumping(i, nodes, events, period, constraints);
    if (by_jumps && !by_jumps->has_limit) {
      point.takes_part[i] = 0;
      point.x[i] += by_jumps->rate * left;
    }
    if (point.takes_part[i] == 0) continue;
    const auto found = by_jumps ? std::nullopt : extrapolated(nodes, events, period, time, constraints);
    const Node* const earlier = 2 * back <= last ? &nodes[2 * back] : nullptr;
    if (found)
      point.x[i] = found->value;
    else
      point.x[i] += by_jumps ? by_jumps->still_to_come + by_jumps->rate * left
                             : still_to_come(nodes[0], nodes[back], earlier, left);
    double& uncertainty = point.uncertainty[i];
    for (std::size_t k = 0; k <= turn; ++k)
      uncertainty = std::max(
          uncertainty, std::abs(nodes[k].x - point.x[i]) + std::abs(events[k]->rate[i]) * std::min(d, left));
    point.error[i] = uncertainty;
    if (const auto error = found ? std::optional(found->error) : by_jumps ? by_jumps->error : std::nullopt)
      point.error[i] = *error + std::abs(now.rate[i]) * of_time;
  }
  return point;
}

bool Approach::goes_on(int state, std::size_t period, std::span<const int> constraints,
                       const std::function<double(double tau)>& course) const {
  // No more than what an integration leaves open: an impact on what moves fast does little to its course.
  const std::vector<const Event*> events = pattern(constraints);
  const Event& now = *events.front();
  const std::size_t last = std::min(turn_of(events, period, constraints), events.size() - 1);
  if (last == 0) return false;
  const std::vector<Node> nodes = nodes_of(at(state), events);
  for (std::size_t k = 1; k <= last; ++k) {
    const double then = nodes[k].x, x = nodes[0].x;
    const double allowed = continuous_ * std::max(std::abs(x), std::abs(then));
    if (!(std::abs(course(events[k]->time - now.time) - then) <= allowed)) return false;
  }
  return true;
}

void Approach::forget(std::span<const int> constraints,
                      const std::function<std::vector<int>(int constraint)>& states_with) {
  const auto is_forgotten = [&](int constraint) { return meets({&constraint, 1}, constraints); };
  std::erase_if(events_, [&](Event& event) {
    if (!meets(event.constraints, constraints)) return false;
    std::set<int> states, of_others;
    for (const int constraint : event.constraints) {
      const std::vector<int> with = states_with(constraint);
      if (with.empty()) return true;
      (is_forgotten(constraint) ? states : of_others).insert(with.begin(), with.end());
    }
    std::erase_if(event.constraints, is_forgotten);
    for (const int state : states)
      if (!of_others.contains(state)) event.jump[at(state)] = event.changes[at(state)] = 0;
    return event.constraints.empty();
  });
}

bool Approach::are_independent(int constraint, int other) const {
  std::vector<std::array<bool, 2>> changed(at(n_));
  for (const Event& event : events_) {
    const bool by_one = meets(event.constraints, std::array{constraint});
    if (by_one == meets(event.constraints, std::array{other})) continue;
    for (std::size_t i = 0; i < changed.size(); ++i)
      if (event.changes[i] != 0) changed[i][by_one ? 0 : 1] = true;
  }
  return std::ranges::none_of(changed, [](const auto& by) { return by[0] && by[1]; }) &&
         std::ranges::any_of(changed, [](const auto& by) { return by[0]; }) &&
         std::ranges::any_of(changed, [](const auto& by) { return by[1]; });
}

}  // namespace mti
