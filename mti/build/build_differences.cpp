#include "mti/build/build_differences.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mti/polynomials/difference.hpp"

namespace mti::building {
namespace {

using text::Difference;
using text::DifferenceFactors;
using text::Group;
using text::Monomial;
using text::Polynomial;
using text::Power;
using text::Symbol;

bool is_affine_in_every_mode(const Relations& relations, const text::Elementary& elementary) {
  const auto factors = [](const text::Term& term) {
    return std::ranges::count_if(term.symbols, [](Symbol symbol) { return !symbol.idempotent(); });
  };
  return elementary.functions().empty() && elementary.divisors().empty() &&
         std::ranges::all_of(relations.equations, [&](const Row& row) {
           return std::ranges::all_of(row.terms, [&](const text::Term& term) { return factors(term) < 2; });
         });
}

/// A polynomial that may be rewritten, of an equation or not, with the row that is made of it, if there is one already.
struct Place {
  Polynomial* polynomial;
  Row* row;
  bool is_equation;
};

using PlacesByState = std::unordered_map<std::uint32_t, std::vector<Place>>;

PlacesByState places_by_state(conditions::Generated& made, Relations& relations) {
  PlacesByState places;
  const auto enter = [&](const Place& place) {
    std::set<std::uint32_t> states;
    for (const Monomial& monomial : place.polynomial->monomials())
      for (const Power& power : monomial.powers)
        if (power.symbol.group() == Group::state && !power.symbol.remembered())
          states.insert(power.symbol.code());
    for (const std::uint32_t state : states) places[state].push_back(place);
  };
  for (auto& [place, equation] : relations.flow_equations)
    enter({&equation, &relations.equations[place], true});
  for (auto& [place, constraint] : relations.switching_constraints)
    enter({&constraint, &relations.constraints[place], false});
  for (conditions::GeneratedBinary& binary : made.binaries) {
    enter({&binary.while_off, nullptr, false});
    enter({&binary.while_on, nullptr, false});
  }
  return places;
}

/// By binary, the signals that it multiplies.
using SwitchedSignals = std::map<Symbol, std::set<Symbol>>;

SwitchedSignals switched_signals(const Relations& relations) {
  SwitchedSignals signals;
  for (const auto& [place, equation] : relations.flow_equations)
    for (const Monomial& monomial : equation.monomials())
      for (const Power& binary : monomial.powers)
        for (const Power& power : monomial.powers)
          if (binary.symbol.idempotent() && !power.symbol.idempotent())
            signals[binary.symbol].insert(power.symbol);
  return signals;
}

/// By direction of a difference, all binaries that a threshold of it decides.
using Deciders = std::map<std::vector<std::pair<Symbol, double>>, std::set<Symbol>>;

/// By ẋ, the equations that hold it.
using RowsBySlope = std::unordered_map<std::uint32_t, std::vector<const Row*>>;

RowsBySlope rows_by_slope(const Relations& relations) {
  RowsBySlope rows;
  for (const Row& row : relations.equations)
    for (const text::Term& term : row.terms)
      for (const Symbol symbol : term.symbols)
        if (symbol.group() == Group::derivative) rows[symbol.code()].push_back(&row);
  return rows;
}

/// One of the flows stands in an equation of the state's slope. Of tables and other functions of one signal few do.
bool move(const std::vector<Symbol>& flows, Symbol state, const RowsBySlope& rows) {
  const auto of_slope = rows.find(Symbol(Group::derivative, state.index(), false).code());
  return of_slope != rows.end() && std::ranges::any_of(of_slope->second, [&](const Row* row) {
           return std::ranges::any_of(row->terms, [&](const text::Term& term) {
             return std::ranges::find_first_of(term.symbols, flows) != term.symbols.end();
           });
         });
}

/// A binary that the difference decides multiplies it, or the flow that follows from it; and none that another threshold of
/// its decides, as in a clamp.
bool drives_a_flow(const Place& place, const Difference& difference, const std::set<Symbol>& of_direction,
                   const SwitchedSignals& switched, const RowsBySlope& rows) {
  if (!place.is_equation) return false;
  const DifferenceFactors factors(*place.polynomial, difference);
  if (factors.empty()) return false;
  const std::vector<Symbol> flows = text::flows_beside(difference, *place.polynomial),
                            binaries = factors.binaries();
  const auto is_decided = [&](Symbol binary) {
    return std::ranges::find(difference.binaries, binary) != difference.binaries.end();
  };
  const auto is_of_another = [&](Symbol binary) {
    return of_direction.contains(binary) && !is_decided(binary);
  };
  const auto is_switched = [&](Symbol flow) {
    return std::ranges::any_of(difference.binaries, [&](Symbol binary) {
      const auto of_binary = switched.find(binary);
      return of_binary != switched.end() && of_binary->second.contains(flow);
    });
  };
  if (std::ranges::any_of(text::binaries_beside(difference, *place.polynomial), is_of_another) ||
      (difference.signals.size() == 1 && !move(flows, difference.signals.front().first, rows)))
    return false;
  return std::ranges::any_of(binaries, is_decided) ? !flows.empty() : std::ranges::any_of(flows, is_switched);
}

}  // namespace

void name_differences(const Declarations& names, text::Elementary& elementary, text::Copies& copies,
                      conditions::Generated& made, Relations& relations) {
  if (names.discrete || relations.flow_equations.empty() || is_affine_in_every_mode(relations, elementary))
    return;
  const PlacesByState places = places_by_state(made, relations);
  const SwitchedSignals switched = switched_signals(relations);
  const RowsBySlope rows = rows_by_slope(relations);
  std::vector<Difference> differences;
  for (const auto& [place, constraint] : relations.switching_constraints)
    if (std::optional<Difference> difference = difference_of(constraint))
      differences.push_back(std::move(*difference));
  for (std::size_t i = 0; i < made.binaries.size(); ++i)
    if (std::optional<Difference> difference = difference_of(made.binaries[i].while_off)) {
      difference->binaries.emplace_back(Group::binary, names.binaries + static_cast<int>(i), true);
      differences.push_back(std::move(*difference));
    }
  Deciders deciders;
  for (const Difference& difference : differences)
    deciders[difference.direction()].insert(difference.binaries.begin(), difference.binaries.end());
  for (const Difference& difference : differences) {
    const auto found = places.find(difference.signals.front().first.code());
    if (found == places.end()) continue;
    const std::set<Symbol>& of_direction = deciders[difference.direction()];
    std::vector<const Place*> driven;
    for (const Place& place : found->second)
      if (drives_a_flow(place, difference, of_direction, switched, rows)) driven.push_back(&place);
    if (driven.empty()) continue;
    const Symbol y = elementary.sum(difference.sum);
    for (const Place& place : found->second) {
      if (place.is_equation && std::ranges::find(driven, &place) == driven.end()) continue;
      const DifferenceFactors factors(*place.polynomial, difference);
      if (factors.empty()) continue;
      *place.polynomial = factors.named(std::move(*place.polynomial), difference.sum, y);
      if (place.row != nullptr) *place.row = row_of(*place.polynomial, copies);
    }
  }
}

}  // namespace mti::building
