#include "solvers/orbits/round_events.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace mti {

RoundEvents::RoundEvents(const Trajectory& run) {
  for (const Event& event : run.events) {
    if (event.kind == EventKind::initial) continue;
    Entry entry{event.kind, event.constraints};
    std::ranges::sort(entry.constraints);
    events_.push_back(std::move(entry));
  }
}

bool RoundEvents::is_sequence_of(const RoundEvents& other) const {
  if (events_.size() != other.events_.size()) return false;
  if (events_.empty()) return true;
  std::vector<Entry> twice = events_;
  twice.insert(twice.end(), events_.begin(), events_.end());
  return std::search(twice.begin(), twice.end(), other.events_.begin(), other.events_.end()) != twice.end();
}

RoundEvents::Difference RoundEvents::difference_to(const RoundEvents& other) const {
  std::map<int, int> counts;
  for (const Entry& entry : events_)
    for (const int constraint : entry.constraints) ++counts[constraint];
  for (const Entry& entry : other.events_)
    for (const int constraint : entry.constraints) --counts[constraint];
  Difference difference;
  for (const auto& [constraint, count] : counts)
    if (count != 0) difference.constraints.push_back(constraint);
  difference.in_number = !difference.constraints.empty() || events_.size() != other.events_.size();
  if (difference.in_number) return difference;
  // The rotation with the fewest events in other places.
  const std::size_t n = events_.size();
  std::vector<std::size_t> fewest;
  for (std::size_t turn = 0; turn < n; ++turn) {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < n; ++k)
      if (!(events_[k] == other.events_[(k + turn) % n])) places.push_back(k);
    if (turn == 0 || places.size() < fewest.size()) fewest = std::move(places);
  }
  for (const std::size_t k : fewest)
    for (const int constraint : events_[k].constraints) difference.constraints.push_back(constraint);
  std::ranges::sort(difference.constraints);
  difference.constraints.erase(std::unique(difference.constraints.begin(), difference.constraints.end()),
                               difference.constraints.end());
  return difference;
}

}  // namespace mti
