#pragma once

#include <optional>
#include <string>

#include "mti/model/model.hpp"

namespace mti {

/// Where an input is not the same one period later, u(t) ≠ u(t + T) for some t in [start, start + T): which, when, and both
/// values, in words. Empty if none is found in the middles between breakpoints and at some hundred other times.
[[nodiscard]] std::string input_that_does_not_repeat(const Model& model, double start, double T);

/// The period of an input that says one: of a sine, of pulses and of what comes again. Nothing for others.
[[nodiscard]] std::optional<double> period_of(const Input& input);
/// A time at which one of these periods begins, whatever their length.
[[nodiscard]] double phase_zero_of(const Input& input);

}  // namespace mti
