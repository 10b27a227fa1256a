#include "solvers/fitting/fit_problem.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "mti/common/number.hpp"
#include "mti/derivatives/asked_quantities.hpp"
#include "mti/source/declarations.hpp"
#include "solvers/fitting/experiment_residuals.hpp"
#include "solvers/fitting/parameter_places.hpp"
#include "solvers/trajectory/named_events.hpp"

namespace mti {
namespace {

class Examination {
 public:
  explicit Examination(const FitProblem& problem) : problem_(problem) {}

  std::vector<Fault> faults() {
    if (problem_.parameters.empty()) add("bad-parameter", "/parameters", "there is nothing to estimate");
    if (problem_.experiments.empty()) add("bad-data", "/experiments", "there are no data");
    for (const FitParameter& parameter : problem_.parameters) examine(parameter);
    if (std::ranges::any_of(problem_.parameters,
                            [this](const FitParameter& parameter) { return !is_alone(parameter); }))
      return std::move(faults_);  // derivatives by names that are not distinct
    for (std::size_t e = 0; e < problem_.experiments.size(); ++e) {
      const std::string& name = problem_.experiments[e].name;
      if (!name.empty() && std::ranges::count(problem_.experiments, name, &FitExperiment::name) > 1)
        add("bad-data", "/experiments/" + std::to_string(e) + "/name",
            "there are several experiments " + name);
      pointer_ = "/experiments/" + std::to_string(e);
      examine(problem_.experiments[e], e);
    }
    return std::move(faults_);
  }

 private:
  void add(const char* id, std::string pointer, std::string message) {
    Fault fault{id, std::move(pointer), std::move(message)};
    if (std::ranges::find(faults_, fault) == faults_.end()) faults_.push_back(std::move(fault));
  }

  [[nodiscard]] bool is_alone(const FitParameter& parameter) const {
    return std::ranges::count(problem_.parameters, parameter.name, &FitParameter::name) == 1;
  }

  void examine(const FitParameter& parameter) {
    const std::string pointer = "/parameters/" + parameter.name;
    const auto number = [](double value) { return text::format_number(value); };
    if (!is_alone(parameter)) add("bad-parameter", pointer, "there are several parameters " + parameter.name);
    if (!(parameter.lower < parameter.upper))
      add("bad-parameter", pointer,
          "found the bounds " + number(parameter.lower) + " and " + number(parameter.upper) +
              ", expected the lower one first");
    else if (!(std::isfinite(parameter.start) && parameter.start >= parameter.lower &&
               parameter.start <= parameter.upper))
      add("bad-parameter", pointer + "/start",
          "found " + number(parameter.start) + ", expected a number from " + number(parameter.lower) +
              " to " + number(parameter.upper));
    std::vector<std::string> names;
    for (const FitExperiment& experiment : problem_.experiments) names.push_back(experiment.name);
    for (std::size_t k = 0; k < parameter.experiments.size(); ++k)
      if (const std::string& name = parameter.experiments[k]; std::ranges::find(names, name) == names.end())
        add("bad-parameter", pointer + "/experiments/" + std::to_string(k),
            "there is no experiment " + name + did_you_mean(name, names));
  }

  void examine(const FitExperiment& experiment, std::size_t e) {
    const ParameterPlaces places(problem_, e);
    const std::size_t before = faults_.size();
    examine_quantities(experiment, places);
    if (places.positions.empty())
      add("bad-data", pointer_, "there is nothing to estimate from this experiment");
    examine_places(experiment, places);
    if (faults_.size() != before) return;
    try {
      const ExperimentResiduals residuals(experiment, places.quantities, problem_.simulation);
      if (residuals.size() == 0) add("bad-data", pointer_, "there are no data");
      const DifferentiatedModel at_start = residuals.model_at(places.values_of(starts()));
      examine_signals(experiment, at_start.model);
      examine_events(experiment, at_start.model);
      if (faults_.size() != before) return;
      SimulationOptions options = residuals.options_of(at_start.model);
      options.sensitivities = at_start.derivatives;
      examine_times(experiment, resolve(at_start.model, options));
      if (faults_.size() == before) examine_options(options, at_start.model);
    } catch (const InvalidModel& invalid) {
      add_faults_of_model(invalid);
    } catch (const InvalidOption& invalid) {
      add_faults_of_model(invalid);
    }
  }

  void add_faults_of_model(const FaultError& error) {
    for (const Fault& fault : error.faults())
      faults_.push_back({fault.id, pointer_ + "/model" + fault.pointer, fault.message, fault.file});
  }

  /// Each of them alone, so that its fault has its place.
  void examine_quantities(const FitExperiment& experiment, const ParameterPlaces& places) {
    for (std::size_t k = 0; k < places.positions.size(); ++k) {
      const FitParameter& parameter = problem_.parameters[static_cast<std::size_t>(places.positions[k])];
      try {
        static_cast<void>(with_parameters(experiment.source, {places.quantities[k]}));
      } catch (const InvalidOption& invalid) {
        const std::string member = parameter.quantity.empty() ? "" : "/quantity";
        for (const Fault& fault : invalid.faults())
          add(fault.id.c_str(), "/parameters/" + parameter.name + member, fault.message);
      }
    }
  }

