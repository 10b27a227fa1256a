#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/model/model.hpp"
#include "mti/source/overrides.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// Builds a model: evaluates parameters, resolves names, expands text to columns, makes auxiliary signals
/// for powers, normalises matrices.
///
///     a = b → f = a − b,   a <= b → g = a − b,   a >= b → g = b − a,   x^(k+1) = x·x̂_1⋯x̂_k with x̂_i − x = 0
///
/// Auxiliary signals are named x.copy1, x.copy2, … (x.der.copy1 for der(x)), their equations
/// x.copy1.definition; they follow the declared algebraic signals and equations. The word `time` becomes a
/// last, auxiliary input of that name; an input declared with the name `time` and no value is the same, at
/// its own place. Rows of S for pre(z) follow in the order of the binaries. Powers in scenarios make copies
/// of their own, which are not signals of the model (Scenario::copied).
///
/// Errors: InvalidModel with *every* fault that could be found, each with its JSON pointer. The ids:
///
/// Text: `syntax-error`, `too-deep` (nesting), `number-range` (a number no double can hold).
/// Names: `bad-name`, `reserved-name`, `duplicate-name`, `unknown-name`, `unknown-function`, `unknown-constraint`,
///   `unknown-equation`, `name-count` (matrices form).
/// Numbers: `not-finite`, `parameter-order` (uses a later parameter or itself), `signal-as-number` (a signal where only
///   parameters can stand), `wrong-arguments`, `division-by-zero`.
/// Signals: `bad-nominal`, `not-binary` (other than 0 and 1), `bad-table`, `clock-with-value`, `undeclared-clock`.
/// Experiment: `bad-experiment`. Discrete time: `bad-sample-time`, `der-in-discrete-model`, `next-in-continuous-model`,
///   `next-of-non-state`, `transition-in-discrete-model`. Clocks: those of without_clocks().
/// Relations: `expected-equation`, `expected-inequality`, `division-by-signal`, `function-of-signal`, `bad-exponent`,
///   `power-too-high`, `too-many-terms`, `der-of-non-state`, `pre-of-non-binary`, `empty-equation`,
///   `impossible-equation`, `impossible-constraint`, `empty-model`.
/// Matrices and forms: `equations-and-matrices`, `matrix-size`, `factor-size`, `index-out-of-range`, `duplicate-entry`,
///   `not-normalised`.
/// Whens: those of without_whens().
/// Invariants, transitions and scenarios: `not-a-binary` (a signal that is none), `pre-of-non-signal`, `power-in-law`,
///   `empty-law`, `pre-in-scenario` (of a binary without pre(z) in equations or constraints).
[[nodiscard]] Model build(const Source& source);

/// The parameters of a source that can be built, as numbers, in their order.
[[nodiscard]] std::vector<std::pair<std::string, double>> parameter_values(const Source& source);

/// The sample time of a source that can be built, as a number; 0 for continuous time.
[[nodiscard]] double sample_time_value(const Source& source);

/// The start time of a source that can be built, as a number.
[[nodiscard]] double start_time_value(const Source& source);

}  // namespace mti
