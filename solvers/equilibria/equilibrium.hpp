#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "solvers/linearization/linearize.hpp"

namespace mti {

struct EquilibriumOptions {
  std::optional<double> time = {};  ///< at which inputs stand still; default: the start of the experiment
  std::optional<Mode> mode = {};    ///< only in this mode
  bool all = false;                 ///< one in each mode that has one, among all modes
  LinearizationOptions linearization = {};
  std::stop_token stop_token = {};
};

/// A consistent point with ẋ = 0:
///
///     f(0, x, u, y, z) = 0,    g(0, x, u, y, z) ≤ 0
///
/// with its linearisation, which holds the point (v), the mode, weights of sliding binaries among v, and eigenvalues.
struct Equilibrium {
  enum class Stability {
    stable,    ///< Re λ < 0 for all finite eigenvalues
    unstable,  ///< Re λ > 0 for some
    marginal,  ///< Re λ = 0 to rounding for some, and > 0 for none
    unknown    ///< no eigenvalues, or those of one side of a boundary only: `undecided` says which
  };
  Linearization linearization;
  Stability stability = Stability::unknown;
  std::string undecided;  ///< why the stability is unknown
  /// Unknowns that the equations leave open at the point, to first order: the equilibrium is not isolated, others lie beside
  /// it. Nothing where that was not examined (more than 1500 unknowns).
  std::optional<std::vector<std::string>> open;
  /// Whether the motion that a run begins there stays: it need not where a surface does not attract, or where the mode is
  /// left at once; `leaves` says why.
  bool rests = true;
  std::string leaves;
};

/// Equilibria that were found; none, and why.
struct EquilibriumSearch {
  std::vector<Equilibrium> equilibria;
  std::string message;  ///< where there is none
  long modes = 0;       ///< that were tried one by one
};

/// Looks for equilibria. Without a mode: the mode is found as at a start (solvers/switching), among the modes of the model
/// at rest (RestingModel), from the start values; sliding ones included. Where that finds none, and with a mode, by Newton's
/// method in the start mode or that mode. With `all`: besides in each of the 2^q modes, pre(z) = z; where a mode has
/// several, the one that is reached from the start values.
///
/// Errors: InvalidOption, ids `bad-option` (a discrete-time model; `all` with more than 12 binaries); NotReached, id
/// `interrupted`, where a stop was requested.
[[nodiscard]] EquilibriumSearch find_equilibria(const Model& model, const EquilibriumOptions& options = {});

}  // namespace mti
