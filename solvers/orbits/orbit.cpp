#include "solvers/orbits/orbit.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/model/delays.hpp"
#include "mti/model/signature.hpp"
#include "solvers/budget/budget.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/orbits/multipliers.hpp"
#include "solvers/orbits/repeating_inputs.hpp"
#include "solvers/orbits/return_map.hpp"

namespace mti {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

bool has_varying_inputs(const Model& model) {
  return std::ranges::any_of(
      model.inputs, [](const Input& input) { return !std::holds_alternative<ConstantInput>(input.form()); });
}

class OrbitSearch {
 public:
  OrbitSearch(const Model& model, const OrbitOptions& options)
      : options_(options),
        given_(model),
        model_(model),
        n_(model.signature.n()),
        budget_(options.simulation.max_seconds, options.simulation.stop_token) {
    begin();
  }

  Orbit find() {
    const BudgetWatch watch(budget_);
    try {
      Orbit orbit = found();
      // Newton's method may go astray where slow states have not settled within a few periods.
      constexpr double more_periods = 50.0;
      if (orbit.found || options_.settle || orbit.iterations == 0 || is_at_rest_) return orbit;
      begin();
      periods_to_settle_ = more_periods;
      Orbit settled = found();
      return settled.found ? std::move(settled) : std::move(orbit);
    } catch (const BudgetEnded&) {
      const bool interrupted = budget_.stop_requested();
      throw NotReached(to_string(interrupted ? OutcomeKind::interrupted : OutcomeKind::time_budget), "",
                       std::string(interrupted ? "stopped" : "the time budget was used up") +
                           " in the search for an orbit");
    }
  }

 private:
  void begin() {
    model_ = given_;
    orbit_ = {};
    orbit_.autonomous = !has_varying_inputs(given_);
    orbit_.period = options_.period_guess;
    start_ = options_.simulation.start.value_or(given_.experiment.start);
    last_change_ = std::numeric_limits<double>::infinity();
  }

  Orbit found() {
    if (!settle()) return std::move(orbit_);
    for (orbit_.iterations = 1; orbit_.iterations <= options_.most_iterations; ++orbit_.iterations) {
      if (!go_round()) return std::move(orbit_);
      const double rtol = resolve(model_, options_of(orbit_.period)).rtol;
      if (orbit_.residual <= 100.0 * rtol) {
        if (rests(1e3 * rtol)) return std::move(orbit_);
        if (last_change_ <= 1e4 * rtol) {
          conclude(rtol);
          return std::move(orbit_);
        }
      }
      check_budget();
      if (!improve()) return std::move(orbit_);
    }
    orbit_.message = "no orbit after " + std::to_string(options_.most_iterations) +
                     " steps of Newton's method: x(T) - x(0) is " + number(orbit_.residual) +
                     " of nominal values";
    return std::move(orbit_);
  }

  /// The first guess: where the run has come after some periods, or shortly after the section.
  bool settle() {
    const double length = options_.settle.value_or(periods_to_settle_ * orbit_.period);
    double time = start_ + length;
    constexpr double shortly = 0.01;
    const int index = section();
    bool moves_on = length > 0.0 || index >= 0 || model_.solves_start();
    if (!moves_on) {
      // Where the start is an instant at which something happens, the orbit cannot begin there, as anywhere else.
      const Trajectory run = go_to(shortly * orbit_.period);
      if (!ends_well(run)) return false;
      moves_on = !run.events.empty() || slides_ || !has_mode_of_start(run.end_point);
      if (moves_on) time += shortly * orbit_.period;
    }
    if (moves_on) {
      Trajectory run = go_to(time - start_);
      if (!ends_well(run)) return false;
      if (index >= 0) {
        const auto last = std::find_if(run.events.rbegin(), run.events.rend(), [&](const Event& event) {
          return std::ranges::find(event.constraints, index) != event.constraints.end();
        });
        if (last == run.events.rend()) {
          orbit_.message =
              "the constraint " + *options_.section + " has not arrived up to t = " + number(time);
          return false;
        }
        if (orbit_.autonomous) guess_by_returns(run, index, last->time);
        time = last->time + shortly * orbit_.period;
        run = go_to(time - start_);
        if (!ends_well(run)) return false;
      } else if ((!run.events.empty() && time - run.events.back().time < shortly * orbit_.period) ||
                 !breakpoints_between(model_, time - shortly * orbit_.period, time + 1e-9 * orbit_.period)
                      .empty()) {
        // Not at an event, at which the mode of the start would be open.
        time += shortly * orbit_.period;
        run = go_to(time - start_);
        if (!ends_well(run)) return false;
      }
      if (slides_) {
        // At the end of a slide, behind which the mode of the start is not one of an average.
        free_from_.reset();
        after_ = time;
        run = go_to(time - start_ + orbit_.period);
        if (!ends_well(run)) return false;
        if (free_from_) {
          time = *free_from_ + shortly * orbit_.period;
          run = go_to(time - start_);
          if (!ends_well(run)) return false;
        }
        if (slides_) {
          orbit_.message = "the run slides at t = " + number(time) +
                           ", where no orbit can begin: --settle or --section chooses another time";
          return false;
        }
      }
      start_at(model_, run.end_point);
      start_ = time;
    }
    if (!orbit_.autonomous) {
      orbit_.message = input_that_does_not_repeat(model_, start_, orbit_.period);
      if (!orbit_.message.empty()) return false;
    }
    by_start_ = derivatives_by_starts(model_);
    return true;
  }

