#pragma once

// What is done where a rule of an expression has been read. Private to parse.cpp.

#include <charconv>
#include <system_error>

#include "io/modelica_text/builder.hpp"
#include "io/modelica_text/grammar.hpp"

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
struct Action<grammar::number> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    Node node{.kind = Node::Kind::number,
              .begin = builder.offset_of(in.begin()),
              .end = builder.offset_of(in.end())};
    node.name = {in.begin(), in.size()};
    if (std::from_chars(in.begin(), in.end(), node.number).ec != std::errc{})
      throw SyntaxError(
          {"number-range", node.begin, "the number " + in.string() + " is outside the range of double"});
    builder.stack.push_back(std::move(node));
  }
};

template <>
struct Action<grammar::dotted_name> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.stack.push_back({.kind = Node::Kind::name,
                             .name = {in.begin(), in.size()},
                             .begin = builder.offset_of(in.begin()),
                             .end = builder.offset_of(in.end())});
  }
};
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
struct Action<grammar::open_call> {
  static void apply0(Builder& builder) { builder.open.push_back(builder.stack.size()); }
};
template <>
struct Action<grammar::open_list> : Action<grammar::open_call> {};
template <>
struct Action<grammar::begin_choice> : Action<grammar::open_call> {};
template <>
struct Action<grammar::close_call> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    std::vector<Node> arguments = builder.close();
    Node& function = builder.stack.back();
    function.kind = Node::Kind::call;
    function.end = builder.offset_of(in.begin()) + 1;
    function.operands = std::move(arguments);
  }
};
template <>
struct Action<grammar::list> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.push_closed(Node::Kind::list, in);
  }
};
template <>
struct Action<grammar::choice> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.push_closed(Node::Kind::choice, in);
  }
};
template <>
struct Action<grammar::inverted> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.wrap(Node::Kind::negation, false, in);
  }
};
template <>
struct Action<grammar::comparator> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.comparators.emplace_back(in.begin(), in.size());
  }
};
template <>
struct Action<grammar::compared> {
  static void apply0(Builder& builder) {
    builder.pair(Node::Kind::comparison, builder.comparators.back());
    builder.comparators.pop_back();
  }
};
template <>
struct Action<grammar::both> {
  static void apply0(Builder& builder) { builder.join(Node::Kind::conjunction, false); }
};
template <>
struct Action<grammar::either> {
  static void apply0(Builder& builder) { builder.join(Node::Kind::disjunction, false); }
};
template <>
struct Action<grammar::raised> {
  static void apply0(Builder& builder) { builder.pair(Node::Kind::power, {}); }
};
template <>
struct Action<grammar::negated> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.wrap(Node::Kind::sum, true, in);
  }
};
template <>
struct Action<grammar::group> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.stack.back().begin = builder.offset_of(in.begin());
    builder.stack.back().end = builder.offset_of(in.end());
  }
};
template <>
struct Action<grammar::times> {
  static void apply0(Builder& builder) { builder.join(Node::Kind::product, false); }
};
template <>
struct Action<grammar::over> {
  static void apply0(Builder& builder) { builder.join(Node::Kind::product, true); }
};
template <>
struct Action<grammar::plus> {
  static void apply0(Builder& builder) { builder.join(Node::Kind::sum, false); }
};
template <>
struct Action<grammar::minus> {
  static void apply0(Builder& builder) { builder.join(Node::Kind::sum, true); }
};

}  // namespace mti::modelica
