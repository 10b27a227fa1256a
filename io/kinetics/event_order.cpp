#include "io/kinetics/event_order.hpp"

#include <algorithm>

namespace mti::sbml {
namespace {

bool share_a_name(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& name) { return b.contains(name); });
}

}  // namespace

EventOrder::EventOrder(const Quantities& quantities) : document_(quantities.document()) {
  for (const Event& event : document_.events) {
    Reach reach;
    if (event.trigger) reach.trigger = quantities.sources_of(*event.trigger);
    if (event.delay) reach.delay = quantities.sources_of(*event.delay);
    for (const Assignment& assignment : event.assignments) {
      reach.writes.insert(assignment.variable);
      if (assignment.math) reach.values.merge(quantities.sources_of(*assignment.math));
      // A concentration becomes an amount with the size that its compartment has then.
      const Quantity* const quantity = quantities.find(assignment.variable);
      if (quantity != nullptr && quantity->by_amount)
        reach.sizes.merge(quantities.sources_of(quantities.compartment_of(*quantity).id));
    }
    reach_.push_back(std::move(reach));
  }
  for (std::size_t i = 0; i < reach_.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) matters_ = matters_ || is_between(i, k);
  for (std::size_t third = 0; third < reach_.size(); ++third) matters_ = matters_ || is_met(third);
  for (const Event& event : document_.events)
    priority_.push_back(event.priority && quantities.is_constant(*event.priority)
                            ? quantities.start_value(*event.priority)
                            : std::nullopt);
  for (std::size_t i = 0; i < reach_.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) leaves_to_chance_ = leaves_to_chance_ || is_left_to_chance(i, k);
}

/// What `event` does would be another if `other` came first.
bool EventOrder::depends(std::size_t event, std::size_t other) const {
  const Reach &own = reach_[event], &before = reach_[other];
  const Event& from = document_.events[event];
  return share_a_name(own.writes, before.writes) || share_a_name(own.sizes, before.writes) ||
         (!from.persistent && share_a_name(own.trigger, before.writes)) ||
         (!from.values_of_trigger_time && share_a_name(own.values, before.writes));
}

/// One of two others may trigger it, and it then finds what the other one has left, or has not.
bool EventOrder::is_met(std::size_t third) const {
  const Reach& own = reach_[third];
  int triggering = 0, moving = 0;  // what triggers it moves it, too
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    if (i == third) continue;
    const std::set<std::string>& writes = reach_[i].writes;
    const bool triggers = share_a_name(own.trigger, writes);
    triggering += triggers ? 1 : 0;
    moving += triggers || share_a_name(own.delay, writes) || share_a_name(own.values, writes) ? 1 : 0;
  }
  return triggering >= 1 && moving >= 2;
}

bool EventOrder::by_changing_priorities(std::size_t first, std::size_t second) const {
  return document_.events[first].priority && document_.events[second].priority &&
         !(priority_[first] && priority_[second]);
}

bool EventOrder::are_tied(std::size_t first, std::size_t second) const {
  const bool one = document_.events[first].priority.has_value(),
             other = document_.events[second].priority.has_value();
  if (by_changing_priorities(first, second) || one != other) return false;
  return !one || priority_[first] == priority_[second];
}

bool EventOrder::precedes(std::size_t first, std::size_t second) const {
  if (are_tied(first, second)) return first < second;
  const auto &a = priority_[first], &b = priority_[second];
  if (a && b) return *a > *b;
  return document_.events[first].priority.has_value();
}

}  // namespace mti::sbml
