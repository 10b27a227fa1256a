#include "solvers/equilibria/equilibrium.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"

namespace mti {
namespace equilibrium_test {

using Stability = Equilibrium::Stability;

double value(const Model& model, const Equilibrium& equilibrium, const std::string& name) {
  return equilibrium.linearization.v[static_cast<std::size_t>(model.signature.find(name).value())];
}

TEST(Equilibrium, OfALinearSystemSolvesItsEquations) {
  const Model model = build({.states = {{.name = "a", .start = 7.0}, {.name = "b"}},
                             .inputs = {{.name = "u", .form = Number(3.0)}},
                             .equations = {"der(a) = -2*a + b", "der(b) = a - 3*b + 5*u"}});
  const EquilibriumSearch search = find_equilibria(model);
  ASSERT_EQ(search.equilibria.size(), 1U);
  const Equilibrium& found = search.equilibria[0];
  EXPECT_NEAR(value(model, found, "a"), 3.0, 1e-13);  // 2a = b, 5a = 15
  EXPECT_NEAR(value(model, found, "b"), 6.0, 1e-13);
  EXPECT_EQ(found.stability, Stability::stable);
  EXPECT_TRUE(found.rests);
  EXPECT_EQ(found.open, std::vector<std::string>());
}

// Two tanks in a row, q = c sqrt(h): h1 = (u/c1)², h2 = (u/c2)².
TEST(Equilibrium, OfTanksHasTheLevelsThatCarryTheFlow) {
  const Model model =
      build({.parameters = {{"c1", 0.5}, {"c2", 0.8}},
             .states = {{.name = "h1", .start = 1.0}, {.name = "h2", .start = 1.0}},
             .inputs = {{.name = "u", .form = Number(1.2)}},
             .equations = {"der(h1) = u - c1*sqrt(h1)", "der(h2) = c1*sqrt(h1) - c2*sqrt(h2)"}});
  const EquilibriumSearch search = find_equilibria(model);
  ASSERT_EQ(search.equilibria.size(), 1U) << search.message;
  EXPECT_NEAR(value(model, search.equilibria[0], "h1"), std::pow(1.2 / 0.5, 2), 1e-8);
  EXPECT_NEAR(value(model, search.equilibria[0], "h2"), std::pow(1.2 / 0.8, 2), 1e-8);
  EXPECT_EQ(search.equilibria[0].stability, Stability::stable);
}

// x' = 4 − x² where x > 0, and 1 − x elsewhere: from x = −0.5 Newton's method finds the root −2, which is not of that mode.
TEST(Equilibrium, RootsOutsideOfAModeHideNoOthers) {
  for (const double start : {-0.5, -3.0, 0.5, 40.0})
    for (const bool all : {false, true}) {
      const Model model = build({.states = {{.name = "x", .start = start}},
                                 .equations = {"der(x) = if x > 0 then 4 - x^2 else 1 - x"}});
      const EquilibriumSearch search = find_equilibria(model, {.all = all});
      ASSERT_EQ(search.equilibria.size(), 1U) << start << search.message;
      EXPECT_NEAR(value(model, search.equilibria[0], "x"), 2.0, 1e-8) << start;
    }
  const Model none = build(
      {.states = {{.name = "x", .start = -1.0}}, .equations = {"der(x) = if x > 0 then 4 + x^2 else 1 - x"}});
  EXPECT_TRUE(find_equilibria(none).equilibria.empty());
}

// log(x) has no value where x < 0, and sqrt(−x) none beyond: log x = 1, or 1/(x − 2) + √−x = 0.
TEST(Equilibrium, BranchesThatAreNotTakenHaveNoValues) {
  const auto at = [](double start) {
    return build({.states = {{.name = "x", .start = start}},
                  .equations = {"der(x) = -(if x > 0 then log(x) - 1 else 1/(x - 2) + sqrt(-x))"}});
  };
  const Model positive = at(1.0), negative = at(-1.0);
  const EquilibriumSearch above = find_equilibria(positive), below = find_equilibria(negative);
  ASSERT_EQ(above.equilibria.size(), 1U) << above.message;
  EXPECT_NEAR(value(positive, above.equilibria[0], "x"), std::exp(1.0), 1e-8);
  ASSERT_EQ(below.equilibria.size(), 1U) << below.message;
  const double x = value(negative, below.equilibria[0], "x");
  EXPECT_LT(x, 0.0);
  EXPECT_NEAR(std::sqrt(-x), 1.0 / (2.0 - x), 1e-8);
}

// Index 3: the hidden constraints hold by themselves at rest. λ = −mg/y, frequencies ±√(g/L).
TEST(Equilibrium, OfAPendulumHangs) {
  const auto pendulum = [](double x, double y) {
    return build(
        {.states = {{.name = "x", .start = x}, {.name = "y", .start = y}, {.name = "vx"}, {.name = "vy"}},
         .algebraic = {{.name = "force", .start = 1.0}},
         .equations = {"der(x) = vx", "der(y) = vy", "der(vx) = -force*x", "der(vy) = -force*y - 9.81",
                       "x^2 + y^2 = 4"}});
  };
  const Model model = pendulum(0.3, -1.9);
  const EquilibriumSearch search = find_equilibria(model);
  ASSERT_EQ(search.equilibria.size(), 1U) << search.message;
  const Equilibrium& found = search.equilibria[0];
  EXPECT_NEAR(value(model, found, "x"), 0.0, 1e-8);
  EXPECT_NEAR(value(model, found, "y"), -2.0, 1e-8);
  EXPECT_NEAR(value(model, found, "force"), 9.81 / 2.0, 1e-7);
  EXPECT_EQ(found.stability, Stability::marginal);
  ASSERT_EQ(found.linearization.eigenvalues.size(), 2U);
  EXPECT_NEAR(std::abs(found.linearization.eigenvalues[0].imag()), std::sqrt(9.81 / 2.0), 1e-6);
  const EquilibriumSearch upright = find_equilibria(pendulum(0.1, 1.9));
  ASSERT_EQ(upright.equilibria.size(), 1U) << upright.message;
  EXPECT_EQ(upright.equilibria[0].stability, Stability::unstable);
}

Source relay(const std::string& rate) {
  return {.states = {{.name = "x"}},
          .binaries = {{"z"}},
          .equations = {rate},
          .constraints = {"(x - 1)*(1 - z) <= 0", "(1 - x)*z <= 0"}};
}

/// One that hangs and is damped, and whose states are there already: only the force is not, 0 for 9.81. Upright it would be as
/// well at rest.
TEST(Equilibrium, IsThatOfTheStartValuesWhereTheyRest) {
  for (const double y : {-1.0, 1.0}) {
    const Model model = build({.parameters = {{"d", 0.5}},
                               .states = {{"x", 0.0}, {"y", y}, {"vx", 0.0}, {"vy", 0.0}},
                               .algebraic = {{"F", 0.0}},
                               .equations = {"der(x) = vx", "der(y) = vy", "der(vx) = -F*x - d*vx",
                                             "der(vy) = -F*y - 9.81 - d*vy", "x^2 + y^2 = 1"}});
    const EquilibriumSearch search = find_equilibria(model);
    ASSERT_EQ(search.equilibria.size(), 1U) << search.message;
    EXPECT_NEAR(value(model, search.equilibria[0], "y"), y, 1e-12);
    EXPECT_NEAR(value(model, search.equilibria[0], "F"), -9.81 * y, 1e-9);
    EXPECT_EQ(search.equilibria[0].stability, y < 0.0 ? Stability::stable : Stability::unstable);
  }
}

TEST(Equilibrium, OfARelaySlidesWithItsWeight) {
  const Model model = build(relay("der(x) = -x + 2 - 4*z"));
  const EquilibriumSearch search = find_equilibria(model);
  ASSERT_EQ(search.equilibria.size(), 1U) << search.message;
  const Equilibrium& found = search.equilibria[0];
  EXPECT_EQ(found.linearization.mode.slides.size(), 1U);
  EXPECT_NEAR(value(model, found, "x"), 1.0, 1e-9);
  EXPECT_NEAR(value(model, found, "z"), 0.25, 1e-9);
  EXPECT_TRUE(found.rests) << found.leaves;
}

// With the sign turned both sides lead away from x = 1: what is found there does not rest, or there is none.
TEST(Equilibrium, OnASurfaceThatRepelsIsNotSaidToRest) {
  const EquilibriumSearch search = find_equilibria(build(relay("der(x) = x - 2 + 4*z")));
  for (const Equilibrium& found : search.equilibria)
    EXPECT_TRUE(found.linearization.mode.slides.empty() || !found.rests);
}

// The diode carries the current of a source, or blocks it.
TEST(Equilibrium, OfARectifierChoosesItsMode) {
  for (const double u : {5.0, -5.0}) {
    const Model model =
        build({.states = {{.name = "uC"}},
               .inputs = {{.name = "u", .form = Number(u)}},
               .algebraic = {{.name = "i"}, {.name = "v"}},
               .binaries = {{"conducts"}},
               .equations = {"u = 2*i - v + uC", "der(uC) = i - uC/8", "conducts*v + (1 - conducts)*i = 0"},
               .constraints = {"i >= 0", "v >= 0"}});
    const EquilibriumSearch search = find_equilibria(model);
    ASSERT_EQ(search.equilibria.size(), 1U) << search.message;
    EXPECT_NEAR(value(model, search.equilibria[0], "uC"), u > 0.0 ? 4.0 : 0.0, 1e-12);
    EXPECT_EQ(value(model, search.equilibria[0], "conducts"), u > 0.0 ? 1.0 : 0.0);
  }
}

// ẋ = |x| and ẋ = max(−x, 3x) run away to the right of 0; ẋ = min(−x, 3x) + 1 rests at 1, beside its kink.
TEST(Equilibrium, OnAKinkHasNoEigenvaluesOfBothSides) {
  for (const char* rate : {"abs(x)", "max(-x, 3*x)"})
    for (const double start : {-1.0, 0.0, 1.0}) {
      const Model model =
          build({.states = {{.name = "x", .start = start}}, .equations = {"der(x) = " + std::string(rate)}});
      const EquilibriumSearch search = find_equilibria(model);
      ASSERT_FALSE(search.equilibria.empty()) << search.message;
      for (const Equilibrium& found : search.equilibria) {
        EXPECT_EQ(found.stability, Stability::unknown) << rate << " from " << start;
        EXPECT_NE(found.undecided.find("boundary"), std::string::npos) << found.undecided;
      }
    }
  const EquilibriumSearch beside = find_equilibria(
      build({.states = {{.name = "x", .start = 0.5}}, .equations = {"der(x) = min(-x, 3*x) + 1"}}));
  ASSERT_EQ(beside.equilibria.size(), 1U) << beside.message;
  EXPECT_EQ(beside.equilibria[0].stability, Stability::stable);
  EXPECT_TRUE(beside.equilibria[0].undecided.empty());
}

TEST(Equilibrium, IsMissingWithAReason) {
  const EquilibriumSearch grows =
      find_equilibria(build({.states = {{.name = "x"}}, .equations = {"der(x) = 1"}}));
  EXPECT_TRUE(grows.equilibria.empty());
  EXPECT_FALSE(grows.message.empty());
  const EquilibriumSearch none =
      find_equilibria(build({.states = {{.name = "x", .start = 0.5}}, .equations = {"der(x) = x^2 + 1"}}));
  EXPECT_TRUE(none.equilibria.empty());
  EXPECT_FALSE(none.message.empty());
}

// What was found before a stop is not all that there is.
// exp(-x) and 1/(1 + x^2) become as small as one likes, and never 0.
TEST(Equilibrium, IsNotWhereSlopesOnlyTendToZero) {
  const auto of = [](const std::string& slope, double start) {
    return find_equilibria(
        build({.states = {{.name = "x", .start = start}}, .equations = {"der(x) = " + slope}}));
  };
  EXPECT_TRUE(of("exp(-x)", 0.0).equilibria.empty());
  EXPECT_TRUE(of("exp(-x)", 20.0).equilibria.empty());
  EXPECT_TRUE(of("1/(1 + x^2)", 3.0).equilibria.empty());
  EXPECT_EQ(of("exp(-x) - 1e-9", 0.0).equilibria.size(), 1U);
}

TEST(Equilibrium, IsNotFoundAfterAStop) {
  const Model model = build({.states = {{.name = "x", .start = 1.0}}, .equations = {"der(x) = -x"}});
  std::stop_source stop;
  stop.request_stop();
  for (const bool all : {false, true}) {
    try {
      static_cast<void>(find_equilibria(model, {.all = all, .stop_token = stop.get_token()}));
      ADD_FAILURE();
    } catch (const NotReached& stopped) {
      EXPECT_EQ(stopped.faults().front().id, "interrupted");
    }
  }
}

// ȧ = b − a, ḃ = a − b: a line of equilibria.
TEST(Equilibrium, NamesWhatIsLeftOpen) {
  const Model model =
      build({.states = {{.name = "a", .start = 1.0}, {.name = "b", .start = 3.0}, {.name = "c"}},
             .equations = {"der(a) = b - a", "der(b) = a - b", "der(c) = 1 - c"}});
  const EquilibriumSearch search = find_equilibria(model);
  ASSERT_EQ(search.equilibria.size(), 1U) << search.message;
  EXPECT_NEAR(value(model, search.equilibria[0], "a"), value(model, search.equilibria[0], "b"), 1e-12);
  EXPECT_EQ(search.equilibria[0].open, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(search.equilibria[0].stability, Stability::marginal);
}

// z = [x > 0] with memory: ẋ = −x ± 1 rests at both.
TEST(Equilibrium, IsListedForEachModeThatHasOne) {
  const Model model = build({.states = {{.name = "x", .start = -0.5}},
                             .equations = {"der(x) = -x - 1 + 2*hysteresis(x, -0.2, 0.2)"}});
  const EquilibriumSearch one = find_equilibria(model), all = find_equilibria(model, {.all = true});
  ASSERT_EQ(one.equilibria.size(), 1U) << one.message;
  EXPECT_NEAR(value(model, one.equilibria[0], "x"), -1.0, 1e-12);
  ASSERT_EQ(all.equilibria.size(), 2U);
  EXPECT_NEAR(value(model, all.equilibria[1], "x"), 1.0, 1e-12);
  Mode mode = one.equilibria[0].linearization.mode;
  mode.z = {1};
  const EquilibriumSearch given = find_equilibria(model, {.mode = mode});
  ASSERT_EQ(given.equilibria.size(), 1U);
  EXPECT_NEAR(value(model, given.equilibria[0], "x"), 1.0, 1e-12);
}

// Where ẋ = −x + n and n becomes n/2 + 1 at each tick, x = n = 2 is the only fixed point, which der = 0 does not tell of:
// x = n = 3 fulfils it, too. An input that changes beside a state that stands still does not sample it.
TEST(Equilibrium, IsNotThatOfASampledModel) {
  Source source{.clocks = {{.name = "c", .period = 0.5}},
                .states = {{.name = "x", .start = 1.0}, {.name = "n", .start = 3.0, .sample = "c"}},
                .equations = {"der(x) = -x + n", "next(n) = 0.5*n + 1"}};
  const Model sampled = build(source);
  EXPECT_EQ(sampled_states(sampled), std::vector<int>{1});
  try {
    static_cast<void>(find_equilibria(sampled));
    FAIL() << "a point that does not rest";
  } catch (const InvalidOption& refused) {
    EXPECT_NE(refused.faults().front().message.find("n is sampled"), std::string::npos);
  }
  source.clocks.clear();
  source.inputs = {{.name = "c", .form = PulseSource{.period = 0.5}, .binary = true}};
  source.equations[1] = "der(n) = 0";
  const Model beside = build(source);
  EXPECT_EQ(sampled_states(beside), std::vector<int>());
  ASSERT_EQ(find_equilibria(beside).equilibria.size(), 1U);
}

TEST(Equilibrium, RefusesWhatItCannotDo) {
  const Model discrete =
      build({.sample_time = 1.0, .states = {{.name = "x"}}, .equations = {"next(x) = x/2"}});
  EXPECT_THROW(static_cast<void>(find_equilibria(discrete)), InvalidOption);
}

// Danger: what Newton's method leaves of a double root decided, λ = 2x = −3e-28. x' = x² runs away from 0 to the right.
TEST(Equilibrium, AtADoubleRootIsMarginal) {
  for (const double start : {-3.0, 0.7})
    for (const double root : {0.0, 2.0}) {
      Source source;
      source.parameters = {{"root", root}};
      source.states = {{.name = "x", .start = root + start}};
      source.equations = {"der(x) = (x - root)*(x - root)"};
      const EquilibriumSearch search = find_equilibria(build(source));
      ASSERT_EQ(search.equilibria.size(), 1U) << search.message;
      EXPECT_EQ(search.equilibria[0].stability, Stability::marginal) << start << " " << root;
    }
  // Slow, and stable all the same.
  const Model slow =
      build({.states = {{.name = "x", .start = 1.0}}, .equations = {"der(x) = -1e-6*x - 1e-3*x*x"}});
  const EquilibriumSearch search = find_equilibria(slow);
  ASSERT_EQ(search.equilibria.size(), 1U) << search.message;
  EXPECT_EQ(search.equilibria[0].stability, Stability::stable);
}

/// x (x − s)/s and s − x − x²/s: eigenvalues 1 and −sqrt(5) whatever s, without a nominal value, too. A double root is marginal
/// at every size.
TEST(Equilibrium, OfSmallStatesIsToldFromADoubleRoot) {
  for (const double s : {1e-12, 1e-9, 1e-3, 1.0, 1e6}) {
    SCOPED_TRACE(s);
    const auto only = [&](const std::string& slope, double start) {
      const EquilibriumSearch search = find_equilibria(build({.parameters = {{"s", s}},
                                                              .states = {{.name = "x", .start = start}},
                                                              .equations = {"der(x) = " + slope}}));
      EXPECT_EQ(search.equilibria.size(), 1U) << search.message;
      return search.equilibria.empty() ? Stability::stable : search.equilibria[0].stability;
    };
    EXPECT_EQ(only("x*(x - s)/s", 1.4 * s), Stability::unstable);
    EXPECT_EQ(only("s - x - x^2/s", s), Stability::stable);
    EXPECT_EQ(only("x^2/s", 0.5 * s), Stability::marginal);
    EXPECT_EQ(only("-(x - s)^2/s", 1.5 * s), Stability::marginal);
  }
}

}  // namespace equilibrium_test
}  // namespace mti
