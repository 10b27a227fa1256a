#include "solvers/block_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace mti {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int most_iterations = 60;
constexpr double smallest_damping = 1e-6;

/// ∂f_i/∂v_j where order c_i of the equation gives order e_j of the unknown: as itself if c_i = e_j, and of
/// an unknown ẋ through x if c_i = e_j + 1.
std::vector<Eigen::Triplet<double>> leading_matrix(const RowMap& f, const SolutionBlock& block, int states,
                                                   std::span<const double> v,
                                                   const std::unordered_map<int, int>& position) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t j = 0; j < block.equations.size(); ++j)
    f.gradient(block.equations[j], v, [&](int signal, double slope) {
      const auto found = position.find(signal);
      if (found == position.end()) return;
      if (block.differentiated()) {
        const auto i = static_cast<std::size_t>(found->second);
        const bool through_state = signal == block.unknowns[i] + states && block.unknowns[i] < states;
        if (block.c[j] != block.e[i] + (through_state ? 1 : 0)) return;
      }
      entries.emplace_back(static_cast<int>(j), found->second, slope);
    });
  return entries;
}

/// The block as a square system in its unknowns w. Undifferentiated, w lives in v. Differentiated, equation i
/// stands for its Taylor coefficient c_i and unknown j for its Taylor coefficient e_j, times c_i! and e_j!,
/// so that ∂f_i/∂v_j is the matrix whatever the order.
class BlockSystem {
 public:
  BlockSystem(const RowMap& f, const SolutionBlock& block, std::span<double> v, const BlockSeries& at)
      : f_(f), block_(block), v_(v), at_(at) {
    for (std::size_t i = 0; i < block.unknowns.size(); ++i) {
      position_.emplace(block.unknowns[i], static_cast<int>(i));
      if (block.differentiated() && block.unknowns[i] < at_.states)
        position_.emplace(block.unknowns[i] + at_.states, static_cast<int>(i));
    }
  }

  [[nodiscard]] int size() const { return static_cast<int>(block_.unknowns.size()); }

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
      r[j] = 8.0 * epsilon *
             (block_.differentiated() ? magnitude_of_coefficient(j) : f_.magnitude(equation(j), v_));
    return r;
  }

  [[nodiscard]] std::vector<Eigen::Triplet<double>> jacobian() const {
    return leading_matrix(f_, block_, at_.states, v_, position_);
  }

  [[nodiscard]] Eigen::VectorXd unknowns() const {
    if (!block_.differentiated()) return read(v_);
    Eigen::VectorXd w(size());
    for (int i = 0; i < size(); ++i)
      w[i] =
          factorial(order(i)) * at_.series->at(block_.unknowns[static_cast<std::size_t>(i)], order(i)).value;
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
      if (block_.differentiated())
        enter_coefficient(*at_.series, at_.states, block_.unknowns[static_cast<std::size_t>(i)], order(i),
                          {w[i] / factorial(order(i)), 0.0});
    }
  }

 private:
  [[nodiscard]] std::size_t row(int i) const {
    return static_cast<std::size_t>(block_.unknowns[static_cast<std::size_t>(i)]);
  }
  [[nodiscard]] int equation(int j) const { return block_.equations[static_cast<std::size_t>(j)]; }
  [[nodiscard]] int order(int i) const { return block_.e[static_cast<std::size_t>(i)]; }
  [[nodiscard]] Carried scaled_coefficient(int j) const {
    const int c = block_.c[static_cast<std::size_t>(j)];
    const Carried r = f_.coefficient(equation(j), *at_.series, c);
    return {factorial(c) * r.value, factorial(c) * r.error};
  }
  /// Sizes of what is added up in a differentiated equation: its gradient against the unknowns' and known
  /// values.
  [[nodiscard]] double magnitude_of_coefficient(int j) const {
    const int c = block_.c[static_cast<std::size_t>(j)];
    double sum = c == 0 ? f_.magnitude(equation(j), v_) : 0.0;
    for (int l = 0; l <= c; ++l)
      f_.gradient_coefficient(equation(j), *at_.series, c - l, [&](int signal, double slope) {
        sum += factorial(c) * std::abs(slope * at_.series->at(signal, l).value);
      });
    return sum;
  }

  const RowMap& f_;
  const SolutionBlock& block_;
  std::span<double> v_;
  const BlockSeries& at_;
  std::unordered_map<int, int> position_;
};

