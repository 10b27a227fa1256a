#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mti/source/source.hpp"

namespace mti {

/// Replaces values by name before building (`--set NAME=VALUE`): a parameter, a constant input or a start
/// value. Errors: InvalidOption with pointer "", ids `unknown-override` (with a suggestion),
/// `override-of-function` (an input that is a table, a sine or the time), `not-finite`.
void override_values(Source& source, const std::vector<std::pair<std::string, double>>& values);

}  // namespace mti
