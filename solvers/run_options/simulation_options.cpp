// What a run may be asked for.
#include <algorithm>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/model/delays.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/run_options/output_times.hpp"
#include "solvers/run_options/samples.hpp"
#include "solvers/run_options/simulation_options.hpp"

namespace mti {
namespace {

/// Without a sink a run keeps its rows in memory, 8 bytes and more for each signal.
constexpr double most_rows = 1e8;
/// Whole numbers up to here are exact as numbers of samples.
constexpr double most_samples = 1e15;

/// Collects the faults of one set of options.
class Examination {
 public:
  Examination(const SimulationOptions& options, const Model& model)
      : options_(options),
        model_(model),
        resolved_(resolve(model, options)),
        interval_is_given_(options.output_interval || model.experiment.output_interval) {}

  std::vector<Fault> faults() && {
    examine_model();
    examine_numbers();
    examine_list();
    examine_derivatives();
    if (faults_.empty()) examine_grid();
    return std::move(faults_);
  }

 private:
  void require(bool holds, const char* pointer, std::string_view expected, double found) {
    if (!holds) refuse(pointer, "expected " + std::string(expected) + ", found " + number(found));
  }
  /// With a text that is put together where it is needed.
  template <std::invocable Text>
  void require(bool holds, const char* pointer, const Text& expected, double found) {
    if (!holds) require(false, pointer, std::string_view(expected()), found);
  }
  void refuse(const char* pointer, const std::string& message) {
    faults_.push_back({"bad-option", pointer, message});
  }

  /// A model as it was built has a start value for each signal; it may have been changed since then.
  void examine_model() {
    if (options_.dense && model_.is_discrete())
      refuse("/experiment/dense", "a model of discrete time has values at its samples only");
    const auto expect = [&](std::size_t found, int expected, const char* pointer, const char* of) {
      if (found != at(expected))
        refuse(pointer,
               "expected " + std::to_string(expected) + " " + of + ", found " + std::to_string(found));
    };
    expect(model_.x_start.size(), model_.signature.n(), "/states", "start values of states");
    expect(model_.y_start.size(), model_.signature.p(), "/algebraic", "start values of algebraic signals");
    expect(model_.z_start.size(), model_.signature.q(), "/binaries", "start values of binaries");
    expect(model_.inputs.size(), model_.signature.m(), "/inputs", "input functions");
    const bool by_polynomials =
        options_.integrator == IntegratorChoice::series || options_.integrator == IntegratorChoice::flow;
    if (by_polynomials && has_delays(model_))
      refuse("/experiment/integrator", "models with delayed signals are integrated by ida");
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::ranges::all_of(model_.x_start, finite)) refuse("/states", "expected finite start values");
    if (!std::ranges::all_of(model_.y_start, finite)) refuse("/algebraic", "expected finite start values");
  }

  void examine_numbers() {
    const auto& [t0, t1, relative, absolute, interval] = resolved_;
    require(std::isfinite(t0), "/experiment/start", "a finite start time", t0);
    require(
        !model_.experiment.fixed_start || t0 == model_.experiment.start, "/experiment/start",
        [&] {
          return "the start " + number(model_.experiment.start) + ", up to which start values count time";
        },
        t0);
    require(std::isfinite(t1 - t0) && !(t1 < t0), "/experiment/stop",
            "a finite stop time, not before the start", t1);
    // The integrator multiplies steps with times.
    constexpr double shortest = 1e-150;
    require(
        model_.is_discrete() || !(t1 > t0) || t1 - t0 >= shortest, "/experiment/stop",
        [&] { return "a stop time at least " + number(shortest) + " after the start"; }, t1);
    // Fewer times than these make no course: steps would be rounded to them.
    constexpr double fewest_times = 1000.0;
    const double resolution = resolution_of_times(t0, t1);
    require(
        model_.is_discrete() || !(t1 > t0) || !(t1 - t0 < fewest_times * resolution), "/experiment/stop",
        [&] {
          return "a stop time at least " + number(fewest_times * resolution) +
                 " after the start, for such times are told apart only " + number(resolution) +
                 " from each other (count time from the start of the run)";
        },
        t1);
    // What a number is not known to, a run cannot keep to.
    constexpr double smallest_rtol = 10.0 * machine_epsilon;
    require(
        relative >= smallest_rtol && relative < 1.0, "/experiment/rtol",
        [&] { return "an rtol of at least " + number(smallest_rtol) + " (ten roundings) and below 1"; },
        relative);
    require(std::isfinite(absolute) && absolute >= 0.0, "/experiment/atol", "atol >= 0", absolute);
    if (interval_is_given_)
      require(std::isfinite(interval) && interval > 0.0, "/experiment/output_interval",
              "a finite positive interval", interval);
    require(options_.max_seconds > 0.0, "/experiment/max_seconds", "a positive number of seconds",
            options_.max_seconds);
    require(options_.max_events > 0, "/experiment/max_events", "a positive number of events",
            static_cast<double>(options_.max_events));
    require(options_.max_candidates > 0, "/experiment/max_candidates", "a positive number of candidates",
            static_cast<double>(options_.max_candidates));
  }

