#pragma once

// What the parser says where a rule of the grammar does not match.

#include "io/modelica_text/grammar.hpp"

namespace mti::modelica::grammar {

/// What was expected where a rule does not match; rules without a text may fail silently.
template <typename Rule>
inline constexpr const char* expected = nullptr;
template <>
inline constexpr const char* expected<operand> = "expected a number, a name or '('";
template <>
inline constexpr const char* expected<exponent> = "expected a number, a name or '('";
template <>
inline constexpr const char* expected<close_call> = "expected an operator, ',' or ')'";
template <>
inline constexpr const char* expected<close_list> = "expected an operator, ',' or '}'";
template <>
inline constexpr const char* expected<close_group> = "expected an operator or ')'";
template <>
inline constexpr const char* expected<then> = "expected an operator or 'then'";
template <>
inline constexpr const char* expected<otherwise> = "expected an operator, 'elseif' or 'else'";
template <>
inline constexpr const char* expected<modifier_name> = "expected the name of an attribute";
template <>
inline constexpr const char* expected<close_modifiers> = "expected an operator, ',' or ')'";
template <>
inline constexpr const char* expected<open_annotation> = "expected '('";
template <>
inline constexpr const char* expected<close_balanced> = "expected a closing parenthesis";
template <>
inline constexpr const char* expected<end_mark> = "expected an operator, '=' or ';'";
template <>
inline constexpr const char* expected<quoted_end> = "expected the end of a name in quotes";
template <>
inline constexpr const char* expected<text_end> = "expected the end of a text";
template <>
inline constexpr const char* expected<block_body> = "expected the end of a comment";
template <>
inline constexpr const char* expected<declared_name> = "expected the name of a variable";
template <>
inline constexpr const char* expected<end_of_if> = "expected an equation, 'elseif', 'else' or 'end if'";
template <>
inline constexpr const char* expected<end_of_when> = "expected an equation, 'elsewhen' or 'end when'";
template <>
inline constexpr const char* expected<after_initial> = "expected 'equation'";
template <>
inline constexpr const char* expected<model_name> = "expected the name of the model";
template <>
inline constexpr const char* expected<package_name> = "expected the name of the package";
template <>
inline constexpr const char* expected<begin_of_model> = "expected 'model'";
template <>
inline constexpr const char* expected<end_of_model> = "expected a declaration, 'equation' or 'end'";
template <>
inline constexpr const char* expected<end_name> = "expected the name of the model";
template <>
inline constexpr const char* expected<end_of_file> = "expected the end of the file";
template <>
inline constexpr const char* expected<file> = "expected 'model' or 'package'";

}  // namespace mti::modelica::grammar
