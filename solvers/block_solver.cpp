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

/// The block as a square system in its unknowns w, with v as the place where w lives.
class BlockSystem {
 public:
  BlockSystem(const RowMap& f, const SolutionBlock& block, std::span<double> v)
      : f_(f), block_(block), v_(v) {
    for (std::size_t i = 0; i < block.unknowns.size(); ++i)
      position_.emplace(block.unknowns[i], static_cast<int>(i));
  }

  [[nodiscard]] int size() const { return static_cast<int>(block_.unknowns.size()); }

  [[nodiscard]] Eigen::VectorXd residual() const {
    Eigen::VectorXd r(size());
    for (int j = 0; j < size(); ++j) r[j] = f_.value(block_.equations[static_cast<std::size_t>(j)], v_);
    return r;
  }

  /// What rounding alone can make of the residual.
  [[nodiscard]] Eigen::VectorXd rounding() const {
    Eigen::VectorXd r(size());
    for (int j = 0; j < size(); ++j)
      r[j] = 8.0 * epsilon * f_.magnitude(block_.equations[static_cast<std::size_t>(j)], v_);
    return r;
  }

  [[nodiscard]] std::vector<Eigen::Triplet<double>> jacobian() const {
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < size(); ++j)
      f_.gradient(block_.equations[static_cast<std::size_t>(j)], v_, [&](int signal, double slope) {
        if (const auto found = position_.find(signal); found != position_.end())
          entries.emplace_back(j, found->second, slope);
      });
    return entries;
  }

  [[nodiscard]] Eigen::VectorXd unknowns() const { return read(v_); }
  /// The unknowns' entries of another v.
  [[nodiscard]] Eigen::VectorXd read(std::span<const double> v) const {
    Eigen::VectorXd w(size());
    for (int i = 0; i < size(); ++i) w[i] = v[row(i)];
    return w;
  }
  void set(const Eigen::VectorXd& w) {
    for (int i = 0; i < size(); ++i) v_[row(i)] = w[i];
  }

 private:
  [[nodiscard]] std::size_t row(int i) const {
    return static_cast<std::size_t>(block_.unknowns[static_cast<std::size_t>(i)]);
  }

  const RowMap& f_;
  const SolutionBlock& block_;
  std::span<double> v_;
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

BlockSolution solve_block(const RowMap& f, const SolutionBlock& block, std::span<double> v,
                          std::span<const double> guess) {
  if (block.unknowns.size() == 1) return solve_single(f, block, v);
  BlockSystem system(f, block, v);
  if (block.linear) return solve_linear(system);
  BlockSolution first = solve_newton(system);
  if (first.status == BlockStatus::solved) return first;
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