  void examine_list() {
    constexpr const char* pointer = "/experiment/output_times";
    const std::vector<double>& times = options_.output_times;
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (!std::isfinite(times[i])) return require(false, pointer, "finite times", times[i]);
      if (i > 0 && times[i] < times[i - 1]) return require(false, pointer, "ascending times", times[i]);
    }
    if (times.empty()) return;
    require(!(times.front() < resolved_.start), pointer, "times not before the start", times.front());
    require(!(times.back() > resolved_.stop), pointer, "times not after the stop time", times.back());
    if (!model_.is_discrete() || !faults_.empty()) return;
    const auto between = std::ranges::find_if(
        times, [&](double time) { return sample_at(model_, resolved_.start, time) < 0; });
    if (between != times.end())
      require(false, pointer, "times of samples, which are " + number(model_.sample_time) + " apart",
              *between);
  }

  /// Those of the equations that determine a start.
  [[nodiscard]] bool fits_start(const ParameterDerivative& parameter) const {
    const Scenario* const initial = model_.initial();
    if (initial == nullptr) return true;
    if (parameter.scenarios.size() != model_.scenarios.size()) return false;
    const CpMap& map = parameter.scenarios[static_cast<std::size_t>(initial - model_.scenarios.data())];
    return map.rows() == initial->equations.rows() && map.signals() == initial->equations.signals();
  }

  /// Derivatives belong to one model.
  void examine_derivatives() {
    constexpr const char* pointer = "/experiment/sensitivities";
    if (!options_.sensitivities.empty() && model_.is_discrete())
      refuse(pointer, "runs of models of discrete time are not differentiated");
    if (!options_.sensitivities.empty() && has_delays(model_))
      refuse(pointer, "runs of models with delayed signals are not differentiated");
    for (const ParameterDerivative& parameter : options_.sensitivities) {
      const auto fits = [&](const CpMap& map, int rows) {
        return map.rows() == rows && map.signals() == model_.signature.size();
      };
      if (!fits(parameter.f, model_.equations()) || !fits(parameter.g, model_.constraints()) ||
          parameter.laws.size() != model_.transitions.size() ||
          parameter.x_start.size() != model_.x_start.size() ||
          parameter.y_start.size() != model_.y_start.size() ||
          parameter.inputs.size() != model_.inputs.size() || !fits_start(parameter))
        refuse(pointer, "the derivatives by " + parameter.name +
                            " are not of this model: it has other equations, constraints, signals or laws");
    }
  }

  void examine_grid() {
    constexpr const char* pointer = "/experiment/output_interval";
    const double t0 = resolved_.start, t1 = resolved_.stop, interval = resolved_.output_interval;
    if (model_.is_discrete()) {
      const double samples = (t1 - t0) / model_.sample_time;
      require(samples <= most_samples, "/experiment/stop",
              "no more than " + number(most_samples) + " sample times from the start to the stop time",
              samples);
      require(!(model_.sample_time < finest_output_interval(t0, t1)), "/experiment/stop",
              "times at which samples " + number(model_.sample_time) + " apart can be told from each other",
              t1);
      if (!faults_.empty()) return;
    }
    if (!options_.output_times.empty()) return;
    if ((t1 - t0) / interval > most_rows)
      return refuse(pointer, "expected an interval of at least " + number((t1 - t0) / most_rows) +
                                 ", for no more than " + number(most_rows) + " rows, found " +
                                 number(interval));
    if (!interval_is_given_) return;
    const double finest = finest_output_interval(t0, t1);
    require(t1 == t0 || interval >= finest, pointer,
            "an interval of at least " + number(finest) + ", what times up to " +
                number(std::max(std::abs(t0), std::abs(t1))) + " can tell apart",
            interval);
    if (model_.is_discrete())
      require(samples_between_outputs(model_, interval) > 0, pointer,
              "a whole number of sample times " + number(model_.sample_time), interval);
  }

  const SimulationOptions& options_;
  const Model& model_;
  ResolvedOptions resolved_;
  bool interval_is_given_;
  std::vector<Fault> faults_;
};

}  // namespace

ResolvedOptions resolve(const Model& model, const SimulationOptions& options) {
  const Experiment& experiment = model.experiment;
  const double start = options.start.value_or(experiment.start),
               stop = options.stop.value_or(experiment.stop);
  const double usual = model.is_discrete() ? model.sample_time : default_output_interval(start, stop);
  return {.start = start,
          .stop = stop,
          .rtol = options.rtol.value_or(experiment.rtol),
          .atol = options.atol.value_or(experiment.atol),
          .output_interval = options.output_interval.value_or(experiment.output_interval.value_or(usual))};
}

std::vector<Fault> SimulationOptions::validate(const Model& model) const {
  return Examination(*this, model).faults();
}

}  // namespace mti
