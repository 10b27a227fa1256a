#include "io/modelica_writing/reset_texts.hpp"

#include <algorithm>

#include "mti/text/parse.hpp"

namespace mti::modelica {
namespace {

using Parsed = std::vector<std::unique_ptr<ParsedRelation>>;

/// What an impulse of the replaced rows acts on: only the states that the law sets. Otherwise others jump too.
void require_own_impulse(const TransitionSource& law, const std::string& pointer,
                         const std::set<std::string>& states, const Parsed& equations, const Kinds& kinds) {
  const auto is_replaced = [&](const ParsedRelation& equation, std::size_t index) {
    const std::string name = equation.name.empty() ? "eq" + std::to_string(index + 1) : equation.name;
    return std::ranges::find(law.replaces, name) != law.replaces.end();
  };
  const auto holds_slope = [&](const ParsedRelation& equation) {
    return std::ranges::any_of(
        states, [&](const std::string& state) { return equation.names.contains("der(" + state + ")"); });
  };
  for (const auto& row : equations) {
    if (!holds_slope(*row)) continue;
    for (const std::string& name : row->names) {
      if (!kinds.is_algebraic(name)) continue;
      for (std::size_t i = 0; i < equations.size(); ++i)
        if (equations[i].get() != row.get() && equations[i]->names.contains(name) &&
            !is_replaced(*equations[i], i))
          unwritable(pointer, "the law " + law.when + " leaves an impulse of " + name +
                                  " to other equations, which no reinit does");
    }
  }
}

}  // namespace

Reset reset_of(const Source& source, std::size_t index, const Parsed& equations, const Parsed& constraints,
               const Kinds& kinds, ModelicaNotation& notation) {
  const TransitionSource& law = source.transitions[index];
  const std::string pointer = "/transitions/" + std::to_string(index);
  const text::Condition condition = text::parse_condition(law.when);
  Reset reset;
  const std::string target(condition.target);
  std::string when;
  if (condition.trigger == "reach") {
    for (std::size_t i = 0; i < constraints.size(); ++i)
      if ((constraints[i]->name.empty() ? "c" + std::to_string(i + 1) : constraints[i]->name) == target)
        reset.constraint = constraints[i].get();
    if (reset.constraint == nullptr || !reset.constraint->binaries.empty())
      unwritable(pointer, "the law " + law.when + " waits for a constraint that belongs to a binary");
    const text::Relation& relation = reset.constraint->relation;
    const bool less = relation.comparison == text::Relation::Comparison::less_equal;
    when = at_level(notation.number(less ? relation.left : relation.right), 1) + " > " +
           at_level(notation.number(less ? relation.right : relation.left), 1);
  } else {
    when = (condition.trigger == "rise" ? "" : "not ") + identifier(target);
  }
  std::set<std::string> states;
  std::string lines;
  for (const std::string& text : law.equations) {
    const text::Relation relation = text::parse_relation(text);
    const bool assigns = relation.left.kind == text::Node::Kind::name && kinds.is_state(relation.left.name);
    std::set<std::string> names;
    collect_names(relation.right, true, names);
    const bool of_left_limits = std::ranges::none_of(names, [&](const std::string& name) {
      return kinds.is_state(name) || kinds.is_algebraic(name) || name.starts_with("der(");
    });
    if (!assigns || !of_left_limits)
      unwritable(
          pointer,
          "the law " + law.when + ": " + text +
              " is no reset of a state to a value of left limits, and an equation of right limits has no "
              "form in Modelica");
    states.insert(std::string(relation.left.name));
    lines += "    reinit(" + identifier(std::string(relation.left.name)) + ", " +
             notation.number(relation.right).text + ");\n";
  }
  if (lines.empty()) unwritable(pointer, "the law " + law.when + " resets no state");
  if (!law.replaces.empty()) require_own_impulse(law, pointer, states, equations, kinds);
  reset.text = "  when " + when + " then\n" + lines + "  end when;\n";
  return reset;
}

}  // namespace mti::modelica
