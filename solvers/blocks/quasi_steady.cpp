#include "solvers/blocks/quasi_steady.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/blocks/newton.hpp"

namespace mti {
namespace {

constexpr int most_newton_iterations = 20, most_passes = 4, steps = 5;

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

bool relaxes_within(double delta, const Signature& signature, const Accuracy& accuracy,
                    std::span<const double> v, const TaylorSeries& series) {
  return delta > 0.0 && !fast_states(delta, signature, accuracy, v, series).empty();
}

QuasiSteady::QuasiSteady(const SolutionPlan& plan, const Signature& signature, double delta)
    : states_(signature.n()), delta_(delta), column_(at(signature.size()), -1) {
  for (int i = 0; i < signature.m(); ++i)
    if (!signature.inputs()[at(i)].binary) inputs_.push_back(signature.input_row(i));
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

void QuasiSteady::enter_step(std::vector<double>& v, const Eigen::VectorXd& x,
                             const Eigen::VectorXd& w) const {
  for (Eigen::Index i = 0; i < w.size(); ++i) v[at(unknowns_[at(i)])] = w[i];
  for (int i = 0; i < states_; ++i) v[at(states_ + i)] = x[i] + delta_ * v[at(i)];
}

/// The largest change of an unknown in units of what still counts as rest.
double QuasiSteady::unrest(const RowMap& f, std::span<const double> v, const LuFactor& factor,
                           const Eigen::VectorXd& change, const Eigen::VectorXd& w) const {
  constexpr double settled = 1e-10;
  const Eigen::VectorXd noise = factor.magnify(
      of_equations([&](int equation) { return 8.0 * machine_epsilon * f.magnitude(equation, v); }));
  double most = 0.0;
  for (Eigen::Index i = 0; i < w.size(); ++i) {
    const double at_rest = settled * std::abs(w[i]) + noise[i];
    if (!(std::abs(change[i]) <= at_rest)) most = std::max(most, std::abs(change[i]) / at_rest);
  }
  return most;
}

/// A step with the A_δ of the one before. It is as good where each iteration leaves a tenth of what there was, at most: then
/// A_δ differs by no more than that from what it is here, in what moves. Otherwise v is as it was.
bool QuasiSteady::step_with_last_factor(const RowMap& f, std::vector<double>& v,
                                        const Eigen::VectorXd& x) const {
  constexpr double fast_enough = 0.1;
  constexpr int most_iterations = 12;
  const std::vector<double> begun = v;
  Eigen::VectorXd w(static_cast<Eigen::Index>(unknowns_.size()));
  for (Eigen::Index i = 0; i < w.size(); ++i) w[i] = v[at(unknowns_[at(i)])];
  enter_step(v, x, w);
  double before = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const Eigen::VectorXd change =
        factor_.solve(of_equations([&](int equation) { return f.value(equation, v); }));
    if (!change.allFinite()) break;
    const double now = unrest(f, v, factor_, change, w - change);
    w -= change;
    enter_step(v, x, w);
    if (now <= 1.0) return true;
    if (!(now <= fast_enough * before)) break;
    before = now;
  }
  v = begun;
  return false;
}

/// f(ẋ, x + δ·ẋ, y) = 0 by Newton's method from v; where A_δ hardly changes on the way, with the one there was before.
bool QuasiSteady::step(const RowMap& f, std::vector<double>& v, const Eigen::VectorXd& x) {
  if (factor_.size() == 0) factor_ = assemble(f, v);
  if (!factor_.singular() && step_with_last_factor(f, v, x)) return true;
  const auto size = static_cast<Eigen::Index>(unknowns_.size());
  const auto unknowns = [&] {
    Eigen::VectorXd w(size);
    for (Eigen::Index i = 0; i < size; ++i) w[i] = v[at(unknowns_[at(i)])];
    return w;
  };
  const NewtonProblem problem{
      unknowns, [&] { return of_equations([&](int equation) { return f.value(equation, v); }); },
      [&] { return assemble(f, v); }, [&](const Eigen::VectorXd& w) { enter_step(v, x, w); }};
  enter_step(v, x, unknowns());
  NewtonSolution solution = newton(problem, most_newton_iterations, [&](const NewtonStep& from) {
    return take_full_step(problem, from, [&](const Eigen::VectorXd& change, const Eigen::VectorXd& w) {
      return unrest(f, v, from.factor, change, w) <= 1.0;
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

/// Those of them whose rates δ leaves less open than the instant does: they relax, or follow what does. The rate of another is
/// left open by errors that stay: iL' = (a − c)/L by ε of the voltages.
std::vector<int> QuasiSteady::relaxing(const Problem& given, const std::vector<int>& fast) const {
  constexpr double most_left = 0.75;
  TaylorSeries begun = given.known;
  for (int i = 0; i < states_; ++i) begun.at(given.signature.state_row(i), 0).error = given.scale[i];
  const Eigen::VectorXd left = factor_.magnify(errors(given.f, begun, 0));
  std::vector<int> found;
  for (const int i : fast)
    if (left[column_[at(i)]] <= most_left * given.series.at(i, 0).error) found.push_back(i);
  return found;
}

std::optional<QuasiSteady> QuasiSteady::find(const RowMap& f, const SolutionPlan& plan,
                                             const Signature& signature, const Accuracy& accuracy, double t,
                                             std::span<const double> input_rates, std::vector<double>& v,
                                             TaylorSeries& series) {
  // Times this close are one: steps between them would not be resolved. What relaxes between them may have to
  // move farther, but no mode may take a state away from where it clearly is. Of a state that moves by more than a few ε the rate
  // stands clear of its error and decides; of one that moves by just about ε it does not.
  constexpr double same_time = 1e-13, farther = 100.0, about_known = 4.0;
  const double below_steps = same_time * std::abs(t);
  if (!relaxes_within(std::max(accuracy.resolution, below_steps), signature, accuracy, v, series))
    return std::nullopt;
  // Where some states have to move far within δ, others may be quasi-steady within less of it.
  constexpr int attempts = 5;
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
  std::optional<Attempt> best;
  for (int attempt = 0; attempt < attempts; ++attempt, delta *= shorter) {
    if (attempt + 1 == attempts) delta = below_steps;
    std::vector<int> fast = fast_states(delta, signature, accuracy, v, series);
    if (fast.empty()) break;
    const double farthest = delta <= below_steps ? farther : about_known;
    std::optional<Attempt> made = attempt_with(
        delta, {f, plan, signature, input_rates, known, series, v, scale, farthest}, std::move(fast));
    // Only a stable fast motion is over within δ, and only one that ends within what is known about x may be
    // left out.
    if (!made || !made->of.damps(made->fast, scale)) continue;
    if (((made->x - x_0).cwiseAbs() - farthest * scale).maxCoeff() > 0.0) continue;
    best = std::move(made);
    if (best->is_resolved) break;
  }
  if (!best) return std::nullopt;
  best->enter(f, signature, known, v, series);
  return std::move(best->of);
}

/// Five steps of implicit Euler from x: the first two bring the fast states onto the slow motion, and from the last four
///
///     x* = 10x₂ − 20x₃ + 15x₄ − 4x₅,    ẋ* = 10ẋ₃ − 15ẋ₄ + 6ẋ₅
///
/// go back to the instant itself, where the next pass begins, until x* stays. Errors pass through the same matrix; of x*,
/// whose fast parts keep less than 10q² of what they were off, q = 1/(1 + δλ), they are ten times what they are after
/// two steps, and what another order would change.
std::optional<QuasiSteady::Attempt> QuasiSteady::attempt_with(double delta, const Problem& given,
                                                              std::vector<int> seem_fast) {
  const int n = given.signature.n();
  Attempt made{.of = QuasiSteady(given.plan, given.signature, delta), .fast = std::move(seem_fast)};
  QuasiSteady& of = made.of;
  std::vector<double> point = given.v;
  Eigen::VectorXd x_0(n);
  for (int i = 0; i < n; ++i) x_0[i] = given.v[at(given.signature.state_row(i))];
  made.x = x_0;
  made.error_x = given.scale;
  Eigen::VectorXd error_x, error, moved_last = Eigen::VectorXd::Zero(n), beyond = moved_last;
  std::array<Eigen::VectorXd, steps + 1> x_of, slope_of, error_of, unknowns_of, of_unknowns;
  for (int pass = 0; pass < most_passes; ++pass) {
    const Eigen::VectorXd before = made.x;
    error_x = made.error_x;
    Eigen::VectorXd x = made.x;
    for (int step = 1; step <= steps; ++step) {
      for (std::size_t i = 0; i < given.input_rates.size(); ++i) {
        const auto row = at(given.signature.input_row(static_cast<int>(i)));
        point[row] = given.v[row] + step * delta * given.input_rates[i];
      }
      if (!of.step(given.f, point, x)) return std::nullopt;
      error = of.magnified(of.errors(given.f, given.known, 0), error_x);
      for (int i = 0; i < n; ++i) {
        x[i] = point[at(given.signature.state_row(i))];
        if (const int column = of.column_[at(i)]; column >= 0)  // others are held in this mode
          error_x[i] = std::min(error_x[i], delta * error[column]);
      }
      x_of[at(step)] = x;
      slope_of[at(step)] = Eigen::Map<const Eigen::VectorXd>(point.data(), n);
      error_of[at(step)] = error_x;
      unknowns_of[at(step)].resize(static_cast<Eigen::Index>(of.unknowns_.size()));
      for (std::size_t i = 0; i < of.unknowns_.size(); ++i)
        unknowns_of[at(step)][static_cast<Eigen::Index>(i)] = point[at(of.unknowns_[i])];
      of_unknowns[at(step)] = error;
    }
    if (pass == 0) {
      made.fast = of.relaxing(given, made.fast);
      if (made.fast.empty()) return std::nullopt;
    }
    made.error_x = made.error_x.cwiseMin(10.0 * error_of[2]);
    for (const int i : made.fast) {
      made.x[i] = 10.0 * x_of[2][i] - 20.0 * x_of[3][i] + 15.0 * x_of[4][i] - 4.0 * x_of[5][i];
      beyond[i] = std::abs(made.x[i] - (6.0 * x_of[2][i] - 8.0 * x_of[3][i] + 3.0 * x_of[4][i]));
    }
    // What a fast state is off decreases without changing sign: further passes lead farther.
    constexpr double clearly = 2.0;
    if (((made.x - x_0).cwiseAbs() - clearly * given.farthest * given.scale).maxCoeff() > 0.0)
      return std::nullopt;
    moved_last = (made.x - before).cwiseAbs();
    constexpr double several_roundings = 16.0 * machine_epsilon;
    if (pass > 0 && moved_last.maxCoeff() <= several_roundings * before.cwiseAbs().maxCoeff()) break;
  }
  const Eigen::VectorXd left_out = beyond + moved_last;
  constexpr double rounding = 64.0 * machine_epsilon;
  made.is_resolved = std::ranges::all_of(made.fast, [&](int i) {
    return left_out[i] <= std::max(made.error_x[i], rounding * std::abs(made.x[i]));
  });
  made.error_x += left_out;
  made.slope = 10.0 * slope_of[3] - 15.0 * slope_of[4] + 6.0 * slope_of[5];
  made.error_slope =
      (10.0 * error_of[2] + 25.0 * error_of[3] + 21.0 * error_of[4] + 6.0 * error_of[5]) / delta +
      (made.slope - 4.0 * slope_of[3] + 3.0 * slope_of[4]).cwiseAbs();
  made.beside = 10.0 * unknowns_of[3] - 15.0 * unknowns_of[4] + 6.0 * unknowns_of[5];
  made.error_beside = 10.0 * of_unknowns[3] + 15.0 * of_unknowns[4] + 6.0 * of_unknowns[5] +
                      (made.beside - 4.0 * unknowns_of[3] + 3.0 * unknowns_of[4]).cwiseAbs();
  made.error = error;
  made.point = std::move(point);
  return made;
}

/// x* and its errors. Those of ẋ and y: by the steps, ẋ_k = (x_k − x_{k−1})/δ, or by the equations at x*, whichever is smaller.
void QuasiSteady::Attempt::enter(const RowMap& f, const Signature& signature, const TaylorSeries& known,
                                 std::vector<double>& v, TaylorSeries& series) {
  const int n = signature.n();
  TaylorSeries slow = known;
  for (int i = 0; i < n; ++i) {
    const int row = signature.state_row(i);
    slow.at(row, 0).error = error_x[i];
    if (x[i] == v[at(row)]) continue;
    v[at(row)] = x[i];
    series.at(row, 0) = {x[i], error_x[i]};
  }
  const Eigen::VectorXd of_slopes = of.factor_.magnify(of.errors(f, slow, 0));
  for (std::size_t i = 0; i < of.unknowns_.size(); ++i) {
    const int unknown = of.unknowns_[i];
    const auto column = static_cast<Eigen::Index>(i);
    const bool rate = unknown < n;
    of.order_0_.push_back({rate ? slope[unknown] : point[at(unknown)],
                           std::min(rate ? error_slope[unknown] : error[column], of_slopes[column])});
    of.beside_.push_back({beside[column], rate ? error_slope[unknown] : error_beside[column]});
  }
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

void QuasiSteady::enter_beside(TaylorSeries& series) const {
  for (std::size_t i = 0; i < unknowns_.size(); ++i) series.at(unknowns_[i], 0) = beside_[i];
}

/// Inputs go on to the end of the step of which x_k is taken: beside x_k there, u_k here would be off by what it changes
/// within δ, and λ(u − x) magnifies that. They are functions of time, and known as well there as here.
void QuasiSteady::move_inputs(TaylorSeries& series, int k) const {
  for (const int row : inputs_) {
    const double next = series.at(row, k + 1).value;
    series.at(row, k).value += (k + 1) * delta_ * next;
  }
}

void QuasiSteady::solve_stage(const RowMap& f, TaylorSeries& series, int k) const {
  const auto size = static_cast<Eigen::Index>(unknowns_.size());
  move_inputs(series, k);
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
