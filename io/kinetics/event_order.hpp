#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/quantities/quantities.hpp"

namespace mti::sbml {

/// Which events must not happen as if at once, and in which order they go where they fall on one instant.
///
/// Two events depend on their order if
///  * both assign one variable,
///  * one assigns what the trigger of the other, which is not persistent, depends on,
///  * one assigns what the other's formulas depend on, which are evaluated when it happens,
///  * one assigns the size by which a concentration that the other one assigns becomes an amount.
/// Then the one with the higher priority comes first, and one with a priority before one without. Priorities that
/// change are compared while the run goes on. Where they are equal, SBML leaves the order to chance.
///
/// Two events may also meet in a third one, which one of them triggers, and whose trigger, values or delay the other one moves:
/// what it sees depends on which of the two comes first. Priorities decide that, too, and where they say nothing the order in the file,
/// unless chance decides of others: then of all, so that they go one after the other in some order.
class EventOrder {
 public:
  explicit EventOrder(const Quantities& quantities);

  /// The order of some events matters: then all wait for their turn, for any can trigger another that does not come last.
  [[nodiscard]] bool matters() const { return matters_; }
  /// What one of the two does would be another if the other one came first.
  [[nodiscard]] bool is_between(std::size_t first, std::size_t second) const {
    return depends(first, second) || depends(second, first);
  }
  /// Both have priorities, and they are not the same two numbers all the time.
  [[nodiscard]] bool by_changing_priorities(std::size_t first, std::size_t second) const;
  /// Their priorities are equal all the time, or neither has one.
  [[nodiscard]] bool are_tied(std::size_t first, std::size_t second) const;
  /// The first goes before the second, by priorities that do not change or by their place in the file.
  [[nodiscard]] bool precedes(std::size_t first, std::size_t second) const;
  /// The order of the two matters, and may be left to chance.
  [[nodiscard]] bool is_left_to_chance(std::size_t first, std::size_t second) const {
    return is_between(first, second) && (are_tied(first, second) || by_changing_priorities(first, second));
  }
  /// That of some two is.
  [[nodiscard]] bool leaves_to_chance() const { return leaves_to_chance_; }

 private:
  [[nodiscard]] bool depends(std::size_t event, std::size_t other) const;
  [[nodiscard]] bool is_met(std::size_t third) const;

  struct Reach {
    std::set<std::string> writes, trigger, values, delay;
    std::set<std::string> sizes;  ///< of compartments, when it happens
  };
  std::vector<Reach> reach_;
  std::vector<std::optional<double>> priority_;  ///< that does not change
  bool matters_ = false, leaves_to_chance_ = false;
  const Document& document_;
};

}  // namespace mti::sbml
