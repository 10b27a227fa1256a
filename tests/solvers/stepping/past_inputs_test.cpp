// What inputs were in a run that is advanced from outside, at its rows.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/model/input_at.hpp"
#include "solvers/stepping/run.hpp"

namespace mti {
namespace past_inputs_test {

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
TEST(PastInputs, AreWhatWasSetAtAllRows) {
  const Model model = switched_integrator();
  mti::Run run(model, {.output_interval = 0.125});
  for (int k = 0; k < 4; ++k) {
    run.set_input(0, 10.0 + k, 1.0);
    go_to(run, 0.5 * (k + 1));
  }
  const Trajectory rows = run.finish();
  const Model shown = run.model_of(rows);
  EXPECT_GT(rows.events.size(), 0U);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double t = rows.time(row);
    const int side = rows.side(row);
    const double part = side < 0 ? std::ceil(2.0 * t) - 1.0 : std::floor(2.0 * t);
    const double k = std::min(std::max(part, 0.0), 3.0);
    EXPECT_NEAR(input_at(shown, 0, t, side), t > 0.0 || side >= 0 ? 10.0 + k + (t - k / 2) : 0.0, 1e-12)
        << t << " " << side;
    EXPECT_EQ(input_at(shown, 1, t, side), input_at(model, 1, t, side));
  }
}

/// y_k = u_k of a run in discrete time: what is set at a sample counts from the next one on.
TEST(PastInputs, OfSamplesAreWhatTheyTook) {
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
  const Model shown = run.model_of(rows);
  ASSERT_EQ(rows.size(), 11U);
  for (std::size_t row = 0; row < rows.size(); ++row)
    EXPECT_EQ(input_at(shown, 0, rows.time(row), rows.side(row)), rows.value(row, rows.column("y")));
}

// A run that goes on from a saved one has what was set before; one of which nothing was set is that of the model.
TEST(PastInputs, OfARunThatWasSavedGoOn) {
  const Model model = switched_integrator();
  mti::Run run(model);
  run.set_input(0, 3.0);
  go_to(run, 1.0);
  mti::Run other(model, {}, run.save());
  go_to(other, 1.5);
  other.set_input(0, 5.0);
  go_to(other, 2.0);
  const Trajectory rows = other.finish();
  const Model shown = other.model_of(rows);
  EXPECT_EQ(input_at(shown, 0, 1.0, 0), 3.0);
  EXPECT_EQ(input_at(shown, 0, 1.5, -1), 3.0);
  EXPECT_EQ(input_at(shown, 0, 2.0, 0), 5.0);
  mti::Run untouched(model);
  go_to(untouched, 2.0);
  const Trajectory own = untouched.finish();
  EXPECT_EQ(untouched.model_of(own).inputs[0].form().index(), model.inputs[0].form().index());
}

}  // namespace past_inputs_test
}  // namespace mti
