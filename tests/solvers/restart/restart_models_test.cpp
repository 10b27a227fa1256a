// Restarts with closed forms: what jumps, by how much, which impulses, and what is refused.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace restart_models_test {

/// Jumps and impulses of an event by name.
struct Restarted {
  Restarted(const Event& event, const Model& model) {
    for (const Change& jump : event.jumps) after[model.signature.row_name(jump.row)] = jump.after;
    for (const Impulse& impulse : event.impulses)
      weight[model.signature.row_name(impulse.row) + "/" + std::to_string(std::lround(impulse.order))] =
          impulse.weight;
  }
  std::map<std::string, double> after, weight;
};

struct ModelRun {
  explicit ModelRun(const Source& source, double tolerance = 1e-8)
      : model(build(source)), trajectory(simulate(model, test::with_accuracy(tolerance))) {}
  [[nodiscard]] Restarted event(std::size_t i) const { return {trajectory.events.at(i), model}; }
  [[nodiscard]] OutcomeKind outcome() const { return trajectory.outcome.kind; }
  [[nodiscard]] bool names(const std::string& text) const {
    return trajectory.outcome.message.find(text) != std::string::npos;
  }
  Model model;
  Trajectory trajectory;
};

/// A velocity is prescribed by an input that steps: m Δv is the impulse of the force.
TEST(RestartModels, AStepOfAnInputMakesAConstrainedStateJump) {
  Source source;
  source.states = {{"s", 0.0}, {"v", 1.0}};
  source.inputs = {{"u", TableSource{{0.0, 1.0, 1.0, 2.0}, {1.0, 1.0, 4.0, 4.0}}}};
  source.algebraic = {{"F", 0.0}};
  source.equations = {"der(s) = v", "2*der(v) = F", "v = u"};
  source.experiment = {.stop = 2.0};
  const ModelRun run(source);
  ASSERT_EQ(run.outcome(), OutcomeKind::reached_stop) << run.trajectory.outcome.message;
  ASSERT_EQ(run.trajectory.events.size(), 1U);
  EXPECT_EQ(run.trajectory.events[0].kind, EventKind::input);
  EXPECT_EQ(run.trajectory.events[0].time, 1.0);
  EXPECT_NEAR(run.event(0).after.at("v"), 4.0, 1e-14);
  EXPECT_NEAR(run.event(0).weight.at("F/1"), 6.0, 1e-13);
  EXPECT_NEAR(test::recorded(run.trajectory, "s", 2.0), 5.0, 1e-7);
}

/// PositionProjection that differ by less than their accuracy are put together in the metric of the masses: the light
/// one moves nine times as far. At ten times that distance there is no start.
TEST(RestartModels, PositionsMoveInTheMetricOfTheMasses) {
  Source source;
  const double apart = 2e-7;
  source.states = {{"x1", 0.0}, {"x2", apart}, {"v1", 0.0}, {"v2", 0.0}};
  source.algebraic = {{"F", 0.0}};
  source.equations = {
      "der(x1) = v1", "der(x2) = v2", "der(v1) = F", "9*der(v2) = -F - x2*v2", {"joined", "x1 = x2"}};
  source.experiment = {.stop = 1.0};
  const ModelRun near(source, 1e-6);
  ASSERT_EQ(near.outcome(), OutcomeKind::reached_stop) << near.trajectory.outcome.message;
  EXPECT_NEAR(near.trajectory.value(0, 0), 0.9 * apart, 1e-3 * apart);
  EXPECT_NEAR(near.trajectory.value(0, 1), 0.9 * apart, 1e-3 * apart);
  const ModelRun far(source, 1e-9);
  EXPECT_EQ(far.outcome(), OutcomeKind::refused_restart);
  EXPECT_TRUE(far.names("joined") && far.names("x1")) << far.trajectory.outcome.message;
}

