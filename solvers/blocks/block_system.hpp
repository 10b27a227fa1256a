#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <algorithm>
#include <span>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/blocks/block_solver.hpp"
#include "solvers/plan/system_jacobian.hpp"

namespace mti {

/// The block as a square system in its unknowns w. Undifferentiated, w lives in v. Differentiated, equation i
/// stands for its Taylor coefficient c_i and unknown j for its Taylor coefficient e_j, times c_i! and e_j!,
/// so that ∂f_i/∂v_j is the matrix whatever the order.
class BlockSystem {
 public:
  BlockSystem(const RowMap& f, const SolutionBlock& block, std::span<double> v, const BlockSeries& at)
      : f_(f), block_(block), v_(v), at_(at), matrix_(block, at.states) {}

  [[nodiscard]] int size() const { return static_cast<int>(block_.unknowns.size()); }
  [[nodiscard]] SolveFailure failure(SolveFailure::Kind kind) const { return failure_of(block_, kind); }

  [[nodiscard]] Eigen::VectorXd residual() const {
    Eigen::VectorXd r(size());
    for (int j = 0; j < size(); ++j)
      r[j] = block_.differentiated() ? scaled_coefficient(j).value : f_.value(equation(j), v_);
    return r;
  }

  /// What rounding alone can make of the residual.
  [[nodiscard]] Eigen::VectorXd rounding() const {
    Eigen::VectorXd r(size());
    for (int j = 0; j < size(); ++j)
      r[j] = 8.0 * machine_epsilon *
             (block_.differentiated() ? magnitude_of_coefficient(j) : f_.magnitude(equation(j), v_));
    return r;
  }

  [[nodiscard]] std::vector<Eigen::Triplet<double>> jacobian() const { return matrix_.entries(f_, v_); }
  /// Dirac parts are among the equations.
  [[nodiscard]] bool jumps() const {
    return std::any_of(block_.c.begin(), block_.c.end(), [](int c) { return c < 0; });
  }
  /// With entries that jacobian() takes for rounding.
  [[nodiscard]] std::vector<Eigen::Triplet<double>> jacobian_of_all() const {
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < size(); ++i)
      f_.gradient(equation(i), v_, [&](int signal, double slope) {
        if (const int j = matrix_.column(at(i), signal); j >= 0) entries.emplace_back(i, j, slope);
      });
    return entries;
  }
  /// At the present unknowns. Of one unknown it is a division, as the rest of the program expects.
  [[nodiscard]] LuFactor factor_here() const {
    const std::vector<Eigen::Triplet<double>> entries = jacobian();
    if (size() > 1 || block_.differentiated()) return {size(), entries};
    double slope = 0.0;
    for (const Eigen::Triplet<double>& entry : entries) slope += entry.value();
    // At a fold, as of sin where its slope is 0, nothing but rounding is left of the slope.
    const double w = v_[row(0)], noise = 16.0 * machine_epsilon * f_.magnitude(equation(0), v_);
    const bool folds = w != 0.0 && std::abs(slope * w) <= noise;
    return slope != 0.0 && std::isfinite(slope) && !folds ? LuFactor(slope) : LuFactor(1, {});
  }
  /// Of a linear block, whose matrix does not depend on its unknowns.
  [[nodiscard]] LuFactor factor() const {
    if (at_.constant == nullptr) return {size(), jacobian()};
    if (const LuFactor* const known = at_.constant->find(block_)) return *known;
    LuFactor factor(size(), jacobian());
    at_.constant->keep(f_, block_, factor);
    return factor;
  }

  [[nodiscard]] Eigen::VectorXd unknowns() const {
    if (!block_.differentiated()) return read(v_);
    Eigen::VectorXd w(size());
    for (int i = 0; i < size(); ++i) {
      const int unknown = block_.unknowns[at(i)];
      w[i] = order(i) < 0 ? (*at_.dirac)[at(unknown)].value
                          : factorial(order(i)) * at_.series->at(unknown, order(i)).value;
    }
    return w;
  }
  /// The unknowns' entries of another v.
  [[nodiscard]] Eigen::VectorXd read(std::span<const double> v) const {
    Eigen::VectorXd w(size());
    for (int i = 0; i < size(); ++i) w[i] = v[row(i)];
    return w;
  }
  void set(const Eigen::VectorXd& w) {
    for (int i = 0; i < size(); ++i) {
      if (!block_.differentiated() || order(i) == 0) v_[row(i)] = w[i];
      if (!block_.differentiated()) continue;
      const int unknown = block_.unknowns[at(i)];
      at_.enter(unknown, order(i), {order(i) < 0 ? w[i] : w[i] / factorial(order(i)), 0.0});
      if (order(i) < 0 && unknown < at_.states) {
        const auto state = at(unknown + at_.states);
        v_[state] = at_.left[state] + w[i];
      }
    }
  }

 private:
  [[nodiscard]] std::size_t row(int i) const { return at(block_.unknowns[at(i)]); }
  [[nodiscard]] int equation(int j) const { return block_.equations[at(j)]; }
  [[nodiscard]] int order(int i) const { return block_.e[at(i)]; }
  [[nodiscard]] Ball scaled_coefficient(int j) const {
    const int c = block_.c[at(j)];
    if (c < 0) return at_.dirac_part(f_, equation(j), v_);
    const Ball r = f_.coefficient(equation(j), *at_.series, c);
    return {factorial(c) * r.value, factorial(c) * r.error};
  }
  /// Sizes of what is added up in a differentiated equation: its gradient against the unknowns' and known
  /// values.
  [[nodiscard]] double magnitude_of_coefficient(int j) const {
    const int c = block_.c[at(j)];
    if (c < 0) {
      double sum = at_.known.empty() ? 0.0 : std::abs(at_.known[at(equation(j))].value);
      f_.gradient(equation(j), v_, [&](int signal, double slope) {
        if (const double weight = (*at_.dirac)[at(signal)].value; weight != 0.0)
          sum += std::abs(slope * weight);
      });
      return sum;
    }
    double sum = c == 0 ? f_.magnitude(equation(j), v_) + of_jumps(equation(j)) : 0.0;
    for (int l = 0; l <= c; ++l)
      f_.gradient_coefficient(equation(j), *at_.series, c - l, [&](int signal, double slope) {
        sum += factorial(c) * std::abs(slope * at_.series->at(signal, l).value);
      });
    return sum;
  }

  /// x⁺ = x⁻ + Δx has the rounding of its summands, of which nothing may be left.
  [[nodiscard]] double of_jumps(int equation) const {
    double sum = 0.0;
    if (at_.dirac == nullptr) return sum;
    f_.gradient(equation, v_, [&](int signal, double slope) {
      const int rate = signal - at_.states;
      if (rate >= 0 && rate < at_.states && (*at_.dirac)[at(rate)].value != 0.0)
        sum += std::abs(slope * at_.left[at(signal)]);
    });
    return sum;
  }

  const RowMap& f_;
  const SolutionBlock& block_;
  std::span<double> v_;
  const BlockSeries& at_;
  SystemJacobian matrix_;
};

}  // namespace mti
