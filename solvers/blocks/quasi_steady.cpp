#include "solvers/blocks/quasi_steady.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/blocks/newton.hpp"

namespace mti {
namespace {

constexpr int most_newton_iterations = 20;

/// States whose ẋ is left open by more than ε_x/δ.
std::vector<int> fast_states(double delta, const Signature& signature, const Accuracy& accuracy,
                             std::span<const double> v, const TaylorSeries& series) {
  std::vector<int> fast;
  for (int i = 0; i < signature.n(); ++i) {
    const int row = signature.state_row(i);
    if (delta * series.at(signature.derivative_row(i), 0).error > accuracy.of(row, v[at(row)]))
      fast.push_back(i);
  }
  return fast;
}

}  // namespace

bool relaxes_within(double delta, const Signature& signature, const SolutionPlan& plan,
                    const Accuracy& accuracy, std::span<const double> v, const TaylorSeries& series) {
  return delta > 0.0 && plan.plain() && !fast_states(delta, signature, accuracy, v, series).empty();
}

QuasiSteady::QuasiSteady(const SolutionPlan& plan, const Signature& signature, double delta)
    : states_(signature.n()), delta_(delta), column_(at(signature.size()), -1) {
  for (const SolutionBlock& block : plan.blocks) {
    equations_.insert(equations_.end(), block.equations.begin(), block.equations.end());
    unknowns_.insert(unknowns_.end(), block.unknowns.begin(), block.unknowns.end());
  }
  for (std::size_t i = 0; i < unknowns_.size(); ++i) column_[at(unknowns_[i])] = static_cast<int>(i);
}

/// A_δ at v, and ∂f/∂ẋ beside it.
LuFactor QuasiSteady::assemble(const RowMap& f, std::span<const double> v) {
  const int size = static_cast<int>(unknowns_.size());
  std::vector<Eigen::Triplet<double>> entries, rates;
  for (int j = 0; j < size; ++j)
    f.gradient(equations_[at(j)], v, [&](int signal, double slope) {
      if (at(signal) >= column_.size()) return;  // derivatives of inputs: known
      const bool state = signal >= states_ && signal < 2 * states_;
      const int column = column_[at(state ? signal - states_ : signal)];
      if (column < 0) return;
      entries.emplace_back(j, column, state ? delta_ * slope : slope);
      if (signal < states_) rates.emplace_back(j, signal, slope);
    });
  of_rates_.resize(size, states_);
  of_rates_.setFromTriplets(rates.begin(), rates.end());
  return {size, entries};
}

/// One value for each of the equations.
template <class Value>
Eigen::VectorXd QuasiSteady::of_equations(Value value) const {
  Eigen::VectorXd values(static_cast<Eigen::Index>(equations_.size()));
  for (Eigen::Index j = 0; j < values.size(); ++j) values[j] = value(equations_[at(j)]);
  return values;
}

/// f(ẋ, x + δ·ẋ, y) = 0 by Newton's method from v.
bool QuasiSteady::step(const RowMap& f, std::vector<double>& v, const Eigen::VectorXd& x) {
  const auto size = static_cast<Eigen::Index>(unknowns_.size());
  const auto move_states = [&] {
    for (int i = 0; i < states_; ++i) v[at(states_ + i)] = x[i] + delta_ * v[at(i)];
  };
  const NewtonProblem problem{
      [&] {
        Eigen::VectorXd w(size);
        for (Eigen::Index i = 0; i < size; ++i) w[i] = v[at(unknowns_[at(i)])];
        return w;
      },
      [&] { return of_equations([&](int equation) { return f.value(equation, v); }); },
      [&] { return assemble(f, v); },
      [&](const Eigen::VectorXd& w) {
        for (Eigen::Index i = 0; i < size; ++i) v[at(unknowns_[at(i)])] = w[i];
        move_states();
      }};
  move_states();
  NewtonSolution solution = newton(problem, most_newton_iterations, [&](const NewtonStep& from) {
    constexpr double settled = 1e-10;
    const Eigen::VectorXd noise = from.factor.magnify(
        of_equations([&](int equation) { return 8.0 * machine_epsilon * f.magnitude(equation, v); }));
    return take_full_step(problem, from, [&](const Eigen::VectorXd& change, const Eigen::VectorXd& w) {
      return (change.array().abs() <= settled * w.array().abs() + noise.array()).all();
    });
  });
  factor_ = std::move(solution.factor);
  return solution.solved();
}

Eigen::VectorXd QuasiSteady::errors(const RowMap& f, const TaylorSeries& series, int k) const {
  return of_equations([&](int equation) { return f.coefficient(equation, series, k).error; });
}

Eigen::VectorXd QuasiSteady::magnified(const Eigen::VectorXd& known, const Eigen::VectorXd& of_x) const {
  return factor_.magnify(known + of_rates_.cwiseAbs() * (of_x / delta_));
}

/// Whether the errors of fast states decrease without changing sign, that is, whether these states are stable.
bool QuasiSteady::damps(const std::vector<int>& fast, const Eigen::VectorXd& scale) const {
  Eigen::VectorXd off = Eigen::VectorXd::Zero(states_);
  for (const int i : fast) off[i] = scale[i];
  const Eigen::VectorXd after = factor_.solve(of_rates_ * (off / delta_));
  double product = 0.0;
  for (const int i : fast) product += after[column_[at(i)]] / scale[i];
  return product > 0.0;
}

std::optional<QuasiSteady> QuasiSteady::find(const RowMap& f, const SolutionPlan& plan,
                                             const Signature& signature, const Accuracy& accuracy, double t,
                                             std::vector<double>& v, TaylorSeries& series) {
  // Times this close are one: steps between them would not be resolved. What relaxes between them may have to
  // move farther, but no mode may take a state away from where it clearly is. Of a state that moves by more than a few ε the rate
  // stands clear of its error and decides; of one that moves by just about ε it does not.
  constexpr double same_time = 1e-13, farther = 100.0, about_known = 4.0;
  const double below_steps = same_time * std::abs(t);
  if (!relaxes_within(std::max(accuracy.resolution, below_steps), signature, plan, accuracy, v, series))
    return std::nullopt;
  // Where some states have to move far within δ, others may be quasi-steady within less of it.
  constexpr int attempts = 5, most_passes = 4, steps = 4;
  constexpr double shorter = 1e-3;
  const int n = signature.n();
  Eigen::VectorXd scale(n), x_0(n);
  for (int i = 0; i < n; ++i) {
    x_0[i] = v[at(signature.state_row(i))];
    scale[i] = accuracy.of(signature.state_row(i), x_0[i]);
  }
  // Errors of what is known besides x: of inputs, and rounding.
  TaylorSeries known = series;
  for (int row = 0; row < signature.size(); ++row)
    if (row < signature.input_row(0) || row >= signature.algebraic_row(0)) known.at(row, 0).error = 0.0;

  double delta = accuracy.resolution;
  for (int attempt = 0; attempt < attempts; ++attempt, delta *= shorter) {
    if (attempt + 1 == attempts) delta = below_steps;
    const std::vector<int> fast = fast_states(delta, signature, accuracy, v, series);
    if (fast.empty()) return std::nullopt;
    // Four steps of implicit Euler from x: the first two bring the fast states onto the slow motion, whose ẋ
    // shows in the last two. x* = x₂ − 2δ·ẋ₄ goes back to the instant itself and is where the next pass
    // begins, until it stays. Errors pass through the same matrix; those of x* are what they are after two
    // steps.
    QuasiSteady found(plan, signature, delta);
    std::vector<double> point = v;
    Eigen::VectorXd moved = x_0, error_moved = scale, error_x, error;
    bool solved = true;
    for (int pass = 0; pass < most_passes && solved; ++pass) {
      const Eigen::VectorXd before = moved;
      error_x = error_moved;
      Eigen::VectorXd x = moved, x_2;
      for (int step = 0; step < steps && solved; ++step) {
        solved = found.step(f, point, x);
        if (solved) error = found.magnified(found.errors(f, known, 0), error_x);
        for (int i = 0; i < n && solved; ++i) {
          x[i] = point[at(signature.state_row(i))];
          if (const int column = found.column_[at(i)]; column >= 0)  // others are held in this mode
            error_x[i] = std::min(error_x[i], delta * error[column]);
        }
        if (step == 1) {
          x_2 = x;
          error_moved = error_x;
        }
      }
      if (!solved) break;
      for (const int i : fast) moved[i] = x_2[i] - 2.0 * delta * point[at(signature.derivative_row(i))];
      if ((moved - before).cwiseAbs().maxCoeff() <= machine_epsilon * before.cwiseAbs().maxCoeff()) break;
    }
    // Only a stable fast motion is over within δ, and only one that ends within what is known about x may be
    // left out.
    if (!solved || !found.damps(fast, scale)) continue;
    const double farthest = delta <= below_steps ? farther : about_known;
    if (((moved - x_0).cwiseAbs() - farthest * scale).maxCoeff() > 0.0) continue;
    for (const int i : fast) {
      v[at(signature.state_row(i))] = moved[i];
      series.at(signature.state_row(i), 0) = {moved[i], error_moved[i]};
    }
    // The errors of ẋ and y: by the steps, ẋ = (x₄ − x₃)/δ, or by the equations at x*, whichever is smaller.
    TaylorSeries slow = known;
    for (int i = 0; i < n; ++i) slow.at(signature.state_row(i), 0).error = error_moved[i];
    const Eigen::VectorXd of_slopes = found.factor_.magnify(found.errors(f, slow, 0));
    for (std::size_t i = 0; i < found.unknowns_.size(); ++i) {
      const int unknown = found.unknowns_[i];
      const auto column = static_cast<Eigen::Index>(i);
      const bool rate = unknown < n;
      found.order_0_.push_back(
          {point[at(unknown)],
           std::min(rate ? 2.0 * error_x[unknown] / delta : error[column], of_slopes[column])});
    }
    return found;
  }
  return std::nullopt;
}

void QuasiSteady::enter_order_0(std::vector<double>& v, TaylorSeries& series) const {
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    Ball& coefficient = series.at(unknowns_[i], 0);
    if (!(order_0_[i].error < coefficient.error)) continue;
    coefficient.error = order_0_[i].error;
    if (unknowns_[i] >= states_) continue;  // y belongs to x*
    coefficient.value = v[at(unknowns_[i])] = order_0_[i].value;
  }
}

