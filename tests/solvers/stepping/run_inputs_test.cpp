// Inputs that are set while a run goes on: at one instant they are one jump, the same as that of tables.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/stepping/run.hpp"
#include "tests/solvers/motion/random_hybrid_model.hpp"

namespace mti {
namespace run_inputs_test {

constexpr double jump_at = 0.7071;

/// The value of an input before and after the jump.
struct Jump {
  double before = 0.0, after = 0.0;
};

/// ẋ = i; a diode conducts (x = the source's voltage) or blocks (i = 0).
Source capacitor_behind_diode(const std::string& voltage) {
  Source source;
  source.states = {{.name = "x", .start = 1.0}};
  source.algebraic = {{"i"}};
  source.binaries = {{.name = "conducts", .start = 1.0}};
  source.equations = {"der(x) = i", "conducts*(x - (" + voltage + ")) + (1 - conducts)*i = 0"};
  source.constraints = {{"forward", "i >= 0"}, {"blocked", "(" + voltage + " - x)*(1 - conducts) <= 0"}};
  source.experiment.stop = 2.0;
  return source;
}

Source lamp_behind_door() {
  Source source;
  source.states = {{.name = "x"}};
  source.inputs = {{.name = "door", .binary = true}};
  source.binaries = {{.name = "lamp"}};
  source.equations = {"der(x) = lamp", "lamp = door"};
  source.experiment.stop = 2.0;
  return source;
}

Model with_constants(Source source, const std::vector<Jump>& jumps) {
  for (std::size_t i = 0; i < jumps.size(); ++i) source.inputs[i].form = Number(jumps[i].before);
  return build(source);
}

Model with_tables(Source source, const std::vector<Jump>& jumps) {
  for (std::size_t i = 0; i < jumps.size(); ++i) {
    const auto& [before, after] = jumps[i];
    source.inputs[i].form = source.inputs[i].binary ? TableSource{{0.0, jump_at}, {before, after}}
                                                    : TableSource{{0.0, jump_at, jump_at, 2.0 * jump_at},
                                                                  {before, before, after, after}};
  }
  return build(source);
}

void go_to(Run& run, double t) {
  while (!run.ended() && run.advance(t) == StepEnd::event) {
  }
}

/// Sets the inputs in this order at the jump; those of `known` were set at the start, to what they are then.
Trajectory run_with_inputs(const Model& model, const std::vector<Jump>& jumps, const std::vector<int>& order,
                           const std::vector<int>& known = {}, const SimulationOptions& options = {}) {
  mti::Run run(model, options);
  for (const int i : known) {
    run.set_input(i, jumps[at(i)].before == 0.0 ? 1.0 : 0.0);
    run.set_input(i, jumps[at(i)].before);
  }
  go_to(run, jump_at);
  for (const int i : order) run.set_input(i, jumps[at(i)].after);
  while (!run.ended()) run.advance(10.0);
  return run.finish();
}

std::vector<int> ascending(std::size_t count) {
  std::vector<int> order;
  for (std::size_t i = 0; i < count; ++i) order.push_back(static_cast<int>(i));
  return order;
}

std::string text_of(const std::vector<Change>& changes) {
  std::string text;
  for (const Change& change : changes)
    text += std::to_string(change.row) + ": " + std::to_string(change.before) + " to " +
            std::to_string(change.after) + "; ";
  return text;
}

std::string text_of(const Event& event) {
  std::string text =
      to_string(event.kind) + " changes " + text_of(event.changed) + " jumps " + text_of(event.jumps);
  for (const Impulse& impulse : event.impulses)
    text += " impulse " + std::to_string(impulse.row) + ": " + std::to_string(impulse.weight);
  return text;
}

/// Two runs that differ by the errors of the integrator.
void expect_equal(const Trajectory& found, const Trajectory& twin, double error) {
  EXPECT_EQ(found.outcome.kind, twin.outcome.kind) << found.outcome.message << " | " << twin.outcome.message;
  ASSERT_EQ(found.events.size(), twin.events.size());
  for (std::size_t k = 0; k < twin.events.size(); ++k) {
    EXPECT_NEAR(found.events[k].time, twin.events[k].time, error);
    EXPECT_EQ(text_of(found.events[k]), text_of(twin.events[k]));
  }
  ASSERT_EQ(found.end_point.size(), twin.end_point.size());
  for (std::size_t row = 0; row < twin.end_point.size(); ++row)
    EXPECT_NEAR(found.end_point[row], twin.end_point[row],
                error * std::max(1.0, std::abs(twin.end_point[row])))
        << "row " << row;
}

void expect_same(const Trajectory& found, const Trajectory& twin) {
  EXPECT_EQ(found.outcome.kind, twin.outcome.kind) << found.outcome.message << " | " << twin.outcome.message;
  EXPECT_EQ(found.outcome.end_time, twin.outcome.end_time);
  EXPECT_EQ(found.end_point, twin.end_point);
  ASSERT_EQ(found.size(), twin.size());
  for (std::size_t row = 0; row < twin.size(); ++row) {
    ASSERT_EQ(found.time(row), twin.time(row)) << "row " << row;
    ASSERT_EQ(found.side(row), twin.side(row)) << "row " << row;
    for (std::size_t column = 0; column < twin.columns(); ++column)
      ASSERT_EQ(found.value(row, column), twin.value(row, column)) << "row " << row;
  }
  ASSERT_EQ(found.events.size(), twin.events.size());
  for (std::size_t k = 0; k < twin.events.size(); ++k) {
    EXPECT_EQ(found.events[k].time, twin.events[k].time);
    EXPECT_EQ(text_of(found.events[k]), text_of(twin.events[k]));
  }
}

/// Danger: the source falls and the capacitor with it, x = 0, by an impulse that the diode does not let through.
TEST(RunInputs, AFirstJumpIsDecidedByTheModeThatFollowsIt) {
  Source source = capacitor_behind_diode("u");
  source.inputs = {{.name = "u"}};
  for (const double after : {0.0, 2.0}) {
    SCOPED_TRACE(after);
    const std::vector<Jump> jumps = {{1.0, after}};
    const Trajectory twin = simulate(with_tables(source, jumps));
    for (const std::vector<int>& known : {std::vector<int>{}, {0}}) {
      const Trajectory run = run_with_inputs(with_constants(source, jumps), jumps, {0}, known);
      EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_NEAR(run.end_point[1], std::max(after, 1.0), 1e-9);
      ASSERT_FALSE(run.events.empty());
      EXPECT_EQ(run.events.back().kind, EventKind::input);
      if (known.empty()) expect_equal(run, twin, 1e-9);
    }
  }
}

TEST(RunInputs, AFirstBinaryInputIsDecided) {
  const std::vector<Jump> jumps = {{0.0, 1.0}};
  const Trajectory run = run_with_inputs(with_constants(lamp_behind_door(), jumps), jumps, {0});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(run.end_point[1], 2.0 - jump_at, 1e-9);
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].changed.size(), 2U) << "door and lamp";
  expect_equal(run, simulate(with_tables(lamp_behind_door(), jumps)), 1e-9);
}

