// What inputs were in a run that is advanced from outside, at its rows.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/stepping/run.hpp"

namespace mti {
namespace inputs_at_rows_test {

void go_to(mti::Run& run, double t) {
  while (run.advance(t) == StepEnd::event) {
  }
}

/// ẋ = u, z = [u > 11.5], and w = sin t that nobody sets.
Model switched_integrator() {
  Source source;
  source.states = {{.name = "x"}, {.name = "y"}};
  source.inputs = {{.name = "u"}, {.name = "w"}};
  source.inputs[1].form = SineSource{.amplitude = 1.0, .frequency = 1.0};
  source.binaries = {{.name = "z"}};
  source.equations = {"der(x) = u", "der(y) = w"};
  source.constraints = {{"high", "(u - 11.5)*(1 - z) <= 0"}, {"low", "(11.5 - u)*z <= 0"}};
  source.experiment.stop = 2.0;
  return build(source);
}

// u = 10 + k + t − t_k from t_k = k/2 on: at each row, on both sides of the jumps of u and at the switch among them.
TEST(InputsAtRows, AreWhatWasSetAtAllRows) {
  const Model model = switched_integrator();
  mti::Run run(model, {.output_interval = 0.125});
  for (int k = 0; k < 4; ++k) {
    run.set_input(0, 10.0 + k, 1.0);
    go_to(run, 0.5 * (k + 1));
  }
  const Trajectory rows = run.finish();
  EXPECT_GT(rows.events.size(), 0U);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double t = rows.time(row);
    const int side = rows.side(row);
    const double part = side < 0 ? std::ceil(2.0 * t) - 1.0 : std::floor(2.0 * t);
    const double k = std::min(std::max(part, 0.0), 3.0);
    EXPECT_NEAR(rows.input(row, 0), t > 0.0 || side >= 0 ? 10.0 + k + (t - k / 2) : 0.0, 1e-12)
        << t << " " << side;
    EXPECT_NEAR(rows.input(row, 1), std::sin(2.0 * std::numbers::pi * t), 1e-12);
  }
}

/// y_k = u_k of a run in discrete time: what is set at a sample counts from the next one on.
TEST(InputsAtRows, OfSamplesAreWhatTheyTook) {
  Source source;
  source.sample_time = 0.1;
  source.states = {{.name = "n"}};
  source.inputs = {{.name = "u"}};
  source.inputs[0].form = Number(1.0);
  source.algebraic = {{"y"}};
  source.equations = {"next(n) = n + u", "y = u"};
  source.experiment.stop = 1.0;
  mti::Run run(build(source));
  for (int k = 0; k < 10; ++k) {
    run.set_input(0, 10.0 + k);
    go_to(run, 0.1 * (k + 1));
  }
  const Trajectory rows = run.finish();
  ASSERT_EQ(rows.size(), 11U);
  for (std::size_t row = 0; row < rows.size(); ++row)
    EXPECT_EQ(rows.input(row, 0), rows.value(row, rows.column("y")));
}

// A run that goes on from a saved one has what was set before.
TEST(InputsAtRows, OfARunThatWasSavedGoOn) {
  const Model model = switched_integrator();
  mti::Run run(model);
  run.set_input(0, 3.0);
  go_to(run, 1.0);
  mti::Run other(model, {}, run.save());
  go_to(other, 1.5);
  other.set_input(0, 5.0);
  go_to(other, 2.0);
  const Trajectory rows = other.finish();
  for (std::size_t row = 0; row < rows.size(); ++row)
    EXPECT_EQ(rows.input(row, 0), rows.time(row) < 1.5 ? 3.0 : 5.0) << rows.time(row);
  EXPECT_EQ(rows.time(rows.size() - 1), 2.0);
}

/// y = a + 2 u + 100 b + 1000 z with z = [u > 2], back below 1.
Model read_out(double a) {
  Source source;
  source.parameters = {{.name = "a", .value = a}};
  source.states = {{.name = "x"}};
  source.inputs = {{.name = "u"}, {.name = "b", .form = Number(0.0), .binary = true}};
  source.algebraic = {{"y"}};
  source.binaries = {{.name = "z"}};
  source.equations = {"der(x) = u + b", "y = a + 2*u + 100*b + 1000*z"};
  source.constraints = {"(u - 2)*(1 - z) <= 0", "(1 - u)*z <= 0"};
  source.experiment.stop = 2.0;
  return build(source);
}

/// What is set of a run at a time; input 2 stands for the parameter.
struct Setting {
  double time;
  int input;
  double value;
  bool settles = false, saves = false;
};

/// Every row fulfils the equation of y, whichever of its inputs are set when: alone and together, at output times, between
/// them and at the start, with an event and without, twice at one time, and where a saved run goes on.
class ReadOut : public testing::TestWithParam<std::vector<Setting>> {};
TEST_P(ReadOut, HoldsAtEveryRow) {
  const SimulationOptions options = {.output_interval = 0.5};
  auto run = std::make_unique<mti::Run>(read_out(0.0), options);
  const auto check = [](const Trajectory& rows, double changes_at, double a) {
    ASSERT_GT(rows.size(), 0U);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const double here = rows.time(row) >= changes_at ? a : 0.0;
      const double u = rows.input(row, 0), b = rows.input(row, 1), z = rows.value(row, rows.column("z"));
      EXPECT_EQ(rows.value(row, rows.column("y")), here + 2.0 * u + 100.0 * b + 1000.0 * z)
          << rows.time(row) << " " << rows.side(row);
    }
  };
  double changes_at = 3.0, a = 0.0;
  for (const Setting& setting : GetParam()) {
    go_to(*run, setting.time);
    if (setting.input < 2)
      run->set_input(setting.input, setting.value);
    else
      run->set_parameters(read_out(a = setting.value));
    if (setting.input == 2) changes_at = setting.time;
    if (setting.settles) run->settle();
    if (setting.saves) {
      const SavedRun saved = run->save();
      const Model model = run->model();
      check(run->finish(), changes_at, a);
      run = std::make_unique<mti::Run>(model, options, saved);
    }
  }
  go_to(*run, 2.0);
  check(run->finish(), changes_at, a);
}
INSTANTIATE_TEST_SUITE_P(
    InputsAtRows, ReadOut,
    testing::Values(std::vector<Setting>{{1.0, 0, 1.0}}, std::vector<Setting>{{1.0, 0, 5.0}},
                    std::vector<Setting>{{1.0, 1, 1.0}}, std::vector<Setting>{{1.0, 0, 5.0}, {1.0, 0, 0.0}},
                    std::vector<Setting>{{0.75, 0, 1.0}}, std::vector<Setting>{{0.75, 0, 5.0}},
                    std::vector<Setting>{{1.0, 0, 1.0}, {1.0, 1, 1.0}}, std::vector<Setting>{{0.0, 0, 1.0}},
                    std::vector<Setting>{{0.0, 0, 5.0}}, std::vector<Setting>{{0.0, 1, 1.0}},
                    std::vector<Setting>{{1.0, 0, 5.0, true}, {1.0, 0, 0.0}},
                    std::vector<Setting>{{1.0, 0, 5.0, true}, {1.0, 0, 4.0}, {1.5, 1, 1.0}},
                    std::vector<Setting>{{1.0, 0, 5.0, false, true}, {1.5, 0, 0.0, false, true}},
                    std::vector<Setting>{{1.0, 1, 1.0, false, true}}, std::vector<Setting>{{1.0, 2, 7.0}},
                    std::vector<Setting>{{1.0, 0, 5.0}, {1.5, 2, 7.0}}));

