#pragma once

#include <gtest/gtest.h>

#include <iosfwd>
#include <string>

#include "tests/program/simulation_run.hpp"

namespace mti::test {

/// What a run's error depends on, in units of the signals' nominal values.
struct Case {
  std::string name;
  double size;     ///< largest |x| + 1: a step is as accurate as rtol·size where atol = rtol
  double slowest;  ///< smallest |ṡ| at which a boundary s = 0 is crossed
  double fastest;  ///< largest |ẋ|

  /// Local errors of as many steps add up until contraction or the next switch forgets them.
  static constexpr double steps = 50.0;
  [[nodiscard]] double state_error(double rtol) const { return steps * rtol * size; }
  /// An error e of the state moves a crossing by e / |ṡ|.
  [[nodiscard]] double time_error(double rtol) const { return state_error(rtol) / slowest; }
  /// At a fixed time: the error itself and what the displaced switch adds.
  [[nodiscard]] double sample_error(double rtol) const {
    return state_error(rtol) + fastest * time_error(rtol);
  }
};

void PrintTo(const Case& a_case, std::ostream* stream);

/// Nominal value that a model file gives a state or algebraic signal; 1 if it names none.
[[nodiscard]] double nominal(const nlohmann::json& model, const std::string& name);

/// The switches of a reference file (tests/cases/reference), no more and no less.
void expect_switches(const SimulationRun& run, const nlohmann::json& reference, double tolerance);

/// The samples of a reference file; `tolerance` is in nominal values of the model.
void expect_samples(const SimulationRun& run, const nlohmann::json& model, const nlohmann::json& reference,
                    double tolerance);

/// The events of a reference file with sliding: times and kinds, and what changed where the file says so.
/// Events at the start are left out on both sides.
void expect_events(const SimulationRun& run, const nlohmann::json& reference, double tolerance);

}  // namespace mti::test
