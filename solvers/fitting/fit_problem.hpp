#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/source/source.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {

/// A quantity that is to be estimated, lower ≤ p ≤ upper.
struct FitParameter {
  std::string name = {};
  double start = 0.0;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  /// What it is in the model, as build_with_derivatives takes it: R, start(x), input(u), table(u,k); empty: its name.
  std::string quantity = {};
  /// The experiments in which it is that, by name; empty: all of them.
  std::vector<std::string> experiments = {};
};

/// A state or algebraic signal as measured: value k at time k, after what happens there.
struct MeasuredSignal {
  std::string signal = {};
  std::vector<double> time = {}, value = {};
  double deviation = 1.0;  ///< standard deviation of the noise, in the signal's unit
};

/// Times of events as measured: the k-th of them is that of the k-th such event of the run.
struct MeasuredEvents {
  std::string event = {};  ///< reach(constraint), rise(binary), fall(binary), emit(name)
  std::vector<double> time = {};
  double deviation = 1.0;
};

/// One run of a model, and what was measured.
struct FitExperiment {
  std::string name = {};
  Source source = {};  ///< the model with what is known of this experiment: values, tables of inputs
  /// Default: the model's start; the last time of the data, and half as long again where times of events are among them.
  std::optional<double> start = {}, stop = {};
  std::vector<MeasuredSignal> signals = {};
  std::vector<MeasuredEvents> events = {};
  /// What a run with other values has to begin with (start values of Modelica's Booleans), made anew for each; empty: nothing.
  std::function<Source(const Source&)> settled = {};
};

struct FitProblem {
  std::vector<FitParameter> parameters = {};
  std::vector<FitExperiment> experiments = {};
  SimulationOptions simulation =
      {};  ///< of all runs; tolerances default to those of the model or 1e-8, if that is less

  /// Every fault, empty if there is none. Pointers are "/parameters/NAME…", "/experiments/k/…", and "/experiments/k/model…" for those of
  /// its source. Ids: `bad-parameter`, `bad-data`, `unknown-signal`, `unknown-event`, those of build_with_derivatives() and of
  /// SimulationOptions.
  [[nodiscard]] std::vector<Fault> validate() const;
};

}  // namespace mti
