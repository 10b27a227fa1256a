#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmi/cosimulation/fmu_model.hpp"
#include "solvers/stepping/saved_contents.hpp"
#include "solvers/stepping/saved_run.hpp"

namespace mti::fmi {

/// Where an instance stands between calls.
enum class Phase : char {
  instantiated,
  initialization,
  event,
  step,
  discarded,
  terminated,
  failed,
  continuous,
  intermediate,   ///< in the importer's callback of a step, and never saved
  configuration,  ///< before the initialization, and never saved
};

/// What an importer says of its run.
struct Experiment {
  double start = 0.0;
  std::optional<double> stop = {}, tolerance = {};
};

/// u(t) = value + slope·(t − the time at which it was set).
struct InputValue {
  bool is_set = false;  ///< by the importer; else the model's
  double value = 0.0, slope = 0.0;
};

/// The values of all variables at one time.
struct Point {
  double time = 0.0;
  std::vector<double> v = {};  ///< one entry per row of S
  std::vector<char> z = {};
};

/// What inputs were at a time that an importer has passed.
struct PassedPoint {
  double time = 0.0;
  std::vector<double> inputs = {};
};

/// An instance as it can be taken up again.
struct SavedState {
  Phase phase = Phase::instantiated;
  Experiment experiment = {};
  double horizon = 0.0, time = 0.0;
  Settings settings = {};
  std::vector<InputValue> inputs = {}, start_inputs = {};
  std::optional<Point> shown = {};   ///< what getters show in place of the run's point
  std::optional<SavedRun> run = {};  ///< of a run that goes on
  bool ticks = false;                ///< of discrete time: a sample belongs to the present event
  // In Model Exchange.
  bool dae = false;                      ///< the importer solves the equations
  std::vector<double> nominals = {};     ///< of states
  std::vector<PassedPoint> passed = {};  ///< the last two, ascending
  std::vector<double> at_event = {};     ///< inputs as the motion has led to the present event
  std::vector<HeldInput> held = {};  ///< inputs at events so far, ascending; several where pulses follow one
};

/// As CBOR (RFC 8949) with a check sum behind it; what is read back is the same to the last bit.
[[nodiscard]] std::string write_saved_state(const FmuModel& fmu, const SavedState& state);
/// Throws Refused, or InvalidOption, if the text is none or was not written by an FMU of the same model.
[[nodiscard]] SavedState read_saved_state(const FmuModel& fmu, std::string_view text);

}  // namespace mti::fmi
