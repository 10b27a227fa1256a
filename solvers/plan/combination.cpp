#include "solvers/plan/combination.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/plan/left_null_vectors.hpp"

namespace mti {
namespace {

/// What cancels, relative to what it was added up from: some roundings where factors have few digits, as whole
/// numbers have, otherwise what the elimination may have been off (the threshold of its ranks is 1e-12).
constexpr double exact_rounding = 1e-15, inexact_rounding = 1e-13;

/// Order −m of D^times f_i is order times − m of f_i: below 0 its own Dirac part, from 0 on what x⁻ and the
/// inputs to the right make of it.
void add_dirac_parts(const Recombination::Step::Part& part, const CombinedRows& from, const JetRules& rules,
                     Recombination::DiracParts& parts) {
  const auto [equation, factor, times] = part;
  const Recombination::DiracParts& own = from.dirac_parts[equation];
  const std::size_t highest = times > 0 || !own.empty() ? at(times) + own.size() : 0;
  if (parts.size() < highest) parts.resize(highest);
  for (std::size_t k = 0; k < own.size(); ++k) parts[at(times) + k].add(own[k], factor);
  JetPolynomial known = from.rows[equation];
  known.drop_if([&](const JetPolynomial::Monomial& monomial, const auto&) {
    return !std::all_of(monomial.begin(), monomial.end(), [&](Jet jet) {
      return rules.is_input(jet.signal) || (rules.is_state(jet.signal) && jet.order == 0);
    });
  });
  for (int m = times; m >= 1; --m) {
    parts[at(m - 1)].add(known, factor);
    known = known.derivative_of_inputs(rules);
  }
}

}  // namespace

Combination combine(const std::vector<Recombination::Step::Part>& parts, const CombinedRows& from,
                    const JetRules& rules) {
  Combination result;
  result.step = {parts.front().equation, parts};
  bool exact = true;
  for (const Recombination::Step::Part& part : parts) {
    exact = exact && part.factor == with_few_digits(part.factor) && from.origins[part.equation].size() == 1;
    JetPolynomial derivative = from.rows[part.equation];
    for (int k = 0; k < part.times; ++k) derivative = derivative.derivative(rules);
    result.row.add(derivative, part.factor);
    add_dirac_parts(part, from, rules, result.dirac);
  }
  std::sort(result.step.parts.begin(), result.step.parts.end(), [](const auto& a, const auto& b) {
    return std::pair(a.equation, a.times) < std::pair(b.equation, b.times);
  });
  const double tolerance = exact ? exact_rounding : inexact_rounding;
  result.row.drop_cancelled(tolerance);
  for (JetPolynomial& part : result.dirac) part.drop_cancelled(tolerance);
  while (!result.dirac.empty() && result.dirac.back().empty()) result.dirac.pop_back();
  return result;
}

}  // namespace mti
