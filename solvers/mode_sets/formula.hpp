#pragma once

#include <functional>
#include <string>

#include "solvers/mode_sets/mode_set.hpp"

namespace mti {

/// Names of mode variables.
using VariableName = std::function<std::string(int)>;

/// A set of modes as a formula: an irredundant sum of products, or the negation of one where that is
/// shorter: "open1 and not short1 or open2", "not (open and short)", "true", "false". Deterministic. Shorter
/// has fewer literals, and among equally many fewer negations; products come in the order of the variables.
///
/// Modes outside `care` do not matter: what holds on all of `care` is "true". Irredundant: no product and no
/// literal can be left out without changing the set inside `care`. A set that is a product of sets without
/// common variables is written factor by factor where that is shorter: "(a or b) and (c or d)". Where more
/// than `most_products` products would be needed the text is "<diagram of N nodes>".
/// Source: Minato, Fast generation of prime-irredundant covers from binary decision diagrams, IEICE Trans.
/// Fundamentals E76-A (1993) 967-973.
[[nodiscard]] std::string formula(const ModeSet& set, const ModeSet& care, const VariableName& name,
                                  std::size_t most_products = 200);

}  // namespace mti