  /// No two of them are the same quantity.
  void examine_places(const FitExperiment& experiment, const ParameterPlaces& places) {
    std::map<std::string, int> known;
    for (std::size_t k = 0; k < places.positions.size(); ++k) {
      AskedQuantities asked;
      try {
        asked = with_parameters(experiment.source, {places.quantities[k]});
      } catch (const InvalidOption&) {
        continue;  // examine_quantities() says so
      }
      const int position = places.positions[k];
      const auto [other, is_new] = known.try_emplace(asked.directions.front().label, position);
      if (is_new) continue;
      const auto name_of = [&](int j) { return problem_.parameters[static_cast<std::size_t>(j)].name; };
      add("bad-parameter", "/parameters/" + name_of(position),
          "is " + other->first + (experiment.name.empty() ? "" : " in the experiment " + experiment.name) +
              ", as is " + name_of(other->second) + ": expected \"experiments\" that tell them apart");
    }
  }

  void examine_signals(const FitExperiment& experiment, const Model& model) {
    std::vector<std::string> names;
    for (const Signal& state : model.signature.states()) names.push_back(state.name);
    for (const Signal& signal : model.signature.algebraic())
      if (!signal.auxiliary) names.push_back(signal.name);
    for (const MeasuredSignal& measured : experiment.signals) {
      const std::string pointer = pointer_ + "/signals/" + measured.signal;
      if (std::ranges::find(names, measured.signal) == names.end())
        add("unknown-signal", pointer,
            "there is no state or algebraic signal " + measured.signal +
                did_you_mean(measured.signal, names));
      examine_deviation(measured.deviation, pointer);
      if (measured.value.size() != measured.time.size())
        add("bad-data", pointer,
            "found " + std::to_string(measured.value.size()) + " values at " +
                std::to_string(measured.time.size()) + " times");
      for (const double value : measured.value)
        if (!std::isfinite(value)) {
          add("bad-data", pointer, "found a value that is infinite or no number");
          break;
        }
      for (std::size_t k = 0; k < measured.time.size(); ++k)
        if (!std::isfinite(measured.time[k]) || (k > 0 && measured.time[k] < measured.time[k - 1])) {
          add("bad-data", pointer, "expected times that are finite and do not fall");
          break;
        }
    }
  }

  void examine_events(const FitExperiment& experiment, const Model& model) {
    for (const MeasuredEvents& measured : experiment.events) {
      const std::string pointer = pointer_ + "/events/" + measured.event;
      const auto found = find_event(model, measured.event);
      if (const auto* message = std::get_if<std::string>(&found)) add("unknown-event", pointer, *message);
      examine_deviation(measured.deviation, pointer);
      for (std::size_t k = 0; k < measured.time.size(); ++k)
        if (!std::isfinite(measured.time[k]) || (k > 0 && measured.time[k] <= measured.time[k - 1])) {
          add("bad-data", pointer, "expected times that are finite and rise from event to event");
          break;
        }
    }
  }

  void examine_deviation(double deviation, const std::string& pointer) {
    if (!(std::isfinite(deviation) && deviation > 0.0))
      add("bad-data", pointer,
          "found the deviation " + text::format_number(deviation) + ", expected a positive number");
  }

  void examine_times(const FitExperiment& experiment, const ResolvedOptions& run) {
    const auto examine_list = [&](const std::vector<double>& times, const std::string& pointer) {
      for (const double time : times)
        if (!(time >= run.start && time <= run.stop)) {
          add("bad-data", pointer,
              "found t = " + text::format_number(time) + ", expected times from the start " +
                  text::format_number(run.start) + " to the stop " + text::format_number(run.stop) +
                  " of the run");
          return;
        }
    };
    for (const MeasuredSignal& measured : experiment.signals)
      examine_list(measured.time, pointer_ + "/signals/" + measured.signal);
    for (const MeasuredEvents& measured : experiment.events)
      examine_list(measured.time, pointer_ + "/events/" + measured.event);
  }

  void examine_options(const SimulationOptions& options, const Model& model) {
    if (model.is_discrete())
      return add("bad-option", pointer_ + "/model",
                 "runs of models of discrete time are not differentiated, expected continuous time");
    constexpr std::string_view prefix = "/experiment";
    for (const Fault& fault : options.validate(model)) {
      const std::string pointer =
          fault.pointer.starts_with(prefix) ? fault.pointer.substr(prefix.size()) : "/" + fault.pointer;
      add(fault.id.c_str(), "/simulation" + pointer, fault.message);
    }
  }

  [[nodiscard]] Eigen::VectorXd starts() const {
    Eigen::VectorXd values(std::ssize(problem_.parameters));
    for (Eigen::Index j = 0; j < values.size(); ++j)
      values(j) = problem_.parameters[static_cast<std::size_t>(j)].start;
    return values;
  }

  const FitProblem& problem_;
  std::string pointer_;  ///< of the experiment
  std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> FitProblem::validate() const { return Examination(*this).faults(); }

}  // namespace mti
