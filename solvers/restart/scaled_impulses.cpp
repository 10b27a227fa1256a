#include "solvers/restart/scaled_impulses.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <unordered_map>

#include "mti/common/at.hpp"
#include "solvers/blocks/newton.hpp"
#include "solvers/restart/impulse_orders.hpp"
#include "solvers/restart/known_impulses.hpp"

namespace mti {
namespace {

/// coefficient · Π of unknowns, which are counted within the group of blocks.
struct Monomial {
  double coefficient = 0.0;
  std::vector<int> unknowns;
};

/// Orders that differ by no more are the same.
constexpr double same_order = 1e-9;

/// coefficient · Π w, without the factor at `left_out` if it is one.
double product_of(const Monomial& monomial, const Eigen::VectorXd& w,
                  std::size_t left_out = std::numeric_limits<std::size_t>::max()) {
  double product = monomial.coefficient;
  for (std::size_t a = 0; a < monomial.unknowns.size(); ++a)
    if (a != left_out) product *= w[monomial.unknowns[a]];
  return product;
}

/// What is left of the rows for one choice of orders as h → 0, in those unknowns that it leaves open.
struct LeadingSystem {
  const std::vector<std::vector<Monomial>>& rows;
  const std::vector<double>& orders;
  std::vector<int> open;
  std::vector<Eigen::Index> column;  ///< by unknown: its place in `open`, or −1

  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(open.size()); }
};

class ScaledImpulses {
 public:
  ScaledImpulses(const RestartPlace& place, std::span<const SolutionBlock* const> blocks)
      : place_(place), signature_(place.model.signature) {
    for (const SolutionBlock* block : blocks) {
      for (std::size_t j = 0; j < block->unknowns.size(); ++j) {
        number_.emplace(block->unknowns[j], static_cast<int>(unknowns_.size()));
        unknowns_.push_back(block->unknowns[j]);
        is_value_.push_back(block->e[j] == 0 ? 1 : 0);
        possible_ = possible_ && block->e[j] <= 0;
      }
      for (std::size_t i = 0; i < block->equations.size(); ++i) {
        (block->c[i] < 0 ? dirac_rows_ : value_rows_).push_back(block->equations[i]);
        possible_ = possible_ && block->c[i] <= 0;
      }
    }
  }

  /// 1. The Dirac rows as sums of monomials. 2. All orders o with y ∼ h^(−o) that let the leading terms of
  /// every row cancel. 3. For each of them all real solutions of these leading terms. 4. Exactly one may be
  /// found: of several limits nobody could say which one an implicit Euler step goes to.
  void solve(Restart& restart) {
    std::vector<std::vector<double>> orders;
    // A known Dirac part would be one more term of order 1 in its row, which find_orders has no place for.
    const std::vector<Ball> known = KnownImpulses(place_).first_order();
    for (const int equation : dirac_rows_)
      possible_ = possible_ && (known.empty() || known[at(equation)].value == 0.0);
    if (possible_) {
      expand();
      orders = find_orders(order_problem());
    }
    for (std::vector<double>& one : orders) solve_leading(std::move(one));
    if (solutions_.size() != 1) {
      refuse(SolveFailure::Kind::product_of_impulses, restart);
      return;
    }
    // An implicit Euler step multiplies by x⁺, the same model written otherwise by x⁻. Where that counts in a
    // leading term, the result would depend on it.
    if (a_leading_term_jumps(solutions_.front().orders))
      refuse(SolveFailure::Kind::jumping_coefficient, restart);
    else
      enter(restart);
  }

 private:
  struct Solution {
    std::vector<double> orders;
    Eigen::VectorXd w;  ///< scaled; of a slope of order 1 the jump
  };

  [[nodiscard]] bool is_slope(int unknown) const { return unknowns_[at(unknown)] < signature_.n(); }

  /// The Dirac rows as sums of monomials in the unknowns, everything else at its value. Each factor 1 − |S| +
  /// S·v of a column has two terms, so that 2^k monomials come of k unknown factors; equal ones add up.
  void expand() {
    for (const int equation : dirac_rows_) {
      std::vector<Monomial>& row = rows_.emplace_back();
      for (const RowMap::Term& term : place_.system.f.terms(equation))
        expand(term.Phi, place_.system.f.factors(term.column), {}, row);
      std::erase_if(row, [](const Monomial& monomial) { return monomial.coefficient == 0.0; });
    }
  }