/// The same with a linear mode: it goes there by a derivative of an impulse, F = 9/10·apart·δ'.
TEST(RestartModels, ALinearModeJumpsInPosition) {
  Source source;
  source.states = {{"x1", 0.0}, {"x2", 1.0}, {"v1", 0.0}, {"v2", 0.0}};
  source.algebraic = {{"F", 0.0}};
  source.equations = {"der(x1) = v1", "der(x2) = v2", "der(v1) = F", "9*der(v2) = -F", "x1 = x2"};
  source.experiment = {.stop = 1.0};
  const ModelRun run(source);
  ASSERT_EQ(run.outcome(), OutcomeKind::reached_stop) << run.trajectory.outcome.message;
  const Restarted start = run.event(0);
  EXPECT_NEAR(start.after.at("x1"), 0.9, 1e-14);
  EXPECT_NEAR(start.after.at("x2"), 0.9, 1e-14);
  EXPECT_NEAR(start.weight.at("v1/1"), 0.9, 1e-14);
  EXPECT_NEAR(start.weight.at("F/2"), 0.9, 1e-14);
  EXPECT_EQ(start.after.count("v1"), 0U) << "velocities are what they were";
}

/// Products beside the linear mode above, or of what it gives, change nothing of it: the same jumps and impulses to the
/// bit. o = ∫ (x1² + v1) has the jump of x1, whose slope v1 is 9/10·δ at the start.
TEST(RestartModels, ProductsThatFollowFromALinearPartChangeNothingOfIt) {
  Source source;
  source.states = {{"x1", 0.0}, {"x2", 1.0}, {"v1", 0.0}, {"v2", 0.0}};
  source.algebraic = {{"F", 0.0}};
  source.equations = {"der(x1) = v1", "der(x2) = v2", "der(v1) = F", "9*der(v2) = -F", "x1 = x2"};
  source.experiment = {.stop = 1.0};
  const ModelRun plain(source);
  const Restarted expected = plain.event(0);
  struct Observer {
    const char* equation;
    bool is_state;
    double after, last;
  };
  for (const Observer& each :
       {Observer{"der(o) = x1^2", true, 1.0, 1.81}, Observer{"o = x1*x2", false, 0.81, 0.81},
        Observer{"der(o) = -o^3", true, 1.0, 1.0 / std::sqrt(3.0)},
        Observer{"der(o) = x1^2 + v1", true, 1.9, 2.71}})
    for (const bool first : {false, true}) {
      SCOPED_TRACE(testing::Message() << each.equation << ", first " << first);
      Source with = source;
      if (each.is_state)
        with.states.insert(first ? with.states.begin() : with.states.end(), {"o", 1.0});
      else
        with.algebraic.push_back({"o", 0.0});
      with.equations.insert(first ? with.equations.begin() : with.equations.end(), each.equation);
      const ModelRun run(with);
      ASSERT_EQ(run.outcome(), OutcomeKind::reached_stop) << run.trajectory.outcome.message;
      Restarted found = run.event(0);
      found.after.erase("o");
      EXPECT_EQ(found.after, expected.after);
      EXPECT_EQ(found.weight, expected.weight);
      EXPECT_NEAR(test::recorded(run.trajectory, "o", 0.0), each.after, 1e-12);
      EXPECT_NEAR(test::recorded(run.trajectory, "o", 1.0), each.last, 1e-6);
    }
  // What would need a product with one of its impulses, or an impulse of higher order, is refused.
  for (const char* const equation : {"der(o) = v1^2", "der(o) = x1*v1", "o = x1*F", "der(o) = x1^2 + F"}) {
    Source with = source;
    if (std::string(equation).starts_with("der"))
      with.states.push_back({"o", 1.0});
    else
      with.algebraic.push_back({"o", 0.0});
    with.equations.push_back(equation);
    EXPECT_EQ(ModelRun(with).outcome(), OutcomeKind::refused_restart) << equation;
  }
}