/// The sum of three sources stays 1: whichever is set first, nothing happens, and never to x in between.
TEST(RunInputs, OfOneInstantAreOneJumpInAnyOrder) {
  Source source = capacitor_behind_diode("a + b + c");
  source.inputs = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
  const std::vector<Jump> jumps = {{1.0, 4.0}, {0.0, -1.0}, {0.0, -2.0}};
  const Model model = with_constants(source, jumps);
  for (const std::vector<int>& known : {std::vector<int>{}, {0}, {1}, {1, 2}, {0, 1, 2}}) {
    SCOPED_TRACE(testing::Message() << known.size() << " known");
    std::vector<int> order = {0, 1, 2};
    const Trajectory first = run_with_inputs(model, jumps, order, known);
    EXPECT_NEAR(first.end_point[1], 1.0, 1e-9);
    EXPECT_TRUE(first.events.empty());
    while (std::next_permutation(order.begin(), order.end()))
      expect_same(run_with_inputs(model, jumps, order, known), first);
  }
}

/// Danger: what was decided before the jump is taken for what follows from it.
TEST(RunInputs, OfRandomModelsDoWhatTablesDo) {
  int events = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const test::RandomHybridModel random(test::all_shapes[seed % test::all_shapes.size()], seed);
    std::vector<Jump> jumps;
    for (const InputSource& input : random.source().inputs) {
      const auto* table = std::get_if<TableSource>(&input.form);
      ASSERT_NE(table, nullptr);
      const auto value = [&](std::size_t k) { return std::get<double>(table->value[k]); };
      jumps.push_back({value(0), value(1)});
    }
    if (jumps.empty()) continue;
    const SimulationOptions options = {
        .stop = 2.0, .rtol = 1e-8, .atol = 1e-8, .max_events = 200, .max_candidates = 2000};
    const Trajectory twin = simulate(with_tables(random.source(), jumps), options);
    if (twin.outcome.kind != OutcomeKind::reached_stop || !twin.accumulations.empty()) continue;
    const Model model = with_constants(random.source(), jumps);
    std::vector<int> order = ascending(jumps.size());
    const Trajectory run = run_with_inputs(model, jumps, order, {}, options);
    expect_equal(run, twin, 1e-4);
    std::ranges::reverse(order);
    expect_same(run_with_inputs(model, jumps, order, {}, options), run);
    if (HasFailure()) return;
    const bool decides = std::ranges::any_of(run.events, [](const Event& event) {
      return event.time == jump_at && event.kind != EventKind::initial;
    });
    events += decides ? 1 : 0;
  }
  EXPECT_GT(events, 10);
}

