#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mti/model/signature.hpp"
#include "solvers/blocks/instant.hpp"
#include "solvers/integration/dummy_derivatives.hpp"
#include "solvers/mode/mode_system.hpp"

namespace mti {

/// States that are integrated as the small difference that moves them.
///
/// Of a small resistance before a capacitor, C ẋ = G (u − x) − …, the difference y = u − x is what matters, and neither x, known to
/// rtol·|x|, nor the formula that makes ẋ of x has its digits: error tests of y or G·y fail as often as the step changes.
/// So y is integrated, and x follows from y = u − x, which is differentiated once for ẋ:
///
///     y' = u̇ − ẋ,    C ẋ = G y − …
///
/// The equations remain the same, and nothing drifts; rates of inputs are known exactly.
struct SmallDifferences {
  struct Small {
    int row;      ///< of S: y
    double rate;  ///< −∂ẋ/∂x: it relaxes within the inverse of it
  };
  std::vector<Small> small;
  SolutionPlan plan;  ///< that of the mode, with the equations of y and of what they need differentiated
  DummyDerivatives selection;

  /// For motions of length `duration` that begin at v with slopes `rate`. Nothing where there are none or where ẋ, y do not
  /// follow from f = 0 as it stands.
  static std::optional<SmallDifferences> find(const ModeSystem& system, const Signature& signature,
                                              const Accuracy& accuracy, std::span<const double> v,
                                              std::span<const double> rate, double duration);
};

/// max_i −∂ẋ_i/∂x_i along f = 0 at v; 0 where ẋ, y do not follow from f = 0 as it stands, or are too many.
[[nodiscard]] double largest_relaxation(const ModeSystem& system, const Signature& signature,
                                        std::span<const double> v);

}  // namespace mti
