#include "io/quantities/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "io/quantities/fast_reactions.hpp"
#include "io/sbml/document_formulas.hpp"
#include "io/sbml/evaluate_math.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/source/declarations.hpp"

namespace mti::sbml {

using Kind = Quantity::Kind;
using By = Quantity::By;

Quantities::Quantities(const Document& document, Refusals& refusals) : document_(document) {
  declare_all();
  enter_rules(refusals);
  enter_changes(refusals);
  match_algebraic_rules(refusals);
  choose_amounts();
  bake_steps();
  sources_.clear();  // of quantities that were not yet complete
}

void Quantities::declare(Quantity quantity) {
  if (quantity.id.empty()) return;
  quantity.name = quantity.id;
  places_.emplace(quantity.id, all_.size());
  all_.push_back(std::move(quantity));
}

void Quantities::declare_all() {
  int index = 0;
  for (const Compartment& from : document_.compartments)
    declare({.kind = Kind::compartment, .index = index++, .id = from.id, .given = from.size});
  index = 0;
  for (const Species& from : document_.species)
    declare({.kind = Kind::species, .index = index++, .id = from.id});
  index = 0;
  for (const Parameter& from : document_.parameters)
    declare({.kind = Kind::parameter, .index = index++, .id = from.id, .given = from.value});
  index = 0;
  for (const Reaction& from : document_.reactions) {
    declare({.kind = Kind::reaction,
             .by = By::rule,
             .index = index++,
             .id = from.id,
             .rule = from.law ? &*from.law : nullptr});
    for (const Parameter& local : from.local)
      declare({.kind = Kind::local, .id = local.id, .given = local.value});
    for (const auto* const side : {&from.reactants, &from.products})
      for (const Participant& part : *side)
        declare({.kind = Kind::stoichiometry, .id = part.id, .given = part.stoichiometry});
  }
  // Words of the language cannot be names of signals.
  for (Quantity& quantity : all_)
    while (is_reserved(quantity.name) || quantity.name == "initial" ||
           (quantity.name != quantity.id && places_.contains(quantity.name)))
      quantity.name += "_";
}

Quantity* Quantities::find(const std::string& id) {
  const auto found = places_.find(id);
  return found == places_.end() ? nullptr : &all_[found->second];
}

const Quantity* Quantities::find(const std::string& id) const {
  const auto found = places_.find(id);
  return found == places_.end() ? nullptr : &all_[found->second];
}

bool Quantities::is_constant(const std::string& id) const {
  const Quantity* const quantity = find(id);
  return quantity != nullptr && quantity->by == By::constant;
}

bool Quantities::is_constant(const Math& math) const {
  if (math.op == "time" || math.op == "delay" || math.op == "rateOf") return false;
  if (math.op == "name") return is_constant(math.name);
  return std::ranges::all_of(math.of, [this](const Math& part) { return is_constant(part); });
}

bool Quantities::is_fixed(const Math& math) const {
  if (math.op == "time" || math.op == "delay" || math.op == "rateOf") return false;
  if (math.op != "name")
    return std::ranges::all_of(math.of, [this](const Math& part) { return is_fixed(part); });
  if (is_constant(math.name)) return true;
  const auto [known, is_new] = fixed_.try_emplace(math.name, false);  // one that follows from itself is none
  if (!is_new) return known->second;
  const Quantity* const quantity = find(math.name);
  if (quantity == nullptr || quantity->by != By::rule || quantity->rule == nullptr) return false;
  return fixed_[math.name] = is_fixed(*quantity->rule);
}

const Quantity& Quantities::compartment_of(const Quantity& species) const {
  return *find(document_.species[at(species.index)].compartment);
}

bool Quantities::is_concentration(const Quantity& species) const {
  return !document_.species[at(species.index)].only_substance &&
         document_.compartments[at(compartment_of(species).index)].dimensions != 0.0;
}

std::string Quantities::text(const std::string& id) const {
  const Quantity* const quantity = find(id);
  if (quantity == nullptr) return id;
  if (quantity->by != By::constant) return quantity->name;
  if (quantity->is_baked) {
    const double value = start_value(id).value_or(0.0);
    const std::string number = text::format_number(value);
    return value < 0.0 ? "(" + number + ")" : number;
  }
  return quantity->kind == Kind::local ? quantity->id : quantity->name + ".value";
}

const std::vector<Quantities::Share>& Quantities::shares_of(const Quantity& species) const {
  static const std::vector<Share> none;
  const auto found = shares_.find(species.id);
  return found == shares_.end() ? none : found->second;
}

void Quantities::enter_rules(Refusals& refusals) {
  for (const Rule& rule : document_.rules) {
    if (!rule.math) {
      refusals.add("sbml-no-math", rule.variable, "a rule without a formula");
      continue;
    }
    Quantity* const quantity = find(rule.variable);
    if (rule.kind == Rule::Kind::algebraic || quantity == nullptr) continue;
    quantity->by = rule.kind == Rule::Kind::rate ? By::rate : By::rule;
    quantity->rule = &*rule.math;
  }
  for (const Assignment& assignment : document_.initial_assignments) {
    Quantity* const quantity = find(assignment.variable);
    if (quantity == nullptr) continue;
    if (assignment.math)
      quantity->initial = &*assignment.math;
    else
      refusals.add("sbml-no-math", assignment.variable, "an initial assignment without a formula");
  }
}

/// What reactions and events change.
void Quantities::enter_changes(Refusals& refusals) {
  for (std::size_t r = 0; r < document_.reactions.size(); ++r) {
    const Reaction& reaction = document_.reactions[r];
    if (!reaction.law) refusals.add("sbml-no-math", reaction.id, "a reaction without a kinetic law");
    if (reaction.fast && !is_in_balance(document_, reaction)) continue;
    for (const auto* const side : {&reaction.reactants, &reaction.products})
      for (const Participant& part : *side) {
        Quantity* const species = find(part.species);
        if (species == nullptr || species->kind != Kind::species) continue;
        const Species& from = document_.species[at(species->index)];
        if (from.boundary || from.constant) continue;
        shares_[part.species].push_back({static_cast<int>(r), &part, side == &reaction.products});
        if (species->by == By::constant) species->by = By::reactions;
      }
  }
  for (const Event& event : document_.events)
    for (const Assignment& assignment : event.assignments) {
      written_.insert(assignment.variable);
      Quantity* const quantity = find(assignment.variable);
      if (quantity != nullptr && quantity->by == By::constant) quantity->by = By::events;
    }
}

/// Each algebraic rule determines one variable that nothing else does, and no choice may be left.
void Quantities::match_algebraic_rules(Refusals& refusals) {
  std::vector<std::vector<std::string>> candidates;
  std::set<std::string> all;
  for (const Rule& rule : document_.rules) {
    if (rule.kind != Rule::Kind::algebraic || !rule.math) continue;
    std::set<std::string> own;
    std::function<void(const Math&)> collect = [&](const Math& math) {
      visit_names(math, [&](const std::string& name) {
        const Quantity* const quantity = find(name);
        if (quantity == nullptr || own.contains(name)) return;
        if (quantity->by == By::rule && quantity->rule != nullptr) {
          own.insert(name);
          collect(*quantity->rule);
        }
        const bool may_vary =
            quantity->kind == Kind::compartment ? !document_.compartments[at(quantity->index)].constant
            : quantity->kind == Kind::species
                ? !document_.species[at(quantity->index)].constant
                : quantity->kind == Kind::parameter && !document_.parameters[at(quantity->index)].constant;
        if (quantity->by == By::constant && may_vary) own.insert(name);
      });
    };
    collect(*rule.math);
    std::erase_if(own, [&](const std::string& name) { return find(name)->by == By::rule; });
    candidates.emplace_back(own.begin(), own.end());
    all.insert(own.begin(), own.end());
    algebraic_sources_.merge(std::set<std::string>(own));
  }
  if (candidates.empty()) return;
  std::map<std::string, std::size_t> owner;
  std::function<bool(std::size_t, std::set<std::string>&)> place = [&](std::size_t rule,
                                                                       std::set<std::string>& seen) {
    for (const std::string& name : candidates[rule]) {
      if (!seen.insert(name).second) continue;
      const auto taken = owner.find(name);
      if (taken == owner.end() || place(taken->second, seen)) {
        owner[name] = rule;
        return true;
      }
    }
    return false;
  };
  bool matched = true;
  for (std::size_t rule = 0; rule < candidates.size(); ++rule) {
    std::set<std::string> seen;
    matched = place(rule, seen) && matched;
  }
  if (!matched || all.size() != candidates.size()) {
    std::string names;
    for (const std::string& name : all) names += (names.empty() ? "" : ", ") + name;
    refusals.add("sbml-algebraic-rule", "algebraicRule",
                 std::to_string(candidates.size()) + " algebraic rules are to determine " +
                     (names.empty() ? "nothing that may vary" : names) +
                     ": as many variables are needed that nothing else determines, no more and no fewer");
  }
  for (const std::string& name : all) find(name)->by = By::algebra;
  for (const Rule& rule : document_.rules)
    if (rule.kind == Rule::Kind::algebraic && rule.math)
      algebraic_sources_.merge([&] {
        std::set<std::string> sources = sources_of(*rule.math);
        std::erase_if(sources, [&](const std::string& name) { return find(name)->by == By::algebra; });
        return sources;
      }());
  std::erase_if(algebraic_sources_, [&](const std::string& name) { return find(name)->by == By::algebra; });
}

/// Where a compartment changes by itself, it is amounts that stay; a concentration with a rule for its rate follows the rule alone
/// (case 01505 of the semantic test suite).
void Quantities::choose_amounts() {
  for (Quantity& quantity : all_) {
    if (quantity.kind != Kind::species || !is_concentration(quantity)) continue;
    const By size = compartment_of(quantity).by;
    if (size == By::constant || quantity.by == By::rule || quantity.by == By::algebra ||
        quantity.by == By::rate)
      continue;
    quantity.by_amount = true;
    if (quantity.by == By::constant) quantity.by = By::events;
  }
}

/// What stands in a function that steps becomes a number here, so that it cannot be set to another later.
void Quantities::bake_steps() {
  for_each_formula(document_, [this](const Math& math) { bake(math, false); });
  for (const Event& event : document_.events)
    if (event.priority) bake(*event.priority, true);
}

void Quantities::bake(const Math& math, bool inside) {
  if (math.op == "name" && inside) {
    Quantity* const quantity = find(math.name);
    if (quantity == nullptr || quantity->is_baked) return;
    quantity->is_baked = true;  // of what is no constant it says nothing, and ends circles
    if (quantity->initial != nullptr) bake(*quantity->initial, true);
    if (quantity->by == By::rule && quantity->rule != nullptr) bake(*quantity->rule, true);
    if (quantity->kind == Kind::species) bake({.op = "name", .name = compartment_of(*quantity).id}, true);
  }
  for (const Math& operand : math.of) bake(operand, inside || is_stepwise(math.op));
}

std::set<std::string> Quantities::sources_of(const Math& math) const {
  if (math.op == "name") return sources_of(math.name);
  if (math.op == "past") return {};  // nothing of now
  if (math.op == "rateOf" && math.of.size() == 1) return sources_of_rate(math.of.front().name);
  std::set<std::string> sources;
  for (const Math& part : math.of) sources.merge(sources_of(part));
  return sources;
}

std::set<std::string> Quantities::sources_of_rate(const std::string& id) const {
  const Quantity* const quantity = find(id);
  std::set<std::string> sources;
  if (quantity == nullptr || !open_.insert("rate of " + id).second) return sources;
  if (quantity->by == By::rate) sources = sources_of(*quantity->rule);
  for (const Share& share : shares_of(*quantity)) {
    sources.merge(sources_of(document_.reactions[at(share.reaction)].id));
    if (share.part->formula) sources.merge(sources_of(*share.part->formula));
    if (!share.part->id.empty()) sources.merge(sources_of(share.part->id));
  }
  if (quantity->kind == Kind::species) {
    sources.merge(sources_of(document_.species[at(quantity->index)].conversion_factor));
    sources.merge(sources_of(compartment_of(*quantity).id));
  }
  if (quantity->by_amount) {
    sources.insert(id);
    sources.merge(sources_of_rate(compartment_of(*quantity).id));
  }
  open_.erase("rate of " + id);
  return sources;
}

std::set<std::string> Quantities::sources_of(const std::string& id) const {
  if (const auto known = sources_.find(id); known != sources_.end()) return known->second;
  const Quantity* const quantity = find(id);
  std::set<std::string> sources;
  if (quantity == nullptr || quantity->by == By::constant) return sources;
  if (!open_.insert(id).second) {
    meets_circle_ = true;
    return sources;
  }
  if (quantity->by == By::algebra) {
    sources = algebraic_sources_;
  } else if (quantity->by == By::rule) {
    if (quantity->rule != nullptr) sources = sources_of(*quantity->rule);
  } else {
    sources.insert(id);
    if (quantity->by_amount) sources.merge(sources_of(compartment_of(*quantity).id));
  }
  open_.erase(id);
  if (!meets_circle_) sources_[id] = sources;  // else it may lack what it follows in a circle
  if (open_.empty()) meets_circle_ = false;
  return sources;
}

std::optional<double> Quantities::start_value(const Math& math) const {
  return evaluate(math, [this](const std::string& name) { return start_value(name); });
}

std::optional<double> Quantities::start_value(const std::string& id) const {
  if (const auto known = starts_.find(id); known != starts_.end()) return known->second;
  const Quantity* const quantity = find(id);
  if (quantity == nullptr || !open_.insert("=" + id).second) return std::nullopt;
  const std::optional<double> value = compute_start(*quantity);
  open_.erase("=" + id);
  starts_[id] = value;
  return value;
}

std::optional<double> Quantities::compute_start(const Quantity& quantity) const {
  if (quantity.by == By::rule) return quantity.rule == nullptr ? std::nullopt : start_value(*quantity.rule);
  if (quantity.initial != nullptr) return start_value(*quantity.initial);
  if (quantity.kind != Kind::species) return quantity.given;
  const Species& from = document_.species[at(quantity.index)];
  const bool concentration = is_concentration(quantity);
  if (from.amount && !concentration) return from.amount;
  if (from.concentration && concentration) return from.concentration;
  const std::optional<double> size = start_value(from.compartment);
  if (from.amount && size) return *from.amount / *size;
  if (from.concentration && size) return *from.concentration * *size;
  return std::nullopt;
}

}  // namespace mti::sbml
