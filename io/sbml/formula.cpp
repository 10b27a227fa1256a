#include "io/sbml/formula.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "io/sbml/choices.hpp"
#include "io/sbml/evaluate_math.hpp"
#include "mti/common/denominators.hpp"
#include "mti/common/number.hpp"

namespace mti::sbml {
namespace {

/// Functions that are called by one name, and those of the reciprocal of that name's value or argument.
const std::map<std::string, std::string, std::less<>>& plain_functions() {
  static const std::map<std::string, std::string, std::less<>> table = {
      {"abs", "abs"},       {"exp", "exp"},       {"ln", "log"},       {"sin", "sin"},
      {"cos", "cos"},       {"tan", "tan"},       {"sinh", "sinh"},    {"cosh", "cosh"},
      {"tanh", "tanh"},     {"arcsin", "asin"},   {"arccos", "acos"},  {"arctan", "atan"},
      {"arcsinh", "asinh"}, {"arccosh", "acosh"}, {"arctanh", "atanh"}};
  return table;
}
const std::map<std::string, std::string, std::less<>>& reciprocal_functions() {
  static const std::map<std::string, std::string, std::less<>> table = {
      {"sec", "cos"}, {"csc", "sin"}, {"sech", "cosh"}, {"csch", "sinh"}, {"coth", "tanh"}};
  return table;
}
const std::map<std::string, std::string, std::less<>>& functions_of_reciprocal() {
  static const std::map<std::string, std::string, std::less<>> table = {{"arcsec", "acos"},
                                                                        {"arccsc", "asin"},
                                                                        {"arcsech", "acosh"},
                                                                        {"arccsch", "asinh"},
                                                                        {"arccoth", "atanh"}};
  return table;
}

std::string brackets(const std::string& text) { return "(" + text + ")"; }

}  // namespace

std::string FormulaWriter::at_least(Text text, Level level) {
  return text.level < level ? brackets(text.text) : std::move(text.text);
}

FormulaWriter::Text FormulaWriter::refuse(const char* id, const std::string& message) {
  refusals_.add(id, place_.element, message);
  return {"0"};
}

bool FormulaWriter::is_constant(const Math& math) const {
  if (math.op == "time") return place_.all_numbers;
  if (math.op == "delay" || math.op == "rateOf") return false;
  if (math.op == "past") return is_constant(math.of[0]);
  bool constant = true;
  visit_names(math, [&](const std::string& name) { constant = constant && place_.is_constant(name); });
  for (const Math& operand : math.of) constant = constant && is_constant(operand);
  return constant;
}

FormulaWriter::Text FormulaWriter::number(double value) {
  if (!std::isfinite(value))
    return refuse("sbml-not-finite", "a value that is no finite number; signals here are finite numbers");
  return {text::format_number(value), std::signbit(value) ? Level::sum : Level::atom};
}

FormulaWriter::Text FormulaWriter::joined(const Math& math, const char* sign, Level level,
                                          const char* of_none) {
  if (math.of.empty()) return {of_none};
  if (math.of.size() == 1) return text(math.of[0]);
  std::string result;
  for (const Math& operand : math.of) result += (result.empty() ? "" : sign) + at_least(text(operand), level);
  return {result, level};
}

FormulaWriter::Text FormulaWriter::text(const Math& math) {
  const std::string& op = math.op;
  if (op == "number") return number(math.value);
  if (op == "name") return {place_.name(math.name)};
  if (op == "time") return {place_.time};
  if (place_.flag && chooses(math) && !is_constant(math)) return by_flag(math);
  if (is_condition(math)) return {"(if " + condition(math) + " then 1 else 0)"};
  if (op == "plus") return joined(math, " + ", Level::sum, "0");
  if (op == "times") return joined(math, "*", Level::product, "1");
  if (op == "minus" && math.of.size() == 1)
    return {"-" + at_least(text(math.of[0]), Level::power), Level::sum};
  if (op == "minus" && math.of.size() == 2)
    return {at_least(text(math.of[0]), Level::sum) + " - " + at_least(text(math.of[1]), Level::product),
            Level::sum};
  if (op == "divide" && math.of.size() == 2)
    return {at_least(text(math.of[0]), Level::product) + "/" + at_least(text(math.of[1]), Level::power),
            Level::product};
  if (op == "power" && math.of.size() == 2) return power(math.of[0], text(math.of[1]));
  if (op == "piecewise") return piecewise(math);
  return function(math);
}

FormulaWriter::Text FormulaWriter::power(const Math& base, const Text& exponent) {
  return {at_least(text(base), Level::atom) + "^" + at_least(exponent, Level::atom), Level::power};
}

FormulaWriter::Text FormulaWriter::call(const std::string& name, const Math& math, bool of_reciprocal) {
  return {name + brackets(of_reciprocal ? "1/" + at_least(text(math), Level::atom) : text(math).text)};
}

FormulaWriter::Text FormulaWriter::function(const Math& math) {
  const std::string& op = math.op;
  if (is_stepwise(op)) return stepwise(math);
  if (math.of.size() == 1) {
    if (const auto found = plain_functions().find(op); found != plain_functions().end())
      return call(found->second, math.of[0]);
    if (const auto found = reciprocal_functions().find(op); found != reciprocal_functions().end())
      return {"1/" + call(found->second, math.of[0]).text, Level::product};
    if (op == "cot")
      return {call("cos", math.of[0]).text + "/" + call("sin", math.of[0]).text, Level::product};
    if (op == "arccot") return arc_cotangent(math.of[0]);
    if (const auto found = functions_of_reciprocal().find(op); found != functions_of_reciprocal().end())
      return call(found->second, math.of[0], true);
  }
  if (op == "log" && math.of.size() == 1) return {call("log", math.of[0]).text + "/log(10)", Level::product};
  if (op == "log" && math.of.size() == 2)
    return {call("log", math.of[1]).text + "/" + call("log", math.of[0]).text, Level::product};
  if (op == "root" && (math.of.size() == 1 || math.of.size() == 2)) return root(math);
  if ((op == "max" || op == "min") && !math.of.empty()) {
    if (math.of.size() == 1) return text(math.of[0]);
    std::string arguments;
    for (const Math& operand : math.of) arguments += (arguments.empty() ? "" : ", ") + text(operand).text;
    return {op + brackets(arguments)};
  }
  if (op == "rateOf") {
    const std::string rate =
        math.of.size() == 1 && math.of[0].op == "name" ? place_.rate(math.of[0].name) : std::string();
    if (rate.empty())
      return refuse("sbml-rate-of",
                    "rateOf of what is not given by a rate of change; only that of a state can be written");
    return {brackets(rate)};
  }
  if (op == "past") return past(math);
  if (op == "delay")
    return refuse("sbml-delay",
                  "the symbol delay of a rate of change that has no formula: expected one of variables, "
                  "rules, laws, time and their rates");
  return refuse("sbml-function", (op.starts_with("?") ? op.substr(1) : op) + " of " +
                                     std::to_string(math.of.size()) +
                                     " operands is no function that is read");
}

/// Of what does not change a number, else by a counter.
FormulaWriter::Text FormulaWriter::stepwise(const Math& math) {
  const std::string& op = math.op;
  if (is_constant(math) || place_.is_fixed(math)) {
    const std::optional<double> value = place_.number(math);
    if (!value) return refuse("sbml-function", op + " of constants that have no value");
    return number(*value);
  }
  const auto floor = [this](const Math& argument) { return place_.floor_of(text(argument).text, argument); };
  std::string whole;  // of an atom
  if (op == "floor" && math.of.size() == 1) {
    whole = floor(math.of[0]);
  } else if (op == "ceiling" && math.of.size() == 1) {
    whole = floor({.op = "minus", .of = math.of});
    if (!whole.empty()) whole = "(-" + whole + ")";
  } else if ((op == "quotient" || op == "rem") && math.of.size() == 2) {
    const Math ratio{.op = "divide", .of = math.of};
    whole = floor(ratio);
    if (is_never_negative(ratio))
      place_.rely_on_start();
    else if (!whole.empty())
      whole = "(if " + text(ratio).text + " > 0 then " + whole + " else -" +
              floor({.op = "minus", .of = {ratio}}) + ")";
  }
  if (whole.empty()) return refuse("sbml-function", op + " of what changes has no equation");
  if (op != "rem") return {whole};
  return {
      at_least(text(math.of[0]), Level::sum) + " - " + at_least(text(math.of[1]), Level::power) + "*" + whole,
      Level::sum};
}

/// Of constants, which are numbers here, and time from 0 on.
bool FormulaWriter::is_never_negative(const Math& math) const {
  if (math.op == "time") return true;
  if (is_constant(math)) return place_.number(math).value_or(-1.0) >= 0.0;
  return (math.op == "plus" || math.op == "times" || math.op == "divide") &&
         std::ranges::all_of(math.of, [this](const Math& part) { return is_never_negative(part); });
}

FormulaWriter::Text FormulaWriter::past(const Math& math) {
  const Math &of = math.of[0], &T = math.of[1];
  if (is_constant(of)) return text(of);
  const double duration = is_constant(T) ? place_.number(T).value_or(-1.0) : -1.0;
  if (T.op == "number" && duration == 0.0) return text(of);
  if (!(duration > 0.0))  // of a constant that is 0 it would have to begin where it is set to another
    return refuse("sbml-delay",
                  "the symbol delay by a time that changes, or is not above 0: expected a constant");
  const std::string result = place_.past(of.name, text(T).text);
  if (result.empty())
    return refuse("sbml-delay", "the past of " + of.name +
                                    ": expected that of a variable which rates, reactions or events change");
  return {result, Level::product};
}

/// atan(1/x), which at x = 0 is π/2, or −π/2 where x comes from there to values below.
FormulaWriter::Text FormulaWriter::arc_cotangent(const Math& argument) {
  return {"((if " + at_least(text(argument), Level::sum) + " >= 0 then pi/2 else -pi/2) - " +
          call("atan", argument).text + ")"};
}

FormulaWriter::Text FormulaWriter::root(const Math& math) {
  const Math& argument = math.of.back();
  const bool plain = math.of.size() == 1 || math.of[0].op == "number";
  const double degree = math.of.size() == 1 ? 2.0 : math.of[0].value;
  if (plain && degree == 2.0) return call("sqrt", argument);
  if (plain && degree == 3.0) return call("cbrt", argument);
  return power(argument, {"1/" + at_least(text(math.of[0]), Level::atom), Level::product});
}

/// f·one + (1 − f)·other
FormulaWriter::Text FormulaWriter::by_flag(const Math& math) {
  const Choice choice = choice_of(math);
  const std::string f = place_.flag(choice.condition);
  return {"(" + f + "*" + at_least(text(choice.one), Level::atom) + " + (1 - " + f + ")*" +
          at_least(text(choice.other), Level::atom) + ")"};
}

FormulaWriter::Text FormulaWriter::piecewise(const Math& math) {
  if (math.of.size() == 1) return text(math.of[0]);
  if (math.of.size() % 2 == 0) {
    const std::optional<Math> whole = with_otherwise(math);
    return whole ? text(*whole)
                 : refuse("sbml-piecewise",
                          "piecewise without otherwise has no value where none of its conditions holds");
  }
  std::string result = "(";
  for (std::size_t i = 0; i + 1 < math.of.size(); i += 2)
    result += std::string(i == 0 ? "if " : " elseif ") + condition(math.of[i + 1]) + " then " +
              text(math.of[i]).text;
  return {result + " else " + text(math.of.back()).text + ")"};
}

std::string FormulaWriter::inner_condition(const Math& math) {
  return math.op == "true" || math.op == "false" ? math.op : brackets(condition(math));
}

std::string FormulaWriter::condition(const Math& math) {
  const std::string& op = math.op;
  if (op == "true" || op == "false") return op;
  if (op == "and" || op == "or") {
    if (math.of.empty()) return op == "and" ? "true" : "false";
    std::string result;
    for (const Math& operand : math.of)
      result += (result.empty() ? "" : " " + op + " ") + inner_condition(operand);
    return result;
  }
  if (op == "not" && math.of.size() == 1) return "not " + inner_condition(math.of[0]);
  if (op == "implies" && math.of.size() == 2)
    return "(not " + inner_condition(math.of[0]) + ") or " + inner_condition(math.of[1]);
  if (op == "xor") return exclusive(math);
  if (op == "eq" || op == "neq") return equality(math);
  if (op == "lt" || op == "leq" || op == "gt" || op == "geq") return comparison(math);
  if (op == "piecewise") return pieces_of_condition(math);
  if (is_constant(math)) return "abs(" + text(math).text + ") > 0";
  if (place_.is_fixed(math)) return "abs(" + place_.at_start(math) + ") > 0";
  if (place_.denominator(math) != 0) return equality({.op = "neq", .of = {math, {.value = 0.0}}});
  refusals_.add(
      "sbml-condition", place_.element,
      "a number that changes where a condition is expected: it would be compared with 0 for equality");
  return "true";
}

int FormulaWriter::common_denominator(const Math& a, const Math& b) const {
  return denominator_of_sum(place_.denominator(a), place_.denominator(b));
}

std::string FormulaWriter::comparison(const Math& math) {
  std::string result;
  for (std::size_t i = 0; i + 1 < math.of.size(); ++i)
    result += (i == 0 ? "" : " and ") + compared(math.op, math.of[i], math.of[i + 1]);
  return result.empty() ? "true" : result;
}

/// At equality a comparison of signals keeps the value that it had; whole numbers are never equal to a half, nor halves to a
/// quarter.
std::string FormulaWriter::compared(const std::string& op, const Math& a, const Math& b) {
  static const std::map<std::string, std::pair<const char*, const char*>> signs = {
      {"lt", {" < ", " - "}}, {"leq", {" <= ", " + "}}, {"gt", {" > ", " + "}}, {"geq", {" >= ", " - "}}};
  const auto& [sign, shift] = signs.at(op);
  const int q = is_constant(a) && is_constant(b) ? 0 : common_denominator(a, b);
  if (q != 0) {
    place_.rely_on_whole(a);
    place_.rely_on_whole(b);
  }
  return text(a).text + sign + text(b).text + (q != 0 ? shift + text::format_number(0.5 / q) : "");
}

/// a = b of conditions, and of numbers that do not change.
std::string FormulaWriter::equality(const Math& math) {
  std::string result;
  if (math.of.size() < 2) return "true";
  if (math.op == "neq" && math.of.size() > 2)
    return static_cast<void>(refuse("sbml-function", "neq of more than two operands")), "true";
  for (std::size_t i = 0; i + 1 < math.of.size(); ++i) {
    const Math &a = math.of[i], &b = math.of[i + 1];
    std::string equal;
    if (is_condition(a) && is_condition(b)) {
      const std::string first = inner_condition(a), second = inner_condition(b);
      equal = "(" + first + " and " + second + ") or (not " + first + " and not " + second + ")";
    } else if (is_constant(a) && is_constant(b)) {
      equal = text(a).text + " <= " + text(b).text + " and " + text(a).text + " >= " + text(b).text;
    } else if (place_.is_fixed(a) && place_.is_fixed(b)) {
      const std::string first = place_.at_start(a), second = place_.at_start(b);
      equal = first + " <= " + second + " and " + first + " >= " + second;
    } else if (common_denominator(a, b) != 0) {
      equal = compared("geq", a, b) + " and " + compared("leq", a, b);
    } else {
      refusals_.add("sbml-equality", place_.element,
                    math.op + " of numbers that change: signals are compared with < and >, not for equality");
      equal = "true";
    }
    result += (i == 0 ? "" : " and ") + brackets(equal);
  }
  return math.op == "neq" ? "not " + brackets(result) : result;
}

std::string FormulaWriter::exclusive(const Math& math) {
  std::string result = "false";
  for (std::size_t i = 0; i < math.of.size(); ++i) {
    const std::string next = inner_condition(math.of[i]);
    result =
        i == 0 ? next : "((" + result + ") and not " + next + ") or (not (" + result + ") and " + next + ")";
  }
  return result;
}

std::string FormulaWriter::pieces_of_condition(const Math& math) {
  if (math.of.size() % 2 == 0) {
    if (const std::optional<Math> whole = with_otherwise(math)) return condition(*whole);
    refusals_.add("sbml-piecewise", place_.element,
                  "piecewise without otherwise has no value where none of its conditions holds");
    return "true";
  }
  std::string result = inner_condition(math.of.back());
  for (std::size_t i = math.of.size() - 1; i >= 2; i -= 2) {
    const std::string chosen = inner_condition(math.of[i - 1]);
    result = "((" + chosen + " and " + inner_condition(math.of[i - 2]) + ") or (not " + chosen + " and (" +
             result + ")))";
  }
  return result;
}

}  // namespace mti::sbml
