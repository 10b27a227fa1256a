#include "mti/text/evaluate.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>

namespace mti::text {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

struct Function {
  std::string_view name;
  double (*of_one)(double);
  double (*of_two)(double, double);
};

// The overload sets of <cmath> need a named call each.
constexpr std::array<Function, 9> kFunctions = {{
    {"sqrt", [](double a) { return std::sqrt(a); }, nullptr},
    {"exp", [](double a) { return std::exp(a); }, nullptr},
    {"log", [](double a) { return std::log(a); }, nullptr},
    {"sin", [](double a) { return std::sin(a); }, nullptr},
    {"cos", [](double a) { return std::cos(a); }, nullptr},
    {"tan", [](double a) { return std::tan(a); }, nullptr},
    {"abs", [](double a) { return std::abs(a); }, nullptr},
    {"min", nullptr, [](double a, double b) { return b < a ? b : a; }},
    {"max", nullptr, [](double a, double b) { return a < b ? b : a; }},
}};

class Evaluator {
 public:
  Evaluator(const Declarations& names, std::vector<TextFault>& faults) : names_(names), faults_(faults) {}

  [[nodiscard]] bool failed() const { return failed_; }

  double value(const Node& node) {
    switch (node.kind) {
      case Node::Kind::number:
        return node.number;
      case Node::Kind::name:
        return name(node);
      case Node::Kind::sum:
        return sum(node);
      case Node::Kind::product:
        return product(node);
      case Node::Kind::power:
        return std::pow(value(node.operands[0]), value(node.operands[1]));
      case Node::Kind::call:
        return call(node);
    }
    return kNotANumber;
  }

 private:
  double fail(const char* id, const Node& node, std::string message) {
    failed_ = true;
    faults_.push_back({id, node.begin, std::move(message)});
    return kNotANumber;
  }

  double name(const Node& node) {
    if (node.name == "pi") return std::numbers::pi;
    if (node.name == "time")
      return fail("signal-as-number", node, "time is a signal; only numbers and parameters can stand here");
    const Declarations::Entry* entry = names_.find(node.name);
    if (entry == nullptr) return fail("unknown-name", node, names_.unknown(node.name));
    if (entry->kind != Declarations::Kind::parameter)
      return fail("signal-as-number", node,
                  std::string(node.name) + " is declared as " + to_string(entry->kind) +
                      "; only numbers and parameters can stand here");
    if (!entry->evaluated)
      return fail("parameter-order", node,
                  "parameter " + std::string(node.name) +
                      " has no value yet: a parameter may use only those declared before it");
    if (!entry->value) failed_ = true;
    return entry->value.value_or(kNotANumber);
  }

  double sum(const Node& node) {
    double result = 0.0;
    for (const Node& operand : node.operands)
      result = operand.inverse ? result - value(operand) : result + value(operand);
    return result;
  }

  double product(const Node& node) {
    double result = 1.0;
    for (const Node& operand : node.operands) {
      const double next = value(operand);
      if (operand.inverse && next == 0.0) return fail("division-by-zero", operand, "division by zero");
      result = operand.inverse ? result / next : result * next;
    }
    return result;
  }

  double call(const Node& node) {
    if (node.name == "der" || node.name == "next" || node.name == "pre")
      return fail("signal-as-number", node,
                  std::string(node.name) + "(...) is a signal; only numbers and parameters can stand here");
    std::vector<double> arguments;
    for (const Node& operand : node.operands) arguments.push_back(value(operand));
    for (const Function& function : kFunctions) {
      if (function.name != node.name) continue;
      if (function.of_one != nullptr && arguments.size() == 1) return function.of_one(arguments[0]);
      if (function.of_two != nullptr && arguments.size() >= 2)
        return std::accumulate(arguments.begin() + 1, arguments.end(), arguments[0], function.of_two);
      return fail("wrong-arguments", node,
                  std::string(node.name) +
                      (function.of_one != nullptr ? " takes one argument, found "
                                                  : " takes two or more arguments, found ") +
                      std::to_string(arguments.size()));
    }
    std::vector<std::string> known = {names_.discrete ? "next" : "der", "pre"};
    for (const Function& function : kFunctions) known.emplace_back(function.name);
    return fail("unknown-function", node,
                "unknown function " + std::string(node.name) + did_you_mean(node.name, known));
  }

  const Declarations& names_;
  std::vector<TextFault>& faults_;
  bool failed_ = false;
};

}  // namespace

std::optional<double> evaluate(const Node& node, const Declarations& names, std::vector<TextFault>& faults) {
  Evaluator evaluator(names, faults);
  const double value = evaluator.value(node);
  if (evaluator.failed()) return std::nullopt;
  return value;
}

}  // namespace mti::text
