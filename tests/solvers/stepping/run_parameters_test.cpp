// Parameters that change while a run goes on.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "solvers/stepping/run.hpp"

namespace mti {
namespace run_parameters_test {

constexpr double rtol = 1e-9;

void go_to(mti::Run& run, double t) {
  while (!run.ended() && run.advance(t) == StepEnd::event) {
  }
}

double value(mti::Run& run, const Model& model, const std::string& name) {
  for (int row = 0; row < model.signature.size(); ++row)
    if (model.signature.row_name(row) == name) return run.v()[static_cast<std::size_t>(row)];
  ADD_FAILURE() << "no signal " << name;
  return 0.0;
}

/// ẋ = −k x + a sin(2π t).
Model driven(double k, double a) {
  Source source;
  source.parameters = {{"k", k}, {"a", a}};
  source.states = {{.name = "x", .start = 1.0}};
  source.algebraic = {{"p"}};
  source.inputs = {{.name = "w", .form = SineSource{.amplitude = "a", .frequency = 1.0}}};
  source.equations = {"der(x) = -k*x + w", "p = k*x"};
  source.experiment.stop = 3.0;
  return build(source);
}

/// x(t₀ + τ) for x(t₀) = x₀ and phase φ = 2π t₀ there.
double solution(double x0, double k, double a, double phase, double tau) {
  const double omega = 2.0 * std::numbers::pi, scale = a / (k * k + omega * omega);
  const auto particular = [&](double t) {
    return scale * (k * std::sin(omega * t + phase) - omega * std::cos(omega * t + phase));
  };
  return particular(tau) + (x0 - particular(0.0)) * std::exp(-k * tau);
}

TEST(RunParameters, CountFromWhereTheyAreSet) {
  const Model model = driven(2.0, 1.0);
  mti::Run run(model, {.rtol = rtol, .output_interval = 0.25});
  go_to(run, 1.1);
  const double x1 = solution(1.0, 2.0, 1.0, 0.0, 1.1);
  EXPECT_NEAR(value(run, model, "x"), x1, 10.0 * rtol);
  run.set_parameters(driven(0.5, 3.0));
  EXPECT_EQ(value(run, model, "p"), 2.0 * value(run, model, "x")) << "nothing is decided yet";
  EXPECT_EQ(run.settle(), StepEnd::reached);
  EXPECT_NEAR(value(run, model, "p"), 0.5 * x1, 10.0 * rtol);
  go_to(run, 3.0);
  EXPECT_NEAR(value(run, model, "x"), solution(x1, 0.5, 3.0, 2.0 * std::numbers::pi * 1.1, 1.9), 30.0 * rtol);
  EXPECT_EQ(run.outcome().kind, OutcomeKind::reached_stop);

  // Inputs are what they were.
  const Trajectory rows = run.finish();
  ASSERT_GT(rows.size(), 12U);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double t = rows.time(row), a = t < 1.1 ? 1.0 : 3.0;
    EXPECT_NEAR(rows.input(row, 0), a * std::sin(2.0 * std::numbers::pi * t), 1e-12) << t;
  }
}

/// The same as an input in the parameter's place, with its mode: a thermostat whose limits are moved beyond the temperature.
TEST(RunParameters, DecideModesAsInputsDo) {
  const auto thermostat = [](bool as_input, double high) {
    Source source;
    source.states = {{.name = "T", .start = 18.0}};
    source.binaries = {{.name = "on", .start = 1.0}};
    if (as_input)
      source.inputs = {{.name = "high", .form = Number(high)}};
    else
      source.parameters = {{"high", high}};
    source.equations = {"der(T) = 4*on - 0.1*(T - 10)"};
    source.constraints = {"(T - high)*on <= 0", "(high - 2 - T)*(1 - on) <= 0"};
    source.experiment.stop = 4.0;
    return build(source);
  };
  const Model by_input = thermostat(true, 22.0), by_parameter = thermostat(false, 22.0);
  mti::Run one(by_input, {.rtol = rtol}), other(by_parameter, {.rtol = rtol});
  for (const double high : {19.0, 25.0, 21.0}) {
    const double t = one.time() + 1.0;
    go_to(one, t);
    go_to(other, t);
    one.set_input(0, high);
    other.set_parameters(thermostat(false, high));
    EXPECT_EQ(one.settle(), other.settle()) << high;
    EXPECT_EQ(one.mode().z, other.mode().z) << high;
  }
  go_to(one, 4.0);
  go_to(other, 4.0);
  EXPECT_NEAR(value(one, by_input, "T"), value(other, by_parameter, "T"), 100.0 * rtol);
  const Trajectory of_one = one.finish(), of_other = other.finish();
  ASSERT_EQ(of_one.events.size(), of_other.events.size());
  EXPECT_EQ(of_one.events.size(), 3U);
  for (std::size_t i = 0; i < of_one.events.size(); ++i)
    EXPECT_NEAR(of_one.events[i].time, of_other.events[i].time, 100.0 * rtol) << i;
}

/// What was set of inputs stays, whether they follow a parameter or not; and an input that was not set follows it.
TEST(RunParameters, LeaveInputsThatWereSet) {
  const auto sum = [](double a) {
    Source source;
    source.parameters = {{"a", a}};
    source.states = {{.name = "x"}};
    source.inputs = {{.name = "u", .form = Number("a")}, {.name = "w", .form = Number("a")}};
    source.equations = {"der(x) = u + 10*w"};
    source.experiment.stop = 3.0;
    return build(source);
  };
  const Model model = sum(1.0);
  mti::Run run(model, {.rtol = rtol});
  run.set_input(0, 5.0);
  go_to(run, 1.0);  // 15
  run.set_parameters(sum(2.0));
  go_to(run, 2.0);  // 15 + 25
  run.set_input(1, 0.0);
  run.set_parameters(sum(3.0));
  go_to(run, 3.0);  // 40 + 5
  EXPECT_NEAR(value(run, model, "x"), 45.0, 45.0 * 10.0 * rtol);
}

/// ẋ = u, u = k.
Model driven_by(double k) {
  Source source;
  source.parameters = {{"k", k}};
  source.states = {{.name = "x"}};
  source.inputs = {{.name = "u", .form = Number("k")}};
  source.equations = {"der(x) = u"};
  source.experiment.stop = 4.0;
  return build(source);
}

/// u = k is set to the 1 that it is, and k to 3: x' = 1 until u is set to another.
TEST(RunParameters, LeaveInputsThatWereSetToWhatTheyWere) {
  const Model model = driven_by(1.0);
  mti::Run run(model, {.rtol = rtol});
  go_to(run, 1.0);
  run.set_input(0, 1.0);
  run.set_parameters(driven_by(3.0));
  go_to(run, 2.0);
  EXPECT_NEAR(value(run, model, "x"), 2.0, 20.0 * rtol);
  run.set_input(0, 2.0);
  go_to(run, 3.0);
  EXPECT_NEAR(value(run, model, "x"), 4.0, 40.0 * rtol);
}

/// The same from a saved run on: with the parameters of the model that takes it up, or with others behind it; also where it was saved
/// once before u was set.
TEST(RunParameters, LeaveInputsOfASavedRunThatWereSetToWhatTheyWere) {
  const Model model = driven_by(1.0), other = driven_by(3.0);
  mti::Run run(model, {.rtol = rtol});
  go_to(run, 1.0);
  static_cast<void>(run.save());
  run.set_input(0, 1.0);
  const SavedRun saved = run.save();
  mti::Run same(model, {.rtol = rtol}, saved), bound(other, {.rtol = rtol}, saved);
  same.set_parameters(other);
  for (mti::Run* each : {&same, &bound}) {
    go_to(*each, 2.0);
    EXPECT_NEAR(value(*each, model, "x"), 2.0, 20.0 * rtol);
  }
}

/// In discrete time from the next sample on.
TEST(RunParameters, OfSamplesCountFromTheNextOne) {
  const auto geometric = [](double q) {
    Source source;
    source.sample_time = 1.0;
    source.parameters = {{"q", q}};
    source.states = {{.name = "x", .start = 1.0}};
    source.equations = {"next(x) = q*x"};
    source.experiment.stop = 6.0;
    return build(source);
  };
  const Model model = geometric(2.0);
  mti::Run run(model);
  go_to(run, 3.0);
  EXPECT_EQ(value(run, model, "x"), 8.0);
  run.set_parameters(geometric(3.0));
  go_to(run, 6.0);
  EXPECT_EQ(run.outcome().kind, OutcomeKind::reached_stop);
  EXPECT_EQ(value(run, model, "x"), 16.0 * 9.0) << "the sample at t = 3 has been solved";
}

/// n counts the ticks of a clock at t = offset + j T, t ≤ 3.
Model counter(double period, double offset) {
  Source source;
  source.clocks = {{.name = "k", .period = period, .offset = offset, .is_alone = true}};
  source.states = {{.name = "n"}};
  source.equations = {"next(n) = n + 1"};
  source.experiment.stop = 3.0;
  return build(source);
}

/// Ticks of offset + j T in (from, to].
int ticks(double period, double offset, double from, double to) {
  const auto up_to = [&](double t) { return std::floor((t - offset) / period + 1e-9); };
  return static_cast<int>(up_to(to) - up_to(from));
}

// A clock with another period ticks next at its own next time, and not where the period is set, however many ticks there
// have been; so it does in a run that goes on in another model.
TEST(RunParameters, MoveTicksThatAreToCome) {
  for (const double from : {1.3, 1.55, 1.5})
    for (const auto& [period, offset] : std::vector<std::pair<double, double>>{
             {0.5, 0.0}, {0.2, 0.0}, {0.65, 0.0}, {1.0, 0.0}, {0.25, 0.1}, {0.25, -0.2}, {0.25, 0.0}}) {
      const auto count = [](mti::Run& run) { return run.v()[1]; };
      mti::Run run(counter(0.25, 0.0));
      go_to(run, from);
      const double before = count(run);
      EXPECT_EQ(before, ticks(0.25, 0.0, 0.0, from));
      run.set_parameters(counter(period, offset));
      EXPECT_EQ(run.settle(), StepEnd::reached) << period << " " << offset;
      EXPECT_EQ(count(run), before);
      mti::Run other(counter(period, offset), {}, run.save());
      for (const double t : {1.7, 2.0, 2.35, 3.0})
        for (mti::Run* one : {&run, &other}) {
          go_to(*one, t);
          EXPECT_EQ(count(*one), before + ticks(period, offset, from, t))
              << period << " " << offset << " " << t;
        }
    }
}

TEST(RunParameters, AreRefusedWhereSignalsAreOthers) {
  const auto with = [](const std::string& name, const std::string& constraint) {
    Source source;
    source.states = {{.name = name}};
    source.equations = {"der(" + name + ") = 1"};
    if (!constraint.empty()) source.constraints = {constraint};
    source.experiment.stop = 1.0;
    return build(source);
  };
  const Model model = with("x", "");
  mti::Run run(model, {.rtol = rtol});
  go_to(run, 0.5);
  EXPECT_THROW(run.set_parameters(with("y", "")), InvalidOption);
  EXPECT_THROW(run.set_parameters(with("x", "x <= 2")), InvalidOption);
  go_to(run, 1.0);
  EXPECT_NEAR(value(run, model, "x"), 1.0, 10.0 * rtol) << "what is refused changes nothing";
}

}  // namespace run_parameters_test
}  // namespace mti
