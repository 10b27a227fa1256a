#include "solvers/restart/scaled_impulses.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/impulses/impulse_orders.hpp"
#include "solvers/impulses/row_monomials.hpp"
#include "solvers/restart/known_impulses.hpp"
#include "solvers/restart/leading_system.hpp"

namespace mti {
namespace {

/// By order o: Δx or a weight of δ (o = 1); what grows by another power of 1/h, which is reported only. Slopes of order
/// below 1 let x pass continuously, since h·h^(−o) → 0.
void enter_parts(const RestartPlace& place, const std::vector<ImpulsivePart>& parts, LeadingBalance leading,
                 Restart& restart) {
  const int n = place.model.signature.n();
  const BlockSeries series{&place.series, n, &restart.dirac, place.instant.v};
  for (const ImpulsivePart& part : parts) {
    const bool is_slope = part.row < n;
    if (is_of_order_one(part.order) && part.order < 1.0 + same_order) {
      series.enter(part.row, -1, part.weight);
      if (is_slope) place.v[at(part.row + n)] = place.instant.v[at(part.row + n)] + part.weight.value;
    } else if (part.order > 0.0) {
      (is_slope ? leading.slopes : restart.others).push_back(part);
    }
  }
  std::ranges::sort(restart.others, {}, &ImpulsivePart::row);
  restart.leading.push_back(std::move(leading));
}

class ScaledImpulses {
 public:
  ScaledImpulses(const RestartPlace& place, std::span<const SolutionBlock* const> blocks)
      : place_(place), signature_(place.model.signature), group_(place, blocks) {}

  /// 1. The Dirac rows as sums of monomials. 2. All orders o with y ∼ h^(−o) that let the leading terms of
  /// every row cancel. 3. For each of them all real solutions of these leading terms. 4. Exactly one may be
  /// found: of several limits nobody could say which one an implicit Euler step goes to.
  void solve(Restart& restart) {
    std::vector<std::vector<double>> orders;
    // A known Dirac part would be one more term of order 1 in its row, which find_orders has no place for.
    const std::vector<Ball> known = KnownImpulses(place_).first_order();
    const bool possible =
        group_.of_first_order &&
        std::all_of(group_.dirac_rows.begin(), group_.dirac_rows.end(), [&](int equation) {
          return (known.empty() || known[at(equation)].value == 0.0) && !holds_function(equation);
        });
    if (possible && expand()) orders = find_orders(order_problem());
    for (std::vector<double>& one : orders) solve_leading(std::move(one));
    if (solutions_.size() != 1) {
      refuse(SolveFailure::Kind::product_of_impulses, restart);
      return;
    }
    enter(restart);
  }

 private:
  struct Solution {
    std::vector<double> orders;
    Eigen::VectorXd w;  ///< scaled; of a slope of order 1 the jump
  };

  /// A function of an infinite argument has no leading term.
  [[nodiscard]] bool holds_function(int equation) const {
    const RowMap& f = place_.system.f;
    return std::ranges::any_of(
        f.terms(equation), [&](const RowMap::Term& term) { return f.function_of(term.column) != nullptr; });
  }

  /// The Dirac rows as sums of monomials in the unknowns, everything else at its value. False if there are more than
  /// find_orders could choose from.
  bool expand() {
    std::vector<char> unknown(place_.v.size(), 0);
    for (std::size_t j = 0; j < group_.unknowns.size(); ++j)
      if (group_.is_value[j] == 0) unknown[at(group_.unknowns[j])] = 1;
    const auto value = [&](const RowMap::Factor& factor) {
      return Ball{1.0 - std::abs(factor.S) + factor.S * place_.v[at(factor.signal)], 0.0};
    };
    for (const int equation : group_.dirac_rows) {
      const auto found = monomials_of(place_.system.f, equation, unknown, value, most_terms_of_row);
      if (!found) return false;
      std::vector<Monomial>& row = rows_.emplace_back();
      for (const auto& [signals, coefficient] : *found) {
        Monomial& monomial = row.emplace_back(Monomial{coefficient.value, {}});
        for (const int signal : signals) monomial.unknowns.push_back(group_.number.at(signal));
      }
    }
    return true;
  }

  [[nodiscard]] OrderProblem order_problem() const {
    OrderProblem problem;
    problem.signals = static_cast<int>(group_.unknowns.size());
    for (int j = 0; j < problem.signals; ++j) problem.is_slope.push_back(group_.is_slope(j) ? 1 : 0);
    for (const std::vector<Monomial>& row : rows_) {
      auto& terms = problem.rows.emplace_back();
      for (const Monomial& monomial : row) terms.push_back(monomial.unknowns);
    }
    return problem;
  }