  void expand(double coefficient, std::span<const RowMap::Factor> factors, std::vector<int> product,
              std::vector<Monomial>& row) const {
    if (factors.empty()) {
      for (Monomial& monomial : row)
        if (monomial.unknowns == product) {
          monomial.coefficient += coefficient;
          return;
        }
      row.push_back({coefficient, std::move(product)});
      return;
    }
    const RowMap::Factor& factor = factors.front();
    const auto rest = factors.subspan(1);
    const auto found = number_.find(factor.signal);
    const bool unknown = found != number_.end() && is_value_[at(found->second)] == 0;
    const double value = unknown ? 0.0 : place_.v[at(factor.signal)];
    expand(coefficient * (1.0 - std::abs(factor.S) + factor.S * value), rest, product, row);
    if (!unknown) return;
    product.push_back(found->second);
    std::sort(product.begin(), product.end());
    expand(coefficient * factor.S, rest, std::move(product), row);
  }

  [[nodiscard]] OrderProblem order_problem() const {
    OrderProblem problem;
    problem.signals = static_cast<int>(unknowns_.size());
    for (int j = 0; j < problem.signals; ++j) problem.is_slope.push_back(is_slope(j) ? 1 : 0);
    for (const std::vector<Monomial>& row : rows_) {
      auto& terms = problem.rows.emplace_back();
      for (const Monomial& monomial : row) terms.push_back(monomial.unknowns);
    }
    return problem;
  }

  [[nodiscard]] static double order_of(const Monomial& monomial, const std::vector<double>& orders) {
    double sum = 0.0;
    for (const int unknown : monomial.unknowns) sum += orders[at(unknown)];
    return sum;
  }

  /// The terms that survive h → 0 in each row: those whose orders add up to the largest sum. A row without a
  /// term of positive order says nothing about what grows.
  [[nodiscard]] std::vector<std::vector<Monomial>> leading_rows(const std::vector<double>& orders) const {
    std::vector<std::vector<Monomial>> leading;
    for (const std::vector<Monomial>& row : rows_) {
      double largest = 0.0;
      for (const Monomial& monomial : row) largest = std::max(largest, order_of(monomial, orders));
      if (largest == 0.0) continue;
      auto& terms = leading.emplace_back();
      for (const Monomial& monomial : row)
        if (order_of(monomial, orders) > largest - same_order) terms.push_back(monomial);
    }
    return leading;
  }

