#pragma once

#include <string>
#include <vector>

#include "mti/transform/recovery.hpp"

namespace mti {

/// Another unit for a signal: v = offset + scale · v', scale ≠ 0.
struct SignalUnit {
  double offset = 0.0;
  double scale = 1.0;
  std::string unit = {};  ///< the unit of v', as text
};

/// Other units for the signals of a model and for time. Derivatives go with their states:
///
///     x = offset + scale · x',    t = time · t',    ẋ = (scale/time) · ẋ'
///
/// In discrete time next(x) = offset + scale · next(x'), and the sample time goes with time.
struct Scaling {
  std::vector<SignalUnit> states, inputs, algebraic;  ///< one for each signal of the group
  double time = 1.0;                                  ///< > 0
};

/// The scaling that changes nothing.
[[nodiscard]] Scaling no_scaling(const Model& model);

/// Every signal in units of its nominal value: v = nominal · v'. Binary inputs stay.
[[nodiscard]] Scaling nominal_scaling(const Model& model);

/// The scaling that leads back to `model` from scaled(model, scaling).
[[nodiscard]] Scaling inverse(const Scaling& scaling, const Model& model);

/// The model in other units: factors are normalised again, what that takes goes into Φ, so that
/// f_j(v) = f'_j(v') for every row. Start values, nominal values, inputs, laws, scenarios and the experiment
/// are given in the new units. The clock, the input u = t, goes with time whatever its entry says.
///
/// Errors: InvalidOption, id `matrix-size` where a group has not one entry for each signal, id `bad-option`,
/// pointer the signal's name, where a scale is 0, a value is not finite, time is not positive, or a binary
/// input would be scaled.
[[nodiscard]] Transformed scale_signals(const Model& model, const Scaling& wanted);

}  // namespace mti