/// J(w)·ẇ with J = 1 + w: which J belongs to the impulse depends on how the model is written.
TEST(RestartModels, ACoefficientThatJumpsIsRefused) {
  Source source;
  source.states = {{"w1", 0.0}, {"w2", 3.0}};
  source.algebraic = {{"tau", 0.0}};
  source.inputs = {{"engaged", TableSource{{0.0, 1.0}, {0.0, 1.0}}, {}, 1.0, true}};
  source.equations = {
      {"first", "(1 + w1)*der(w1) = tau"}, "der(w2) = -tau", "engaged*(w1 - w2) + (1 - engaged)*tau = 0"};
  source.experiment = {.stop = 2.0};
  const ModelRun run(source);
  EXPECT_EQ(run.outcome(), OutcomeKind::refused_restart);
  EXPECT_EQ(run.trajectory.outcome.end_time, 1.0);
  EXPECT_TRUE(run.names("first") && run.names("w1")) << run.trajectory.outcome.message;
  // With equal speeds nothing carries a weight, and the same model runs.
  source.states[1].start = 0.0;
  EXPECT_EQ(ModelRun(source).outcome(), OutcomeKind::reached_stop);
}

/// The same through an algebraic signal, at the start: y = 1 + w1 follows from the states alone.
TEST(RestartModels, ACoefficientThatFollowsFromJumpingStatesIsRefusedAtTheStart) {
  Source source;
  source.states = {{"w1", 0.0}, {"w2", 3.0}};
  source.algebraic = {{"y", 0.0}, {"tau", 0.0}};
  source.equations = {{"first", "y*der(w1) = tau"}, "der(w2) = -tau", "w1 = w2", "y = 1 + w1"};
  source.experiment = {.stop = 1.0};
  const ModelRun run(source);
  EXPECT_EQ(run.outcome(), OutcomeKind::refused_restart);
  EXPECT_TRUE(run.names("first") && run.names("y")) << run.trajectory.outcome.message;
  source.equations[3] = "y = 2";  // and with a constant it is 2·0 + 3 = 3·1
  const ModelRun twin(source);
  ASSERT_EQ(twin.outcome(), OutcomeKind::reached_stop) << twin.trajectory.outcome.message;
  EXPECT_NEAR(twin.event(0).after.at("w1"), 1.0, 1e-14);
}

/// τ² has two real roots, or none.
TEST(RestartModels, AnEvenPowerHasNoUniqueRoot) {
  Source source;
  source.states = {{"w1", 0.0}, {"w2", 3.0}};
  source.algebraic = {{"tau", 1.0}};
  source.equations = {{"first", "der(w1) = tau^2"}, "der(w2) = 0", "w1 = w2"};
  source.experiment = {.stop = 1.0};
  const ModelRun run(source);
  EXPECT_EQ(run.outcome(), OutcomeKind::refused_restart);
  EXPECT_TRUE(run.names("first") && run.names("tau")) << run.trajectory.outcome.message;
}

/// Two masses are stopped by separate forces. The sign of F1·F2 depends on how two pulses overlap, of whatever weights;
/// of a force and its copy or a multiple of it there is no doubt.
TEST(RestartModels, EqualWeightsAreNotOnePulse) {
  for (const double speed : {-4.0, -3.0})
    for (const char* const third : {"F3 = 1", "F3 = F1", "F3 = 2*F1 + 5", "F3 = -F1"}) {
      Source source;
      source.states = {{"v1", -3.0}, {"v2", speed}};
      source.algebraic = {{"F1", 0.0}, {"F2", 0.0}, {"F3", 0.0}};
      source.equations = {"der(v1) = F1", "der(v2) = F2", "v1 = 0", "v2 = 0", third};
      source.experiment = {.stop = 1.0};
      const bool separate = std::string(third) == "F3 = 1", opposite = std::string(third) == "F3 = -F1";
      source.constraints = {separate ? "-F1*F2 <= 0" : "-F1*F3 <= 0"};
      const ModelRun run(source);
      EXPECT_EQ(run.outcome(), separate   ? OutcomeKind::refused_restart
                               : opposite ? OutcomeKind::no_consistent_start
                                          : OutcomeKind::reached_stop)
          << speed << ", " << third << ": " << run.trajectory.outcome.message;
    }
}

