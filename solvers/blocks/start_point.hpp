#pragma once

#include <limits>
#include <span>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "solvers/blocks/instant.hpp"

namespace mti {

/// The inputs to the right of an instant.
struct InputsFrom {
  std::vector<InputPiece> pieces;  ///< one per input
  std::vector<char> binary;        ///< values of the binary ones, as a mode holds them
  /// Roundings hold some breakpoints apart from t: all up to here are behind it.
  double end_of_instant = 0.0;
  double next_breakpoint = std::numeric_limits<double>::infinity();  ///< of all inputs
};
[[nodiscard]] InputsFrom inputs_from(const Model& model, double t);

/// pre(z) := z.
void remember(const Signature& signature, Mode& mode);

/// The mode in which a run is posed that begins at t: z⁻ = the start values, pre(z) = z⁻, binary inputs at t.
[[nodiscard]] Mode start_mode(const Model& model, double t);

/// z of a mode, but of conditions p > 0, p ≥ 0 whose p is zero at v, to rounding, what the operator says. Of signals that equations give,
/// a guess told more than that.
[[nodiscard]] std::vector<char> with_conditions_at_zero(const Model& model, const Mode& mode,
                                                        std::span<const double> v);

/// The start values at t in a mode: x as declared, u(t), y the declared guesses, ẋ = 0. Nothing is solved.
[[nodiscard]] Instant start_instant(const Model& model, double t, const Mode& mode);

}  // namespace mti
