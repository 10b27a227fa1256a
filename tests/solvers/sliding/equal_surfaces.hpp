#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/solvers/sliding/sliding_queries.hpp"

/// Two relays, one on x, the other on a signal that is zero where x is.
namespace mti::test {

constexpr double surface_accuracies[] = {1e-4, 1e-6, 1e-9};
constexpr IntegratorChoice surface_engines[] = {IntegratorChoice::ida, IntegratorChoice::automatic};

/// x' = 3 − 4 z1 from x = 1: x = 1 − t until t = 1, then x = 0 with z1 = ¾. The other binaries follow the same
/// surface by some other signal, so that q' = z1 − z2 is zero throughout.
inline Source relays(std::vector<std::string> algebraic, const std::vector<std::string>& equations,
                     const std::vector<std::string>& constraints) {
  Source source;
  source.states = {{"x", 1.0}, {"q", 0.0}};
  for (std::string& name : algebraic) source.algebraic.push_back({std::move(name)});
  for (const std::string& equation : equations) source.equations.emplace_back(equation);
  source.equations.emplace_back("der(x) = 3 - 4*z1");
  source.equations.emplace_back("der(q) = z1 - z2");
  source.binaries = {{"z1", 1.0}, {"z2", 1.0}};
  source.constraints.emplace_back("(1 - 2*z1)*x <= 0");
  for (const std::string& constraint : constraints) source.constraints.emplace_back(constraint);
  source.experiment = {.stop = 3.0, .output_interval = Number(0.25)};
  return source;
}

inline void expect_one_surface(const Source& source, const std::vector<std::string>& followers) {
  for (const double accuracy : surface_accuracies)
    for (const IntegratorChoice engine : surface_engines) {
      SCOPED_TRACE(accuracy);
      SimulationOptions options = with_accuracy(accuracy);
      options.integrator = engine;
      const Trajectory trajectory = run(source, options);
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
      expect_kinds(trajectory, 0.75, {{1.0, EventKind::slide_begin}}, 100.0 * accuracy);
      for (const std::string& z : followers) EXPECT_NEAR(last(trajectory, z), 0.75, 100.0 * accuracy) << z;
      expect_course(
          trajectory, "q", [](double) { return 0.0; }, 100.0 * accuracy);
      expect_course(
          trajectory, "x", [](double t) { return t < 1.0 ? 1.0 - t : 0.0; }, 100.0 * accuracy);
    }
}

}  // namespace mti::test
