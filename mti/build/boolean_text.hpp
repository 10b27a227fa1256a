#pragma once

#include <string>

#include "mti/common/fault.hpp"
#include "mti/model/boolean.hpp"
#include "mti/model/model.hpp"

namespace mti {

/// Reads a Boolean formula of the binaries and binary inputs of a model, as `invariants` hold them:
///
///     formula := conjunct ('or' conjunct)*      conjunct := operand ('and' operand)*
///     operand := 'not' operand | '(' formula ')' | 'true' | 'false' | name
///
/// Errors: InvalidOption with every fault found, pointer "": ids `syntax-error`, `too-deep`, `unknown-name`
/// (with a suggestion), `not-a-binary`.
[[nodiscard]] BooleanFormula parse_formula(const Model& model, const std::string& text);

}  // namespace mti
