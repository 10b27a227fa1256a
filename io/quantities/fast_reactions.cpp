#include "io/quantities/fast_reactions.hpp"

#include <algorithm>

#include "io/sbml/document_formulas.hpp"
#include "io/sbml/evaluate_math.hpp"

namespace mti::sbml {
namespace {

/// The species that it changes; none where some of them cannot change, for what it keeps could not be kept.
std::set<std::string> balanced_by(const Document& document, const Reaction& reaction) {
  std::set<std::string> changed;
  if (!reaction.fast) return changed;
  for (const auto* const side : {&reaction.reactants, &reaction.products})
    for (const Participant& part : *side) {
      const auto found = std::ranges::find(document.species, part.species, &Species::id);
      if (found == document.species.end() || found->boundary || found->constant) return {};
      changed.insert(part.species);
    }
  return changed;
}

/// 0 whatever the signals are.
bool vanishes(const Math& math) {
  if (const auto value = evaluate(math, [](const std::string&) { return std::nullopt; });
      value && !holds_time(math))
    return *value == 0.0;
  if (math.op == "times") return std::ranges::any_of(math.of, vanishes);
  return (math.op == "plus" || math.op == "minus") && std::ranges::all_of(math.of, vanishes);
}

}  // namespace

bool is_in_balance(const Document& document, const Reaction& reaction) {
  return !balanced_by(document, reaction).empty() && !(reaction.law && vanishes(*reaction.law));
}

std::set<std::string> balanced_species(const Document& document) {
  std::set<std::string> species;
  for (const Reaction& reaction : document.reactions)
    if (is_in_balance(document, reaction)) species.merge(balanced_by(document, reaction));
  return species;
}

void refuse_fast_reactions(const Document& document, Refusals& refusals) {
  std::set<std::string> balanced;
  for (const Reaction& reaction : document.reactions)
    if (is_in_balance(document, reaction)) balanced.insert(reaction.id);
  if (balanced.empty()) return;
  std::set<std::string> named;
  for_each_formula(document, [&](const Math& math) {
    visit_names(math, [&](const std::string& name) {
      if (balanced.contains(name)) named.insert(name);
    });
  });
  for (const std::string& reaction : named)
    refusals.add("sbml-fast-reaction", reaction,
                 "a formula of the rate of a fast reaction, which is in balance and has no rate by its law");
  const std::set<std::string> species = balanced_species(document);
  for (const Event& event : document.events)
    for (const Assignment& assignment : event.assignments)
      if (species.contains(assignment.variable))
        refusals.add("sbml-fast-reaction", event.id,
                     "assigns to " + assignment.variable +
                         ", which a fast reaction changes: what it keeps would not be kept");
}

}  // namespace mti::sbml
