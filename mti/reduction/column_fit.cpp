#include <Eigen/Cholesky>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <random>

#include "mti/common/at.hpp"
#include "mti/reduction/column.hpp"

namespace mti::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// All modes of a group: its signals, then its rows.
std::vector<MatrixXd> modes_of(const ColumnGroup& group) {
  std::vector<MatrixXd> modes = group.factors;
  modes.push_back(group.weights);
  return modes;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  double operator()() { return std::ldexp(static_cast<double>(bits_() >> 11U), -52) - 1.0; }
  bool coin() { return (bits_() >> 63U) != 0; }
  Index below(Index count) { return static_cast<Index>(bits_() % static_cast<std::uint64_t>(count)); }

 private:
  std::mt19937_64 bits_;
};

/// Gives the factors of each column equal norms: the product says nothing about them.
void balance(std::vector<MatrixXd>& modes) {
  for (Index k = 0; k < modes.back().cols(); ++k) {
    double logarithm = 0.0;
    for (const MatrixXd& mode : modes) logarithm += std::log(std::max(mode.col(k).norm(), 1e-300));
    const double size = std::exp(logarithm / static_cast<double>(modes.size()));
    for (MatrixXd& mode : modes) mode.col(k) *= size / std::max(mode.col(k).norm(), 1e-300);
  }
}

/// Normal equations JᵀJ δ = −Jᵀr of the residual r = T̂ − T, from Gram matrices of the modes.
struct NormalEquations {
  MatrixXd JtJ;
  VectorXd Jtr;
};

NormalEquations normal_equations(const std::vector<MatrixXd>& modes, const std::vector<MatrixXd>& target) {
  const std::size_t M = modes.size();
  const Index R = modes.back().cols();
  std::vector<Index> start(M + 1, 0);
  for (std::size_t m = 0; m < M; ++m) start[m + 1] = start[m] + modes[m].rows() * R;
  NormalEquations result{MatrixXd::Zero(start[M], start[M]), VectorXd::Zero(start[M])};
  std::vector<MatrixXd> gram, cross;
  gram.reserve(M);
  cross.reserve(M);
  for (std::size_t m = 0; m < M; ++m) {
    gram.emplace_back(modes[m].transpose() * modes[m]);
    cross.emplace_back(modes[m].transpose() * target[m]);
  }
  /// Hadamard product of all but one or two.
  const auto without = [&](const std::vector<MatrixXd>& all, std::size_t one, std::size_t other) {
    MatrixXd product = MatrixXd::Ones(all.front().rows(), all.front().cols());
    for (std::size_t m = 0; m < M; ++m)
      if (m != one && m != other) product.array() *= all[m].array();
    return product;
  };
  for (std::size_t i = 0; i < M; ++i) {
    const Index d = modes[i].rows();
    const MatrixXd G = without(gram, i, i);
    const MatrixXd gradient = modes[i] * G - target[i] * without(cross, i, i).transpose();
    // Not reshaped(), which takes a single number to be aligned to more than allocators promise.
    result.Jtr.segment(start[i], d * R) = Eigen::Map<const VectorXd>(gradient.data(), gradient.size());
    for (Index k = 0; k < R; ++k)
      for (Index l = 0; l < R; ++l)
        result.JtJ.block(start[i] + k * d, start[i] + l * d, d, d).diagonal().setConstant(G(k, l));
    for (std::size_t j = i + 1; j < M; ++j) {
      const Index e = modes[j].rows();
      const MatrixXd H = without(gram, i, j);
      for (Index k = 0; k < R; ++k)
        for (Index l = 0; l < R; ++l) {
          const MatrixXd block = H(k, l) * modes[i].col(l) * modes[j].col(k).transpose();
          result.JtJ.block(start[i] + k * d, start[j] + l * e, d, e) = block;
          result.JtJ.block(start[j] + l * e, start[i] + k * d, e, d) = block.transpose();
        }
    }
  }
  return result;
}

ColumnGroup with_modes(const ColumnGroup& like, std::vector<MatrixXd> modes) {
  ColumnGroup result;
  result.signals = like.signals;
  result.rows = like.rows;
  result.weights = std::move(modes.back());
  modes.pop_back();
  result.factors = std::move(modes);
  return result;
}

std::vector<MatrixXd> moved(const std::vector<MatrixXd>& modes, const VectorXd& step) {
  std::vector<MatrixXd> result = modes;
  Index at = 0;
  for (MatrixXd& mode : result) {
    mode += step.segment(at, mode.size()).reshaped(mode.rows(), mode.cols());
    at += mode.size();
  }
  return result;
}

