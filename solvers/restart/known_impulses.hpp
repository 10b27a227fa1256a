#pragma once

#include <optional>
#include <vector>

#include "solvers/restart/restart.hpp"

namespace mti {

/// Some row of the mode's f has a Dirac part beside that of what stands in it (solvers/plan/recombination.hpp).
[[nodiscard]] bool has_dirac_parts(const ModeSystem& system);

/// These parts at a restart, by equation: entry m − 1 multiplies the (m − 1)-th derivative of δ(t). They are
/// zero within their errors where x⁻ is a state of the mode.
struct KnownImpulses {
  explicit KnownImpulses(const RestartPlace& place);

  [[nodiscard]] Ball at(int equation, int order) const;
  [[nodiscard]] int highest_order() const noexcept { return highest_; }
  /// Those of order 1, by equation, for a Dirac balance.
  [[nodiscard]] std::vector<Ball> first_order() const;
  /// Equations with a part that stands out of its error and is not one of order 1 that the balance of a mode
  /// that is not linear has a row for.
  [[nodiscard]] std::vector<int> beyond_balance(const ModeSystem& system) const;
  /// A row that was dropped, since it follows from others, but only of states that x⁻ is not one of.
  [[nodiscard]] std::optional<int> contradicted(const ModeSystem& system) const;

 private:
  std::vector<std::vector<Ball>> parts_;
  int highest_ = 0;
};

}  // namespace mti
