#include "io/sbml/evaluate_math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

namespace mti::sbml {
namespace {

using Values = std::vector<double>;

double sign_of_zero_or(double a) { return a != 0.0 ? 1.0 : 0.0; }

/// Functions of one number.
const std::map<std::string, double (*)(double), std::less<>>& unary_functions() {
  static const std::map<std::string, double (*)(double), std::less<>> table = {
      {"abs", [](double a) { return std::abs(a); }},
      {"exp", [](double a) { return std::exp(a); }},
      {"ln", [](double a) { return std::log(a); }},
      {"floor", [](double a) { return std::floor(a); }},
      {"ceiling", [](double a) { return std::ceil(a); }},
      {"factorial", [](double a) { return std::round(std::tgamma(a + 1.0)); }},
      {"sin", [](double a) { return std::sin(a); }},
      {"cos", [](double a) { return std::cos(a); }},
      {"tan", [](double a) { return std::tan(a); }},
      {"sec", [](double a) { return 1.0 / std::cos(a); }},
      {"csc", [](double a) { return 1.0 / std::sin(a); }},
      {"cot", [](double a) { return 1.0 / std::tan(a); }},
      {"sinh", [](double a) { return std::sinh(a); }},
      {"cosh", [](double a) { return std::cosh(a); }},
      {"tanh", [](double a) { return std::tanh(a); }},
      {"sech", [](double a) { return 1.0 / std::cosh(a); }},
      {"csch", [](double a) { return 1.0 / std::sinh(a); }},
      {"coth", [](double a) { return 1.0 / std::tanh(a); }},
      {"arcsin", [](double a) { return std::asin(a); }},
      {"arccos", [](double a) { return std::acos(a); }},
      {"arctan", [](double a) { return std::atan(a); }},
      {"arcsec", [](double a) { return std::acos(1.0 / a); }},
      {"arccsc", [](double a) { return std::asin(1.0 / a); }},
      {"arccot", [](double a) { return std::atan(1.0 / a); }},
      {"arcsinh", [](double a) { return std::asinh(a); }},
      {"arccosh", [](double a) { return std::acosh(a); }},
      {"arctanh", [](double a) { return std::atanh(a); }},
      {"arcsech", [](double a) { return std::acosh(1.0 / a); }},
      {"arccsch", [](double a) { return std::asinh(1.0 / a); }},
      {"arccoth", [](double a) { return std::atanh(1.0 / a); }},
      {"not", [](double a) { return a == 0.0 ? 1.0 : 0.0; }}};
  return table;
}

/// Comparisons hold between each operand and the next.
template <class Compare>
double chain(const Values& values, Compare compare) {
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    if (!compare(values[i], values[i + 1])) return 0.0;
  return 1.0;
}

std::optional<double> of_many(std::string_view op, const Values& values) {
  double sum = 0.0, product = 1.0, holding = 0.0;
  for (const double value : values) {
    sum += value;
    product *= value;
    holding += sign_of_zero_or(value);
  }
  if (op == "plus") return sum;
  if (op == "times") return product;
  if (op == "and") return holding == static_cast<double>(values.size()) ? 1.0 : 0.0;
  if (op == "or") return holding > 0.0 ? 1.0 : 0.0;
  if (op == "xor") return std::fmod(holding, 2.0);
  if (op == "eq") return chain(values, [](double a, double b) { return a == b; });
  if (op == "neq") return chain(values, [](double a, double b) { return a != b; });
  if (op == "lt") return chain(values, [](double a, double b) { return a < b; });
  if (op == "leq") return chain(values, [](double a, double b) { return a <= b; });
  if (op == "gt") return chain(values, [](double a, double b) { return a > b; });
  if (op == "geq") return chain(values, [](double a, double b) { return a >= b; });
  if (op == "max" && !values.empty()) return *std::ranges::max_element(values);
  if (op == "min" && !values.empty()) return *std::ranges::min_element(values);
  return std::nullopt;
}

std::optional<double> of_two(std::string_view op, double a, double b) {
  if (op == "minus") return a - b;
  if (op == "divide") return a / b;
  if (op == "power") return std::pow(a, b);
  if (op == "root") return a == 2.0 ? std::sqrt(b) : a == 3.0 ? std::cbrt(b) : std::pow(b, 1.0 / a);
  if (op == "log") return a == 10.0 ? std::log10(b) : std::log(b) / std::log(a);
  if (op == "quotient") return std::trunc(a / b);
  if (op == "rem") return std::fmod(a, b);
  if (op == "implies") return a == 0.0 || b != 0.0 ? 1.0 : 0.0;
  return std::nullopt;
}

std::optional<double> piecewise(const Math& math, const Lookup& lookup) {
  std::size_t i = 0;
  for (; i + 1 < math.of.size(); i += 2) {
    const std::optional<double> condition = evaluate(math.of[i + 1], lookup);
    if (!condition) return std::nullopt;
    if (*condition != 0.0) return evaluate(math.of[i], lookup);
  }
  return i < math.of.size() ? evaluate(math.of[i], lookup) : std::nullopt;
}

bool are_equal(const Math& a, const Math& b) {
  return a.op == b.op && a.value == b.value && a.name == b.name && std::ranges::equal(a.of, b.of, are_equal);
}

/// a > b and a <= b, a > b and b >= a, C and not C.
bool are_opposite(const Math& a, const Math& b) {
  if (b.op == "not" && b.of.size() == 1 && are_equal(a, b.of[0])) return true;
  if (a.op == "not" && a.of.size() == 1 && are_equal(a.of[0], b)) return true;
  if (a.of.size() != 2 || b.of.size() != 2) return false;
  static const std::map<std::string, std::string, std::less<>> opposites = {
      {"gt", "leq"}, {"leq", "gt"}, {"lt", "geq"}, {"geq", "lt"}, {"eq", "neq"}, {"neq", "eq"}};
  static const std::map<std::string, std::string, std::less<>> turned = {
      {"gt", "lt"}, {"leq", "geq"}, {"lt", "gt"}, {"geq", "leq"}, {"eq", "eq"}, {"neq", "neq"}};
  const auto opposite = opposites.find(a.op);
  if (opposite == opposites.end()) return false;
  return (b.op == opposite->second && are_equal(a.of[0], b.of[0]) && are_equal(a.of[1], b.of[1])) ||
         (b.op == turned.at(opposite->second) && are_equal(a.of[0], b.of[1]) && are_equal(a.of[1], b.of[0]));
}

}  // namespace

std::optional<Math> with_otherwise(const Math& piecewise) {
  if (piecewise.of.size() < 2 || piecewise.of.size() % 2 != 0) return std::nullopt;
  const Math& last = piecewise.of.back();
  bool always = last.op == "true";
  for (std::size_t i = 1; i + 1 < piecewise.of.size(); i += 2)
    always = always || are_opposite(piecewise.of[i], last);
  if (!always) return std::nullopt;
  Math whole = piecewise;
  whole.of.pop_back();
  return whole;
}

std::optional<double> evaluate(const Math& math, const Lookup& lookup) {
  if (math.op == "number") return math.value;
  if (math.op == "past") return evaluate(math.of[0], lookup);  // at the start
  if (math.op == "name") return lookup(math.name);
  if (math.op == "time" || math.op == "false") return 0.0;
  if (math.op == "true") return 1.0;
  if (math.op == "piecewise") return piecewise(math, lookup);
  Values values;
  for (const Math& operand : math.of) {
    const std::optional<double> value = evaluate(operand, lookup);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (values.size() == 1) {
    if (math.op == "minus") return -values[0];
    if (math.op == "root") return std::sqrt(values[0]);
    if (math.op == "log") return std::log10(values[0]);
    if (const auto found = unary_functions().find(math.op); found != unary_functions().end())
      return found->second(values[0]);
  }
  if (values.size() == 2)
    if (const std::optional<double> value = of_two(math.op, values[0], values[1])) return value;
  return of_many(math.op, values);
}

bool is_stepwise(const std::string& op) {
  static constexpr std::array<std::string_view, 5> names = {"floor", "ceiling", "factorial", "quotient",
                                                            "rem"};
  return std::ranges::find(names, op) != names.end();
}

bool is_condition(const Math& math) {
  static constexpr std::array<std::string_view, 13> names = {
      "true", "false", "and", "or", "xor", "not", "implies", "eq", "neq", "lt", "leq", "gt", "geq"};
  if (math.op == "piecewise") return !math.of.empty() && is_condition(math.of[0]);
  return std::ranges::find(names, math.op) != names.end();
}

bool holds_condition(const Math& math) {
  return is_condition(math) || math.op == "piecewise" || math.op == "arccot" ||
         std::ranges::any_of(math.of, holds_condition);
}

bool holds_time(const Math& math) { return math.op == "time" || std::ranges::any_of(math.of, holds_time); }

void visit_names(const Math& math, const std::function<void(const std::string&)>& visit) {
  if (math.op == "name") visit(math.name);
  for (const Math& operand : math.of) visit_names(operand, visit);
}

}  // namespace mti::sbml
