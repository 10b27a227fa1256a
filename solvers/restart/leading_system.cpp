#include "solvers/restart/leading_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "solvers/blocks/newton.hpp"

namespace mti {
namespace {

/// coefficient · Π w, without the factor at `left_out` if it is one.
double product_of(const Monomial& monomial, const Eigen::VectorXd& w,
                  std::size_t left_out = std::numeric_limits<std::size_t>::max()) {
  double product = monomial.coefficient;
  for (std::size_t a = 0; a < monomial.unknowns.size(); ++a)
    if (a != left_out) product *= w[monomial.unknowns[a]];
  return product;
}

}  // namespace

ImpulseGroup::ImpulseGroup(const RestartPlace& place_, std::span<const SolutionBlock* const> blocks)
    : place(place_) {
  for (const SolutionBlock* block : blocks) {
    for (std::size_t j = 0; j < block->unknowns.size(); ++j) {
      number.emplace(block->unknowns[j], static_cast<int>(unknowns.size()));
      unknowns.push_back(block->unknowns[j]);
      is_value.push_back(block->e[j] == 0 ? 1 : 0);
      of_first_order = of_first_order && block->e[j] <= 0;
    }
    for (std::size_t i = 0; i < block->equations.size(); ++i) {
      (block->c[i] < 0 ? dirac_rows : value_rows).push_back(block->equations[i]);
      of_first_order = of_first_order && block->c[i] <= 0;
    }
  }
}

bool ImpulseGroup::is_slope(int j) const { return unknowns[at(j)] < place.model.signature.n(); }

double Monomial::order(const std::vector<double>& orders) const {
  double sum = 0.0;
  for (const int unknown : unknowns) sum += orders[at(unknown)];
  return sum;
}

LeadingSystem::LeadingSystem(const ImpulseGroup& group, const std::vector<std::vector<Monomial>>& dirac_rows,
                             const std::vector<double>& orders)
    : group_(group), orders_(orders), column_(group.unknowns.size(), -1) {
  for (const std::vector<Monomial>& row : dirac_rows) {
    double largest = 0.0;
    for (const Monomial& monomial : row) largest = std::max(largest, monomial.order(orders));
    if (largest == 0.0) continue;
    std::vector<Monomial>& terms = rows_.emplace_back();
    for (const Monomial& monomial : row)
      if (monomial.order(orders) > largest - same_order) terms.push_back(monomial);
  }
  for (std::size_t j = 0; j < group.unknowns.size(); ++j) {
    if (orders[j] <= 0.0 && group.is_value[j] == 0) continue;
    column_[j] = size();
    open_.push_back(static_cast<int>(j));
  }
}

/// v at x⁺ = x⁻ + Δx: there the value rows hold.
std::vector<double> LeadingSystem::right_limit(const Eigen::VectorXd& w) const {
  const std::vector<double>& left = group_.place.instant.v;
  std::vector<double> v = group_.place.v;
  for (Eigen::Index j = 0; j < w.size(); ++j) {
    const int row = group_.unknowns[at(j)];
    if (group_.is_value[at(j)] != 0) v[at(row)] = w[j];
    if (!group_.is_slope(static_cast<int>(j)) || !is_of_order_one(orders_[at(j)])) continue;
    const auto state = at(row + group_.place.model.signature.n());
    v[state] = left[state] + w[j];
  }
  return v;
}

Eigen::VectorXd LeadingSystem::residual(const Eigen::VectorXd& w) const {
  Eigen::VectorXd r = Eigen::VectorXd::Zero(size());
  Eigen::Index i = 0;
  for (const std::vector<Monomial>& row : rows_) {
    for (const Monomial& monomial : row) r[i] += product_of(monomial, w);
    ++i;
  }
  const std::vector<double> v = right_limit(w);
  for (const int equation : group_.value_rows) r[i++] = group_.place.system.f.value(equation, v);
  return r;
}

LuFactor LeadingSystem::factorise(const Eigen::VectorXd& w) const {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(size(), size());
  Eigen::Index i = 0;
  for (const std::vector<Monomial>& row : rows_) {
    for (const Monomial& monomial : row)
      for (std::size_t b = 0; b < monomial.unknowns.size(); ++b)
        if (const Eigen::Index j = column_[at(monomial.unknowns[b])]; j >= 0)
          J(i, j) += product_of(monomial, w, b);
    ++i;
  }
  // x⁺ in the value rows stands for the jump of x, if it jumps.
  const int n = group_.place.model.signature.n();
  const std::vector<double> v = right_limit(w);
  for (const int equation : group_.value_rows) {
    group_.place.system.f.gradient(equation, v, [&](int signal, double slope) {
      const bool state = signal >= n && signal < 2 * n;
      const auto found = group_.number.find(state ? signal - n : signal);
      if (found == group_.number.end() || (state && !is_of_order_one(orders_[at(found->second)]))) return;
      if (const Eigen::Index j = column_[at(found->second)]; j >= 0) J(i, j) += slope;
    });
    ++i;
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (int row = 0; row < static_cast<int>(J.rows()); ++row)
    for (int column = 0; column < static_cast<int>(J.cols()); ++column)
      if (J(row, column) != 0.0) entries.emplace_back(row, column, J(row, column));
  return {static_cast<int>(J.rows()), entries};
}

bool LeadingSystem::solve(Eigen::VectorXd& w) const {
  const auto value_of = [&](Eigen::Index j) -> double& { return w[open_[at(j)]]; };
  const NewtonProblem problem{[&] {
                                Eigen::VectorXd values(size());
                                for (Eigen::Index j = 0; j < size(); ++j) values[j] = value_of(j);
                                return values;
                              },
                              [&] { return residual(w); }, [&] { return factorise(w); },
                              [&](const Eigen::VectorXd& values) {
                                for (Eigen::Index j = 0; j < size(); ++j) value_of(j) = values[j];
                              }};
  // An unknown that tends to 0 never comes to rest relative to its own size, but does relative to the largest
  // that it has had. One that counts in some row is judged by its own size: from a start near 0 a cube makes the
  // first step so large that on the long way back every step is small beside it.
  Eigen::VectorXd seen = Eigen::VectorXd::Zero(size());
  double last = std::numeric_limits<double>::infinity();
  const auto at_rest = [&](const Eigen::VectorXd& step, const Eigen::VectorXd& values) {
    for (Eigen::Index j = 0; j < size(); ++j) seen[j] = std::max(seen[j], std::abs(values[j]));
    constexpr double smallest = 1e-300, part_of_seen = 1e-12;
    Eigen::VectorXd floor = (part_of_seen * seen.array() + smallest).matrix();
    for (Eigen::Index j = 0; j < size(); ++j)
      if (holds(w, open_[at(j)])) floor[j] = smallest;
    const double relative = relative_size(step, values, floor);
    const bool rests = relative <= 1e-13 || (relative <= 1e-9 && relative >= last);
    last = relative;
    return rests;
  };
  constexpr int most_iterations = 300;
  const auto take = [&](const NewtonStep& from) { return take_full_step(problem, from, at_rest); };
  return newton(problem, most_iterations, take).solved();
}

bool LeadingSystem::holds(const Eigen::VectorXd& w, int j) const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const std::vector<Monomial>& row) {
    double largest = 0.0, own = 0.0;
    for (const Monomial& monomial : row) {
      const double size_of_term = std::abs(product_of(monomial, w));
      largest = std::max(largest, size_of_term);
      if (std::find(monomial.unknowns.begin(), monomial.unknowns.end(), j) != monomial.unknowns.end())
        own = std::max(own, size_of_term);
    }
    return own > 1e-9 * largest;
  });
}

}  // namespace mti
