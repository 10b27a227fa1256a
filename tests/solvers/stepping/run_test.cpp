// A run that is advanced from outside: it is simulate(), however it is left and taken up again; inputs that are set count
// from there on.

#include "solvers/stepping/run.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "tests/solvers/motion/random_hybrid_model.hpp"

namespace mti {
namespace run_test {

/// ẋ = −x + u, x(0) = 1.
Model lag(double stop) {
  Source source;
  source.states = {{.name = "x", .start = 1.0}};
  source.inputs = {{.name = "u"}};
  source.equations = {"der(x) = u - x"};
  source.experiment.stop = stop;
  return build(source);
}

/// x rises to 1 at slope 1 and falls to 0 at slope −1.
Model triangle(double stop) {
  Source source;
  source.states = {{.name = "x", .start = 0.5}};
  source.inputs = {{.name = "speed", .form = Number(1.0)}};
  source.binaries = {{.name = "up", .start = Number(1.0)}};
  source.equations = {"der(x) = speed*(2*up - 1)"};
  source.constraints = {{"low", "-x*(1 - up) <= 0"}, {"high", "(x - 1)*up <= 0"}};
  source.experiment.stop = stop;
  return build(source);
}

double x_of(Run& run) { return run.v()[static_cast<std::size_t>(run.model().signature.state_row(0))]; }

void go_to(mti::Run& run, double t) {
  while (run.advance(t) == StepEnd::event) {
  }
}

void expect_same(const Trajectory& found, const Trajectory& whole) {
  EXPECT_EQ(found.outcome.kind, whole.outcome.kind)
      << found.outcome.message << " | " << whole.outcome.message;
  EXPECT_EQ(found.outcome.end_time, whole.outcome.end_time);
  ASSERT_EQ(found.size(), whole.size());
  for (std::size_t row = 0; row < whole.size(); ++row) {
    ASSERT_EQ(found.time(row), whole.time(row)) << "row " << row;
    ASSERT_EQ(found.side(row), whole.side(row)) << "row " << row;
    for (std::size_t column = 0; column < whole.columns(); ++column)
      ASSERT_EQ(found.value(row, column), whole.value(row, column)) << "row " << row;
  }
  ASSERT_EQ(found.events.size(), whole.events.size());
  for (std::size_t k = 0; k < whole.events.size(); ++k) EXPECT_EQ(found.events[k].time, whole.events[k].time);
}

TEST(Run, InManyAdvancesIsOneRun) {
  const Model model = triangle(100.0);
  mti::Run run(model, {.output_interval = 0.07});
  long events = 0;
  for (int k = 1; k <= 1000; ++k)
    while (run.advance(0.1 * k) == StepEnd::event) ++events;
  EXPECT_TRUE(run.ended());
  EXPECT_EQ(events, 100);
  expect_same(run.finish(), simulate(model, {.output_interval = 0.07}));
}

/// What advances in between decide is nothing: bit for bit, whatever switches, jumps or slides.
TEST(Run, InRandomAdvancesIsOneRun) {
  constexpr unsigned models = 300;
  std::size_t events = 0, reached = 0;
  for (unsigned seed = 1; seed <= models; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const test::RandomHybridModel random(test::all_shapes[seed % test::all_shapes.size()], seed);
    SimulationOptions options;
    options.rtol = 1e-6;
    options.stop = 2.0;
    options.output_interval = 0.05;
    options.max_events = 500;
    options.max_candidates = 2000;
    const Trajectory whole = simulate(random.model, options);
    mti::Run run(random.model, options);
    std::mt19937 draw(seed);
    std::uniform_real_distribution<double> step(0.0, 0.1);
    while (!run.ended()) run.advance(run.time() + step(draw));
    expect_same(run.finish(), whole);
    if (HasFailure()) return;
    events += whole.events.size();
    reached += whole.outcome.kind == OutcomeKind::reached_stop ? 1 : 0;
  }
  EXPECT_GT(events, models / 10);
  EXPECT_GT(reached, models / 10);
}

/// Impacts at t₁ = √(2/g) and ever sooner after it: with restitution ½ they accumulate at t₁ + 2 v₁/g = 3 t₁.
Source ball() {
  Source source;
  source.states = {{.name = "h", .start = 1.0}, {.name = "v"}};
  source.inputs = {{.name = "u"}};
  source.algebraic = {{"force"}};
  source.binaries = {{.name = "rests"}};
  source.equations = {
      "der(h) = v", "der(v) = -9.81 + force + u", {"support", "rests*h + (1 - rests)*force = 0"}};
  source.constraints = {{"floor", "-h <= 0"}, {"push", "force >= 0"}};
  source.transitions = {{.when = "reach(floor)", .replaces = {"support"}, .equations = {"v = -0.5*pre(v)"}}};
  source.experiment.stop = 3.0;
  return source;
}

/// Danger: a run that is left between the last impact and their limit bounces on for ever, or comes to rest elsewhere.
TEST(Run, ThatIsLeftBeforeALimitOfSwitchesIsOneRun) {
  const Model model = build(ball());
  const double limit = 3.0 * std::sqrt(2.0 / 9.81);
  const SimulationOptions options = {.output_interval = 1e-4, .dense = true};
  const Trajectory whole = simulate(model, options);
  ASSERT_EQ(whole.accumulations.size(), 1U);
  EXPECT_NEAR(whole.accumulations[0].time, limit, 1e-6);
  int on_the_way = 0;
  for (const double before : {3e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 1e-7, 1e-9}) {
    SCOPED_TRACE(before);
    mti::Run run(model, options);
    go_to(run, limit - before);
    go_to(run, limit - 0.5 * before);
    on_the_way += run.trajectory().events.size() == whole.events.size() - 1 ? 1 : 0;
    EXPECT_NEAR(x_of(run), 0.0, 10.0 * before * before + 1e-5);
    while (!run.ended()) run.advance(3.0);
    const Trajectory found = run.finish();
    expect_same(found, whole);
    for (int i = -100; i < 10; ++i) ASSERT_EQ(found.at(limit + 1e-4 * i), whole.at(limit + 1e-4 * i)) << i;
  }
  EXPECT_GT(on_the_way, 2);
}

/// What is set, or saved, on the way: the ball rests from the limit on, and a force lifts it from where it is.
TEST(Run, GoesOnFromTheWayToALimit) {
  const Model model = build(ball());
  const double limit = 3.0 * std::sqrt(2.0 / 9.81);
  for (const double before : {3e-3, 3e-4, 3e-5, 1e-6, 1e-9}) {
    SCOPED_TRACE(before);
    mti::Run run(model, {.rtol = 1e-6});
    go_to(run, limit - before);
    mti::Run other(model, {.rtol = 1e-6}, run.save());
    go_to(run, 2.0);
    EXPECT_NEAR(x_of(run), 0.0, 1e-5);
    other.set_input(0, 9.81 + 2.0);  // h = (t - limit)²
    while (!other.ended()) other.advance(3.0);
    EXPECT_EQ(other.outcome().kind, OutcomeKind::reached_stop) << other.outcome().message;
    EXPECT_NEAR(x_of(other), (3.0 - limit + before) * (3.0 - limit + before), 20.0 * before + 1e-4);
  }
}

TEST(Run, StandsAtEventsAndBetween) {
  mti::Run run(triangle(10.0), {.rtol = 1e-9});
  EXPECT_EQ(run.advance(0.25), StepEnd::reached);
  EXPECT_EQ(run.time(), 0.25);
  EXPECT_NEAR(x_of(run), 0.75, 1e-9);
  EXPECT_EQ(run.event(), nullptr);
  ASSERT_EQ(run.advance(5.0), StepEnd::event);
  EXPECT_NEAR(run.time(), 0.5, 1e-8);
  EXPECT_NEAR(x_of(run), 1.0, 1e-8);
  ASSERT_NE(run.event(), nullptr);
  EXPECT_EQ(run.event()->time, run.time());
  EXPECT_EQ(run.mode().z[0], 0);
  EXPECT_NEAR(run.v()[0], -1.0, 1e-12) << "the rate is that of what goes on";
  ASSERT_EQ(run.advance(1.0), StepEnd::reached);
  EXPECT_EQ(run.event(), nullptr);
  EXPECT_NEAR(x_of(run), 0.5, 1e-8);
  EXPECT_EQ(run.advance(run.time()), StepEnd::reached) << "no time passes";
}

/// x⁺ = e^(−T) x + (1 − e^(−T)) u for what is held over T.
TEST(Run, FollowsAnInputThatASampledControllerSets) {
  constexpr double rtol = 1e-9, T = 0.1;
  constexpr int samples = 100;
  mti::Run run(lag(T * samples), {.rtol = rtol});
  double x = 1.0;
  for (int k = 0; k < samples; ++k) {
    EXPECT_NEAR(x_of(run), x, 100.0 * rtol);
    const double u = 2.0 - 3.0 * x_of(run);
    run.set_input(0, u);
    x = std::exp(-T) * x - std::expm1(-T) * u;
    EXPECT_NE(run.advance(T * (k + 1)), StepEnd::event) << "nothing switches";
  }
  EXPECT_TRUE(run.ended());
  EXPECT_EQ(run.outcome().kind, OutcomeKind::reached_stop);
  EXPECT_NEAR(x_of(run), x, 100.0 * rtol);
}

/// ẋ = −x + a + b (t − t₀): x = a − b + b (t − t₀) + c e^(−(t − t₀)).
TEST(Run, FollowsASlope) {
  constexpr double rtol = 1e-9, a = 0.5, b = -2.0;
  mti::Run run(lag(10.0), {.rtol = rtol});
  run.advance(1.0);
  const double c = x_of(run) - a + b;
  run.set_input(0, a, b);
  run.advance(4.0);
  EXPECT_NEAR(x_of(run), a - b + 3.0 * b + c * std::exp(-3.0), 100.0 * rtol);
}

TEST(Run, DecidesWhatFollowsFromAnInput) {
  Source source;
  source.states = {{.name = "x"}};
  source.inputs = {{.name = "u"}};
  source.binaries = {{.name = "on"}};
  source.equations = {"der(x) = on"};
  source.constraints = {{"off", "u*(1 - on) <= 0"}, {"on", "-u*on <= 0"}};
  source.experiment.stop = 10.0;
  mti::Run run(build(source));
  run.advance(1.0);
  run.set_input(0, 2.0);
  EXPECT_EQ(run.mode().z[0], 0) << "not yet";
  ASSERT_EQ(run.settle(), StepEnd::event);
  EXPECT_EQ(run.mode().z[0], 1);
  EXPECT_EQ(run.event()->kind, EventKind::input);
  EXPECT_EQ(run.event()->time, 1.0);
  EXPECT_EQ(run.advance(3.0), StepEnd::reached);
  EXPECT_NEAR(x_of(run), 2.0, 1e-6);
  run.set_input(0, 1.0, -1.0);  // through zero at t = 4
  ASSERT_EQ(run.advance(10.0), StepEnd::event);
  EXPECT_NEAR(run.time(), 4.0, 1e-5);
}

TEST(Run, GoesOnFromWhatWasSavedBitForBit) {
  std::size_t events = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const test::RandomHybridModel random(test::all_shapes[seed % test::all_shapes.size()], seed);
    SimulationOptions options;
    options.rtol = 1e-6;
    options.stop = 2.0;
    options.output_interval = 0.05;
    options.max_events = 500;
    options.max_candidates = 2000;
    mti::Run run(random.model, options);
    std::mt19937 draw(seed);
    run.advance(std::uniform_real_distribution<double>(0.0, 1.5)(draw));
    if (run.ended()) continue;
    const std::size_t rows = run.trajectory().size(), before = run.trajectory().events.size();
    const SavedRun saved = run.save();
    mti::Run other(random.model, options, saved);
    EXPECT_EQ(other.time(), run.time());
    while (!run.ended()) run.advance(2.0);
    while (!other.ended()) other.advance(2.0);
    const Trajectory whole = run.finish(), rest = other.finish();
    EXPECT_EQ(rest.outcome.kind, whole.outcome.kind);
    EXPECT_EQ(rest.outcome.end_time, whole.outcome.end_time);
    EXPECT_EQ(rest.end_point, whole.end_point);
    ASSERT_EQ(rest.size(), whole.size() - rows);
    for (std::size_t row = 0; row < rest.size(); ++row) {
      ASSERT_EQ(rest.time(row), whole.time(rows + row));
      for (std::size_t column = 0; column < rest.columns(); ++column)
        ASSERT_EQ(rest.value(row, column), whole.value(rows + row, column));
    }
    ASSERT_EQ(rest.events.size(), whole.events.size() - before);
    events += rest.events.size();
    if (HasFailure()) return;
  }
  EXPECT_GT(events, 50U);
}

TEST(Run, KeepsInputsThatWereSetWhenItIsSaved) {
  const Model model = lag(10.0);
  mti::Run run(model, {.rtol = 1e-9});
  run.set_input(0, 3.0, 0.5);
  run.advance(2.0);
  mti::Run other(model, {.rtol = 1e-9}, run.save());
  run.advance(10.0);
  other.advance(10.0);
  EXPECT_EQ(x_of(run), x_of(other));
  // a = 3, b = 1/2 from t = 0 on
  EXPECT_NEAR(x_of(run), 2.5 + 5.0 + (1.0 - 2.5) * std::exp(-10.0), 1e-7);
}

/// Pulses of period 1 whose widths follow `duty`: sampled when a period begins.
TEST(Run, PulsesFollowADutyThatIsSet) {
  Source source;
  source.states = {{.name = "x"}};
  source.inputs = {{.name = "duty", .form = Number(0.25)},
                   {.name = "p", .form = PulseSource{.period = Number(1.0), .duty = "duty"}}};
  source.equations = {"der(x) = p"};
  source.experiment.stop = 4.0;
  const Model model = build(source);
  mti::Run run(model, {.rtol = 1e-9});
  go_to(run, 1.1);
  run.set_input(0, 0.75);  // from t = 2 on; the pulse of the present period is as it was sampled
  go_to(run, 2.0);
  EXPECT_NEAR(x_of(run), 0.5, 1e-8);
  go_to(run, 2.5);
  mti::Run other(model, {.rtol = 1e-9}, run.save());
  go_to(run, 4.0);
  EXPECT_NEAR(x_of(run), 2.0, 1e-8);
  while (!other.ended()) other.advance(4.0);
  EXPECT_NEAR(x_of(other), 2.0, 1e-8);
}

/// x_(k+1) = x_k/2 + u_k
TEST(Run, RefusesWhatDoesNotFit) {
  mti::Run run(lag(10.0));
  run.advance(2.0);
  EXPECT_THROW(run.advance(1.0), InvalidOption);
  EXPECT_THROW(run.advance(std::nan("")), InvalidOption);
  EXPECT_THROW(run.set_input(1, 0.0), InvalidOption);
  EXPECT_THROW(run.set_input(0, std::nan("")), InvalidOption);
  EXPECT_THROW(mti::Run(triangle(10.0), {}, run.save()), InvalidOption);
  EXPECT_THROW(mti::Run(lag(1.0), {}, run.save()), InvalidOption) << "it was saved at t = 2";
  EXPECT_THROW(mti::Run(lag(10.0), {.rtol = -1.0}), InvalidOption);
  EXPECT_EQ(run.advance(11.0), StepEnd::ended) << "the stop time comes first";
  EXPECT_EQ(run.time(), 10.0);
  EXPECT_THROW(static_cast<void>(run.save()), InvalidOption);
}

TEST(Run, WithoutAConsistentStartHasEnded) {
  Source source;
  source.states = {{.name = "x"}};
  source.equations = {"der(x) = 1"};
  source.constraints = {{"never", "x + 1 <= 0"}};
  source.experiment.stop = 1.0;
  mti::Run run(build(source));
  EXPECT_TRUE(run.ended());
  EXPECT_EQ(run.outcome().kind, OutcomeKind::no_consistent_start);
  EXPECT_EQ(run.advance(1.0), StepEnd::ended);
}

TEST(Run, ThrowsWhatObserversThrow) {
  int rows = 0;
  mti::Run run(lag(10.0), {.output_interval = 1.0,
                           .observe = [&rows](double, int, const Mode&, std::span<const double>) {
                             if (++rows == 4) throw std::range_error("mine");
                           }});
  EXPECT_THROW(run.advance(5.0), std::range_error);
  EXPECT_THROW(run.advance(5.0), InvalidOption) << "it stands in the middle of something";
}

/// What `progress` throws comes out where the run can go on from, wherever it was called: the run is the same.
TEST(Run, GoesOnAfterWhatProgressThrows) {
  const Model model = triangle(3000.0);
  const Trajectory whole = simulate(model, {.output_interval = 1.0});
  int thrown = 0;
  const auto begun = std::chrono::steady_clock::now();
  do {
    mti::Run run(model, {.output_interval = 1.0, .progress = [](double) { throw std::range_error("mine"); }});
    while (!run.ended()) try {
        run.advance(3000.0);
      } catch (const std::range_error&) {
        ++thrown;
      }
    expect_same(run.finish(), whole);
  } while (thrown == 0 && std::chrono::steady_clock::now() - begun < std::chrono::seconds(20));
  EXPECT_GT(thrown, 0);
}

TEST(Run, IsNotTakenUpWithOtherConstraints) {
  Source source;
  source.states = {{.name = "x", .start = 0.5}};
  source.inputs = {{.name = "speed", .form = Number(1.0)}};
  source.binaries = {{.name = "up", .start = Number(1.0)}};
  source.equations = {"der(x) = speed*(2*up - 1)"};
  source.constraints = {{"high", "(x - 1)*up <= 0"}};
  source.experiment.stop = 10.0;
  mti::Run run(triangle(10.0));
  run.advance(0.25);
  EXPECT_THROW(mti::Run(build(source), {}, run.save()), InvalidOption);
}

}  // namespace run_test
}  // namespace mti