/// While one mass sticks to a moving belt, two others lock: the slide goes on.
TEST(RestartModels, OtherStatesJumpWhileAMotionSlides) {
  Source source;
  source.states = {{"x", 0.5}, {"w1", 1.0}, {"w2", 4.0}};
  source.algebraic = {{"tau", 0.0}};
  source.binaries = {{"z", 1.0}};
  source.inputs = {{"engaged", TableSource{{0.0, 1.0}, {0.0, 1.0}}, {}, 1.0, true}};
  source.equations = {"der(x) = 1 - 2*z", "der(w1) = tau", "2*der(w2) = -tau",
                      "engaged*(w1 - w2) + (1 - engaged)*tau = 0"};
  source.constraints = {"(1 - 2*z)*x <= 0"};
  source.experiment = {.stop = 2.0};
  const ModelRun run(source);
  ASSERT_EQ(run.outcome(), OutcomeKind::reached_stop) << run.trajectory.outcome.message;
  ASSERT_EQ(run.trajectory.events.size(), 2U);
  EXPECT_EQ(run.trajectory.events[0].kind, EventKind::slide_begin);
  EXPECT_NEAR(run.event(1).after.at("w1"), 3.0, 1e-13);
  EXPECT_NEAR(run.event(1).weight.at("tau/1"), 2.0, 1e-13);
  EXPECT_NEAR(test::recorded(run.trajectory, "z", 2.0), 0.5, 1e-9);
  EXPECT_NEAR(test::recorded(run.trajectory, "x", 2.0), 0.0, 1e-7);
}

/// Free, tied, free again: the degrees of freedom change both ways, many times.
TEST(RestartModels, DegreesOfFreedomComeAndGo) {
  Source source;
  source.states = {{"a", 1.0}, {"b", 0.0}};
  source.inputs = {
      {"tied", TableSource{{0.0, 1.0, 2.0, 3.0, 4.0, 5.0}, {0.0, 1.0, 0.0, 1.0, 0.0, 1.0}}, {}, 1.0, true}};
  source.equations = {"der(a) = 1", "tied*(b - a) + (1 - tied)*(der(b) + 1) = 0"};
  source.experiment = {.stop = 6.0, .output_interval = Number(0.5)};
  const ModelRun run(source);
  ASSERT_EQ(run.outcome(), OutcomeKind::reached_stop) << run.trajectory.outcome.message;
  ASSERT_EQ(run.trajectory.events.size(), 5U);
  for (const std::size_t i : {0U, 2U, 4U})
    EXPECT_NEAR(run.event(i).after.at("b"), 2.0 + static_cast<double>(i), 1e-7) << "b follows a from here";
  EXPECT_TRUE(run.event(1).after.empty() && run.event(3).after.empty());
  EXPECT_NEAR(test::recorded(run.trajectory, "b", 2.5), 2.5, 1e-7);
  EXPECT_NEAR(test::recorded(run.trajectory, "b", 4.5), 4.5, 1e-7);
  EXPECT_NEAR(test::recorded(run.trajectory, "b", 5.5), 6.5, 1e-7);
}

/// v must be reduced by the lock, although v⁻ breaks the limit: the bound of the search must not count on x⁻.
TEST(RestartModels, AJumpMayCureWhatTheLeftLimitBreaks) {
  Source source;
  source.states = {{"v", 3.0}, {"w", 0.0}};
  source.algebraic = {{"F", 0.0}};
  source.binaries = {{"lock", 0.0}, {"tolerated", 0.0}};
  source.equations = {"der(v) = -F", "der(w) = F", "lock*(v - w) + (1 - lock)*F = 0"};
  source.constraints = {"(v - 2)*(1 - tolerated)*(2 - lock) <= 0"};
  source.experiment = {.stop = 1.0};
  const ModelRun run(source);
  ASSERT_EQ(run.outcome(), OutcomeKind::reached_stop) << run.trajectory.outcome.message;
  EXPECT_EQ(test::changes_text(run.trajectory.events.at(0).changed, run.model), "lock:0>1");
  EXPECT_NEAR(run.event(0).after.at("v"), 1.5, 1e-14);
  ASSERT_EQ(run.trajectory.events[0].ties.size(), 1U) << "tolerating it is as near";
}

}  // namespace restart_models_test
}  // namespace mti
