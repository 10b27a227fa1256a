#pragma once

#include <vector>

#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// The events of one period in their order, times left out. Where the period begins does not matter.
class RoundEvents {
 public:
  RoundEvents() = default;
  explicit RoundEvents(const Trajectory& run);

  /// Equal but for a rotation.
  [[nodiscard]] bool is_sequence_of(const RoundEvents& other) const;
  [[nodiscard]] int count() const { return static_cast<int>(events_.size()); }

  /// How two sequences differ.
  struct Difference {
    bool in_number = false;  ///< of the events of some constraint, or of others
    std::vector<int> constraints =
        {};  ///< whose events come or go; where only the order differs, those that change places
  };
  [[nodiscard]] Difference difference_to(const RoundEvents& other) const;

 private:
  struct Entry {
    EventKind kind = EventKind::switch_mode;
    std::vector<int> constraints = {};
    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> events_;
};

}  // namespace mti
