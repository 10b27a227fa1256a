#include <algorithm>

#include "io/modelica/read_modelica.hpp"
#include "io/modelica/translation.hpp"
#include "io/modelica_expressions/logic.hpp"
#include "mti/model/assertions.hpp"

namespace mti::modelica {
namespace {

std::string row(const std::string& p, bool where_one, const std::string& binary) {
  return "(" + p + ")*" + (where_one ? binary : "(1 - " + binary + ")") + " <= 0";
}

}  // namespace

/// A part that a switch of another binary may change.
bool Translation::holds_conditions(const Node& node) const {
  bool found = false;
  walk(node, [&](const Node& part) {
    found =
        found || part.kind == Node::Kind::choice ||
        (part.kind == Node::Kind::name && expressions_.is_boolean(part)) ||
        (part.kind == Node::Kind::call && (part.name == "abs" || part.name == "max" || part.name == "min" ||
                                           part.name == "sign" || part.name == "semiLinear"));
  });
  return found;
}

bool Translation::is_known(const Node& comparison) const {
  return expressions_.known_comparisons.contains(expressions_.comparison(comparison).text);
}

/// p with p > 0, or p >= 0, where the comparison holds. An argument with conditions in it is a signal of its own, so that no
/// row holds the binaries of two conditions.
std::string Translation::rising(const std::string& binary, const Node& comparison, std::size_t begin) {
  const Comparison compared = expressions_.comparison(comparison);
  std::string p = compared.difference;
  if (holds_conditions(comparison)) {
    const std::string name = names_.fresh(binary + ".argument");
    source.algebraic.push_back({.name = name});
    add_equation(name + " = " + p, begin);
    p = name;
  }
  return compared.negated ? "-(" + p + ")" : p;
}

void Translation::define_comparison(const std::string& binary, const Node& comparison, std::size_t begin) {
  const std::string p = rising(binary, comparison, begin);
  add_constraint(row(p, false, binary), begin, binary + ".off");
  add_constraint(row("-(" + p + ")", true, binary), begin, binary + ".on");
  const auto own = std::ranges::find(source.binaries, binary, &BinarySource::name);
  const Variable* variable = nullptr;
  for (const Variable& one : names_.all())
    if (one.name == binary) variable = &one;
  if (variable != nullptr && variable->attribute("start") != nullptr) return;
  own->start = expressions_.comparison(comparison).negated ? 1.0 : 0.0;
}

/// b = if pre(b) then (conjunction of comparisons) else (disjunction of comparisons), in whatever form: each comparison is a
/// constraint, as of a hysteresis.
bool Translation::define_memory(const Variable& variable, const Node& value, std::size_t begin) {
  const std::string_view self = variable.declaration->name;
  const auto rises = comparisons_of(simplified(value, self, false), Node::Kind::disjunction);
  const auto stays = comparisons_of(simplified(value, self, true), Node::Kind::conjunction);
  if (!rises || !stays || (rises->empty() && stays->empty())) return false;
  for (const auto& list : {*rises, *stays})
    for (const Node& comparison : list)
      if (!expressions_.is_ordering(comparison) || is_known(comparison)) return false;
  const std::string& b = variable.name;
  for (const Node& comparison : *rises)
    add_constraint(row(rising(b, comparison, begin), false, b), begin, b + ".off");
  for (const Node& comparison : *stays)
    add_constraint(row("-(" + rising(b, comparison, begin) + ")", true, b), begin, b + ".on");
  if (rises->empty()) add_constraint(b + " - pre(" + b + ") <= 0", begin, b + ".off");
  if (stays->empty()) add_constraint("pre(" + b + ") - " + b + " <= 0", begin, b + ".on");
  return true;
}

void Translation::define(const Variable& variable, const Node& value, std::size_t begin) {
  const Node direct = simplified(value, {}, false);
  if (expressions_.is_ordering(direct) && !time_functions_.is_constant(direct) && !is_known(direct)) {
    define_comparison(variable.name, direct, begin);
    return;
  }
  if (is_call(value, "pre") && argument_of(value).name == variable.declaration->name) return;  // b = pre(b)
  bool remembers = false;
  walk(value, [&](const Node& part) {
    remembers = remembers || (is_call(part, "pre") && argument_of(part).name == variable.declaration->name);
  });
  if (remembers && define_memory(variable, value, begin)) return;
  add_equation(variable.name + " = " + expressions_.truth(value), begin);
}

void Translation::check(const Node& condition, const std::string& message, bool is_error, std::size_t begin) {
  if (time_functions_.is_constant(condition)) {
    const auto value = time_functions_.value(condition);
    premises.push_back({expressions_.truth(condition), true, "modelica-assertion",
                        "what is asserted is false: " + message, begin});
    if (!value || *value > 0.5) return;
    report_.add("modelica-assertion", begin, "what is asserted is false: " + message);
    return;
  }
  const std::string name = names_.fresh("assertion" + std::to_string(++assertions_));
  source.binaries.push_back({name, 1.0, std::string(is_error ? assertion_mark : warning_mark) + message});
  const Node direct = simplified(condition, {}, false);
  if (expressions_.is_ordering(direct) && !is_known(direct)) {
    define_comparison(name, direct, begin);
  } else {
    add_equation(name + " = " + expressions_.truth(condition), begin);
  }
}

void Translation::add_assertion(const Equation& equation, const Node& call, const std::vector<Node>& guards) {
  if (!is_call(call, "assert"))
    refuse("modelica-unsupported", call.begin,
           (call.kind == Node::Kind::call ? std::string(call.name) + "(…) is not read here"
                                          : "an expression is no equation") +
               ": expected an equation a = b or an assertion");
  if (call.operands.size() < 2 || call.operands.size() > 3)
    refuse("wrong-arguments", call.begin, "assert takes a condition, a message and a level");
  const Node& message = call.operands[1];
  const std::string text = message.name.starts_with('"')
                               ? unescaped(message.name.substr(1, message.name.size() - 2))
                               : expressions_.written(message);
  std::string mark;
  for (const Modifier& entry : equation.annotation)
    for (const Modifier& member : entry.inner)
      if (entry.name == "__mti" && member.value && member.value->name == "true")
        mark = std::string(member.name);
  if (!mark.empty())
    walk(call.operands[0], [&](const Node& part) {
      if (part.kind == Node::Kind::name) in_constraints_.insert(part.name);
    });
  if (mark == "constraint" && expressions_.is_ordering(call.operands[0])) {
    const Comparison compared = expressions_.comparison(call.operands[0]);
    add_constraint((compared.negated ? compared.difference : "-(" + compared.difference + ")") + " <= 0",
                   equation.begin, is_name(text) ? text : "constraint");
    only_asserted_.insert(source.constraints.back().name);
    return;
  }
  if (mark == "invariant") {
    source.invariants.push_back(expressions_.condition(call.operands[0]));
    return;
  }
  Node condition = call.operands[0];
  if (!guards.empty()) {
    Node all{.kind = Node::Kind::conjunction, .begin = call.begin, .end = call.end};
    all.operands = guards;
    Node none{.kind = Node::Kind::negation, .begin = call.begin, .end = call.end};
    none.operands.push_back(guards.size() == 1 ? guards.front() : all);
    Node either{.kind = Node::Kind::disjunction, .begin = call.begin, .end = call.end};
    either.operands = {std::move(none), std::move(condition)};
    condition = std::move(either);
  }
  const bool is_error = call.operands.size() < 3 || call.operands[2].name != "AssertionLevel.warning";
  assertion_nodes_.push_back({std::move(condition), text, is_error, equation.begin});
}

}  // namespace mti::modelica
