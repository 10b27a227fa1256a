#pragma once

// What is done where a rule of an expression has been read. Private to parse.cpp.

#include "io/modelica_text/builder.hpp"
#include "io/modelica_text/grammar.hpp"
#include "mti/text/operand_actions.hpp"

namespace mti::modelica {

/// The characters between the quotes of the literal with which a match begins.
template <typename Input>
std::string_view unquoted(const Input& in) {
  std::string_view text(in.begin(), in.size());
  text.remove_prefix(1);
  return text.substr(0, text.size() - 1);
}

template <typename Rule>
struct Action : grammar::pegtl::nothing<Rule> {};

[[noreturn]] inline void refuse_text(std::size_t offset, const std::string& message) {
  throw SyntaxError({"modelica-unsupported", offset, message});
}

template <>
struct Action<grammar::refused_word> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    refuse_text(
        builder.offset_of(in.begin()),
        "'" + in.string() + "' is not read: a flat model has variables, parameters and equations alone");
  }
};
template <>
struct Action<grammar::refused_bracket> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    refuse_text(builder.offset_of(in.begin()), "arrays are not read: expected scalar variables");
  }
};
template <>
struct Action<grammar::refused_operator> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    refuse_text(builder.offset_of(in.begin()), "operators of arrays are not read: found " + in.string());
  }
};

template <>
struct Action<grammar::number> : text::actions::push_number {};
template <>
struct Action<grammar::dotted_name> : text::actions::push_name {};
/// A type stands where no expression does.
template <>
struct Action<grammar::type_name> {
  static void apply0(Builder& builder) { builder.declaration.type = builder.pop().name; }
};
template <>
struct Action<grammar::string_operand> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    std::string_view name(in.begin(), in.size());
    name = name.substr(0, name.find_last_of('"') + 1);
    builder.stack.push_back({.kind = Node::Kind::name,
                             .name = name,
                             .begin = builder.offset_of(in.begin()),
                             .end = builder.offset_of(in.end())});
  }
};

template <>
struct Action<grammar::open_call> : text::actions::open_operands {};
template <>
struct Action<grammar::open_list> : text::actions::open_operands {};
template <>
struct Action<grammar::begin_choice> : text::actions::open_operands {};
template <>
struct Action<grammar::close_call> : text::actions::close_call {};
template <>
struct Action<grammar::list> : text::actions::close_as<Node::Kind::list> {};
template <>
struct Action<grammar::choice> : text::actions::close_as<Node::Kind::choice> {};
template <>
struct Action<grammar::inverted> : text::actions::wrap_as<Node::Kind::negation> {};
template <>
struct Action<grammar::comparator> : text::actions::note_comparator {};
template <>
struct Action<grammar::compared> : text::actions::compare {};
template <>
struct Action<grammar::both> : text::actions::join_as<Node::Kind::conjunction> {};
template <>
struct Action<grammar::either> : text::actions::join_as<Node::Kind::disjunction> {};
template <>
struct Action<grammar::raised> : text::actions::raise {};
template <>
struct Action<grammar::negated> : text::actions::wrap_as<Node::Kind::sum, true> {};
template <>
struct Action<grammar::group> : text::actions::take_group {};
template <>
struct Action<grammar::times> : text::actions::join_as<Node::Kind::product> {};
template <>
struct Action<grammar::over> : text::actions::join_as<Node::Kind::product, true> {};
template <>
struct Action<grammar::plus> : text::actions::join_as<Node::Kind::sum> {};
template <>
struct Action<grammar::minus> : text::actions::join_as<Node::Kind::sum, true> {};

}  // namespace mti::modelica
