#include "mti/text/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "mti/text/dual_functions.hpp"
#include "mti/text/functions.hpp"

namespace mti::text {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

class Evaluator {
 public:
  Evaluator(const Declarations& names, std::vector<TextFault>& faults) : names_(names), faults_(faults) {}

  [[nodiscard]] bool failed() const { return failed_; }

  Dual value(const Node& node) {
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
        return checked(raised(value(node.operands[0]), value(node.operands[1])), node);
      case Node::Kind::call:
        return call(node);
      case Node::Kind::comparison:
        return comparison(node);
      case Node::Kind::negation:
        return truth(node.operands[0]) ? 0.0 : 1.0;
      case Node::Kind::conjunction:
        return counted(node, true);
      case Node::Kind::disjunction:
        return counted(node, false);
      case Node::Kind::choice:
        return choice(node);
      case Node::Kind::list:
        return fail("wrong-arguments", node,
                    "a list of numbers can only stand in table(...) and table2(...)");
      case Node::Kind::initial:
        return fail("wrong-arguments", node, "initial can only stand in hysteresis(...)");
    }
    return kNotANumber;
  }

 private:
  Dual fail(const char* id, const Node& node, std::string message) {
    failed_ = true;
    faults_.push_back({id, node.begin, std::move(message)});
    return kNotANumber;
  }

  Dual name(const Node& node) {
    if (node.name == "pi") return std::numbers::pi;
    if (node.name == "true" || node.name == "false") return node.name == "true" ? 1.0 : 0.0;
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
    return {entry->value.value_or(kNotANumber), entry->slopes};
  }

  Dual sum(const Node& node) {
    Dual result = 0.0;
    for (const Node& operand : node.operands)
      result = operand.inverse ? result - value(operand) : result + value(operand);
    return result;
  }

  Dual product(const Node& node) {
    Dual result = 1.0;
    for (const Node& operand : node.operands) {
      const Dual next = value(operand);
      if (operand.inverse && next.value == 0.0) return fail("division-by-zero", operand, "division by zero");
      result = operand.inverse ? result / next : result * next;
    }
    return result;
  }

  Dual call(const Node& node) {
    const Function* function = find_function(node.name);
    if (function == nullptr)
      return fail(
          "unknown-function", node,
          "unknown function " + std::string(node.name) + did_you_mean_function(node.name, names_.discrete));
    if (function->kind == Function::Kind::signal)
      return fail("signal-as-number", node,
                  std::string(node.name) + "(...) is a signal; only numbers and parameters can stand here");
    const int found = static_cast<int>(node.operands.size());
    if (found < function->fewest || (function->most >= 0 && found > function->most))
      return fail(
          "wrong-arguments", node,
          std::string(node.name) + " takes " + arguments_of(*function) + ", found " + std::to_string(found));
    if (function->value == nullptr)
      return fail(
          "signal-as-number", node,
          std::string(node.name) + "(...) follows a signal; only numbers and parameters can stand here");
    std::vector<Dual> arguments;
    for (const Node& operand : node.operands) arguments.push_back(value(operand));
    if (function->kind == Function::Kind::condition)
      for (std::size_t i = 0; i < arguments.size(); ++i) require_number(arguments[i], node.operands[i]);
    Dual result = apply_dual(*function, arguments);
    // log(0) and atanh(1) have no value; beyond the range of doubles, as exp(1000), is another matter.
    const bool at_pole =
        std::isinf(result.value) && arguments.size() == 1 && std::abs(arguments[0].value) <= 1.0;
    return at_pole ? Dual(kNotANumber) : checked(std::move(result), node);
  }

  /// a^b. pow() has numbers for what is none, 1^x and x^0.
  static Dual raised(const Dual& base, const Dual& exponent) {
    const bool at_pole = base.value == 0.0 && exponent.value < 0.0;
    if (at_pole || std::isnan(base.value) || std::isnan(exponent.value)) return kNotANumber;
    return power(base, exponent);
  }

  /// What decides takes numbers only: it would make one of what is none.
  void require_number(const Dual& argument, const Node& node) {
    if (std::isnan(argument.value) && !failed_)
      fail("not-finite", node, "a condition on a value that is not a finite number");
  }