/// ẋ = −x + u
Source lag() {
  Source source;
  source.states = {{.name = "x", .start = 1.0}};
  source.inputs = {{.name = "u"}};
  source.equations = {"der(x) = u - x"};
  source.experiment.stop = 10.0;
  return source;
}

TEST(RunInputs, ThatStayAsTheyAreLeaveTheRunAsItIs) {
  Source source = lag();
  const SimulationOptions options = {.output_interval = 0.07};
  for (const bool is_table : {false, true}) {
    source.inputs[0].form = Number(3.0);
    if (is_table) source.inputs[0].form = TableSource{{0.0, 0.5}, {1.0, 3.0}};
    const Model model = build(source);
    mti::Run run(model, options);
    double t = 0.7;
    while (run.advance(t) != StepEnd::ended) {
      run.set_input(0, 3.0);
      t += 0.7;
    }
    expect_same(run.finish(), simulate(model, options));
  }
}

/// u = 3 + t/2 from t = 0.3 on: x = 5/2 + t/2 + c e^(−t) follows it.
TEST(RunInputs, ThatAreSetAgainToWhatTheyHaveComeToLeaveTheRunAsItIs) {
  const Model model = build(lag());
  const SimulationOptions options = {.rtol = 1e-9, .output_interval = 0.07};
  const auto run_of = [&](bool sets_again, bool as_read) {
    mti::Run run(model, options);
    run.advance(0.3);
    run.set_input(0, 3.0, 0.5);
    double t = 1.0;
    while (run.advance(t) != StepEnd::ended) {
      const double read = run.v()[at(model.signature.input_row(0))];
      if (sets_again) run.set_input(0, as_read ? read : 3.0 + 0.5 * (run.time() - 0.3), 0.5);
      t += 0.7;
    }
    return run.finish();
  };
  const Trajectory once = run_of(false, false);
  const double x = std::exp(-0.3), c = (x - (2.5 - 0.15 + 0.15)) / std::exp(-0.3);
  EXPECT_NEAR(once.end_point[1], 2.5 - 0.15 + 5.0 + c * std::exp(-10.0), 1e-7);
  expect_same(run_of(true, false), once);
  expect_same(run_of(true, true), once);
}

/// Danger: of a step that was given up, where an input was set or the run was saved, nothing is known afterwards.
TEST(RunInputs, LeaveNoGapInThePolynomialsOfTheSteps) {
  for (const IntegratorChoice engine :
       {IntegratorChoice::ida, IntegratorChoice::series, IntegratorChoice::flow}) {
    mti::Run run(build(lag()), {.rtol = 1e-9, .dense = true, .integrator = engine});
    run.advance(1.3);
    run.set_input(0, 3.0);
    run.advance(2.6);
    static_cast<void>(run.save());
    run.advance(4.0);
    const Trajectory found = run.finish();
    const double jump = std::exp(-1.3) - 3.0;
    for (int i = 0; i <= 400; ++i) {
      const double t = 0.01 * i;
      ASSERT_NEAR(found.at(t)[0], t < 1.3 ? std::exp(-t) : 3.0 + jump * std::exp(1.3 - t), 1e-7) << t;
    }
  }
}

/// x_(k+1) = x_k/2 + u_k + w_k; one row follows from another.
TEST(RunInputs, OfDiscreteTimeAreOneJumpInAnyOrder) {
  Source source;
  source.sample_time = Number(0.5);
  source.states = {{.name = "x", .start = 8.0}};
  source.inputs = {{.name = "u"}, {.name = "w"}};
  source.algebraic = {{"y"}, {"s"}};
  source.equations = {"next(x) = 0.5*x + y", "y + s = u + w", "2*y + 2*s = 2*u + 2*w", "y - s = u + w"};
  source.experiment.stop = 5.0;
  const std::vector<Jump> jumps = {{1.0, 4.0}, {0.0, 2.0}};
  const Trajectory twin = simulate(with_tables(source, jumps));
  ASSERT_EQ(twin.outcome.kind, OutcomeKind::reached_stop) << twin.outcome.message;
  for (const std::vector<int>& order : {std::vector<int>{0, 1}, {1, 0}}) {
    mti::Run run(with_constants(source, jumps));
    run.advance(0.6);  // what is set counts from the next sample on
    for (const int i : order) run.set_input(i, jumps[at(i)].after);
    while (!run.ended()) run.advance(10.0);
    expect_same(run.finish(), twin);
  }
}

