// rateOf where an event assigns what it is of: the right side goes on, and is no impulse. Against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/io/kinetics/sbml_model.hpp"

namespace mti {
namespace rates_test {

using test::SbmlModel;
using test::SbmlRun;

constexpr double close = 1e-7;

/// x' = −x from 1, and 5 from t = 1 on.
SbmlModel reset_decay() {
  SbmlModel model;
  model.parameter("x", "1", false).rate("x", "-x").event("E", "geq(time, 1)", {{"x", "5"}});
  return model;
}
double x_at(double t) { return t < 1.0 ? std::exp(-t) : 5.0 * std::exp(1.0 - t); }
/// ∫ x dt
double area_to(double t) {
  return t < 1.0 ? 1.0 - std::exp(-t) : 1.0 - std::exp(-1.0) + 5.0 * (1.0 - std::exp(1.0 - t));
}

TEST(SbmlRates, AnEventMovesWhatItAssignsAlone) {
  SbmlModel model = reset_decay();
  model.parameter("p", "0", false).rate("p", "0.3*rateOf(x)").parameter("q", "", false);
  model.assignment("q", "sin(rateOf(x))^2").parameter("w", "0", false).rate("w", "abs(rateOf(x))");
  const SbmlRun run(model, 3);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  for (const double t : {0.5, 1.25, 2.0, 3.0}) {
    EXPECT_NEAR(run("x", t), x_at(t), close);
    EXPECT_NEAR(run("p", t), -0.3 * area_to(t), close) << t;
    EXPECT_NEAR(run("w", t), area_to(t), close) << t;
    EXPECT_NEAR(run("q", t), std::pow(std::sin(x_at(t)), 2), close) << t;
  }
}

TEST(SbmlRates, OfSpeciesInCompartmentsThatGrow) {
  // c = 1 + t/10, of which A.amount is 2 exp(−t/2), with A = 3/c from t = 1 on
  SbmlModel model;
  model.compartment("C", "size='1'", false).rate("C", "0.1").species("A", "initialAmount='2'");
  model.reaction("R", "A", "", "0.5*A*C").parameter("p", "0", false).rate("p", "rateOf(A)");
  model.event("E", "geq(time, 1)", {{"A", "3"}});
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  const double before = 2.0 * std::exp(-0.5) / 1.1, after = 3.0 * 1.1 * std::exp(-0.5) / 1.2;
  EXPECT_NEAR(run("p", 2), before - 2.0 + after - 3.0, close);
}

TEST(SbmlRates, AreKnownWhereARunBegins) {
  SbmlModel model = reset_decay();
  model.parameter("z", "0", false)
      .parameter("y", "0", false)
      .parameter("r", "", false)
      .assignment("r", "rateOf(x)");
  model.event("F", "geq(time, 2)", {{"z", "rateOf(x)"}}, {.initial_value = false});
  model.initial("y", "r + 1");
  const SbmlRun run(model, 3);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("z", 3), -x_at(2.0), close);
  EXPECT_NEAR(run("y", 3), 0.0, close);
}

}  // namespace rates_test
}  // namespace mti