  /// Slopes that are not finite are a fault, unless the value is not finite itself.
  Dual checked(Dual result, const Node& node) {
    if (failed_ || !std::isfinite(result.value)) return result.value;
    std::vector<double> lost = result.slopes;
    for (double& slope : lost) slope = std::isfinite(slope) ? 0.0 : 1.0;
    const std::string directions = names_.directions_of(lost);
    if (directions.empty()) return result;
    const std::string what(node.kind == Node::Kind::call ? std::string(node.name) + "(...)" : "this power");
    const Function* function = find_function(node.name);
    const bool decided = node.name == "sign" || node.name == "step" ||
                         (function != nullptr && function->kind == Function::Kind::number);
    return fail(decided ? "parameter-decides" : "not-differentiable", node,
                decided ? decides(directions, what) : not_differentiable(directions, what));
  }

  /// A value on which only a decision is based.
  double decisive(const Node& node) {
    const Dual number = value(node);
    if (number.varies() && !failed_)
      fail("parameter-decides", node,
           decides(names_.directions_of(number.slopes), "a condition on parameters"));
    require_number(number, node);
    return number.value;
  }

  Dual comparison(const Node& node) {
    const double left = decisive(node.operands[0]), right = decisive(node.operands[1]);
    if (node.name == "<") return left < right ? 1.0 : 0.0;
    if (node.name == "<=") return left <= right ? 1.0 : 0.0;
    return (node.name == ">" ? left > right : left >= right) ? 1.0 : 0.0;
  }

  /// A condition; numbers but comparisons and what is made of them are none.
  bool truth(const Node& node) {
    const bool is_condition =
        node.kind == Node::Kind::comparison || node.kind == Node::Kind::negation ||
        node.kind == Node::Kind::conjunction || node.kind == Node::Kind::disjunction ||
        (node.kind == Node::Kind::name && (node.name == "true" || node.name == "false"));
    if (is_condition) return value(node).value != 0.0;
    const double number = decisive(node);
    if (number == 0.0 || number == 1.0 || failed_) return number == 1.0;
    fail("not-a-condition", node, "expected a condition: a comparison, 0 or 1");
    return false;
  }

  /// All operands are looked at, so that all faults are found.
  Dual counted(const Node& node, bool all) {
    std::size_t holding = 0;
    for (const Node& operand : node.operands) holding += truth(operand) ? 1 : 0;
    return holding >= (all ? node.operands.size() : 1) ? 1.0 : 0.0;
  }

  Dual choice(const Node& node) {
    std::optional<Dual> chosen;
    for (std::size_t i = 0; i < node.operands.size(); i += 2) {
      const bool is_last = i + 1 == node.operands.size();
      const bool holds = is_last || truth(node.operands[i]);
      const Node& branch = node.operands[is_last ? i : i + 1];
      if (holds && !chosen)
        chosen = value(branch);
      else
        look_at_unused(faults_, failed_, [&] { static_cast<void>(value(branch)); });
    }
    return *std::move(chosen);
  }

  const Declarations& names_;
  std::vector<TextFault>& faults_;
  bool failed_ = false;
};

}  // namespace

void look_at_unused(std::vector<TextFault>& faults, bool& failed, const std::function<void()>& work) {
  const auto first = static_cast<std::ptrdiff_t>(faults.size());
  const bool failed_before = std::exchange(failed, false);
  work();
  const auto is_of_value = [](const TextFault& fault) {
    return fault.id == "division-by-zero" || fault.id == "not-finite" || fault.id == "not-differentiable";
  };
  faults.erase(std::remove_if(faults.begin() + first, faults.end(), is_of_value), faults.end());
  failed = failed_before || (failed && std::ssize(faults) > first);
}

std::optional<Dual> evaluate_dual(const Node& node, const Declarations& names,
                                  std::vector<TextFault>& faults) {
  Evaluator evaluator(names, faults);
  Dual value = evaluator.value(node);
  if (evaluator.failed()) return std::nullopt;
  return value;
}

std::optional<double> evaluate(const Node& node, const Declarations& names, std::vector<TextFault>& faults) {
  const std::optional<Dual> value = evaluate_dual(node, names, faults);
  return value ? std::optional(value->value) : std::nullopt;
}

std::string decides(const std::string& directions, const std::string& what) {
  return directions + " decides " + what + ": there is no derivative with respect to it";
}

std::string not_differentiable(const std::string& directions, const std::string& what) {
  return what + " has no finite derivative with respect to " + directions + " here";
}

}  // namespace mti::text
