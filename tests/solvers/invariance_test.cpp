#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

#include "tests/mti/model/model_texts.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

/// What must not matter to a run: where it is cut, when it starts, the order of names and equations, units,
/// and other runs beside it. The three tanks with all their switches are the model.
namespace mti {
namespace invariance_test {

using test::event_times;
using test::three_tank_source;

constexpr double tolerance = 1e-8;
/// Two runs at rtol = atol = 1e-8 each differ from the exact solution by some 20 steps' error, 20·1e-8·41 K;
/// the temperatures move at 0.02 K/s and faster where they meet their limits, and switching times pass errors
/// on to later ones: some 1e-4 s over the run (measured against the exact times: 2.5e-5 s).
constexpr double time_accuracy = 1e-3;

Trajectory run_tanks(const Source& source) { return test::run(source, test::with_accuracy(tolerance)); }

void expect_same_times(const std::vector<double>& times, const std::vector<double>& expected,
                       double shift = 0.0) {
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(times[k], expected[k] + shift, time_accuracy) << "event " << k;
}

const std::vector<double>& reference_times() {
  static const std::vector<double> times = event_times(run_tanks(three_tank_source()));
  return times;
}

TEST(Invariance, TheReferenceSwitches37Times) { EXPECT_EQ(reference_times().size(), 37U); }

/// Danger: something that matters is not in the point where a run ended: the mode, the side of a boundary.
TEST(Invariance, StoppingAndContinuing) {
  for (const double cut : {123.4, 500.0, reference_times()[10], 777.7}) {
    Source source = three_tank_source();
    source.experiment.stop = cut;
    const Model first_model = build(source);
    const Trajectory first = simulate(first_model, test::with_accuracy(tolerance));
    ASSERT_EQ(first.outcome.kind, OutcomeKind::reached_stop);
    const Signature& signature = first_model.signature;
    const auto at = [&](int row) { return first.end_point.at(static_cast<std::size_t>(row)); };
    for (int i = 0; i < signature.n(); ++i)
      source.states[static_cast<std::size_t>(i)].start = at(signature.state_row(i));
    for (int i = 0; i < signature.q(); ++i)
      source.binaries[static_cast<std::size_t>(i)].start = at(signature.binary_row(i));
    source.algebraic[0].start = at(signature.algebraic_row(0));
    source.experiment.start = cut;
    source.experiment.stop = 1000.0;
    const Trajectory second = run_tanks(source);
    EXPECT_TRUE(second.events.empty() || second.events[0].kind != EventKind::initial)
        << "continuing at t = " << cut << " switches at once";
    std::vector<double> times = event_times(first);
    for (const double time : event_times(second)) times.push_back(time);
    expect_same_times(times, reference_times());
  }
}

/// Danger: absolute times where differences are meant. The inputs are constant, so only the clock shifts.
TEST(Invariance, TimeShift) {
  for (const double shift : {-1e3, 250.0, 1e5}) {
    Source source = three_tank_source();
    source.experiment.start = shift;
    source.experiment.stop = shift + 1000.0;
    expect_same_times(event_times(run_tanks(source)), reference_times(), shift);
  }
}

/// Danger: an order that decides although nothing is tied.
TEST(Invariance, OrderOfSignalsAndEquations) {
  Source source = three_tank_source();
  std::reverse(source.states.begin(), source.states.end());
  std::reverse(source.inputs.begin(), source.inputs.end());
  std::rotate(source.binaries.begin(), source.binaries.begin() + 2, source.binaries.end());
  std::rotate(source.equations.begin(), source.equations.begin() + 1, source.equations.end());
  std::reverse(source.constraints.begin(), source.constraints.end());
  const Trajectory permuted = run_tanks(source), reference = run_tanks(three_tank_source());
  expect_same_times(event_times(permuted), event_times(reference));
  for (const char* name : {"x1", "x2", "x3", "y1", "z1", "z3", "z5"})
    EXPECT_NEAR(test::last(permuted, name), test::last(reference, name), time_accuracy) << name;
}

/// Danger: a threshold in absolute numbers. Rows, and signals with their nominals, in other units.
TEST(Invariance, Units) {
  for (const double unit : {1e-6, 1e6}) {
    Source rows = three_tank_source();
    rows.parameters.push_back({"k", unit});
    rows.equations[0] = "k*((c*m*der(x1) + g*x1 - a*(x2+x3) - a*u1)*y1 + c*fv*(x1-u2)*z1) = 0";
    rows.equations[3] = "k*(y1 - 1 - z1*z3 - z1*z5 - z3*z5 + z1*z3*z5) = 0";
    rows.constraints[1] = "k*(u5-x2)*(1-z3+z4) <= 0";
    rows.constraints[3] = "(x1-u4)*(1-z2+z1)/k <= 0";
    expect_same_times(event_times(run_tanks(rows)), reference_times());

    Source signals = three_tank_source();  // X1 = k·x1, Y1 = k·y1
    signals.parameters.push_back({"k", unit});
    signals.states[0] = {"X1", 37.0 * unit, "", unit};
    signals.algebraic[0] = {"Y1", unit, "", unit};
    signals.equations = {"(c*m*der(X1)/k + g*X1/k - a*(x2+x3) - a*u1)*Y1/k + c*fv*(X1/k-u2)*z1 = 0",
                         "(c*m*der(x2) + g*x2 - a*(X1/k+x3) - a*u1)*Y1/k + c*fv*(x2-u2)*z3 = 0",
                         "(c*m*der(x3) + g*x3 - a*(X1/k+x2) - a*u1)*Y1/k + c*fv*(x3-u2)*z5 = 0",
                         "Y1/k = 1 + z1*z3 + z1*z5 + z3*z5 - z1*z3*z5"};
    signals.constraints[0] = "(u3-X1/k)*(1-z1+z2) <= 0";
    signals.constraints[3] = "(X1/k-u4)*(1-z2+z1) <= 0";
    expect_same_times(event_times(run_tanks(signals)), reference_times());
  }
}

/// The time unit: c in other units makes every rate k times larger.
TEST(Invariance, TimeUnit) {
  for (const double unit : {1e-6, 1e6}) {
    Source source = three_tank_source();
    source.parameters[0].value = 4200.0 * unit;
    source.parameters[4].value = 0.09 / unit;  // c·fv stays
    source.experiment.stop = 1000.0 * unit;
    source.experiment.output_interval = Number(unit);
    std::vector<double> times = event_times(run_tanks(source));
    for (double& time : times) time /= unit;
    expect_same_times(times, reference_times());
  }
}

/// Danger: state that is shared between runs. The same model in two threads, each again and again.
TEST(Invariance, TwoThreadsDoNotTouch) {
  const Model model = build(three_tank_source());
  const SimulationOptions options = test::with_accuracy(1e-6);
  const Trajectory reference = simulate(model, options);
  constexpr int repetitions = 5;
  std::vector<Trajectory> first(repetitions), second(repetitions);
  const auto work = [&](std::vector<Trajectory>& results) {
    for (Trajectory& result : results) result = simulate(model, options);
  };
  std::thread one(work, std::ref(first)), other(work, std::ref(second));
  one.join();
  other.join();
  for (const auto* results : {&first, &second})
    for (const Trajectory& result : *results) test::expect_identical(result, reference);
}

/// Danger: dense and sparse factorisations differ by more than rounding.
TEST(Invariance, LinearSolver) {
  SimulationOptions options = test::with_accuracy(tolerance);
  options.linear_solver = LinearSolver::klu;
  const Model model = build(three_tank_source());
  expect_same_times(event_times(simulate(model, options)), reference_times());
  options.linear_solver = LinearSolver::dense;
  expect_same_times(event_times(simulate(model, options)), reference_times());
}

/// Danger: series, exact flows and IDA stand at different points of the same motion.
TEST(Invariance, Integrator) {
  SimulationOptions options = test::with_accuracy(tolerance);
  const Model model = build(three_tank_source());
  for (const IntegratorChoice choice :
       {IntegratorChoice::series, IntegratorChoice::flow, IntegratorChoice::ida}) {
    options.integrator = choice;
    expect_same_times(event_times(simulate(model, options)), reference_times());
  }
}

}  // namespace invariance_test
}  // namespace mti
