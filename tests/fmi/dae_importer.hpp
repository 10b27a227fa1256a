#pragma once

#include <string>
#include <vector>

#include "fmi/interface/fmi3.hpp"
#include "tests/fmi/unpacked_fmu.hpp"

namespace mti::test {

/// An importer that solves the equations of an FMU itself (layered standard fmi-ls-dae), with IDA: F(t, (x, y), (ẋ, ·)) are the
/// residuals, of equations with several formulations the last one; the Jacobian is that of fmi3GetDirectionalDerivative.
class DaeImporter {
 public:
  DaeImporter(const UnpackedFmu& fmu, double rtol, bool dae_mode = true);
  ~DaeImporter();
  DaeImporter(const DaeImporter&) = delete;
  DaeImporter& operator=(const DaeImporter&) = delete;

  /// What the initialization says.
  fmi3Status start(double from, double to);
  /// To `time` through all events; false if the run has ended before, or IDA has failed.
  bool advance(double time);

  [[nodiscard]] fmi3Instance handle() const { return handle_; }
  [[nodiscard]] const std::vector<std::string>& log() const { return log_; }
  [[nodiscard]] const std::vector<double>& event_times() const { return event_times_; }
  [[nodiscard]] std::vector<double> get(const std::vector<unsigned>& references);
  [[nodiscard]] double get(const std::string& name) { return get(std::vector{fmu_.reference(name)}).front(); }
  fmi3Status set(const std::vector<unsigned>& references, const std::vector<double>& values);
  /// Of the manifest.
  [[nodiscard]] const std::vector<unsigned>& residuals() const { return residuals_; }
  /// x, then ẋ, then y of the manifest.
  [[nodiscard]] const std::vector<unsigned>& states() const { return states_; }
  [[nodiscard]] const std::vector<unsigned>& derivatives() const { return derivatives_; }
  [[nodiscard]] const std::vector<unsigned>& algebraic() const { return algebraic_; }
  [[nodiscard]] static std::string manifest_of(const UnpackedFmu& fmu);

 private:
  struct Solver;
  void require(fmi3Status status) const;
  void update();

  const UnpackedFmu& fmu_;
  double rtol_;
  fmi3Instance handle_ = nullptr;
  std::vector<std::string> log_;
  std::vector<unsigned> states_, derivatives_, algebraic_, residuals_;
  std::vector<double> event_times_;
  double time_ = 0.0, next_event_ = 0.0;
  bool ended_ = false;
  Solver* solver_ = nullptr;
};

}  // namespace mti::test
