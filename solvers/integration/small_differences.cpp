#include "solvers/integration/small_differences.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"

namespace mti {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// A state is replaced if it relaxes so often within the motion, and if its size is so many times what y has left of it:
/// fewer where its tolerance is larger than a part of that.
constexpr double least_relaxations = 1e4, most_cancellation = 1e4;
/// No more of the rate of the state may be left than this part where y is held.
constexpr double largest_rest = 0.9;
constexpr double several = 4.0;
/// The matrix is dense.
constexpr long most_entries = 100'000;

/// ∂(ẋ, y)/∂(coordinates) along f = 0. The coordinates are the states at first; y_k may take the place of x_j.
class Slopes {
 public:
  Slopes(const ModeSystem& system, const Signature& signature, std::span<const double> v)
      : system_(system), signature_(signature), v_(v), M_(MatrixXd::Zero(signature.size(), signature.n())) {}

  /// Block after block, with y in row `held` as given. False if one is singular.
  bool solve(int held = -1) {
    for (const SolutionBlock& block : system_.plan->blocks) {
      if (block.unknowns.size() == 1 && block.unknowns.front() == held) continue;
      const auto size = static_cast<Index>(block.equations.size());
      MatrixXd A = MatrixXd::Zero(size, size), right = MatrixXd::Zero(size, M_.cols());
      for (Index i = 0; i < size; ++i)
        system_.f.gradient(block.equations[at(i)], v_, [&](int signal, double slope) {
          const auto own = std::ranges::find(block.unknowns, signal);
          const int state = signal - signature_.state_row(0);
          if (own != block.unknowns.end())
            A(i, own - block.unknowns.begin()) += slope;
          else if (state >= 0 && state < signature_.n())
            right(i, state) -= slope;
          else if (signal < signature_.size())
            right.row(i) -= slope * M_.row(signal);
        });
      const MatrixXd solved = size == 1 ? MatrixXd(right / A(0, 0)) : MatrixXd(A.fullPivLu().solve(right));
      if (!solved.allFinite()) return false;
      for (Index i = 0; i < size; ++i) M_.row(block.unknowns[at(i)]) = solved.row(i);
    }
    return true;
  }
  [[nodiscard]] double of(int row, int coordinate) const { return M_(row, coordinate); }
  void exchange(int coordinate, int y) {
    const Eigen::RowVectorXd pivot = M_.row(y) / M_(y, coordinate);
    const Eigen::VectorXd column = M_.col(coordinate);
    const double slope = M_(y, coordinate);
    M_ -= column * pivot;
    M_.col(coordinate) = column / slope;
  }

 private:
  const ModeSystem& system_;
  const Signature& signature_;
  std::span<const double> v_;
  MatrixXd M_;
};

/// The blocks whose derivatives are needed: those of the small y, and of all y that these need.
class Closure {
 public:
  Closure(const ModeSystem& system, const Signature& signature)
      : system_(system),
        signature_(signature),
        owner_(at(signature.size()), -1),
        needed_(system.plan->blocks.size(), 0) {
    for (std::size_t b = 0; b < needed_.size(); ++b)
      for (const int unknown : system.plan->blocks[b].unknowns) owner_[at(unknown)] = static_cast<int>(b);
  }
  /// False, with nothing added, where a block would hold ẋ or products of signals: x follows from y everywhere, or nowhere.
  bool add(int y) {
    const std::vector<char> before = needed_;
    if (take(y)) return true;
    needed_ = before;
    return false;
  }
  [[nodiscard]] const std::vector<char>& needed() const noexcept { return needed_; }

 private:
  bool take(int y) {
    const int b = owner_[at(y)];
    if (b < 0 || needed_[at(b)] != 0) return true;  // what keeps its value has the derivative 0
    const SolutionBlock& block = system_.plan->blocks[at(b)];
    if (!std::ranges::all_of(block.unknowns, [&](int row) { return is_algebraic(row); })) return false;
    needed_[at(b)] = 1;
    for (const int equation : block.equations)
      for (const RowMap::Term& term : system_.f.terms(equation)) {
        if (!system_.f.is_affine(term.column)) return false;
        for (const RowMap::Factor& factor : system_.f.factors(term.column)) {
          if (factor.signal < signature_.n()) return false;
          if (is_algebraic(factor.signal) && !take(factor.signal)) return false;
        }
      }
    return true;
  }
  [[nodiscard]] bool is_algebraic(int row) const {
    return row >= signature_.algebraic_row(0) && row < signature_.algebraic_row(0) + signature_.p();
  }
  const ModeSystem& system_;
  const Signature& signature_;
  std::vector<int> owner_;
  std::vector<char> needed_;
};

bool suits(const ModeSystem& system, const Signature& signature) {
  return system.plan->plain() && !system.extended && system.sliding.empty() && signature.n() > 0 &&
         static_cast<long>(signature.n()) * signature.size() <= most_entries;
}

}  // namespace

