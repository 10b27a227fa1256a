#pragma once

#include <vector>

#include "mti/build/build_parts.hpp"

namespace mti::building {

/// A function row beside matrices, its signals being rows of S.
struct FunctionRow {
  int result = 0, argument = 0;
  ElementaryFunction phi;
};

/// The list `functions` of the matrices form. Ids `unknown-name`, `function-of-binary`, `unknown-function`, `bad-exponent`.
[[nodiscard]] std::vector<FunctionRow> read_functions(const MatricesSource& source, const Declarations& names,
                                                      Faults& faults, bool& good);
/// Which quotient each divisor belongs to, where only one can be meant.
void find_quotients(Model& model);

/// The list `divisors`. Ids `unknown-name`, `function-of-binary`.
[[nodiscard]] std::vector<Divisor> read_divisors(const MatricesSource& source, const Declarations& names,
                                                 Faults& faults, bool& good);

}  // namespace mti::building
