#include "solvers/orbits/branch_corrector.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/orbits/repeating_inputs.hpp"

namespace mti {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

BranchCorrector::BranchCorrector(const ModelOfParameter& model_at, const BranchOptions& options,
                                 const Budget& budget, const Model& model, const Orbit& first)
    : model_at_(model_at),
      options_(options),
      budget_(budget),
      n_(model.signature.n()),
      autonomous_(first.autonomous),
      range_(std::abs(options.to - options.from)),
      period_unit_(first.period),
      rtol_(resolve(model, options_of_round(options.orbit.simulation, 0.0, 0.0, first.period)).rtol),
      units_(n_),
      size_(at(model.signature.size())),
      by_starts_(derivatives_by_starts(model)) {
  for (int i = 0; i < n_; ++i)
    units_[i] = std::max(model.signature.states()[at(i)].nominal, std::abs(first.x[at(i)]));
  if (autonomous_) return;
  const DifferentiatedModel begin = model_at_(options.from);
  for (std::size_t i = 0; i < begin.model.inputs.size() && !forcing_; ++i) {
    const std::optional<double> period = period_of(begin.model.inputs[i]);
    if (period && begin.derivatives.at(0).inputs[i].period() != 0.0) forcing_ = Forcing{i, *period};
  }
}

double BranchCorrector::forced_period(const Model& model) const {
  const std::optional<double> period = forcing_ ? period_of(model.inputs[forcing_->input]) : std::nullopt;
  return period ? period_unit_ * (*period / forcing_->period) : period_unit_;
}

double BranchCorrector::slope_of_period(const DifferentiatedModel& model) const {
  if (!forcing_) return 0.0;
  return period_unit_ / forcing_->period * model.derivatives.at(0).inputs[forcing_->input].period();
}

void BranchCorrector::enter(BranchOrbit& orbit, const VectorXd& w) const {
  orbit.w = w;
  if (autonomous_) orbit.period = w[n_] * period_unit_;
  orbit.parameter = parameter_of(w);
}

DifferentiatedModel BranchCorrector::model_of(const BranchOrbit& orbit) const {
  DifferentiatedModel result = model_at_(orbit.parameter);
  if (at(result.model.signature.size()) != size_)
    throw InvalidOption("bad-option", "--follow",
                        "the model has other signals at " + number(orbit.parameter));
  start_at(result.model, orbit.v);
  for (int i = 0; i < n_; ++i) result.model.x_start[at(i)] = orbit.w[i] * units_[i];
  // Where an orbit begins is a matter of the orbit alone.
  for (ParameterDerivative& by : result.derivatives) {
    std::ranges::fill(by.x_start, 0.0);
    std::ranges::fill(by.y_start, 0.0);
    by.start_time = by.stop_time = 0.0;
  }
  return result;
}

SimulationOptions BranchCorrector::options_of(const BranchOrbit& orbit) const {
  return options_of_round(options_.orbit.simulation, budget_.seconds(), orbit.start, orbit.period);
}

/// Where the period varies, what inputs are at a time t is the less moved the smaller t is.
double BranchCorrector::within_first_period(const Model& model, double start, double T) const {
  constexpr double rounding = 1e-9;
  if (!forcing_) return start;
  const double anchor = phase_zero_of(model.inputs[forcing_->input]);
  const double turns = (start - anchor) / T;
  return anchor + (turns - std::floor(turns + rounding)) * T;
}

BranchOrbit BranchCorrector::first(const Orbit& found) const {
  BranchOrbit orbit;
  orbit.period = found.period;
  orbit.start = found.run.time(0);
  if (forcing_) orbit.start = within_first_period(model_at_(options_.from).model, orbit.start, orbit.period);
  orbit.v = found.run.end_point;
  VectorXd w(n_ + (autonomous_ ? 2 : 1));
  for (int i = 0; i < n_; ++i) w[i] = found.x[at(i)] / units_[i];
  if (autonomous_) w[n_] = 1.0;
  w[w.size() - 1] = options_.from / range_;
  BranchOrbit result = correct_at(orbit, w, options_.from);
  if (result.map.is_defined() && options_.to < options_.from) result.direction = -result.direction;
  return result;
}

BranchOrbit BranchCorrector::correct_at(const BranchOrbit& from, const VectorXd& guess,
                                        double parameter) const {
  VectorXd begin = guess;
  begin[begin.size() - 1] = parameter / range_;
  BranchOrbit orbit = correct(from, begin, VectorXd::Unit(begin.size(), begin.size() - 1));
  orbit.parameter = parameter;  // and not what dividing and multiplying has made of it
  return orbit;
}

BranchOrbit BranchCorrector::correct(const BranchOrbit& from, const VectorXd& guess,
                                     const VectorXd& border) const {
  constexpr int most_iterations = 10;
  constexpr double too_far = 0.5;  // of the units: another orbit
  const Index size = guess.size();
  BranchOrbit orbit;
  orbit.start = from.start;
  orbit.period = from.period;
  orbit.v = from.v;
  enter(orbit, guess);
  for (double change = HUGE_VAL;;) {
    check_budget();
    DifferentiatedModel model;
    try {
      model = model_of(orbit);
    } catch (const FaultError& refused) {
      if (dynamic_cast<const NotReached*>(&refused) != nullptr) throw;
      orbit.map.message =
          "there is no model at " + number(orbit.parameter) + ": " + refused.faults().front().message;
      return orbit;
    }
    if (!autonomous_) orbit.period = forced_period(model.model);
    SimulationOptions options = options_of(orbit);
    options.sensitivities = by_starts_;
    options.sensitivities.push_back(model.derivatives.at(0));
    orbit.map = return_map(model.model, options);
    if (orbit.iterations == 0 && orbit.map.run.outcome.kind == OutcomeKind::reached_stop) {
      orbit.has_guess = true;
      orbit.events_of_guess = RoundEvents(orbit.map.run);
    }
    if (!orbit.map.is_defined()) return orbit;
    MatrixXd B = MatrixXd::Zero(size, size);
    B.topLeftCorner(size - 1, size - 1) = newton_matrix(orbit.map, units_, period_unit_, autonomous_);
    const VectorXd by_parameter = orbit.map.by_parameter + slope_of_period(model) * orbit.map.rate;
    B.block(0, size - 1, n_, 1) = by_parameter.cwiseQuotient(units_) * range_;
    B.row(size - 1) = border.transpose();
    const Eigen::PartialPivLU<MatrixXd> factors(with_conserved(B, n_, 1e2 * rtol_));
    if (orbit.map.residual <= 100.0 * rtol_ && change <= 1e4 * rtol_) {
      if (!autonomous_)
        orbit.map.message = input_that_does_not_repeat(model.model, orbit.start, orbit.period);
      orbit.direction = factors.solve(VectorXd::Unit(size, size - 1)).normalized();
      if (!orbit.direction.allFinite()) orbit.map.message = "the branch has no direction";
      if (!orbit.map.is_defined()) return orbit;
      std::vector<double> nominal;
      for (const Signal& state : model.model.signature.states()) nominal.push_back(state.nominal);
      orbit.multipliers = multipliers_of(orbit.map.M, nominal, 1e2 * rtol_);
      orbit.stability = stability_of(orbit.multipliers, autonomous_, rtol_);
      orbit.events = RoundEvents(orbit.map.run);
      orbit.v = orbit.map.run.end_point;
      return orbit;
    }
    if (orbit.iterations == most_iterations) {
      orbit.map.message = "Newton's method has not come to an end";
      return orbit;
    }
    ++orbit.iterations;
    VectorXd right = VectorXd::Zero(size);
    right.head(n_) = -orbit.map.left.cwiseQuotient(units_);
    right[size - 1] = border.dot(guess - orbit.w);
    const VectorXd step = factors.solve(right);
    change = step.cwiseAbs().maxCoeff();
    if (!(change <= too_far) || (autonomous_ && orbit.w[n_] + step[n_] <= 0.0)) {
      orbit.map.message = "Newton's method leads far away";
      return orbit;
    }
    enter(orbit, orbit.w + step);
  }
}

BranchOrbit BranchCorrector::away_from_events(BranchOrbit orbit) const {
  const double T = orbit.period;
  std::vector<double> times;
  for (const Event& event : orbit.map.run.events)
    if (event.kind != EventKind::initial) times.push_back(event.time - orbit.start);
  for (const double time :
       breakpoints_between(model_of(orbit).model, orbit.start - 1e-9 * T, orbit.start + (1.0 - 1e-9) * T))
    times.push_back(std::max(time - orbit.start, 0.0));
  std::ranges::sort(times);
  constexpr double turning = 0.05;  // where the branch turns, its sense can't be told by the parameter
  const double of_x = orbit.direction.head(orbit.direction.size() - 1).norm() / size_of(orbit.w);
  if (times.empty() || std::abs(orbit.turn()) < turning * std::hypot(orbit.turn(), of_x)) return orbit;
  std::vector<std::pair<double, double>> gaps;  // length and middle, after each event
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double next = k + 1 < times.size() ? times[k + 1] : times.front() + T;
    gaps.emplace_back(next - times[k], std::fmod((next + times[k]) / 2.0, T));
  }
  std::ranges::sort(gaps, std::greater());
  constexpr double near = 0.25;  // of the longest gap
  if (std::min(times.front(), T - times.back()) >= near * gaps.front().first) return orbit;
  constexpr std::size_t most_tries = 4;
  for (std::size_t k = 0; k < std::min(gaps.size(), most_tries); ++k) {
    BranchOrbit moved = orbit;
    const DifferentiatedModel model = model_of(orbit);
    SimulationOptions options = options_of(orbit);
    options.stop = orbit.start + gaps[k].second;
    options.output_interval = gaps[k].second;
    bool slides = false;
    options.observe = [&slides](double, int, const Mode& mode, std::span<const double>) {
      slides = !mode.slides.empty();
    };
    const Trajectory run = simulate(model.model, options);
    if (!early_end_of(run).empty() || slides) continue;
    moved.v = run.end_point;
    // The time matters where inputs vary, and repeats.
    if (!autonomous_) moved.start = within_first_period(model.model, *options.stop, T);
    VectorXd w = orbit.w;
    for (int i = 0; i < n_; ++i) w[i] = run.end_point[at(model.model.signature.state_row(i))] / units_[i];
    moved = correct_at(moved, w, orbit.parameter);
    if (!moved.map.is_defined()) continue;
    if (orbit.turn() < 0.0) moved.direction = -moved.direction;
    return moved;
  }
  return orbit;
}

