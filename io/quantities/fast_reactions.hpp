#pragma once

#include <set>
#include <string>

#include "io/sbml/document.hpp"
#include "io/sbml/refusals.hpp"

namespace mti::sbml {

/// A reaction marked `fast` whose species may all change is in balance at all times: with its law v and its extent's rate R
///
///     0 = v(S)      in place of R = v,      dS/dt = … ± n·R
///
/// R being what keeps the balance. Where the start, or a jump, leaves it unbalanced, species move along ± n, for an impulse of R
/// keeps what the reaction keeps. One with a species that cannot change moves nothing (case 00873 of the semantic test suite).
/// Source: SBML level 3 version 1, section 4.11.1.
[[nodiscard]] bool is_in_balance(const Document& document, const Reaction& reaction);

/// Species that reactions in balance change: they may jump where a run begins.
[[nodiscard]] std::set<std::string> balanced_species(const Document& document);

/// `sbml-fast-reaction`: formulas of the rate of such a reaction, and events that assign to what it changes.
void refuse_fast_reactions(const Document& document, Refusals& refusals);

}  // namespace mti::sbml
