#include "solvers/restart/scaled_impulses.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <unordered_map>

#include "mti/common/at.hpp"
#include "solvers/restart/impulse_orders.hpp"
#include "solvers/restart/known_impulses.hpp"

namespace mti {
namespace {

/// coefficient × product of unknowns (numbers within the group) × slopes' own states
struct Monomial {
  double coefficient = 0.0;
  std::vector<int> unknowns;
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

  void solve(Restart& restart) {
    std::vector<std::vector<double>> orders;
    const std::vector<Ball> known = KnownImpulses(place_).first_order();
    for (const int equation : dirac_rows_)
      possible_ = possible_ && (known.empty() || known[at(equation)].value == 0.0);
    if (possible_) {
      expand();
      orders = find_orders(order_problem());
    }
    for (std::vector<double>& one : orders) solve_leading(std::move(one));
    if (solutions_.size() != 1) {
      refuse(Restart::Status::product_of_impulses, restart);
      return;
    }
    if (a_leading_term_jumps(solutions_.front().orders))
      refuse(Restart::Status::jumping_coefficient, restart);
    else
      enter(restart);
  }

 private:
  struct Solution {
    std::vector<double> orders;
    Eigen::VectorXd w;  ///< scaled; of a slope of order 1 the jump
  };

  [[nodiscard]] bool is_slope(int unknown) const { return unknowns_[at(unknown)] < signature_.n(); }

  /// The Dirac rows as sums of monomials in the unknowns, everything else at its value.
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

  /// The terms that survive h → 0 in each row.
  [[nodiscard]] std::vector<std::vector<Monomial>> leading_rows(const std::vector<double>& orders) const {
    std::vector<std::vector<Monomial>> leading;
    for (const std::vector<Monomial>& row : rows_) {
      double largest = 0.0;
      for (const Monomial& monomial : row) largest = std::max(largest, order_of(monomial, orders));
      if (largest == 0.0) continue;
      auto& terms = leading.emplace_back();
      for (const Monomial& monomial : row)
        if (order_of(monomial, orders) > largest - 1e-9) terms.push_back(monomial);
    }
    return leading;
  }

  void solve_leading(std::vector<double> orders) {
    const std::vector<std::vector<Monomial>> leading = leading_rows(orders);
    std::vector<int> open;  // unknowns of the scaled system
    for (std::size_t j = 0; j < unknowns_.size(); ++j)
      if (orders[j] > 0.0 || is_value_[j] != 0) open.push_back(static_cast<int>(j));
    if (open.size() != leading.size() + value_rows_.size()) return;
    std::mt19937 random(1);
    // Within eight decades of the signals' own units, whatever accuracy is asked for.
    std::uniform_real_distribution<double> common(-8.0, 8.0), own(-1.5, 1.5);
    constexpr int starts = 400;
    for (int start = 0; start < starts; ++start) {
      Eigen::VectorXd w = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(unknowns_.size()));
      const double decade = common(random);
      for (const int j : open)
        w[j] = (random() % 2 == 0 ? 1.0 : -1.0) * unit_of(j) * std::pow(10.0, decade + own(random));
      if (!newton(leading, orders, open, w)) continue;
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

  bool newton(const std::vector<std::vector<Monomial>>& leading, const std::vector<double>& orders,
              const std::vector<int>& open, Eigen::VectorXd& w) const {
    const auto size = static_cast<Eigen::Index>(open.size());
    std::vector<Eigen::Index> column(unknowns_.size(), -1);
    for (Eigen::Index j = 0; j < size; ++j) column[at(open[at(j)])] = j;
    constexpr int most_iterations = 300;
    Eigen::VectorXd seen = Eigen::VectorXd::Zero(size);  // largest sizes on the way
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      Eigen::VectorXd r = Eigen::VectorXd::Zero(size);
      Eigen::MatrixXd J = Eigen::MatrixXd::Zero(size, size);
      for (std::size_t i = 0; i < leading.size(); ++i)
        for (const Monomial& monomial : leading[i]) {
          const auto row = static_cast<Eigen::Index>(i);
          double product = monomial.coefficient;
          for (const int unknown : monomial.unknowns) product *= w[unknown];
          r[row] += product;
          for (std::size_t b = 0; b < monomial.unknowns.size(); ++b) {
            double without = monomial.coefficient;
            for (std::size_t a = 0; a < monomial.unknowns.size(); ++a)
              if (a != b) without *= w[monomial.unknowns[a]];
            if (const Eigen::Index j = column[at(monomial.unknowns[b])]; j >= 0) J(row, j) += without;
          }
        }
      add_value_rows(static_cast<Eigen::Index>(leading.size()), orders, column, w, r, J);
      std::vector<Eigen::Triplet<double>> entries;
      for (Eigen::Index i = 0; i < size; ++i)
        for (Eigen::Index j = 0; j < size; ++j)
          if (J(i, j) != 0.0) entries.emplace_back(static_cast<int>(i), static_cast<int>(j), J(i, j));
      const LuFactor factor(static_cast<int>(size), entries);
      if (factor.singular()) return false;
      const Eigen::VectorXd step = factor.solve(r);
      if (!step.allFinite()) return false;
      double relative = 0.0;
      for (Eigen::Index j = 0; j < size; ++j) {
        double& unknown = w[open[at(j)]];
        unknown -= step[j];
        seen[j] = std::max(seen[j], std::abs(unknown));
        relative =
            std::max(relative, std::abs(step[j]) / std::max(std::abs(unknown), 1e-12 * seen[j] + 1e-300));
      }
      if (relative <= 1e-13 || (relative <= 1e-9 && relative >= last)) return true;
      last = relative;
    }
    return false;
  }