TEST(InputsAtRows, EndWhereARunIsLeft) {
  mti::Run run(read_out(0.0), {.output_interval = 0.5});
  run.set_input(0, 1.0);
  go_to(run, 1.3);
  const Trajectory rows = run.finish();
  const std::size_t last = rows.size() - 1;
  EXPECT_EQ(rows.time(last), 1.3);
  EXPECT_EQ(rows.side(last), 0);
  EXPECT_NEAR(rows.value(last, rows.column("x")), 1.3, 1e-6);
}

/// The last number below the time of a jump is on its left, in inputs as in what follows from them.
TEST(InputsAtRows, OfTimesBesideJumpsAreOfOneSide) {
  Source source;
  source.states = {{.name = "x"}};
  source.inputs = {{.name = "u", .form = TableSource{{0.0, 1.3, 1.3, 9.0}, {2.0, 2.0, 0.0, 0.0}}}};
  source.algebraic = {{"y"}};
  source.equations = {"der(x) = u", "y = u"};
  source.experiment.start = 0.7;
  source.experiment.stop = 2.0;
  const Trajectory rows = simulate(build(source), {.output_interval = 0.008});
  for (std::size_t row = 0; row < rows.size(); ++row)
    EXPECT_EQ(rows.input(row, 0), rows.value(row, rows.column("y"))) << rows.time(row);
}

}  // namespace inputs_at_rows_test
}  // namespace mti
