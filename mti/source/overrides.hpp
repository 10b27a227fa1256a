#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mti/source/source.hpp"

namespace mti {

/// Values by the names of what they replace: parameters, constant inputs, start values.
using Overrides = std::vector<std::pair<std::string, double>>;

/// Replaces values by name before building (`--set NAME=VALUE`): a parameter, a constant input or a start
/// value. Errors: InvalidOption with pointer "", ids `unknown-override` (with a suggestion),
/// `override-of-function` (an input that is a table, a sine or the time), `not-finite`.
void override_values(Source& source, const Overrides& values);

/// With this value in the place of another one of that name, or after the others.
[[nodiscard]] Overrides with_value(Overrides values, const std::string& name, double value);

}  // namespace mti