double BranchCorrector::size_of(const VectorXd& w) {
  return std::max(1.0, w.head(w.size() - 1).cwiseAbs().maxCoeff());
}

void BranchCorrector::measure(const BranchOrbit& orbit, std::vector<double>& lowest,
                              std::vector<double>& highest) const {
  constexpr int looks = 200;
  const DifferentiatedModel model = model_of(orbit);
  SimulationOptions options = options_of(orbit);
  // States turn back where inputs jump, too.
  std::vector<double> times = breakpoints_between(model.model, orbit.start, *options.stop);
  for (int k = 0; k <= looks; ++k) times.push_back(orbit.start + orbit.period * k / looks);
  std::erase_if(times, [&](double t) { return t < orbit.start || t > *options.stop; });
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  options.output_interval.reset();
  options.output_times = std::move(times);
  lowest.assign(at(n_), HUGE_VAL);
  highest.assign(at(n_), -HUGE_VAL);
  options.observe = [&](double, int, const Mode&, std::span<const double> v) {
    for (int i = 0; i < n_; ++i) {
      const double value = v[at(model.model.signature.state_row(i))];
      lowest[at(i)] = std::min(lowest[at(i)], value);
      highest[at(i)] = std::max(highest[at(i)], value);
    }
  };
  static_cast<void>(early_end_of(simulate(model.model, options)));
}

double BranchCorrector::half_way(const BranchOrbit& orbit) const {
  const DifferentiatedModel model = model_of(orbit);
  SimulationOptions options = options_of(orbit);
  options.stop = orbit.start + 0.5 * orbit.period;
  options.output_interval = 0.5 * orbit.period;
  const Trajectory run = simulate(model.model, options);
  if (!early_end_of(run).empty()) return HUGE_VAL;
  double farthest = 0.0;
  for (int i = 0; i < n_; ++i) {
    const double x = run.end_point[at(model.model.signature.state_row(i))] / units_[i];
    farthest = std::max(farthest, std::abs(x - orbit.w[i]));
  }
  return farthest;
}

}  // namespace mti