  /// Where the run has come back to the section, the time since then is a better guess than one about as long.
  void guess_by_returns(const Trajectory& run, int section, double last) {
    constexpr double about = 0.5;
    double nearest = about * orbit_.period;
    for (const Event& event : run.events) {
      const double off = last - event.time - options_.period_guess;
      if (std::ranges::find(event.constraints, section) == event.constraints.end() ||
          std::abs(off) >= nearest)
        continue;
      nearest = std::abs(off);
      orbit_.period = last - event.time;
    }
  }

  /// The constraint that is asked for; −1 if none is.
  [[nodiscard]] int section() const {
    if (!options_.section) return -1;
    const auto wanted = std::ranges::find(model_.constraint_names, *options_.section);
    if (wanted != model_.constraint_names.end())
      return static_cast<int>(wanted - model_.constraint_names.begin());
    const std::string near = closest_name(*options_.section, model_.constraint_names);
    throw InvalidOption("unknown-section", "--section",
                        "there is no constraint '" + *options_.section + "'" +
                            (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }

  [[nodiscard]] bool has_mode_of_start(const std::vector<double>& v) const {
    const Signature& signature = model_.signature;
    for (int i = 0; i < signature.q(); ++i)
      if ((v[at(signature.binary_row(i))] >= 0.5) != (model_.z_start[at(i)] != 0)) return false;
    return true;
  }

  /// A run of some length, with what it slides on at its end, and the first time after `after_` at which it does not.
  Trajectory go_to(double length) {
    SimulationOptions options = options_of(length);
    options.observe = [this](double time, int side, const Mode& mode, std::span<const double>) {
      slides_ = !mode.slides.empty();
      if (!slides_ && side > 0 && time > after_ && !free_from_) free_from_ = time;
    };
    return simulate(model_, options);
  }

  bool ends_well(const Trajectory& run) {
    orbit_.message = early_end_of(run);
    return orbit_.message.empty();
  }

  [[nodiscard]] SimulationOptions options_of(double length) const {
    return options_of_round(options_.simulation, budget_.seconds(), start_, length);
  }

  /// One period from x(0): x(T), M and what is left.
  bool go_round() {
    SimulationOptions options = options_of(orbit_.period);
    options.sensitivities = by_start_;
    map_ = return_map(model_, options);
    orbit_.message = map_.message;
    orbit_.residual = map_.residual;
    return map_.is_defined();
  }

  /// One step of Newton's method, in nominal units; the smallest where M − I is singular.
  bool improve() {
    const bool free_period = orbit_.autonomous;
    VectorXd nominal(n_);
    for (int i = 0; i < n_; ++i) nominal[i] = model_.signature.states()[at(i)].nominal;
    const double rtol = resolve(model_, options_of(orbit_.period)).rtol;
    // Off the orbit the gradients of what is conserved differ at both ends of the round, as x(T) and x(0) do.
    const double null = std::max(1e2 * rtol, 0.1 * std::min(orbit_.residual, 0.1));
    const MatrixXd J = with_conserved(newton_matrix(map_, nominal, orbit_.period, free_period), n_, null);
    VectorXd right = VectorXd::Zero(J.rows());
    right.head(n_) = -map_.left.cwiseQuotient(nominal);
    const VectorXd step = J.completeOrthogonalDecomposition().solve(right);
    if (!step.allFinite()) {
      orbit_.message = "Newton's method has found no step";
      return false;
    }
    last_change_ = step.cwiseAbs().maxCoeff();
    // Half of its size, or of the nominal value, a step: a guess that is far away by orders of magnitude comes near in a few.
    double change = free_period ? std::abs(step[n_]) : 0.0;
    for (int i = 0; i < n_; ++i)
      change =
          std::max(change, std::abs(step[i]) / std::max(1.0, std::abs(model_.x_start[at(i)]) / nominal[i]));
    constexpr double longest = 0.5;
    const double damped = change > longest ? longest / change : 1.0;
    for (int i = 0; i < n_; ++i) model_.x_start[at(i)] += damped * step[i] * nominal[i];
    if (!free_period) return true;
    orbit_.period *= 1.0 + damped * step[n_];
    constexpr double far = 5.0;
    const double ratio = orbit_.period / options_.period_guess;
    if (ratio < far && ratio > 1.0 / far) return true;
    orbit_.message = "Newton's method leads to a period of " + number(orbit_.period) + ", far from the guess";
    return false;
  }

  /// Without inputs that vary and without events, and on the way farther from x(0) by no more than `resolved` of nominal
  /// values: a point of rest is no orbit, and its period is any number.
  bool rests(double resolved) {
    if (!orbit_.autonomous || !map_.run.events.empty()) return false;
    constexpr int looks = 64;
    SimulationOptions options = options_of(orbit_.period);
    options.output_interval = orbit_.period / looks;
    double farthest = 0.0;
    options.observe = [&](double, int, const Mode&, std::span<const double> v) {
      for (int i = 0; i < n_; ++i) {
        const double from = model_.x_start[at(i)], off = v[at(model_.signature.state_row(i))] - from;
        const double size = std::max(model_.signature.states()[at(i)].nominal, std::abs(from));
        farthest = std::max(farthest, std::abs(off) / size);
      }
    };
    if (!ends_well(simulate(model_, options)) || farthest <= resolved) {
      is_at_rest_ = true;
      if (orbit_.message.empty()) orbit_.message = "the model is at rest there; see mti equilibrium";
      return true;
    }
    return false;
  }

  void conclude(double rtol) {
    orbit_.found = true;
    orbit_.monodromy = map_.M;
    orbit_.run = std::move(map_.run);
    orbit_.x = model_.x_start;
    orbit_.z = model_.z_start;
    std::vector<double> nominal;
    for (const Signal& state : model_.signature.states()) nominal.push_back(state.nominal);
    const std::vector<Multiplier> all = multipliers_of(orbit_.monodromy, nominal, 1e2 * rtol);
    for (const Multiplier& one : all) orbit_.multipliers.push_back(one.value);
    const OrbitStability stability = stability_of(all, orbit_.autonomous, rtol);
    orbit_.stable = stability.stable;
    orbit_.marginal = stability.marginal;
  }

  const OrbitOptions& options_;
  const Model& given_;
  double periods_to_settle_ = 5.0;
  bool is_at_rest_ = false;  ///< and so no orbit
  Model model_;              ///< with the start that is sought
  int n_;
  double start_ = 0.0, last_change_ = std::numeric_limits<double>::infinity();
  Budget budget_;
  std::vector<ParameterDerivative> by_start_;
  ReturnMap map_;
  bool slides_ = false;  ///< at the end of the last run of go_to
  double after_ = std::numeric_limits<double>::infinity();
  std::optional<double> free_from_;
  Orbit orbit_;
};

}  // namespace

Orbit find_orbit(const Model& model, const OrbitOptions& options) {
  require_no_delayed_signals(model, "periodic orbits");
  if (!(options.period_guess > 0.0) || !std::isfinite(options.period_guess))
    throw InvalidOption("bad-option", "--period-guess",
                        "expected a positive number, found " + number(options.period_guess));
  if (options.settle && !(*options.settle >= 0.0 && std::isfinite(*options.settle)))
    throw InvalidOption("bad-option", "--settle",
                        "expected a number that is not negative, found " + number(*options.settle));
  if (model.is_discrete())
    throw InvalidOption("bad-option", "--period-guess", "orbits are those of models of continuous time");
  if (model.signature.n() == 0)
    throw InvalidOption("bad-option", "--period-guess", "the model has no states");
  return OrbitSearch(model, options).find();
}

}  // namespace mti
