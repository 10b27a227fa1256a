#include "io/kinetics/initial_values.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "io/sbml/evaluate_math.hpp"
#include "io/sbml/rates_at_start.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"

namespace mti::sbml {
namespace {

std::string text_of_number(double value) {
  const std::string text = text::format_number(value);
  return std::signbit(value) ? "(" + text + ")" : text;
}

std::string text_of(const Number& number) {
  const double* const value = std::get_if<double>(&number);
  return value != nullptr ? text_of_number(*value) : "(" + std::get<std::string>(number) + ")";
}

}  // namespace

std::string InitialValues::text(const Math& math, const std::string& element) {
  use_time_ = use_time_ || holds_time(math);
  const FormulaPlace place{.element = element,
                           .name = [this](const std::string& id) { return text(id); },
                           .rate = [this, element](const std::string& id) { return rate(id, element); },
                           .is_constant = [](const std::string&) { return true; },
                           .number = [this](const Math& part) { return quantities_.start_value(part); },
                           .time = "0",
                           .all_numbers = true};
  return FormulaWriter(place, refusals_).value(math);
}

/// Empty where none is known, or where it leads back to itself.
std::string InitialValues::rate(const std::string& id, const std::string& element) {
  const std::optional<Math> formula = rate_at_start(quantities_.document(), id);
  if (!formula || !open_rates_.insert(id).second) return {};
  std::string found = "(" + text(*formula, element) + ")";
  open_rates_.erase(id);
  return found;
}

/// The number or formula that a quantity begins with, in its own meaning.
Number InitialValues::value_of(const Quantity& quantity) {
  using By = Quantity::By;
  if (quantity.by == By::rule && quantity.rule != nullptr) return text(*quantity.rule, quantity.id);
  if (quantity.initial != nullptr) return text(*quantity.initial, quantity.id);
  const auto finite = [&](double value) -> Number {
    if (!std::isfinite(value)) {
      refusals_.add("sbml-not-finite", quantity.id,
                    "a value that is no finite number; signals here are finite numbers");
      return 0.0;
    }
    return value;
  };
  if (quantity.kind == Quantity::Kind::species) {
    const Species& from = quantities_.document().species[at(quantity.index)];
    const bool concentration = quantities_.is_concentration(quantity);
    if (from.amount && !concentration) return finite(*from.amount);
    if (from.concentration && concentration) return finite(*from.concentration);
    if (from.amount) return text_of(finite(*from.amount)) + "/" + text(from.compartment);
    if (from.concentration) return text_of(finite(*from.concentration)) + "*" + text(from.compartment);
  } else if (quantity.given) {
    return finite(*quantity.given);
  }
  refusals_.add("sbml-no-value", quantity.id,
                quantity.by == By::algebra
                    ? "its value at the start is asked for, which an algebraic rule determines"
                    : "has no value at the start: no attribute and no assignment gives it one");
  return 0.0;
}

/// Makes the parameter `name`; false where its value leads back to itself.
bool InitialValues::declare(const Quantity& quantity, const std::string& name) {
  if (declared_.contains(quantity.id)) return true;
  if (!open_.insert(quantity.id).second) {
    refusals_.add("sbml-circular", quantity.id, "its value at the start is computed from itself");
    return false;
  }
  Number value = value_of(quantity);
  open_.erase(quantity.id);
  declared_.insert(quantity.id);
  source_.parameters.push_back({name, std::move(value)});
  return true;
}

void InitialValues::declare_constant(const std::string& id) {
  const Quantity* const quantity = quantities_.find(id);
  if (quantity != nullptr && quantity->by == Quantity::By::constant)
    static_cast<void>(declare(
        *quantity, quantity->kind == Quantity::Kind::local ? quantity->id : quantity->name + ".value"));
}

std::string InitialValues::text(const std::string& id) {
  const Quantity* const quantity = quantities_.find(id);
  if (quantity == nullptr) {
    refusals_.add("sbml-no-value", id, "a name in a formula that the model does not declare");
    return "0";
  }
  if (quantity->by == Quantity::By::constant) {
    declare_constant(id);
    return quantities_.text(id);
  }
  const std::string name = quantity->name + ".initial";
  return declare(*quantity, name) ? name : "0";
}

Number InitialValues::start(const std::string& id) {
  const Quantity& quantity = *quantities_.find(id);
  if (declared_.contains(id)) return quantity.name + ".initial";
  const bool is_plain = quantity.initial == nullptr && quantity.by != Quantity::By::rule;
  if (is_plain) return value_of(quantity);
  return text(id);
}

Number InitialValues::amount(const Quantity& species) {
  const Species& from = quantities_.document().species[at(species.index)];
  if (!declared_.contains(species.id) && species.initial == nullptr && from.amount &&
      species.by != Quantity::By::rule) {
    if (std::isfinite(*from.amount)) return *from.amount;
    return value_of(species);
  }
  return text(species.id) + "*" + text(from.compartment);
}

}  // namespace mti::sbml
