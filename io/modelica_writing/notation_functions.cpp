#include <algorithm>
#include <array>

#include "io/modelica_writing/notation.hpp"

namespace mti::modelica {
namespace {

using text::Node;

constexpr std::array<std::string_view, 18> same = {"sin",  "cos",  "tan",   "asin",  "acos", "atan",
                                                   "sinh", "cosh", "tanh",  "exp",   "log",  "sqrt",
                                                   "abs",  "sign", "atan2", "floor", "ceil", "mod"};

}  // namespace

Piece ModelicaNotation::call(const Node& node, const Assignment& assignment) {
  const auto argument = [&](std::size_t i) { return number(node.operands.at(i), assignment); };
  const auto text = [&](std::size_t i) { return at_level(argument(i), 1); };
  if (node.name == "der") return {"der(" + identifier(std::string(node.operands.front().name)) + ")"};
  if (node.name == "pre") {
    const std::string_view of = node.operands.front().name;
    const std::string before = "pre(" + identifier(std::string(of)) + ")";
    if (!kinds_.is_boolean(of)) return {before};
    const auto assigned = assignment.find("pre(" + std::string(of) + ")");
    if (assigned != assignment.end()) return {assigned->second ? "1" : "0", 4, assigned->second ? 1.0 : 0.0};
    return {"(if " + before + " then 1 else 0)"};
  }
  if (std::ranges::find(same, node.name) != same.end()) {
    std::string result = std::string(node.name) + "(";
    for (std::size_t i = 0; i < node.operands.size(); ++i) result += (i == 0 ? "" : ", ") + argument(i).text;
    return {result + ")"};
  }
  if (node.name == "max" || node.name == "min") {
    std::string result = argument(0).text;
    for (std::size_t i = 1; i < node.operands.size(); ++i)
      result = std::string(node.name) + "(" + result + ", " + argument(i).text + ")";
    return {result};
  }
  if (node.name == "pos") return {"max(" + argument(0).text + ", 0)"};
  if (node.name == "neg") return {"max(-" + at_level(argument(0), 3) + ", 0)"};
  if (node.name == "smooth") return {"smooth(" + argument(0).text + ", noEvent(" + argument(1).text + "))"};
  if (node.name == "step") return {"(if " + text(0) + " > 0 then 1 else 0)"};
  if (node.name == "clamp")
    return {"(if " + text(0) + " < " + text(1) + " then " + text(1) + " elseif " + text(0) + " > " + text(2) +
            " then " + text(2) + " else " + text(0) + ")"};
  if (node.name == "deadzone") {
    const std::string a = at_level(argument(0), 1);
    return {"(if " + a + " < " + text(1) + " then " + a + " - " + at_level(argument(1), 3) + " elseif " + a +
            " > " + text(2) + " then " + a + " - " + at_level(argument(2), 3) + " else 0)"};
  }
  if (node.name == "asinh") {  // sign(a)·log(|a| + √(a² + 1)): no difference of near numbers
    const std::string a = argument(0).text;
    return {"sign(" + a + ")*log(abs(" + a + ") + sqrt(" + at_level(argument(0), 4) + "^2 + 1))", 2};
  }
  if (node.name == "acosh")
    return {"log(" + text(0) + " + sqrt((" + text(0) + " - 1)*(" + text(0) + " + 1)))"};
  if (node.name == "atanh")
    return {"(0.5*log((1 + " + at_level(argument(0), 3) + ")/(1 - " + at_level(argument(0), 3) + ")))"};
  if (node.name == "table") return table(node, assignment);
  if (node.name == "hysteresis") return hysteresis(node);
  unwritable("", "the function " + std::string(node.name) + " has no form in Modelica");
}

Piece ModelicaNotation::table(const Node& node, const Assignment& assignment) {
  const std::string x = at_level(number(node.operands.at(0), assignment), 3);
  const auto &points = node.operands.at(1).operands, &values = node.operands.at(2).operands;
  std::string text = "(";
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const auto part = [&](const Node& of) { return at_level(number(of, assignment), 4); };
    if (k + 2 < points.size())
      text += (k == 0 ? "if " : " elseif ") + x + " < " + part(points[k + 1]) + " then ";
    else
      text += k == 0 ? "" : " else ";
    text += part(values[k]) + " + (" + part(values[k + 1]) + " - " + part(values[k]) + ")/(" +
            part(points[k + 1]) + " - " + part(points[k]) + ")*(" + x + " - " + part(points[k]) + ")";
  }
  return {text + ")"};
}

/// A Boolean variable that keeps its value between the limits; equal ones are one. It lives in all modes: no binary is put
/// into its argument.
Piece ModelicaNotation::hysteresis(const Node& node) {
  const std::string a = at_level(number(node.operands.at(0)), 1);
  const std::string low = at_level(number(node.operands.at(1)), 1);
  const std::string high = at_level(number(node.operands.at(2)), 1);
  bool on = false;
  if (node.operands.size() > 3) {
    const Node& initial = node.operands[3];
    const Piece value = number(initial.kind == Node::Kind::initial ? initial.operands.front() : initial);
    on = value.value && *value.value > 0.5;
  }
  std::string rule = " then not " + a + " < " + low + " else " + a + " > " + high;
  std::string& known = known_memories_[rule + (on ? "1" : "0")];
  if (known.empty()) {
    known = identifier(kinds_.fresh("hysteresis" + std::to_string(memories_.size() + 1)));
    memories_.push_back({known, on ? "true" : "false", known + " = if pre(" + known + ")" + rule});
  }
  return {"(if " + known + " then 1 else 0)"};
}

/// Branches whose condition the assignment decides are taken, or left out.
Piece ModelicaNotation::choice(const Node& node, const Assignment& assignment) {
  std::string text;
  for (std::size_t i = 0; i + 1 < node.operands.size(); i += 2) {
    const std::string decides = condition(node.operands[i], assignment);
    if (decides == "false") continue;
    const Piece branch = number(node.operands[i + 1], assignment);
    if (decides == "true") return text.empty() ? branch : Piece{text + " else " + at_level(branch, 1), 0};
    text += (text.empty() ? "if " : " elseif ") + decides + " then " + at_level(branch, 1);
  }
  const Piece last = number(node.operands.back(), assignment);
  return text.empty() ? last : Piece{text + " else " + at_level(last, 1), 0};
}

}  // namespace mti::modelica
