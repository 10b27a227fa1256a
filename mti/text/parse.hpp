#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mti/text/ast.hpp"

namespace mti::text {

/// Parentheses, signs and exponents may be nested this deep; more is refused with id `too-deep`.
inline constexpr int kMaximumDepth = 200;

/// sum        := product (('+' | '-') product)*
/// product    := signed (('*' | '/') signed)*
/// signed     := ('+' | '-') signed | power
/// power      := primary ('^' signed)?
/// primary    := number | name | name '(' sum (',' sum)* ')' | '(' sum ')'
/// name       := identifier ('.' identifier)*
///
/// All four functions throw SyntaxError (ids `syntax-error`, `too-deep`, `number-range`).
[[nodiscard]] Node parse_expression(std::string_view text);

/// relation   := sum ('=' | '<=' | '>=') sum
[[nodiscard]] Relation parse_relation(std::string_view text);

/// formula    := conjunct ('or' conjunct)*        conjunct := operand ('and' operand)*
/// operand    := 'not' operand | '(' formula ')' | 'true' | 'false' | name
[[nodiscard]] std::vector<FormulaStep> parse_formula(std::string_view text);

/// condition  := ('reach' | 'rise' | 'fall' | 'risen') '(' name ')'
[[nodiscard]] Condition parse_condition(std::string_view text);

/// "column 7: message", columns counted in characters (UTF-8) from 1.
[[nodiscard]] std::string at_column(std::string_view text, std::size_t offset, const std::string& message);

}  // namespace mti::text
