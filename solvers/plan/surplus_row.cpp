#include "solvers/plan/surplus_row.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/plan/left_null_vectors.hpp"

namespace mti {
namespace {

constexpr int most_differentiated = 2;

/// A row of the matrix: D^times of an equation.
struct Derivative {
  EquationRow equation;
  int times;
  JetPolynomial row;  ///< without its number
};

std::vector<Derivative> derivatives_of(std::span<const EquationRow> equations, const CombinedRows& from,
                                       const JetRules& rules) {
  std::vector<Derivative> result;
  for (const EquationRow equation : equations) {
    check_budget();
    JetPolynomial row = from.rows[equation];
    for (int times = 0; times <= most_differentiated; ++times) {
      if (times > 0) row = row.derivative(rules);
      row.drop_if([](const JetPolynomial::Monomial& monomial, const auto&) { return monomial.empty(); });
      if (row.empty()) break;
      result.push_back({equation, times, row});
    }
  }
  return result;
}

std::vector<LeftNullVector> null_vectors(const std::vector<Derivative>& derivatives,
                                         const Indexed<MatrixRow, int>& levels) {
  Indexed<MatrixRow, std::vector<JetPolynomial>> matrix;
  for (const Derivative& derivative : derivatives) matrix.append({derivative.row});
  return left_null_vectors(matrix, levels);
}

/// f_p first, then the derivatives of other rows that take part; nothing if there is no such sum.
std::vector<Recombination::Step::Part> sum_of_others(EquationRow p,
                                                     const std::vector<Derivative>& derivatives) {
  std::vector<Derivative> chosen;
  Indexed<MatrixRow, int> levels;
  const auto choose = [&](const Derivative& derivative, int level) {
    chosen.push_back(derivative);
    levels.append(level);
  };
  for (const Derivative& derivative : derivatives)
    if (derivative.equation == p && derivative.times == 0) choose(derivative, 0);
  // What can be said with lower derivatives is said with them: the highest are eliminated first.
  for (const Derivative& derivative : derivatives)
    if (derivative.equation != p) choose(derivative, 1 + most_differentiated - derivative.times);
  for (const LeftNullVector& vector : null_vectors(chosen, levels)) {
    if (vector.pivot != MatrixRow(0)) continue;
    std::vector<Recombination::Step::Part> parts{{p, 1.0, 0}};
    for (const auto& [row, factor] : vector.others)
      parts.push_back({chosen[at(row.value())].equation, factor, chosen[at(row.value())].times});
    return parts;
  }
  return {};
}

/// Nothing but a number is left, and no number that is rounding.
bool cancels(JetPolynomial& row) {
  row.drop_cancelled(rank_tolerance);
  return std::ranges::all_of(row.terms(), [](const auto& term) { return term.first.empty(); });
}

}  // namespace

std::optional<Combination> surplus_row(std::span<const EquationRow> equations, const CombinedRows& from,
                                       const JetRules& rules) {
  std::vector<Derivative> derivatives = derivatives_of(equations, from, rules);
  Indexed<MatrixRow, int> levels;
  for (const Derivative& derivative : derivatives) levels.append(derivative.times);
  std::set<EquationRow> concerned, candidates;
  for (const LeftNullVector& vector : null_vectors(derivatives, levels)) {
    const auto take = [&](MatrixRow row) {
      const Derivative& derivative = derivatives[at(row.value())];
      concerned.insert(derivative.equation);
      if (derivative.times == 0) candidates.insert(derivative.equation);
    };
    take(vector.pivot);
    for (const auto& [row, factor] : vector.others) take(row);
  }
  std::erase_if(derivatives,
                [&](const Derivative& derivative) { return !concerned.contains(derivative.equation); });
  for (auto p = candidates.rbegin(); p != candidates.rend(); ++p) {
    const std::vector<Recombination::Step::Part> parts = sum_of_others(*p, derivatives);
    if (parts.empty()) continue;
    Combination combination = combine(parts, from, rules);
    if (!cancels(combination.row)) continue;
    combination.step.surplus = true;
    return combination;
  }
  return std::nullopt;
}

}  // namespace mti
