#pragma once

#include "io/sbml/document.hpp"

namespace mti::sbml {

/// Calls take(math) for every formula of a document that is there, in the order of its lists; of a const document they are const.
template <class DocumentType, class Take>
void for_each_formula(DocumentType& document, Take take) {
  const auto take_one = [&](auto& math) {
    if (math) take(*math);
  };
  for (auto& rule : document.rules) take_one(rule.math);
  for (auto& assignment : document.initial_assignments) take_one(assignment.math);
  for (auto& constraint : document.constraints) take_one(constraint);
  for (auto& reaction : document.reactions) {
    take_one(reaction.law);
    for (auto* const side : {&reaction.reactants, &reaction.products})
      for (auto& part : *side) take_one(part.formula);
  }
  for (auto& event : document.events) {
    for (auto* const math : {&event.trigger, &event.delay, &event.priority}) take_one(*math);
    for (auto& assignment : event.assignments) take_one(assignment.math);
  }
}

}  // namespace mti::sbml
