#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/modelica_text/syntax.hpp"

namespace mti::modelica {

/// One flat Modelica model, `model NAME … end NAME;`, alone or in a package as in Base Modelica. The text must outlive it.
///
/// Errors: text::SyntaxError with the ids `syntax-error`, `too-deep`, `number-range`, and `modelica-unsupported` where the
/// text has what flat models of variables and equations have not: arrays, algorithms, functions, classes.
[[nodiscard]] FlatModel parse(std::string_view text);

/// "7:12", line and column of a byte, both from 1; columns are counted in characters (UTF-8).
[[nodiscard]] std::string place_of(std::string_view text, std::size_t offset);

}  // namespace mti::modelica
