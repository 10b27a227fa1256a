// What takes whole numbers, or multiples of a fraction, alone.
#include <algorithm>
#include <cmath>
#include <optional>

#include "io/quantities/quantities.hpp"
#include "io/sbml/evaluate_math.hpp"
#include "mti/common/denominators.hpp"

namespace mti::sbml {
namespace {

/// Whatever it is made of.
bool is_whole_by_itself(const Math& math) {
  return is_condition(math) || math.op == "floor" || math.op == "ceiling" || math.op == "quotient";
}

/// Of numbers alone: not of the time, which evaluate() takes for that of the start.
std::optional<double> number(const Math& math) {
  const bool is_arithmetic = math.op == "number" || math.op == "plus" || math.op == "minus" ||
                             math.op == "times" || math.op == "divide" || math.op == "power";
  if (!is_arithmetic ||
      !std::ranges::all_of(math.of, [](const Math& part) { return number(part).has_value(); }))
    return std::nullopt;
  return evaluate(math, [](const std::string&) { return std::optional<double>(); });
}

}  // namespace

using By = Quantity::By;

int Quantities::denominator(const std::string& id) const {
  if (const auto known = denominators_.find(id); known != denominators_.end()) return known->second;
  const Quantity* const quantity = find(id);
  if (quantity == nullptr) return 0;
  // What is made of itself and whole numbers stays whole; of itself and halves, a multiple of a half.
  constexpr int most_widenings = 12;
  int q = 1;
  open_denominators_.insert(id);
  for (int widened = 0; q != 0; ++widened) {
    denominators_[id] = q;
    const int found = widened < most_widenings ? denominator_by_parts(*quantity) : 0;
    if (found == q) break;
    q = found == 0 ? 0 : denominator_of_sum(q, found);
    // Others may have been judged by the assumption above.
    std::erase_if(denominators_, [&](const auto& entry) {
      return entry.second != 0 && !open_denominators_.contains(entry.first);
    });
    if (q != 0 && denominators_[id] == q) break;
  }
  open_denominators_.erase(id);
  return denominators_[id] = q;
}

int Quantities::denominator_by_parts(const Quantity& quantity) const {
  if (quantity.by == By::rule) return quantity.rule != nullptr ? denominator(*quantity.rule) : 0;
  if ((quantity.by != By::constant && quantity.by != By::events) || quantity.by_amount) return 0;
  const std::optional<double> start = start_value(quantity.id);
  int q = start ? denominator_of(*start) : 0;
  if (quantity.by == By::constant && q != 1) return 0;  // others are to be set to any value
  for (const Event& event : document_.events)
    for (const Assignment& assignment : event.assignments)
      if (q != 0 && assignment.variable == quantity.id)
        q = assignment.math ? denominator_of_sum(q, denominator(*assignment.math)) : 0;
  return q;
}

int Quantities::denominator(const Math& math) const {
  constexpr double largest_power = 8.0;
  if (const std::optional<double> value = number(math)) return denominator_of(*value);
  if (math.op == "name") return denominator(math.name);
  if (math.op == "time" || math.op == "factorial") return 0;
  if (is_whole_by_itself(math)) return 1;
  if (math.op == "divide" && math.of.size() == 2) {
    const std::optional<double> divisor = number(math.of[1]);
    return divisor ? denominator_of_product(denominator(math.of[0]), denominator_of(1.0 / *divisor)) : 0;
  }
  if (math.op == "power" && math.of.size() == 2) {
    const double exponent = number(math.of[1]).value_or(-1.0);
    if (!(exponent >= 0.0 && exponent <= largest_power) || std::trunc(exponent) != exponent) return 0;
    const int base = denominator(math.of[0]);
    int q = base == 0 ? 0 : 1;
    for (int factor = 0; factor < static_cast<int>(exponent); ++factor) q = denominator_of_product(q, base);
    return q;
  }
  const bool pieces = math.op == "piecewise", times = math.op == "times";
  if (!pieces && !times && math.op != "plus" && math.op != "minus" && math.op != "abs" && math.op != "max" &&
      math.op != "min" && math.op != "rem")
    return 0;
  int q = 1;
  for (std::size_t i = 0; i < math.of.size(); i += pieces ? 2 : 1) {
    const int operand = denominator(math.of[i]);
    q = times ? denominator_of_product(q, operand) : denominator_of_sum(q, operand);
  }
  return q;
}

void Quantities::add_whole_sources(const Math& math, std::set<std::string>& ids) const {
  if (is_whole_by_itself(math)) return;
  if (math.op == "piecewise") {
    for (std::size_t i = 0; i < math.of.size(); i += 2) add_whole_sources(math.of[i], ids);
    return;
  }
  for (const Math& operand : math.of) add_whole_sources(operand, ids);
  const Quantity* const quantity = math.op == "name" ? find(math.name) : nullptr;
  if (quantity == nullptr || !ids.insert(math.name).second) return;
  if (quantity->by == By::rule && quantity->rule != nullptr) add_whole_sources(*quantity->rule, ids);
  for (const Event& event : document_.events)
    for (const Assignment& assignment : event.assignments)
      if (assignment.variable == math.name && assignment.math) add_whole_sources(*assignment.math, ids);
}

}  // namespace mti::sbml