BlockSolution solve_linear(BlockSystem& system) {
  BlockSolution solution;
  solution.factor = BlockFactor(system.size(), system.jacobian());
  if (solution.factor.singular()) return {BlockStatus::singular, {}};
  constexpr int refinements = 3;
  for (int i = 0; i <= refinements; ++i) {
    const Eigen::VectorXd r = system.residual();
    if (i > 0 && (r.cwiseAbs() - system.rounding()).maxCoeff() <= 0.0) break;
    system.set(system.unknowns() - solution.factor.solve(r));
  }
  return solution;
}

/// Weighted size of a step: relative to the unknowns' own size, so that units do not matter.
double step_size(const Eigen::VectorXd& step, const Eigen::VectorXd& w, const Eigen::VectorXd& scale) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < step.size(); ++i)
    largest = std::max(largest, std::abs(step[i]) / std::max({std::abs(w[i]), scale[i], 1e-300}));
  return largest;
}

BlockSolution solve_newton(BlockSystem& system) {
  BlockSolution solution;
  Eigen::VectorXd scale = system.unknowns().cwiseAbs();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    solution.factor = BlockFactor(system.size(), system.jacobian());
    if (solution.factor.singular()) return {BlockStatus::singular, {}};
    const Eigen::VectorXd w = system.unknowns(), r = system.residual();
    const Eigen::VectorXd step = -solution.factor.solve(r);
    const double size = step_size(step, w, scale);
    if (size <= 16.0 * epsilon || (r.cwiseAbs() - system.rounding()).maxCoeff() <= 0.0) return solution;
    scale = scale.cwiseMax(step.cwiseAbs());
    double damping = 1.0;
    for (; damping >= smallest_damping; damping *= 0.5) {
      system.set(w + damping * step);
      const Eigen::VectorXd next = solution.factor.solve(system.residual());
      if (next.allFinite() && step_size(next, w, scale) <= (1.0 - 0.5 * damping) * step_size(step, w, scale))
        break;
      // At rounding level no step improves the residual any more: the iterate is as good as it gets.
      if (size < 1e-10) return solution;
    }
    if (damping < smallest_damping) break;
  }
  solution.status = BlockStatus::no_convergence;
  return solution;
}

/// One equation in one unknown: affine, since the function is multilinear. a + b·w = 0.
BlockSolution solve_single(const RowMap& f, const SolutionBlock& block, std::span<double> v) {
  const int equation = block.equations.front(), unknown = block.unknowns.front();
  double& w = v[static_cast<std::size_t>(unknown)];
  BlockSolution solution;
  double slope = 0.0, slope_size = 0.0;
  f.gradient(equation, v, [&](int signal, double part) {
    if (signal != unknown) return;
    slope += part;
    slope_size += std::abs(part);
  });
  if (!std::isfinite(slope) || std::abs(slope) <= 16.0 * epsilon * slope_size) {
    solution.status = BlockStatus::singular;
    return solution;
  }
  w = 0.0;
  w = -f.value(equation, v) / slope;
  solution.factor = BlockFactor(slope);
  return solution;
}

}  // namespace

void enter_coefficient(TaylorSeries& series, int states, int unknown, int order, const Carried& coefficient) {
  series.at(unknown, order) = coefficient;
  if (unknown < states && order + 1 < series.orders())
    series.at(unknown + states, order + 1) = {coefficient.value / (order + 1),
                                              coefficient.error / (order + 1)};
}

BlockSolution solve_block(const RowMap& f, const SolutionBlock& block, std::span<double> v,
                          std::span<const double> guess, const BlockSeries& series) {
  if (block.unknowns.size() == 1 && !block.differentiated()) return solve_single(f, block, v);
  BlockSystem system(f, block, v, series);
  if (block.linear) return solve_linear(system);
  BlockSolution first = solve_newton(system);
  if (first.status == BlockStatus::solved || block.differentiated()) return first;
  const Eigen::VectorXd guessed = system.read(guess);
  const Eigen::VectorXd size = guessed.cwiseAbs().cwiseMax(1.0);
  // Products vanish at zero guesses and take the Jacobian's rank with them; so starts away from zero follow.
  for (const Eigen::VectorXd& start : {guessed, size, Eigen::VectorXd(-size)}) {
    system.set(start);
    BlockSolution next = solve_newton(system);
    if (next.status == BlockStatus::solved) return next;
  }
  return first;
}

}  // namespace mti
