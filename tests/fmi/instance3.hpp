#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fmi/interface/fmi3.hpp"
#include "tests/fmi/unpacked_fmu.hpp"

namespace mti::test {

/// An instance of FMI 3.0 and what it has logged.
class Instance3 {
 public:
  struct Mode {
    bool events = false, early_return = false, logs = false;
    /// Told of points within a step; where the step is to end, if it is.
    std::function<std::optional<double>(Instance3& instance, double time)> update = {};
  };
  struct Step {
    fmi3Status status = fmi3OK;
    bool event = false, terminate = false, early = false;
    double time = 0.0;
  };
  struct Update {
    bool needs_update = false, terminate = false, nominals_changed = false, states_changed = false,
         next_defined = false;
    double next = 0.0;
  };

  explicit Instance3(const UnpackedFmu& fmu) : Instance3(fmu, Mode{}) {}
  Instance3(const UnpackedFmu& fmu, Mode mode);
  ~Instance3();
  Instance3(const Instance3&) = delete;
  Instance3& operator=(const Instance3&) = delete;

  [[nodiscard]] fmi3Instance handle() const { return handle_; }
  [[nodiscard]] const std::vector<std::string>& log() const { return log_; }
  [[nodiscard]] const UnpackedFmu& fmu() const { return fmu_; }

  /// Through the initialization, without anything set.
  fmi3Status start(double from, double rtol = 0.0);
  fmi3Status start(double from, double to, double rtol);
  fmi3Status enter(double from, double rtol);
  fmi3Status exit();
  Step step(double from, double size);
  Update update();
  [[nodiscard]] double real(const std::string& name);
  [[nodiscard]] bool ticks(const std::string& clock);
  [[nodiscard]] bool boolean(const std::string& name);
  [[nodiscard]] std::vector<double> reals(const std::vector<unsigned>& references);
  fmi3Status set(const std::string& name, double value);
  fmi3Status set_boolean(const std::string& name, bool value);
  fmi3FMUState state();
  fmi3Status take_up(fmi3FMUState state);

 private:
  static void write_down(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                         fmi3String message);
  static void tell(fmi3InstanceEnvironment environment, double time, bool set_requested, bool get_allowed,
                   bool step_finished, bool can_return_early, bool* return_requested, double* return_time);

  const UnpackedFmu& fmu_;
  Mode mode_;
  std::vector<std::string> log_;
  fmi3Instance handle_ = nullptr;
};

}  // namespace mti::test