void QuasiSteady::solve_stage(const RowMap& f, TaylorSeries& series, int k) const {
  const auto size = static_cast<Eigen::Index>(unknowns_.size());
  Eigen::VectorXd error_x(states_);
  for (int i = 0; i < states_; ++i) {
    const Ball slope = series.at(i, k - 1);
    series.at(states_ + i, k) = {slope.value / k, 0.0};
    error_x[i] = slope.error / k;
  }
  for (const int unknown : unknowns_) series.at(unknown, k) = {};
  const Eigen::VectorXd value =
      factor_.solve(of_equations([&](int equation) { return -f.coefficient(equation, series, k).value; }));
  for (Eigen::Index i = 0; i < size; ++i) {
    const int unknown = unknowns_[at(i)];
    series.at(unknown, k) = {value[i], 0.0};
    if (unknown < states_) series.at(states_ + unknown, k).value += delta_ * value[i];
  }
  const Eigen::VectorXd of_values = magnified(errors(f, series, k), error_x);
  for (int i = 0; i < states_; ++i) series.at(states_ + i, k).error = error_x[i];
  const Eigen::VectorXd of_slopes = factor_.magnify(errors(f, series, k));
  for (Eigen::Index i = 0; i < size; ++i) {
    const int unknown = unknowns_[at(i)];
    if (unknown >= states_) {
      series.at(unknown, k).error = std::min(of_values[i], of_slopes[i]);
      continue;
    }
    const double of_x = std::min(delta_ * of_values[i], error_x[unknown] + delta_ * of_slopes[i]);
    series.at(states_ + unknown, k).error = of_x;
    series.at(unknown, k).error = std::min((of_x + error_x[unknown]) / delta_, of_slopes[i]);
    if (k + 1 < series.orders())
      series.at(states_ + unknown, k + 1) = {value[i] / (k + 1), series.at(unknown, k).error / (k + 1)};
  }
}

}  // namespace mti
