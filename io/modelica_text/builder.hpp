#pragma once

// What the grammar's actions build a FlatModel on. Private to parse.cpp.

#include <utility>
#include <vector>

#include "io/modelica_text/syntax.hpp"
#include "mti/text/operand_stack.hpp"

namespace mti::modelica {

using text::SyntaxError;

/// What the actions build on: stacks of finished operands, modifiers and equations.
struct Builder : text::OperandStack {
  FlatModel model = {};
  std::vector<std::vector<Modifier>> modifiers = {
      {}};                                 ///< of each open list, the outermost for what follows it
  Declaration declaration = {};            ///< what the names of one declaration share
  std::vector<Equation> conditional = {};  ///< if and when that are open
  Equation equation = {};                  ///< the one that was read last
  bool is_initial = false;

  [[nodiscard]] std::vector<Modifier> take_modifiers() { return std::exchange(modifiers.back(), {}); }

  void finish_equation() {
    std::vector<Equation>& list = conditional.empty()
                                      ? (is_initial ? model.initial_equations : model.equations)
                                      : conditional.back().branches.back().equations;
    equation.annotation = take_modifiers();
    list.push_back(std::exchange(equation, {}));
  }
};

}  // namespace mti::modelica