double largest_relaxation(const ModeSystem& system, const Signature& signature, std::span<const double> v) {
  if (!suits(system, signature)) return 0.0;
  Slopes slopes(system, signature, v);
  double largest = 0.0;
  if (slopes.solve())
    for (int state = 0; state < signature.n(); ++state) largest = std::max(largest, -slopes.of(state, state));
  return largest;
}

std::optional<SmallDifferences> SmallDifferences::find(const ModeSystem& system, const Signature& signature,
                                                       const Accuracy& accuracy, std::span<const double> v,
                                                       std::span<const double> rate, double duration) {
  const SolutionPlan& plan = *system.plan;
  const int n = signature.n();
  if (!suits(system, signature)) return std::nullopt;
  Slopes slopes(system, signature, v);
  if (!slopes.solve()) return std::nullopt;
  Closure closure(system, signature);
  constexpr double part_of_tolerance = 0.1;
  const double least_cancellation = std::min(most_cancellation, part_of_tolerance / accuracy.rtol);
  SmallDifferences found;
  std::vector<char> replaced(at(n), 0);
  // y relaxes to y + y'/Λ, whatever it begins with: a diode begins to conduct at 0, and more than ε of the state leaves open
  // about it is not known. Of what is solved for with others it is not told below whether it moves the state: then it has to
  // be small by itself.
  const auto is_small = [&](int y, int state, double relaxation, bool alone) {
    const int row = signature.state_row(state);
    const double signed_slope = slopes.of(y, state), slope = std::abs(signed_slope);
    const double x = v[at(row)], xdot = v[at(signature.derivative_row(state))];
    const double relaxed = std::abs(v[at(y)] + rate[at(y)] / relaxation);
    const double left = alone ? relaxed - slope * several * accuracy.of(row, x)
                              : std::abs(v[at(y)]) + duration * std::abs(rate[at(y)]);
    // There are two sides to a difference: a copy of the state has nothing that the state could cancel with.
    constexpr double its_own = 0.01;
    const auto beside = [](double whole, double of_state) {
      return std::max(0.0, std::abs(whole - of_state) - its_own * std::abs(of_state));
    };
    const double of_state = slope * (std::abs(x) + duration * std::abs(xdot));
    const double of_others =
        beside(v[at(y)], signed_slope * x) + duration * beside(rate[at(y)], signed_slope * xdot);
    return std::min(of_state, of_others) > least_cancellation * std::max(0.0, left);
  };
  const auto moves = [&](int y, int state, double relaxation) {
    Slopes without(system, signature, v);
    return without.solve(y) && std::abs(without.of(state, state)) < largest_rest * relaxation;
  };
  const auto smallest = [&](int state, double relaxation) -> int {
    for (const SolutionBlock& block : plan.blocks)
      for (const int y : block.unknowns)
        if (const bool alone = block.unknowns.size() == 1; y >= signature.algebraic_row(0) &&
                                                           is_small(y, state, relaxation, alone) &&
                                                           (!alone || moves(y, state, relaxation)))
          return y;
    return -1;
  };
  for (int state = 0; state < n; ++state) {
    const double relaxation = -slopes.of(state, state);
    if (!(relaxation * duration > least_relaxations)) continue;
    const int y = smallest(state, relaxation);
    if (y < 0) continue;
    if (!closure.add(y)) continue;
    slopes.exchange(state, y);
    replaced[at(state)] = 1;
    found.small.push_back({y, relaxation});
  }
  if (found.small.empty()) return std::nullopt;
  found.plan = plan;
  found.plan.early.emplace_back();  // a plan that differentiates
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    SolutionBlock& block = found.plan.blocks[b];
    const int order = closure.needed()[b] != 0 ? 1 : 0;
    if (order > 0) block.c.assign(block.equations.size(), order);
    if (order > 0) block.e.assign(block.unknowns.size(), order);
    for (const int unknown : block.unknowns) {
      const bool integrated =
          std::ranges::any_of(found.small, [&](const Small& state) { return state.row == unknown; });
      found.selection.unknowns.push_back(unknown);
      found.selection.orders.push_back(order);
      found.selection.dummies.push_back(unknown < n ? replaced[at(unknown)] : integrated ? 0 : order);
    }
  }
  return found;
}

}  // namespace mti
