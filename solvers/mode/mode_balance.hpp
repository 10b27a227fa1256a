#pragma once

#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/mode/frozen_mode.hpp"

namespace mti {

/// Equations against unknowns in one mode, with the parts that do not fit.
///
/// Unknowns are x and y that occur in some equation, a state once whether x or ẋ occurs, and every y that a
/// constraint holds. Where the equations can be matched with (ẋ, y) for given x, the parts are those of that
/// pattern, which shows more closely what is missing; else those of all orders (Dulmage–Mendelsohn). Each
/// part is connected.
struct ModeBalance {
  struct Part {
    std::vector<int> equations;  ///< rows of f, ascending
    std::vector<int> unknowns;   ///< rows of S of x and y, ascending
  };
  int equations = 0, unknowns = 0;
  std::vector<Part> over, under;  ///< more equations than unknowns; fewer

  [[nodiscard]] bool fits() const { return over.empty() && under.empty(); }
};
[[nodiscard]] ModeBalance balance_of(const Model& model, const FrozenMode& frozen);

/// "3 equations for 4 unknowns: nothing determines c".
[[nodiscard]] std::string describe(const ModeBalance& balance, const Model& model);

/// "a", "a and b", "a, b and c", "a, b and 7 more".
[[nodiscard]] std::string enumerated(const std::vector<std::string>& names);

}  // namespace mti
