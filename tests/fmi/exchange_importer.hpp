#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "fmi/interface/fmi3.hpp"
#include "tests/fmi/unpacked_fmu.hpp"

namespace mti::test {

/// What an importer does with its integrator after an event.
enum class ResetPolicy {
  always,
  if_told,  ///< where states or nominal values have changed
  never,    ///< which is wrong
};

/// An instance for Model Exchange of FMI 3.0, integrated by CVODE with its root finding.
class ExchangeImporter {
 public:
  ExchangeImporter(const UnpackedFmu& fmu, ResetPolicy policy, double rtol);
  ~ExchangeImporter();
  ExchangeImporter(const ExchangeImporter&) = delete;
  ExchangeImporter& operator=(const ExchangeImporter&) = delete;

  /// Through the initialization and its event, into Continuous-Time Mode.
  void start(double from, double to);
  /// Integrates to `time`. False if the run has ended before, or something was refused.
  bool advance(double time);

  [[nodiscard]] std::vector<double> reals(const std::vector<unsigned>& references);
  [[nodiscard]] double real(const std::string& name) { return reals({fmu_.reference(name)}).front(); }
  [[nodiscard]] bool boolean(const std::string& name);
  fmi3Status set(const std::string& name, double value);
  /// An event of the importer's own: `change` is done in Event Mode.
  void event(const std::function<void()>& change = {});
  /// Alone, without what follows.
  fmi3Status enter_event_mode() { return MTI_FMU_CALL(fmu_, fmi3EnterEventMode)(handle_); }

  [[nodiscard]] const UnpackedFmu& fmu() const { return fmu_; }
  [[nodiscard]] fmi3Instance handle() const { return handle_; }
  [[nodiscard]] const std::vector<std::string>& log() const { return log_; }
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] int events() const { return events_; }
  [[nodiscard]] int resets() const { return resets_; }
  /// CVODE begins anew with the states that the instance has.
  void restart();
  [[nodiscard]] std::vector<double> indicators();

 private:
  struct Solver;
  void require(fmi3Status status) const;
  void update();

  const UnpackedFmu& fmu_;
  ResetPolicy policy_;
  double rtol_;
  std::vector<std::string> log_;
  fmi3Instance handle_ = nullptr;
  Solver* solver_ = nullptr;
  double time_ = 0.0, next_event_ = std::numeric_limits<double>::infinity();
  int events_ = 0, resets_ = 0;
  bool ended_ = false;
};

}  // namespace mti::test