  /// Constraints at x⁺ = x⁻ + Δx, where only slopes of order 1 jump.
  void add_value_rows(Eigen::Index first, const std::vector<double>& orders,
                      const std::vector<Eigen::Index>& column, const Eigen::VectorXd& w, Eigen::VectorXd& r,
                      Eigen::MatrixXd& J) const {
    std::vector<double> v = place_.v;
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      const auto index = static_cast<Eigen::Index>(j);
      if (is_value_[j] != 0) v[at(unknowns_[j])] = w[index];
      if (is_slope(static_cast<int>(j)) && orders[j] > 1.0 - 1e-9)
        v[at(unknowns_[j] + signature_.n())] = place_.instant.v[at(unknowns_[j] + signature_.n())] + w[index];
    }
    for (std::size_t i = 0; i < value_rows_.size(); ++i) {
      const Eigen::Index row = first + static_cast<Eigen::Index>(i);
      r[row] = place_.system.f.value(value_rows_[i], v);
      place_.system.f.gradient(value_rows_[i], v, [&](int signal, double slope) {
        const bool state = signal >= signature_.n() && signal < 2 * signature_.n();
        const auto found = number_.find(state ? signal - signature_.n() : signal);
        if (found == number_.end()) return;
        const auto j = at(found->second);
        if (state && orders[j] < 1.0 - 1e-9) return;
        if (column[j] >= 0) J(row, column[j]) += slope;
      });
    }
  }

  /// Some term that survives is multiplied by a state that jumps.
  [[nodiscard]] bool a_leading_term_jumps(const std::vector<double>& orders) const {
    const auto jumps = [&](int signal) {
      const auto found = number_.find(signal - signature_.n());
      return signal >= signature_.n() && signal < 2 * signature_.n() && found != number_.end() &&
             orders[at(found->second)] > 1.0 - 1e-9;
    };
    for (std::size_t i = 0; i < dirac_rows_.size(); ++i) {
      double largest = 0.0;
      for (const Monomial& monomial : rows_[i]) largest = std::max(largest, order_of(monomial, orders));
      for (const RowMap::Term& term : place_.system.f.terms(dirac_rows_[i])) {
        double order = 0.0;
        bool jumping = false;
        for (const RowMap::Factor& factor : place_.system.f.factors(term.column)) {
          jumping = jumping || jumps(factor.signal);
          if (const auto found = number_.find(factor.signal); found != number_.end())
            order += orders[at(found->second)];
        }
        if (jumping && order > 1e-9 && order > largest - 1e-9) return true;
      }
    }
    return false;
  }

  void refuse(Restart::Status status, Restart& restart) const {
    restart.status = status;
    restart.equations = dirac_rows_;
    restart.unknowns.clear();
    for (const int row : unknowns_)
      restart.unknowns.push_back(row < signature_.n() ? row + signature_.n() : row);
  }

  void enter(Restart& restart) {
    const Solution& solution = solutions_.front();
    const BlockSeries series{&place_.series, signature_.n(), &restart.dirac, place_.instant.v};
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      const double value = solution.w[static_cast<Eigen::Index>(j)], order = solution.orders[j];
      const Ball carried{value, place_.accuracy.rtol * std::abs(value)};
      const int row = unknowns_[j];
      if (is_value_[j] != 0) {
        series.enter(row, 0, carried);
        place_.v[at(row)] = value;
      } else if (order > 1.0 - 1e-9 && order < 1.0 + 1e-9) {
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
