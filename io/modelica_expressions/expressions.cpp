#include "io/modelica_expressions/expressions.hpp"

#include <algorithm>
#include <array>

#include "mti/common/denominators.hpp"
#include "mti/common/number.hpp"

namespace mti::modelica {
namespace {

constexpr std::array<std::string_view, 13> same_functions = {
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs"};

/// Of variables each step of theirs is an event, which when-equations say.
constexpr std::array<std::string_view, 6> whole_functions = {"floor", "ceil", "integer", "mod", "div", "rem"};

[[noreturn]] void wrong_count(const Node& call, const std::string& expected) {
  refuse("wrong-arguments", call.begin, std::string(call.name) + " takes " + expected);
}

std::string_view function_name(const Node& call) {
  constexpr std::string_view library = "Modelica.Math.";
  return call.name.starts_with(library) ? call.name.substr(library.size()) : call.name;
}

std::string in_parentheses(const std::string& text) { return "(" + text + ")"; }

}  // namespace

const Node& argument_of(const Node& call) {
  if (call.operands.size() != 1) wrong_count(call, "one argument");
  return call.operands.front();
}

const Node& plain(const Node& node) {
  if (is_call(node, "noEvent")) return plain(argument_of(node));
  if (is_call(node, "smooth")) {
    if (node.operands.size() != 2) wrong_count(node, "two arguments");
    return plain(node.operands.back());
  }
  if (is_call(node, "homotopy")) {
    if (node.operands.size() != 2) wrong_count(node, "two arguments");
    return plain(node.operands.front());
  }
  return node;
}

bool Expressions::is_boolean(const Node& outer) const {
  const Node& node = plain(outer);
  switch (node.kind) {
    case Node::Kind::comparison:
    case Node::Kind::negation:
    case Node::Kind::conjunction:
    case Node::Kind::disjunction:
      return true;
    case Node::Kind::choice:
      return is_boolean(node.operands.back());
    case Node::Kind::call:
      if (node.name == "pre") return is_boolean(argument_of(node));
      return node.name == "edge" || node.name == "change" || node.name == "initial" ||
             node.name == "terminal" || node.name == "sample";
    case Node::Kind::name: {
      if (node.name == "true" || node.name == "false") return true;
      const Variable* variable = names_.find(node.name);
      return variable != nullptr && variable->is_boolean();
    }
    default:
      return false;
  }
}

bool Expressions::is_of_parameters(const Node& node) const {
  bool result = true;
  walk(node, [&](const Node& part) {
    if (part.kind == Node::Kind::name) {
      const Variable* variable = names_.find(part.name);
      result = result && (variable != nullptr ? variable->role == Variable::Role::parameter
                                              : part.name != "time" && !part.name.starts_with('"'));
    }
    if (part.kind == Node::Kind::call)
      result = result && part.name != "sample" && part.name != "der" && part.name != "pre";
  });
  return result;
}

bool Expressions::is_ordering(const Node& node) const {
  return node.kind == Node::Kind::comparison && node.name != "==" && node.name != "<>" &&
         !is_boolean(node.operands.front()) && !is_boolean(node.operands.back());
}

std::string Expressions::name(const Node& node, const Place& place) const {
  if (place.stands_for != nullptr)
    if (const auto found = place.stands_for->find(node.name); found != place.stands_for->end())
      return in_parentheses(found->second);
  if (node.name.starts_with('"'))
    refuse("modelica-type", node.begin, "a text stands where a number is expected");
  if (node.name == "time") return "time";
  if (names_.find(node.name) == nullptr && (node.name == "pi" || node.name == "Modelica.Constants.pi"))
    return "pi";
  if (is_boolean(node))
    refuse("modelica-type", node.begin, std::string(node.name) + " is Boolean where a number is expected");
  const Variable& variable = names_.at(node);
  const bool is_new = place.set_here != nullptr && place.set_here->contains(node.name);
  const bool moves = variable.role == Variable::Role::state || variable.role == Variable::Role::algebraic;
  if (place.is_law && moves && !is_new) return "pre(" + variable.name + ")";
  return variable.name;
}

std::string Expressions::derivative(const Node& node) const {
  const Node& argument = argument_of(node);
  if (argument.kind != Node::Kind::name)
    refuse("modelica-unsupported", argument.begin, "der is read of a variable alone, not of an expression");
  const Variable& variable = names_.at(argument);
  if (variable.role != Variable::Role::state)
    refuse("der-of-non-state", argument.begin,
           variable.name + " is no continuous variable: it has no derivative");
  return "der(" + variable.name + ")";
}

std::string Expressions::left_limit(const Node& node, const Place& place) const {
  const Node& argument = argument_of(node);
  if (argument.kind != Node::Kind::name)
    refuse("modelica-unsupported", argument.begin, "pre is read of a variable alone, not of an expression");
  const Variable& variable = names_.at(argument);
  if (place.stands_for != nullptr &&
      place.stands_for->contains(node.name))  // within an algebraic signal: no limit
    return variable.name;
  if (!place.is_law)
    refuse("modelica-unsupported", node.begin,
           "pre of the number " + variable.name + " is read within when-equations alone");
  return "pre(" + variable.name + ")";
}

std::string Expressions::chosen(const Node& node, const Place& place) const {
  // Of Boolean variables alone the value is a sum of products: no binary is made for what joins them.
  bool of_variables = true;
  for (std::size_t i = 0; i + 1 < node.operands.size(); i += 2)
    walk(node.operands[i], [&](const Node& part) {
      of_variables = of_variables && part.kind != Node::Kind::comparison && part.kind != Node::Kind::number;
    });
  if (!place.is_law && !of_variables) {
    std::string text = "(";
    for (std::size_t i = 0; i + 1 < node.operands.size(); i += 2)
      text += (i == 0 ? "if " : " elseif ") + condition(node.operands[i], place) + " then " +
              number(node.operands[i + 1], place);
    return text + " else " + number(node.operands.back(), place) + ")";
  }
  std::string text, rest = "1";  // a law is multilinear too
  for (std::size_t i = 0; i + 1 < node.operands.size(); i += 2) {
    const std::string condition = truth(node.operands[i], place);
    text += (i == 0 ? "(" : " + ") + rest + "*" + condition + "*" + number(node.operands[i + 1], place);
    rest += "*(1 - " + condition + ")";
  }
  return text + " + " + rest + "*" + number(node.operands.back(), place) + ")";
}

std::string Expressions::call(const Node& node, const Place& place) const {
  const std::string_view function = function_name(node);
  if (function == "der") return derivative(node);
  if (function == "pre") return left_limit(node, place);
  if (const auto text = whole_number(node, place)) return *text;
  if (place.stands_for != nullptr)
    if (const auto found = place.stands_for->find(function); found != place.stands_for->end())
      return in_parentheses(found->second);
  const auto all = [&](std::string_view called) {
    std::string text = std::string(called) + "(";
    for (const Node& operand : node.operands)
      text += (&operand == &node.operands.front() ? "" : ", ") + number(operand, place);
    return text + ")";
  };
  if (std::ranges::find(same_functions, function) != same_functions.end() || function == "sign") {
    static_cast<void>(argument_of(node));
    return all(function);
  }
  if (function == "max" || function == "min" || function == "atan2") {
    if (node.operands.size() != 2) wrong_count(node, "two arguments");
    return all(function);
  }
  if (function == "log10") return "(log(" + number(argument_of(node), place) + ")/log(10))";
  if (function == "semiLinear") {
    if (node.operands.size() != 3) wrong_count(node, "three arguments");
    const std::string x = number(node.operands[0], place);
    return "(if " + x + " < 0 then " + number(node.operands[2], place) + "*" + x + " else " +
           number(node.operands[1], place) + "*" + x + ")";
  }
  const bool is_whole = std::ranges::find(whole_functions, node.name) != whole_functions.end();
  refuse("modelica-unsupported", node.begin,
         "the function " + std::string(node.name) +
             (is_whole ? " is read of parameters and numbers alone" : " is not read"));
}

/// Of parameters, where it is a number; nothing of other functions, and of variables.
std::optional<std::string> Expressions::whole_number(const Node& node, const Place& place) const {
  if (std::ranges::find(whole_functions, node.name) == whole_functions.end() || !is_of_parameters(node))
    return std::nullopt;
  if (node.name == "ceil") return "ceil(" + number(argument_of(node), place) + ")";
  if (node.name == "floor" || node.name == "integer")
    return "floor(" + number(argument_of(node), place) + ")";
  if (node.operands.size() != 2) wrong_count(node, "two arguments");
  const std::string x = number(node.operands[0], place), y = number(node.operands[1], place);
  if (node.name == "mod") return "mod(" + x + ", " + y + ")";
  const std::string quotient = x + "/" + y;  // towards zero
  const std::string whole = "(sign(" + quotient + ")*floor(abs(" + quotient + ")))";
  return node.name == "div" ? whole : "(" + x + " - " + whole + "*" + y + ")";
}

std::string Expressions::number(const Node& outer, const Place& place) const {
  const Node& node = plain(outer);
  switch (node.kind) {
    case Node::Kind::number:
      return std::string(node.name);
    case Node::Kind::name:
      return name(node, place);
    case Node::Kind::call:
      if (is_boolean(node)) break;
      return call(node, place);
    case Node::Kind::choice:
      if (is_boolean(node)) break;
      return chosen(node, place);
    case Node::Kind::power:
      return in_parentheses(number(node.operands.front(), place) + "^" + number(node.operands.back(), place));
    case Node::Kind::sum:
    case Node::Kind::product: {
      const bool is_sum = node.kind == Node::Kind::sum;
      std::string text;
      for (const Node& operand : node.operands) {
        const char* const joint = is_sum ? (operand.inverse ? " - " : " + ") : (operand.inverse ? "/" : "*");
        if (!text.empty())
          text += joint;
        else if (operand.inverse)
          text += is_sum ? "-" : "1/";
        text += number(operand, place);
      }
      return in_parentheses(text);
    }
    case Node::Kind::list:
      refuse("modelica-unsupported", node.begin, "arrays are not read: expected a number");
    default:
      break;
  }
  refuse("modelica-type", node.begin, "a condition stands where a number is expected");
}

Comparison Expressions::comparison(const Node& node, const Place& place) const {
  const Node &a = node.operands.front(), &b = node.operands.back();
  if (is_boolean(a) || is_boolean(b))
    refuse("modelica-type", node.begin, "a condition is compared by == and <> alone");
  const std::string left = number(a, place), right = number(b, place);
  const int q = denominator_of_sum(denominator(a), denominator(b));
  const bool is_less = node.name.front() == '<', is_weak = node.name.ends_with('=');
  if (node.name == "==" || node.name == "<>")
    refuse("modelica-unsupported", node.begin,
           "numbers are not compared for equality: expected <, <=, > or >=");
  if (q != 0) {  // n > 2 is n − 2 − 0.5 > 0, n >= 2 is n − 2 + 0.5 > 0; n/2 > 1 is n/2 − 1 − 0.25 > 0
    const std::string half = (is_weak ? " + " : " - ") + text::format_number(0.5 / q);
    return {.difference = is_less ? right + " - " + left + half : left + " - " + right + half,
            .text = is_less ? right + half + " > " + left : left + half + " > " + right,
            .is_whole = true};
  }
  // a <= b is not (a > b): false where a > b alone
  const bool turned = is_less != is_weak;
  return {.difference = turned ? right + " - " + left : left + " - " + right,
          .text = turned ? right + " > " + left : left + " > " + right,
          .negated = is_weak};
}

std::string Expressions::truth_of_comparison(const Node& node, const Place& place) const {
  const Node &a = node.operands.front(), &b = node.operands.back();
  const bool is_equal = node.name == "==";
  if ((is_equal || node.name == "<>") && is_boolean(a) && is_boolean(b)) {
    const std::string left = truth(a, place), right = truth(b, place);
    const std::string differ = left + " + " + right + " - 2*" + left + "*" + right;
    return is_equal ? "(1 - (" + differ + "))" : in_parentheses(differ);
  }
  if ((is_equal || node.name == "<>") && is_integer(a) && is_integer(b)) {
    const std::string left = number(a, place), right = number(b, place);
    const std::string same = "(" + left + " > " + right + " - 0.5)*(" + left + " < " + right + " + 0.5)";
    return is_equal ? in_parentheses(same) : "(1 - " + same + ")";
  }
  const Comparison compared = comparison(node, place);
  const auto known = known_comparisons.find(compared.text);
  const std::string value = known == known_comparisons.end() ? in_parentheses(compared.text) : known->second;
  return compared.negated ? "(1 - " + value + ")" : value;
}

std::string Expressions::condition(const Node& outer, const Place& place) const {
  const Node& node = plain(outer);
  switch (node.kind) {
    case Node::Kind::negation:
      return "not " + condition(node.operands.front(), place);
    case Node::Kind::conjunction:
    case Node::Kind::disjunction: {
      std::string text;
      for (const Node& operand : node.operands) {
        if (!text.empty()) text += node.kind == Node::Kind::conjunction ? " and " : " or ";
        text += condition(operand, place);
      }
      return in_parentheses(text);
    }
    case Node::Kind::name: {
      const Variable* variable = names_.find(node.name);
      if (node.name == "true" || node.name == "false") return std::string(node.name);
      if (variable != nullptr && variable->is_boolean() && variable->role != Variable::Role::parameter)
        return variable->name;
      break;
    }
    case Node::Kind::comparison: {
      if (!is_ordering(node)) break;
      const Comparison compared = comparison(node, place);
      const auto known = known_comparisons.find(compared.text);
      const std::string text =
          known == known_comparisons.end() ? in_parentheses(compared.text) : known->second;
      return compared.negated ? "not " + text : text;
    }
    default:
      break;
  }
  return in_parentheses(truth(node, place) + " > 0.5");
}

std::string Expressions::truth_of_call(const Node& node, const Place& place) const {
  if (node.name == "pre") {
    const Variable& variable = names_.at(argument_of(node));
    if (variable.role == Variable::Role::parameter) return variable.name;
    if (variable.role != Variable::Role::binary)
      refuse("modelica-unsupported", node.begin, "pre of the input " + variable.name + " is not read");
    return "pre(" + variable.name + ")";
  }
  if (node.name == "edge" || node.name == "change") {
    const Node& argument = argument_of(node);
    if (argument.kind != Node::Kind::name || !is_boolean(argument))
      refuse("modelica-unsupported", node.begin,
             std::string(node.name) + " is read of a Boolean variable alone");
    const std::string name = truth(argument, place), before = "pre(" + name + ")";
    if (names_.at(argument).role != Variable::Role::binary)
      refuse("modelica-unsupported", node.begin,
             std::string(node.name) + " of an input or parameter is not read");
    return node.name == "edge" ? "(" + name + "*(1 - " + before + "))"
                               : "(" + name + " + " + before + " - 2*" + name + "*" + before + ")";
  }
  if (node.name == "sample")
    refuse("modelica-unsupported", node.begin, "sample is read as the condition of a when-equation alone");
  refuse("modelica-unsupported", node.begin, "the function " + std::string(node.name) + " is not read");
}

std::string Expressions::truth(const Node& outer, const Place& place) const {
  const Node& node = plain(outer);
  switch (node.kind) {
    case Node::Kind::name: {
      if (node.name == "true") return "1";
      if (node.name == "false") return "0";
      if (place.stands_for != nullptr)
        if (const auto found = place.stands_for->find(node.name); found != place.stands_for->end())
          return in_parentheses(found->second);
      const Variable& variable = names_.at(node);
      if (!variable.is_boolean()) break;
      return variable.name;
    }
    case Node::Kind::comparison:
      return truth_of_comparison(node, place);
    case Node::Kind::negation:
      return "(1 - " + truth(node.operands.front(), place) + ")";
    case Node::Kind::conjunction:
    case Node::Kind::disjunction: {
      const bool is_and = node.kind == Node::Kind::conjunction;
      std::string text = is_and ? "(" : "(1 - ";
      for (const Node& operand : node.operands) {
        if (&operand != &node.operands.front()) text += "*";
        text += is_and ? truth(operand, place) : "(1 - " + truth(operand, place) + ")";
      }
      return text + ")";
    }
    case Node::Kind::choice: {
      std::string text = "(", rest;
      for (std::size_t i = 0; i + 1 < node.operands.size(); i += 2) {
        const std::string condition = truth(node.operands[i], place);
        text += rest + condition + "*" + truth(node.operands[i + 1], place) + " + ";
        rest += "(1 - " + condition + ")*";
      }
      return text + rest + truth(node.operands.back(), place) + ")";
    }
    case Node::Kind::call:
      if (is_boolean(node)) return truth_of_call(node, place);
      break;
    default:
      break;
  }
  refuse("modelica-type", node.begin, "a number stands where a condition is expected");
}

}  // namespace mti::modelica