  void solve_leading(std::vector<double> orders) {
    const std::vector<std::vector<Monomial>> leading = leading_rows(orders);
    LeadingSystem system{leading, orders, {}, std::vector<Eigen::Index>(unknowns_.size(), -1)};
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      if (orders[j] <= 0.0 && is_value_[j] == 0) continue;
      system.column[j] = system.size();
      system.open.push_back(static_cast<int>(j));
    }
    const std::vector<int>& open = system.open;
    if (open.size() != leading.size() + value_rows_.size()) return;
    // Leading terms are polynomials of low degree in few unknowns, and no start is known to be good: Newton's
    // method from many starts of all signs finds their real solutions. The seed is fixed, so that runs
    // repeat.
    std::mt19937 random(1);
    // Within eight decades of the signals' own units, whatever accuracy is asked for.
    std::uniform_real_distribution<double> common(-8.0, 8.0), own(-1.5, 1.5);
    constexpr int starts = 400;
    for (int start = 0; start < starts; ++start) {
      Eigen::VectorXd w = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(unknowns_.size()));
      const double decade = common(random);
      for (const int j : open)
        w[j] = (random() % 2 == 0 ? 1.0 : -1.0) * unit_of(j) * std::pow(10.0, decade + own(random));
      if (!solve(system, w)) continue;
      // Where some signal of positive order comes out as 0, it does not grow as these orders say.
      const bool all_there = std::all_of(
          open.begin(), open.end(), [&](int j) { return orders[at(j)] == 0.0 || counts(leading, w, j); });
      const bool is_new = std::none_of(solutions_.begin(), solutions_.end(), [&](const Solution& other) {
        return ((other.w - w).cwiseAbs() - 1e-6 * w.cwiseAbs()).maxCoeff() <= 0.0;
      });
      if (all_there && is_new) solutions_.push_back({orders, w});
    }
  }

  [[nodiscard]] double unit_of(int j) const {
    const int row = is_slope(j) ? unknowns_[at(j)] + signature_.n() : unknowns_[at(j)];
    const double unit = place_.accuracy.absolute[at(row)] / place_.accuracy.rtol;
    return unit > 0.0 ? unit : 1.0;
  }

  /// Whether unknown j is not zero, that is, contributes to some row.
  [[nodiscard]] static bool counts(const std::vector<std::vector<Monomial>>& leading,
                                   const Eigen::VectorXd& w, int j) {
    return std::any_of(leading.begin(), leading.end(), [&](const std::vector<Monomial>& row) {
      double largest = 0.0, own = 0.0;
      for (const Monomial& monomial : row) {
        double product = std::abs(monomial.coefficient);
        for (const int unknown : monomial.unknowns) product *= std::abs(w[unknown]);
        largest = std::max(largest, product);
        if (std::find(monomial.unknowns.begin(), monomial.unknowns.end(), j) != monomial.unknowns.end())
          own = std::max(own, product);
      }
      return own > 1e-9 * largest;
    });
  }

  /// The leading rows and the value rows as equations in the open entries of w.
  [[nodiscard]] Eigen::VectorXd residual(const LeadingSystem& system, const Eigen::VectorXd& w) const {
    Eigen::VectorXd r = Eigen::VectorXd::Zero(system.size());
    Eigen::Index row = 0;
    for (const std::vector<Monomial>& leading : system.rows) {
      for (const Monomial& monomial : leading) r[row] += product_of(monomial, w);
      ++row;
    }
    const std::vector<double> v = right_limit(system.orders, w);
    for (const int equation : value_rows_) r[row++] = place_.system.f.value(equation, v);
    return r;
  }

  [[nodiscard]] LuFactor factorise(const LeadingSystem& system, const Eigen::VectorXd& w) const {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(system.size(), system.size());
    Eigen::Index row = 0;
    for (const std::vector<Monomial>& leading : system.rows) {
      for (const Monomial& monomial : leading)
        for (std::size_t b = 0; b < monomial.unknowns.size(); ++b)
          if (const Eigen::Index j = system.column[at(monomial.unknowns[b])]; j >= 0)
            J(row, j) += product_of(monomial, w, b);
      ++row;
    }
    const std::vector<double> v = right_limit(system.orders, w);
    for (const int equation : value_rows_) {
      place_.system.f.gradient(equation, v, [&](int signal, double slope) {
        const bool state = signal >= signature_.n() && signal < 2 * signature_.n();
        const auto found = number_.find(state ? signal - signature_.n() : signal);
        if (found == number_.end() || (state && !jumps(found->second, system.orders))) return;
        if (const Eigen::Index j = system.column[at(found->second)]; j >= 0) J(row, j) += slope;
      });
      ++row;
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index i = 0; i < J.rows(); ++i)
      for (Eigen::Index j = 0; j < J.cols(); ++j)
        if (J(i, j) != 0.0) entries.emplace_back(static_cast<int>(i), static_cast<int>(j), J(i, j));
    return {static_cast<int>(J.rows()), entries};
  }

  /// Newton's method from w. An unknown that tends to 0 never comes to rest relative to its own size, but does
  /// relative to the largest that it has had.
  bool solve(const LeadingSystem& system, Eigen::VectorXd& w) const {
    const Eigen::Index size = system.size();
    const auto open = [&](Eigen::Index j) { return system.open[at(j)]; };
    const NewtonProblem problem{[&] {
                                  Eigen::VectorXd values(size);
                                  for (Eigen::Index j = 0; j < size; ++j) values[j] = w[open(j)];
                                  return values;
                                },
                                [&] { return residual(system, w); }, [&] { return factorise(system, w); },
                                [&](const Eigen::VectorXd& values) {
                                  for (Eigen::Index j = 0; j < size; ++j) w[open(j)] = values[j];
                                }};
    Eigen::VectorXd seen = Eigen::VectorXd::Zero(size);  // largest sizes on the way
    double last = std::numeric_limits<double>::infinity();
    const auto at_rest = [&](const Eigen::VectorXd& step, const Eigen::VectorXd& values) {
      for (Eigen::Index j = 0; j < size; ++j) seen[j] = std::max(seen[j], std::abs(values[j]));
      const double relative = relative_size(step, values, (1e-12 * seen.array() + 1e-300).matrix());
      const bool rests = relative <= 1e-13 || (relative <= 1e-9 && relative >= last);
      last = relative;
      return rests;
    };
    constexpr int most_iterations = 300;
    return newton(problem, most_iterations,
                  [&](const NewtonStep& from) { return take_full_step(problem, from, at_rest); })
        .solved();
  }

  /// A slope of order 1: its state jumps.
  [[nodiscard]] static bool jumps(int unknown, const std::vector<double>& orders) {
    return orders[at(unknown)] > 1.0 - same_order;
  }

  /// v at x⁺ = x⁻ + Δx, where only slopes of order 1 jump: there the constraints of order 0 hold.
  [[nodiscard]] std::vector<double> right_limit(const std::vector<double>& orders,
                                                const Eigen::VectorXd& w) const {
    std::vector<double> v = place_.v;
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      const auto index = static_cast<Eigen::Index>(j);
      if (is_value_[j] != 0) v[at(unknowns_[j])] = w[index];
      if (is_slope(static_cast<int>(j)) && jumps(static_cast<int>(j), orders))
        v[at(unknowns_[j] + signature_.n())] = place_.instant.v[at(unknowns_[j] + signature_.n())] + w[index];
    }
    return v;
  }

  /// Some term that survives is multiplied by a state that jumps.
  [[nodiscard]] bool a_leading_term_jumps(const std::vector<double>& orders) const {
    const auto is_jumping_state = [&](int signal) {
      const auto found = number_.find(signal - signature_.n());
      return signal >= signature_.n() && signal < 2 * signature_.n() && found != number_.end() &&
             jumps(found->second, orders);
    };
    for (std::size_t i = 0; i < dirac_rows_.size(); ++i) {
      double largest = 0.0;
      for (const Monomial& monomial : rows_[i]) largest = std::max(largest, order_of(monomial, orders));
      for (const RowMap::Term& term : place_.system.f.terms(dirac_rows_[i])) {
        double order = 0.0;
        bool jumping = false;
        for (const RowMap::Factor& factor : place_.system.f.factors(term.column)) {
          jumping = jumping || is_jumping_state(factor.signal);
          if (const auto found = number_.find(factor.signal); found != number_.end())
            order += orders[at(found->second)];
        }
        if (jumping && order > same_order && order > largest - same_order) return true;
      }
    }
    return false;
  }

  void refuse(SolveFailure::Kind kind, Restart& restart) const {
    restart.refuse(kind);
    restart.failure.equations = dirac_rows_;
    restart.failure.signals.clear();
    for (const int row : unknowns_) restart.failure.signals.push_back(named_row(signature_, row));
  }

  void enter(Restart& restart) {
    // By order o: a value; Δx or a weight of δ (o = 1); what grows by another power of 1/h, which is reported
    // only. Slopes of order below 1 let x pass continuously, since h·h^(−o) → 0.
    const Solution& solution = solutions_.front();
    const BlockSeries series{&place_.series, signature_.n(), &restart.dirac, place_.instant.v};
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      const double value = solution.w[static_cast<Eigen::Index>(j)], order = solution.orders[j];
      const Ball carried{value, place_.accuracy.rtol * std::abs(value)};
      const int row = unknowns_[j];
      if (is_value_[j] != 0) {
        series.enter(row, 0, carried);
        place_.v[at(row)] = value;
      } else if (order > 1.0 - same_order && order < 1.0 + same_order) {
        series.enter(row, -1, carried);
        if (row < signature_.n())
          place_.v[at(row + signature_.n())] = place_.instant.v[at(row + signature_.n())] + value;
      } else if (order > 0.0 && row >= signature_.n()) {
        restart.others.push_back({row, carried, order});
      }
    }
    std::sort(restart.others.begin(), restart.others.end(),
              [](const ImpulsivePart& a, const ImpulsivePart& b) { return a.row < b.row; });
  }

  const RestartPlace& place_;
  const Signature& signature_;
  bool possible_ = true;
  std::unordered_map<int, int> number_;
  std::vector<int> unknowns_, dirac_rows_, value_rows_;
  std::vector<char> is_value_;
  std::vector<std::vector<Monomial>> rows_;
  std::vector<Solution> solutions_;
};

}  // namespace

void balance_by_orders(const RestartPlace& place, std::span<const SolutionBlock* const> blocks,
                       Restart& restart) {
  ScaledImpulses(place, blocks).solve(restart);
}

}  // namespace mti
