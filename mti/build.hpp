#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mti/fault.hpp"
#include "mti/model.hpp"
#include "mti/source.hpp"

namespace mti {

/// Builds a model: evaluates parameters, resolves names, expands text to columns, makes auxiliary signals
/// for powers, normalises matrices.
///
/// Errors: InvalidModel with *every* fault that could be found, each with its JSON pointer.
[[nodiscard]] Model build(const Source& source);

/// Replaces values by name before building (`--set NAME=VALUE`): a parameter, a constant input or a start
/// value. Errors: InvalidModel, id `unknown-override`, with a suggestion.
void override_values(Source& source, const std::vector<std::pair<std::string, double>>& values);

}  // namespace mti
