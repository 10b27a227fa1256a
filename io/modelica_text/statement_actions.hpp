#pragma once

// What is done where a rule of declarations and equations has been read. Private to parse.cpp.

#include "io/modelica_text/actions.hpp"

namespace mti::modelica {

template <>
struct Action<grammar::modifier_name> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.modifiers.back().push_back(
        {.name = {in.begin(), in.size()}, .begin = builder.offset_of(in.begin())});
  }
};
template <>
struct Action<grammar::open_modifiers> {
  static void apply0(Builder& builder) { builder.modifiers.emplace_back(); }
};
template <>
struct Action<grammar::modifiers> {
  static void apply0(Builder& builder) {
    std::vector<Modifier> inner = std::move(builder.modifiers.back());
    builder.modifiers.pop_back();
    if (builder.modifiers.size() == 1 && builder.modifiers.back().empty())
      builder.declaration.modifiers = std::move(inner);  // behind a declared name
    else
      builder.modifiers.back().back().inner = std::move(inner);
  }
};
template <>
struct Action<grammar::modifier_binding> {
  static void apply0(Builder& builder) { builder.modifiers.back().back().value = builder.pop(); }
};

template <>
struct Action<grammar::begin_declaration> {
  static void apply0(Builder& builder) { builder.declaration = {}; }
};
template <>
struct Action<grammar::variability> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.declaration.variability = {in.begin(), in.size()};
  }
};
template <>
struct Action<grammar::causality> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.declaration.causality = {in.begin(), in.size()};
  }
};
template <>
struct Action<grammar::declared_name> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.declaration.name = {in.begin(), in.size()};
    builder.declaration.begin = builder.offset_of(in.begin());
    builder.declaration.modifiers.clear();
    builder.declaration.binding.reset();
  }
};
template <>
struct Action<grammar::declared_binding> {
  static void apply0(Builder& builder) { builder.declaration.binding = builder.pop(); }
};
template <>
struct Action<grammar::declared> {
  static void apply0(Builder& builder) {
    builder.modifiers.back().clear();
    builder.equation = {};  // its description
    builder.model.declarations.push_back(builder.declaration);
  }
};

template <>
struct Action<grammar::begin_if> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.conditional.push_back({.kind = Equation::Kind::choice, .begin = builder.offset_of(in.begin())});
  }
};
template <>
struct Action<grammar::begin_when> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.conditional.push_back({.kind = Equation::Kind::when, .begin = builder.offset_of(in.begin())});
  }
};
template <>
struct Action<grammar::branch_condition> {
  static void apply0(Builder& builder) {
    builder.conditional.back().branches.emplace_back();
    builder.conditional.back().branches.back().condition = builder.pop();
  }
};
/// The last branch, without a condition. `else` of an expression is another rule.
template <>
struct Action<grammar::key_else> {
  static void apply0(Builder& builder) { builder.conditional.back().branches.emplace_back(); }
};
template <>
struct Action<grammar::end_of_if> {
  static void apply0(Builder& builder) {
    builder.equation = std::move(builder.conditional.back());
    builder.conditional.pop_back();
  }
};
template <>
struct Action<grammar::end_of_when> : Action<grammar::end_of_if> {};
template <>
struct Action<grammar::plain_equation> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    Equation& equation = builder.equation;
    equation.begin = builder.offset_of(in.begin());
    if (builder.stack.size() > 1) {
      equation.right = builder.pop();
      equation.left = builder.pop();
      return;
    }
    equation.left = builder.pop();
    equation.kind = Equation::Kind::call;
  }
};
template <>
struct Action<grammar::description_text> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.equation.description = unquoted(in);
  }
};
template <>
struct Action<grammar::equation_end> {
  static void apply0(Builder& builder) { builder.finish_equation(); }
};

template <>
struct Action<grammar::model_name> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.model.name = {in.begin(), in.size()};
    builder.equation = {};  // the description of the package
  }
};
template <>
struct Action<grammar::model_description> {
  static void apply0(Builder& builder) {
    builder.model.description = std::exchange(builder.equation, {}).description;
  }
};
template <>
struct Action<grammar::end_name> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    if (in.string_view() != builder.model.name)
      throw SyntaxError(
          {"syntax-error", builder.offset_of(in.begin()),
           "expected the name of the model, " + std::string(builder.model.name) + ", found " + in.string()});
  }
};
template <>
struct Action<grammar::begin_initial> {
  static void apply0(Builder& builder) { builder.is_initial = true; }
};
template <>
struct Action<grammar::begin_equations> {
  static void apply0(Builder& builder) { builder.is_initial = false; }
};
template <>
struct Action<grammar::model_annotation> {
  static void apply0(Builder& builder) { builder.model.annotation = builder.take_modifiers(); }
};

}  // namespace mti::modelica
