#pragma once

// What the parser says where a rule of the grammar does not match.

#include "mti/text/grammar.hpp"

namespace mti::text::grammar {

/// What was expected where a rule does not match; rules without a text may fail silently.
template <typename Rule>
inline constexpr const char* expected = nullptr;
template <>
inline constexpr const char* expected<signed_operand> = "expected a number, a name or '('";
template <>
inline constexpr const char* expected<close_group> = "expected an operator or ')'";
template <>
inline constexpr const char* expected<close_call> = "expected an operator, ',' or ')'";
template <>
inline constexpr const char* expected<end_of_expression> = "expected an operator or the end of the text";
template <>
inline constexpr const char* expected<comparison> = "expected an operator, '=', '<=' or '>='";
template <>
inline constexpr const char* expected<formula_operand> = "expected a name, 'not', 'true', 'false' or '('";
template <>
inline constexpr const char* expected<close_formula> = "expected 'and', 'or' or ')'";
template <>
inline constexpr const char* expected<end_of_formula> = "expected 'and', 'or' or the end of the text";
template <>
inline constexpr const char* expected<trigger> = "expected 'reach', 'rise', 'fall' or 'risen'";
template <>
inline constexpr const char* expected<open_target> = "expected '('";
template <>
inline constexpr const char* expected<target> = "expected a name";
template <>
inline constexpr const char* expected<close_target> = "expected ')'";
template <>
inline constexpr const char* expected<end_of_condition> = "expected the end of the text";
template <>
inline constexpr const char* expected<close_list> = "expected an operator, ',' or ']'";
template <>
inline constexpr const char* expected<condition_of_choice> = "expected a condition";
template <>
inline constexpr const char* expected<then> = "expected 'then' after a condition";
template <>
inline constexpr const char* expected<otherwise> = "expected an operator, 'elseif' or 'else'";
template <>
inline constexpr const char* expected<no_equality> =
    "signals are not compared for equality: expected <, <=, >, >= or an equation with =";
template <>
inline constexpr const char* expected<no_chain> =
    "one comparison at a time: expected 'and' between two comparisons";

}  // namespace mti::text::grammar