/// Damped Gauss–Newton method from a start, to where the error falls no more.
double descend(const ColumnGroup& target, std::vector<MatrixXd>& modes, double budget) {
  constexpr int most_steps = 120, window = 15;
  const std::vector<MatrixXd> goal = modes_of(target);
  double error = distance(with_modes(target, modes), target), damping = 1e-2, earlier = error;
  for (int step = 0; step < most_steps; ++step) {
    balance(modes);
    const NormalEquations equations = normal_equations(modes, goal);
    const double scale = equations.JtJ.diagonal().maxCoeff();
    bool is_better = false;
    for (; damping < 1e8 && !is_better; damping *= 5.0) {
      MatrixXd matrix = equations.JtJ;
      matrix.diagonal().array() += damping * scale;
      std::vector<MatrixXd> trial = moved(modes, -matrix.llt().solve(equations.Jtr));
      const double trial_error = distance(with_modes(target, trial), target);
      if (!(trial_error < error)) continue;
      const bool converged = trial_error <= budget && trial_error > 0.5 * error;
      modes = std::move(trial);
      error = trial_error;
      if (converged) return error;
      damping *= 0.2 * 0.2;
      is_better = true;
    }
    damping = std::max(damping, 1e-15);
    if (!is_better) break;
    if (step % window == window - 1) {
      if (error > budget && error > 0.9 * earlier) break;
      earlier = error;
    }
  }
  return error;
}

/// The columns of largest norm for the first start, random mixtures for the others.
std::vector<MatrixXd> start_values(const ColumnGroup& target, int rank, int attempt, Random& random) {
  const std::vector<MatrixXd> goal = modes_of(target);
  const Index K = target.columns();
  std::vector<std::pair<double, Index>> by_size;
  for (Index k = 0; k < K; ++k) {
    double size = 1.0;
    for (const MatrixXd& mode : goal) size *= mode.col(k).norm();
    by_size.emplace_back(-size, k);
  }
  std::ranges::sort(by_size);
  std::vector<MatrixXd> modes;
  modes.reserve(goal.size());
  for (const MatrixXd& mode : goal) modes.emplace_back(mode.rows(), rank);
  for (Index r = 0; r < rank; ++r) {
    const Index base = attempt == 0 ? by_size[at(r)].second : random.below(K);
    for (std::size_t m = 0; m < goal.size(); ++m) {
      const double size = goal[m].col(base).norm();
      for (Index i = 0; i < goal[m].rows(); ++i)
        modes[m](i, r) = goal[m](i, base) + (attempt == 0 ? 0.1 : 0.7) * size * random();
    }
  }
  return modes;
}

}  // namespace

int least_rank(const ColumnGroup& group, double budget, std::uint64_t seed) {
  constexpr int random_splits = 8;
  Random random(seed);
  const std::vector<MatrixXd> modes = modes_of(group);
  const int singles = static_cast<int>(modes.size());
  int least = 0;
  for (int split = 0; split < singles + random_splits; ++split) {
    std::vector<MatrixXd> left, right;
    for (int m = 0; m < singles; ++m)
      (split < singles ? m == split : random.coin()) ? left.push_back(modes[at(m)])
                                                     : right.push_back(modes[at(m)]);
    const VectorXd singular =
        (khatri_rao_factor(left, group.columns()) * khatri_rao_factor(right, group.columns()).transpose())
            .jacobiSvd()
            .singularValues();
    // The error of the best matrix of rank r is the root of the sum of the squares behind r.
    const double resolved = std::max(budget, 1e-14 * singular.sum());
    int rank = static_cast<int>(singular.size());
    double rest = 0.0;
    while (rank > 0 && rest + singular[rank - 1] * singular[rank - 1] <= resolved * resolved) {
      rest += singular[rank - 1] * singular[rank - 1];
      --rank;
    }
    least = std::max(least, rank);
  }
  return least;
}

ColumnGroup fit(const ColumnGroup& target, int rank, double budget, std::uint64_t seed) {
  constexpr int attempts = 6;
  Random random(seed);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    std::vector<MatrixXd> modes = start_values(target, rank, attempt, random);
    if (descend(target, modes, budget) <= budget) return with_modes(target, std::move(modes));
  }
  return {};
}

}  // namespace mti::reduction
