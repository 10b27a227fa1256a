#include "io/kinetics/triggers.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "io/kinetics/split_comparison.hpp"
#include "io/quantities/fast_reactions.hpp"
#include "io/sbml/choices.hpp"
#include "io/sbml/evaluate_math.hpp"
#include "mti/common/denominators.hpp"
#include "mti/common/number.hpp"

namespace mti::sbml {
namespace {

std::string both(const std::string& a, const std::string& b) { return a + "*" + b; }
std::string neither(const std::string& a) { return "(1 - " + a + ")"; }
std::string either(const std::string& a, const std::string& b) {
  return neither(neither(a) + "*" + neither(b));
}

}  // namespace

std::string sign_text(const std::string& difference, bool strict) {
  return "(1 + tanh(1e300*tanh(" + difference + ")" + (strict ? " - 400" : " + 400") + "))/2";
}

std::string Triggers::text(const Math& condition, const std::string& event) {
  const std::string& op = condition.op;
  if (op == "true") return "1";
  if (op == "false") return "0";
  if (writer_.quantities().is_fixed(condition)) {
    // Numbers alone: 0 or 1, once parameters are known.
    const std::string number = writer_.initial().text(condition, event);
    return is_condition(condition) ? "(" + number + ")" : "(if abs(" + number + ") > 0 then 1 else 0)";
  }
  std::string result;
  const auto operand = [&](std::size_t i) { return text(condition.of[i], event); };
  if (op == "and" || op == "or") {
    for (std::size_t i = 0; i < condition.of.size(); ++i) {
      const std::string next = operand(i);
      result = i == 0 ? next : op == "and" ? both(result, next) : either(result, next);
    }
    return result;
  }
  if (op == "not" && condition.of.size() == 1) return neither(operand(0));
  if (op == "implies" && condition.of.size() == 2) return either(neither(operand(0)), operand(1));
  const auto exclusive = [&](const std::string& a, const std::string& b) {
    return "(" + a + " + " + b + " - 2*" + both(a, b) + ")";
  };
  if (op == "xor") {
    for (std::size_t i = 0; i < condition.of.size(); ++i) {
      const std::string next = operand(i);
      result = i == 0 ? next : exclusive(result, next);
    }
    return result;
  }
  if (op == "eq" && condition.of.size() > 2) {  // of each and the next
    for (std::size_t i = 0; i + 1 < condition.of.size(); ++i) {
      const std::string next = text({.op = "eq", .of = {condition.of[i], condition.of[i + 1]}}, event);
      result = i == 0 ? next : both(result, next);
    }
    return result;
  }
  if ((op == "eq" || op == "neq") && condition.of.size() == 2 && is_condition(condition.of[0]) &&
      is_condition(condition.of[1])) {
    const std::string differ = exclusive(operand(0), operand(1));
    return op == "neq" ? differ : neither(differ);
  }
  if ((op == "eq" || op == "neq") && condition.of.size() == 2 &&
      std::ranges::all_of(condition.of,
                          [&](const Math& side) { return writer_.quantities().denominator(side) != 0; })) {
    const Math above{.op = "geq", .of = condition.of}, below{.op = "leq", .of = condition.of};
    const std::string equal = both(comparison(above, event), comparison(below, event));
    return op == "eq" ? equal : neither(equal);
  }
  if (op == "eq" || op == "neq") {
    writer_.refusals().add(
        "sbml-equality", event,
        op + " of numbers that change: signals are compared with < and >, not for equality");
    return "0";
  }
  if (op == "lt" || op == "leq" || op == "gt" || op == "geq") return comparison(condition, event);
  if (op == "piecewise") return pieces(condition, event);
  if (op == "name")
    if (const Quantity* quantity = writer_.quantities().find(condition.name);
        quantity != nullptr && quantity->by == Quantity::By::rule && quantity->rule != nullptr &&
        is_condition(*quantity->rule))
      return text(*quantity->rule, event);
  if (writer_.quantities().denominator(condition) != 0)
    return text({.op = "neq", .of = {condition, {.value = 0.0}}}, event);
  writer_.refusals().add(
      "sbml-condition", event,
      "a number that changes where a condition is expected: it would be compared with 0 for equality");
  return "0";
}

std::string Triggers::pieces(const Math& condition, const std::string& event) {
  if (condition.of.size() % 2 == 0) {
    if (const std::optional<Math> whole = with_otherwise(condition)) return text(*whole, event);
    writer_.refusals().add("sbml-piecewise", event,
                           "piecewise without otherwise has no value where none of its conditions holds");
    return "0";
  }
  std::string result = text(condition.of.back(), event);
  for (std::size_t i = condition.of.size() - 1; i >= 2; i -= 2) {
    const std::string chosen = text(condition.of[i - 1], event);
    result =
        "(" + both(chosen, text(condition.of[i - 2], event)) + " + " + both(neither(chosen), result) + ")";
  }
  return result;
}

/// Between each operand and the next.
std::string Triggers::comparison(const Math& condition, const std::string& event) {
  const bool less = condition.op == "lt" || condition.op == "leq";
  const bool strict = condition.op == "lt" || condition.op == "gt";
  std::string result;
  for (std::size_t i = 0; i + 1 < condition.of.size(); ++i) {
    const Math &greater = condition.of[less ? i + 1 : i], &smaller = condition.of[less ? i : i + 1];
    const std::string next = compared(greater, smaller, strict, event);
    result = i == 0 ? next : both(result, next);
  }
  return result;
}

std::string Triggers::compared(const Math& greater, const Math& smaller, bool strict,
                               const std::string& event) {
  const Math whole{.op = strict ? "gt" : "geq", .of = {greater, smaller}};
  constexpr int deepest = 4;  // conditions of choices are written twice, one within the other
  const auto parts = depth_ < deepest ? split_comparison(writer_.quantities(), whole) : std::optional<Math>();
  if (!parts) return flag(greater, smaller, strict, event);
  ++depth_;
  std::string result = text(*parts, event);
  --depth_;
  return result;
}

bool Triggers::follows_balance(const Math& condition) const {
  const std::set<std::string> sources = writer_.quantities().sources_of(condition);
  const std::set<std::string> balanced = balanced_species(writer_.quantities().document());
  return std::ranges::any_of(sources, [&](const std::string& id) { return balanced.contains(id); });
}

bool Triggers::waits_for_start(const Math& condition) const {
  const Quantities& quantities = writer_.quantities();
  const std::set<std::string> sources = quantities.sources_of(condition);
  return !quantities.start_value(condition) || follows_balance(condition) ||
         std::ranges::any_of(sources, [&](const std::string& id) { return quantities.find(id)->by_amount; });
}

std::string Triggers::started() {
  std::string name = "events.started";
  const std::string rate = name + ".rate", next = name + ".next";
  if (std::exchange(has_start_, true)) return name;
  Source& source = writer_.source();
  source.states.push_back({.name = name, .start = 0.0});
  source.equations.emplace_back(rate, "der(" + name + ") = 0");
  source.constraints.emplace_back(next, "1 - " + name + " <= 0.5");
  source.transitions.push_back({"reach(" + next + ")", {rate}, {name + " = 1"}});
  return name;
}

/// The margin as long as it is not known where the comparison begins: a formula says so, or it has to be clear of the threshold by
/// more than the errors of a run.
std::string Triggers::margin_at_start(const std::string& margin, const Math& greater, const Math& smaller) {
  constexpr double clear = 1e-4;
  if (writer_.quantities().start_value({.op = "minus", .of = {greater, smaller}}))
    return margin + "*" + started();
  double size = 0.0;
  for (const Math* operand : {&greater, &smaller})
    if (const auto value = writer_.quantities().start_value(*operand); value && std::isfinite(*value))
      size = std::max(size, std::abs(*value));
  if (size == 0.0) return margin;
  return "(" + margin + " - " + text::format_number(clear * size) + "*(1 - " + started() + "))";
}

std::string Triggers::flag(const Math& greater, const Math& smaller, bool strict, const std::string& event) {
  const int q = denominator_of_sum(writer_.quantities().denominator(greater),
                                   writer_.quantities().denominator(smaller));
  if (q != 0) {
    writer_.rely_on_whole(greater);
    writer_.rely_on_whole(smaller);
  }
  const std::string above = writer_.operand(greater, event);
  const std::string below = writer_.operand(smaller, event) +
                            (q == 0 ? "" : (strict ? " + " : " - ") + text::format_number(0.5 / q));
  const std::string key = above + (strict ? " > " : " >= ") + below;
  if (const auto known = flags_.find(key); known != flags_.end()) return known->second;
  std::string name = event + ".when" + std::to_string(++count_[event]);
  flags_[key] = name;
  if (q == 0) made_.push_back({name, event, greater, smaller, strict});
  const Math difference{.op = "minus", .of = {greater, smaller}};
  // A formula and no number: parameters and start values may be set to others. What algebraic rules determine has no formula.
  Number start = 0.0;
  if (writer_.quantities().start_value(difference))
    start = sign_text(writer_.initial().text(difference, event), strict);
  Source& source = writer_.source();
  source.states.push_back({.name = name, .start = std::move(start)});
  source.equations.emplace_back(name + ".rate", "der(" + name + ") = 0");
  std::string margin = "(" + above + " - (" + below + "))";
  if (!is_polynomial(greater) || !is_polynomial(smaller)) {
    const std::string signal = name + ".margin";
    source.algebraic.push_back(
        {.name = signal, .start = writer_.quantities().start_value(difference).value_or(0.0)});
    source.equations.emplace_back(signal, signal + " = " + above + " - (" + below + ")");
    margin = signal;
  }
  // Events of the start see it as it begins there, before a motion leads it elsewhere.
  const bool waits = waits_for_start(difference);
  const std::string on = waits ? margin_at_start(margin, greater, smaller) : margin;
  const std::string off = waits && !follows_balance(difference) ? margin + "*" + started() : margin;
  source.constraints.emplace_back(name + ".on", on + "*(1 - " + name + ") <= 0");
  source.constraints.emplace_back(name + ".off", "-" + off + "*" + name + " <= 0");
  source.transitions.push_back({"reach(" + name + ".on)", {name + ".rate"}, {name + " = 1"}});
  source.transitions.push_back({"reach(" + name + ".off)", {name + ".rate"}, {name + " = 0"}});
  return name;
}

}  // namespace mti::sbml
