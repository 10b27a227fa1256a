// Functions at rest at the end of their domain, and what wakes them: states and inputs that are moved, points that are elsewhere.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "solvers/linearization/linearize.hpp"
#include "solvers/stepping/run.hpp"

namespace mti {
namespace functions_at_rest_test {

/// h' = u − q, q = √h from h = 1: √h = 1 − t/2, and empty from t = 2 on without u.
Source tank() {
  Source source;
  source.states = {{.name = "h", .start = 1.0}};
  source.algebraic = {{"q"}};
  source.inputs = {{.name = "u"}};
  source.equations = {"der(h) = u - q", "q = sqrt(h)"};
  source.experiment.stop = 6.0;
  return source;
}

void expect_roots(const Trajectory& rows, const std::string& argument, const std::string& root) {
  const std::size_t a = rows.column(argument), q = rows.column(root);
  for (std::size_t row = 0; row < rows.size(); ++row)
    EXPECT_NEAR(rows.value(row, q), std::sqrt(std::max(rows.value(row, a), 0.0)), 1e-4)
        << "at t = " << rows.time(row) << ", side " << rows.side(row);
}

// At the very instant q is the root of what h becomes, and what follows from q with it: full is 1 where q > 0.5.
TEST(FunctionsAtRest, AreWokenByALaw) {
  Source source = tank();
  source.inputs.push_back({.name = "time"});
  source.binaries = {{.name = "full", .start = 1.0}};
  source.constraints = {"(q - 0.5)*(1 - full) <= 0", "(0.4 - q)*full <= 0"};
  source.whens = {{.condition = "time > 3", .set = {{"h", "1"}}}};
  const Trajectory rows = simulate(build(source), {.rtol = 1e-9, .atol = 1e-11, .output_interval = 0.5});
  ASSERT_EQ(rows.outcome.kind, OutcomeKind::reached_stop) << rows.outcome.message;
  expect_roots(rows, "h", "q");
  bool filled = false;
  for (const Event& event : rows.events)
    if (std::abs(event.time - 3.0) < 1e-9)
      for (const Change& change : event.changed) filled = filled || change.after == 1.0;
  EXPECT_TRUE(filled) << "full with q = 1, at once";
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows.time(row) > 3.0 && rows.time(row) < 5.0 && rows.side(row) >= 0) {
      EXPECT_NEAR(rows.value(row, 0), std::pow(1.0 - 0.5 * (rows.time(row) - 3.0), 2), 1e-6);
    }
}

TEST(FunctionsAtRest, AreWokenByAnInputInTheirArgument) {
  Source source;
  source.states = {{.name = "x"}};
  source.algebraic = {{"a"}, {"q"}};
  source.inputs = {{.name = "u", .form = TableSource{{0.0, 1.0, 2.0, 2.0, 9.0}, {1.0, 0.0, 0.0, 4.0, 4.0}}}};
  source.equations = {"a = u", "q = sqrt(a)", "der(x) = q"};
  source.experiment.stop = 3.0;
  const Trajectory rows = simulate(build(source), {.rtol = 1e-9, .atol = 1e-11, .output_interval = 0.5});
  ASSERT_EQ(rows.outcome.kind, OutcomeKind::reached_stop) << rows.outcome.message;
  expect_roots(rows, "a", "q");
  EXPECT_NEAR(rows.value(rows.size() - 1, 0), 2.0 / 3.0 + 2.0, 1e-6);
}

TEST(FunctionsAtRest, AreWokenByWhatIsSetFromOutside) {
  mti::Run run(build(tank()), {.rtol = 1e-9, .atol = 1e-11, .output_interval = 0.5});
  const auto go_to = [](mti::Run& one, double t) {
    while (!one.ended() && one.advance(t) == StepEnd::event) {
    }
  };
  go_to(run, 3.0);
  EXPECT_NEAR(run.v()[1], 0.0, 1e-9);
  mti::Run other(build(tank()), {.rtol = 1e-9, .atol = 1e-11}, run.save());
  for (mti::Run* one : {&run, &other}) {
    one->set_input(0, 0.5);
    go_to(*one, 6.0);
    // t − 3 = −2 s − ln(1 − 2 s) with s = √h
    const double s = std::sqrt(one->v()[1]);
    EXPECT_NEAR(-2.0 * s - std::log(1.0 - 2.0 * s), 3.0, 1e-5);
  }
}

// A function that rests where the run stands need not do so elsewhere, and has no slope there.
TEST(FunctionsAtRest, CountElsewhere) {
  const Model model = build(tank());
  mti::Run run(model, {.rtol = 1e-9, .atol = 1e-11});
  while (run.advance(4.0) == StepEnd::event) {
  }
  EXPECT_NEAR(run.derivative()[0], 0.0, 1e-12);
  const std::vector<double> x = {4.0};
  const auto rates = run.derivative(4.0, x);
  EXPECT_NEAR(rates[0], -2.0, 1e-9);
  EXPECT_NEAR(rates[1], 2.0, 1e-9);
  for (const auto& ask : std::vector<std::function<void()>>{
           [&] { static_cast<void>(run.derivative_jacobian()); }, [&] { static_cast<void>(run.linearize()); },
           [&] { static_cast<void>(linearize(model, 4.0)); }}) {
    try {
      ask();
      FAIL() << "a slope of sqrt at 0";
    } catch (const InvalidModel& refused) {
      EXPECT_EQ(refused.faults().front().id, "not-finite");
    }
  }
}

// A saved run of a model with other functions is none of this one.
TEST(FunctionsAtRest, AreThoseOfTheModel) {
  mti::Run run(build(tank()));
  while (run.advance(4.0) == StepEnd::event) {
  }
  const SavedRun saved = run.save();
  Source other = tank();
  other.equations[1] = "q = 0.5*h";
  EXPECT_THROW(mti::Run(build(other), {}, saved), InvalidOption);
}

/// Two vessels behind a source of pressure p, which falls at t = 5: q = sgn(p − a) √|p² − a²|, r alike. Where both roots rest,
/// a is p and c is a to roundings. Against a fourth-order method of small steps from there.
TEST(FunctionsAtRest, AreWokenOneByTheOther) {
  Source source;
  source.states = {{.name = "a", .start = 6.0}, {.name = "c", .start = 4.0}};
  source.algebraic = {{"q"}, {"r"}};
  source.inputs = {{.name = "p", .form = TableSource{{0.0, 5.0, 5.0, 8.0}, {5.0, 5.0, 2.0, 2.0}}}};
  source.equations = {"q = sign(p - a)*sqrt(abs(p^2 - a^2))", "r = sign(a - c)*sqrt(abs(a^2 - c^2))",
                      "der(a) = q - r", "der(c) = r"};
  const Trajectory rows = simulate(build(source), {.stop = 6.0, .rtol = 1e-9, .atol = 1e-9});
  ASSERT_EQ(rows.outcome.kind, OutcomeKind::reached_stop) << rows.outcome.message;
  const auto root = [](double from, double to) {
    return std::copysign(std::sqrt(std::abs(from * from - to * to)), from - to);
  };
  // From a = c = 5 both begin by r' = −√(2c·(c − a)), q = −√21: c' of the first steps is small, and RK4 takes them small.
  double a = 5.0, c = 5.0, t = 0.0;
  while (t < 1.0) {
    const double h = std::min({1e-4, 1e-9 + 0.01 * t, 1.0 - t});
    const auto rate = [&](double x, double y) { return std::pair(root(2.0, x) - root(x, y), root(x, y)); };
    const auto [a1, c1] = rate(a, c);
    const auto [a2, c2] = rate(a + h / 2 * a1, c + h / 2 * c1);
    const auto [a3, c3] = rate(a + h / 2 * a2, c + h / 2 * c2);
    const auto [a4, c4] = rate(a + h * a3, c + h * c3);
    a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    c += h / 6 * (c1 + 2 * c2 + 2 * c3 + c4);
    t += h;
  }
  EXPECT_NEAR(rows.value(rows.size() - 1, rows.column("a")), a, 1e-5);
  EXPECT_NEAR(rows.value(rows.size() - 1, rows.column("c")), c, 1e-5);
}

}  // namespace functions_at_rest_test
}  // namespace mti