  void solve_leading(std::vector<double> orders) {
    const LeadingSystem system(group_, rows_, orders);
    if (!system.is_square()) return;
    // Leading terms are polynomials of low degree in few unknowns, and no start is known to be good: Newton's
    // method from many starts of all signs finds their real solutions. The seed is fixed, so that runs
    // repeat.
    std::mt19937 random(1);
    // Within eight decades of the signals' own units, whatever accuracy is asked for.
    std::uniform_real_distribution<double> common(-8.0, 8.0), own(-1.5, 1.5);
    constexpr int starts = 400;
    for (int start = 0; start < starts; ++start) {
      check_budget();
      Eigen::VectorXd w = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(group_.unknowns.size()));
      // What does not grow multiplies what does by its value.
      for (std::size_t j = 0; j < orders.size(); ++j)
        if (orders[j] == 0.0 && group_.is_value[j] == 0)
          w[static_cast<Eigen::Index>(j)] = place_.v[at(group_.unknowns[j])];
      const double decade = common(random);
      for (const int j : system.open())
        w[j] = (random() % 2 == 0 ? 1.0 : -1.0) * unit_of(j) * std::pow(10.0, decade + own(random));
      if (!system.solve(w)) continue;
      // Where some signal of positive order comes out as 0, it does not grow as these orders say.
      const bool all_there = std::all_of(system.open().begin(), system.open().end(),
                                         [&](int j) { return orders[at(j)] == 0.0 || system.holds(w, j); });
      const bool is_new = std::none_of(solutions_.begin(), solutions_.end(), [&](const Solution& other) {
        return ((other.w - w).cwiseAbs() - 1e-6 * w.cwiseAbs()).maxCoeff() <= 0.0;
      });
      if (all_there && is_new) solutions_.push_back({orders, w});
    }
  }

  /// What counts as one of the unknown; nominal values are positive.
  [[nodiscard]] double unit_of(int j) const {
    const int row = group_.unknowns[at(j)], algebraic = signature_.algebraic_row(0);
    if (group_.is_slope(j)) return signature_.states()[at(row)].nominal;
    const bool is_algebraic = row >= algebraic && row < signature_.binary_row(0);
    return is_algebraic ? signature_.algebraic()[at(row - algebraic)].nominal : 1.0;
  }

  void refuse(SolveFailure::Kind kind, Restart& restart) const {
    restart.refuse(kind);
    restart.failure.equations = group_.dirac_rows;
    restart.failure.signals.clear();
    for (const int row : group_.unknowns) restart.failure.signals.push_back(named_row(signature_, row));
  }

  void enter(Restart& restart) {
    const Solution& solution = solutions_.front();
    LeadingBalance leading{group_.dirac_rows, std::vector<double>(place_.v.size(), 0.0), place_.v};
    const BlockSeries series{&place_.series, signature_.n(), &restart.dirac, place_.instant.v};
    std::vector<ImpulsivePart> parts;
    for (std::size_t j = 0; j < group_.unknowns.size(); ++j) {
      const double value = solution.w[static_cast<Eigen::Index>(j)];
      const ImpulsivePart part{
          group_.unknowns[j], {value, place_.accuracy.rtol * std::abs(value)}, solution.orders[j]};
      leading.orders[at(part.row)] = part.order;
      if (group_.is_value[j] != 0) {
        series.enter(part.row, 0, part.weight);
        place_.v[at(part.row)] = value;
      } else {
        parts.push_back(part);
      }
    }
    enter_parts(place_, parts, std::move(leading), restart);
  }

  const RestartPlace& place_;
  const Signature& signature_;
  ImpulseGroup group_;
  std::vector<std::vector<Monomial>> rows_;
  std::vector<Solution> solutions_;
};

}  // namespace

void enter_followers(const RestartPlace& place, const SolutionBlock& block,
                     std::span<const ImpulsivePart> known, const std::vector<ImpulsivePart>& parts,
                     Restart& restart) {
  LeadingBalance leading{block.equations, std::vector<double>(place.v.size(), 0.0), place.v};
  for (const auto& list : {known, std::span(parts)})
    for (const ImpulsivePart& part : list)
      leading.orders[at(part.row)] = std::max(leading.orders[at(part.row)], part.order);
  enter_parts(place, parts, std::move(leading), restart);
}

void balance_by_orders(const RestartPlace& place, std::span<const SolutionBlock* const> blocks,
                       Restart& restart) {
  ScaledImpulses(place, blocks).solve(restart);
}

}  // namespace mti
