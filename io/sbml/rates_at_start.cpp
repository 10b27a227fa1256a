#include "io/sbml/rates_at_start.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace mti::sbml {
namespace {

Math number(double value) { return {.op = "number", .value = value}; }
Math named(const std::string& name) { return {.op = "name", .name = name}; }
Math of_two(std::string op, Math a, Math b) {
  Math result{.op = std::move(op)};
  result.of.push_back(std::move(a));
  result.of.push_back(std::move(b));
  return result;
}

template <class List>
auto* with_id(List& list, const std::string& id) {
  const auto found = std::ranges::find_if(list, [&](const auto& one) { return one.id == id; });
  return found == list.end() ? nullptr : &*found;
}

class Rates {
 public:
  explicit Rates(const Document& document) : document_(document) {}

  [[nodiscard]] std::optional<Math> of(const std::string& id) const {
    for (const Rule& rule : document_.rules) {
      if (rule.kind == Rule::Kind::algebraic) return std::nullopt;  // it may determine any of them
      if (rule.variable == id) return rule.kind == Rule::Kind::rate ? rule.math : std::nullopt;
    }
    if (with_id(document_.parameters, id) != nullptr || with_id(document_.compartments, id) != nullptr)
      return number(0.0);
    const Species* const species = with_id(document_.species, id);
    if (species == nullptr) return std::nullopt;
    return species->boundary || species->constant ? number(0.0) : by_reactions(*species);
  }

 private:
  [[nodiscard]] std::optional<Math> by_reactions(const Species& species) const {
    Math sum = number(0.0);
    for (const Reaction& reaction : document_.reactions)
      for (const bool is_product : {false, true})
        for (const Participant& part : is_product ? reaction.products : reaction.reactants) {
          if (part.species != species.id) continue;
          sum = of_two(is_product ? "plus" : "minus", std::move(sum),
                       of_two("times", stoichiometry(part), named(reaction.id)));
        }
    if (!species.conversion_factor.empty())
      sum = of_two("times", named(species.conversion_factor), std::move(sum));
    const Compartment* const compartment = with_id(document_.compartments, species.compartment);
    if (compartment == nullptr || species.only_substance || compartment->dimensions == 0.0) return sum;
    const bool is_constant = std::ranges::none_of(
        document_.rules, [&](const Rule& rule) { return rule.variable == compartment->id; });
    if (!is_constant) return std::nullopt;
    return of_two("divide", std::move(sum), named(compartment->id));
  }

  static Math stoichiometry(const Participant& part) {
    if (part.formula) return *part.formula;
    return part.id.empty() ? number(part.stoichiometry.value_or(1.0)) : named(part.id);
  }

  const Document& document_;
};

void write(Math& math, const Rates& rates) {
  if (math.op == "rateOf" && math.of.size() == 1 && math.of.front().op == "name") {
    if (std::optional<Math> rate = rates.of(math.of.front().name)) math = *std::move(rate);
    return;
  }
  for (Math& part : math.of) write(part, rates);
}

}  // namespace

std::optional<Math> rate_at_start(const Document& document, const std::string& id) {
  return Rates(document).of(id);
}

void write_rates_at_start(Document& document) {
  const Rates rates(document);
  for (Assignment& assignment : document.initial_assignments)
    if (assignment.math) write(*assignment.math, rates);
}

}  // namespace mti::sbml
