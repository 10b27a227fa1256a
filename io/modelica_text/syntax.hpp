#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mti/text/ast.hpp"

// The parts of one flat Modelica model. Expressions are those of mti/text/ast.hpp: their names and those below are views
// into the text that was read. A name in quotes keeps them ('a.b'), and so does a text ("V"), which is a name that
// begins with ".
namespace mti::modelica {

using text::Node;

/// start = 3, unit = "V" within the parentheses behind a name; `value` is missing in annotations like experiment(…).
struct Modifier {
  std::string_view name;
  std::size_t begin = 0;
  std::optional<Node> value = {};
  std::vector<Modifier> inner = {};
};

struct Declaration {
  std::string_view variability;  ///< parameter, constant, discrete or empty
  std::string_view causality;    ///< input, output or empty
  std::string_view type;         ///< Real, Boolean, Integer
  std::string_view name;
  std::size_t begin = 0;
  std::vector<Modifier> modifiers = {};
  std::optional<Node> binding = {};
};

struct Equation;

struct Branch {
  std::optional<Node> condition = {};  ///< nothing: else
  std::vector<Equation> equations;
};

/// a = b, an if-equation, a when-equation, or a call: assert(…), reinit(…).
struct Equation {
  enum class Kind { equality, choice, when, call };
  Kind kind = Kind::equality;
  std::size_t begin = 0;
  Node left = {}, right = {};         ///< of an equality; of a call `left`
  std::vector<Branch> branches = {};  ///< of choice and when
  std::string_view description = {};  ///< the text behind it, without quotes
  std::vector<Modifier> annotation = {};
};

struct FlatModel {
  std::string_view name, description;
  std::vector<Declaration> declarations;
  std::vector<Equation> initial_equations, equations;
  std::vector<Modifier> annotation;
};

}  // namespace mti::modelica