/// Danger: a run that is taken up with another source jumps with it, in the mode that it was saved in.
TEST(SavedRun, WithOtherCoefficientsIsDecidedAsAtAnEvent) {
  Source source = capacitor_behind_diode("V");
  source.parameters = {{"V", 1.0}};
  mti::Run run(build(source));
  go_to(run, jump_at);
  const SavedRun saved = run.save();
  for (const double voltage : {0.0, 1.0, 2.0}) {
    SCOPED_TRACE(voltage);
    source.parameters = {{"V", voltage}};
    mti::Run other(build(source), {}, saved);
    ASSERT_FALSE(other.ended());
    EXPECT_EQ(other.settle(), voltage == 1.0 ? StepEnd::reached : StepEnd::event);
    EXPECT_NEAR(other.v()[1], std::max(voltage, 1.0), 1e-9);
    go_to(other, 2.0);
    const Trajectory rest = other.finish();
    EXPECT_EQ(rest.outcome.kind, OutcomeKind::reached_stop) << rest.outcome.message;
    EXPECT_NEAR(rest.end_point[1], std::max(voltage, 1.0), 1e-9);
    ASSERT_EQ(rest.events.size(), voltage == 1.0 ? 0U : 1U);
    if (voltage == 1.0) continue;
    // What the source does as an input.
    Source twin = capacitor_behind_diode("u");
    twin.inputs = {{.name = "u"}};
    const std::vector<Event> events = simulate(with_tables(twin, {{1.0, voltage}})).events;
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(rest.events[0].time, jump_at);
    EXPECT_EQ(rest.events[0].jumps.size(), events[0].jumps.size());
    EXPECT_EQ(rest.events[0].changed.size(), events[0].changed.size());
    EXPECT_EQ(rest.events[0].impulses.size(), events[0].impulses.size());
  }
}

TEST(SavedRun, InAModeThatIsNoLongerOneGoesOnInAnother) {
  const auto lamp = [](double on) {
    Source source;
    source.states = {{.name = "x"}};
    source.parameters = {{"on", on}};
    source.binaries = {{.name = "lamp"}};
    source.equations = {"der(x) = lamp", "lamp = on"};
    source.experiment.stop = 2.0;
    return build(source);
  };
  mti::Run run(lamp(0.0));
  go_to(run, jump_at);
  const SavedRun saved = run.save();
  mti::Run lit(lamp(1.0), {}, saved);
  go_to(lit, 2.0);
  const Trajectory rest = lit.finish();
  EXPECT_EQ(rest.outcome.kind, OutcomeKind::reached_stop) << rest.outcome.message;
  EXPECT_NEAR(rest.end_point[1], 2.0 - jump_at, 1e-9);
  EXPECT_EQ(rest.events.size(), 1U);
  mti::Run half_lit(lamp(0.5), {}, saved);
  go_to(half_lit, 2.0);
  EXPECT_EQ(half_lit.outcome().kind, OutcomeKind::dead_end) << half_lit.outcome().message;
}

/// ẋ = u − 3x: where one row follows from another the mode is solved by recombined rows, which are made anew.
TEST(SavedRun, GoesOnWhereRowsAreRecombined) {
  Source source;
  source.states = {{.name = "x", .start = 1.0}};
  source.inputs = {{.name = "u"}};
  source.algebraic = {{"y"}};
  source.equations = {"der(x) = u - y", "y = 3*x", "2*y = 6*x"};
  source.experiment.stop = 2.0;
  mti::Run run(build(source), {.rtol = 1e-9});
  go_to(run, 1.0);
  mti::Run other(build(source), {.rtol = 1e-9}, run.save());
  EXPECT_FALSE(other.ended()) << other.outcome().message;
  run.set_input(0, 1.0);
  while (!run.ended()) run.advance(2.0);
  while (!other.ended()) other.advance(2.0);
  EXPECT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_EQ(other.outcome().kind, OutcomeKind::reached_stop) << other.outcome().message;
  EXPECT_NEAR(other.v()[1], std::exp(-6.0), 1e-7);
  EXPECT_NEAR(run.v()[1], std::exp(-6.0) + (1.0 - std::exp(-3.0)) / 3.0, 1e-7);
}

}  // namespace run_inputs_test
}  // namespace mti
