#include "solvers/admissibility/admissibility.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <string>

#include "mti/build/build.hpp"
#include "solvers/mode/mode_cache.hpp"
#include "tests/solvers/motion/motion_oracle.hpp"

/// One candidate at a time: what is zero, what rises, what has no solution.
namespace mti {
namespace admissibility_test {

/// A model, an instant at t = 0 and the accuracy of judgement.
struct Judged {
  explicit Judged(const Source& source, const std::vector<double>& x, double tolerance = 1e-8)
      : model(build(source)),
        accuracy(model, tolerance, tolerance),
        instant(test::instant_of(model, 0.0, x)) {}

  [[nodiscard]] Admissibility in(std::vector<char> z) const {
    Mode mode;
    mode.z = std::move(z);
    ModeCache cache(model);
    return check_admissibility(model, cache.get(mode), accuracy, instant);
  }

  Model model;
  Accuracy accuracy;
  Instant instant;
};

/// x1' = x2, …, xn' = a, and x1 ≤ 0: along the motion from 0 every derivative of x1 below the n-th is 0.
Source chain(int n, double a) {
  Source source;
  source.parameters = {{"a", a}};
  for (int i = 1; i <= n; ++i) {
    source.states.push_back({"x" + std::to_string(i), 0.0});
    source.equations.emplace_back("der(x" + std::to_string(i) +
                                  ") = " + (i < n ? "x" + std::to_string(i + 1) : "a"));
  }
  source.constraints = {"x1 <= 0"};
  return source;
}

/// Danger: order 1 is not enough for a tangency, order 2 not for a rope going slack, a fixed order never.
TEST(Admissibility, TheFirstDerivativeThatIsNotZeroDecides) {
  for (int n = 1; n <= 7; ++n) {
    const std::vector<double> rest(at(n), 0.0);
    EXPECT_EQ(Judged(chain(n, 1.0), rest).in({}).rejection, Rejection::constraint_rising) << "order " << n;
    EXPECT_EQ(Judged(chain(n, -1.0), rest).in({}).rejection, Rejection::none) << "order " << n;
    EXPECT_EQ(Judged(chain(n, 0.0), rest).in({}).rejection, Rejection::none) << "all vanish, order " << n;
  }
}

/// Danger: a later derivative is looked at although an earlier one has decided.
TEST(Admissibility, AnEarlierDerivativeWins) {
  EXPECT_EQ(Judged(chain(3, 1.0), {0.0, 0.0, -1.0}).in({}).rejection, Rejection::none);
  EXPECT_EQ(Judged(chain(3, -1.0), {0.0, 0.0, 1.0}).in({}).rejection, Rejection::constraint_rising);
  EXPECT_EQ(Judged(chain(3, 1.0), {0.0, -1.0, 1.0}).in({}).rejection, Rejection::none);
  EXPECT_EQ(Judged(chain(3, -1.0), {-1.0, 1.0, 1.0}).in({}).rejection, Rejection::none) << "inside";
  EXPECT_EQ(Judged(chain(3, -1.0), {1.0, -1.0, -1.0}).in({}).rejection, Rejection::constraint_violated);
}

/// Danger: an absolute threshold. The whole chain in units 10^±6 of signals (with nominals), rows and time.
TEST(Admissibility, UnitsDoNotMatter) {
  for (const double unit : {1e-6, 1.0, 1e6})
    for (const double time : {1e-6, 1.0, 1e6})
      for (const int sign : {-1, 0, 1}) {
        Source source = chain(3, 0.0);
        source.parameters = {{"a", sign * unit}, {"T", time}, {"k", unit}};
        for (StateSource& state : source.states) state.nominal = unit;
        source.equations = {"T*der(x1) = x2", "k*T*der(x2) = k*x3", "T*der(x3)/k = a/k"};
        source.constraints = {"x1/k <= 0"};
        EXPECT_EQ(Judged(source, {0.0, 0.0, 0.0}).in({}).admissible(), sign <= 0) << unit << " " << time;
        EXPECT_FALSE(Judged(source, {1e-3 * unit, 0.0, 0.0}).in({}).admissible());
        EXPECT_TRUE(Judged(source, {-1e-3 * unit, 0.0, unit}).in({}).admissible());
        EXPECT_EQ(Judged(source, {1e-9 * unit, 0.0, 0.0}).in({}).admissible(), sign <= 0)
            << "below what atol can tell";
      }
}

/// What is zero follows from ε of the states through the solution of the blocks: y = 10⁶ (x1 − x2) is known
/// to 10⁶·2·ε only, and a bare −y ≤ 0 must not be called violated within that.
TEST(Admissibility, ErrorsAreCarriedThroughTheSolution) {
  Source source;
  source.states = {{"x1", 0.0}, {"x2", 0.0}};
  source.algebraic = {{"y", 0.0}};
  source.equations = {"der(x1) = 0", "der(x2) = 0", "y = 1e6*(x1 - x2)"};
  source.constraints = {"-y <= 0"};
  // ε of each state is 2e-8, so y is known to 4e-2.
  EXPECT_TRUE(Judged(source, {1.0, 1.0 + 1e-8}).in({}).admissible());
  EXPECT_FALSE(Judged(source, {1.0, 1.0 + 1e-7}).in({}).admissible()) << "negative control";
  EXPECT_FALSE(Judged(source, {1.0, 1.0 + 1e-8}, 1e-10).in({}).admissible()) << "negative control";
}

/// A crossing whose time is uncertain by δt is on its boundary within |Dg|·δt, of inputs alone as well.
TEST(Admissibility, UncertaintyOfTheInstantCounts) {
  Source source;
  source.inputs = {{"u", TableSource{{0.0, 1.0}, {-1e-3, -1.001}}}};  // falls with slope −1
  source.states = {{"x", 0.0}};
  source.equations = {"der(x) = 0"};
  source.constraints = {"-u - 1e-3 <= 0"};  // zero and rising at t = 0
  Judged judged(source, {0.0}, 1e-10);
  EXPECT_EQ(judged.in({}).rejection, Rejection::constraint_rising);
  judged.instant.t = 1e-6;
  EXPECT_EQ(judged.in({}).rejection, Rejection::constraint_violated);
  judged.instant.time_uncertainty = 1e-5;
  EXPECT_EQ(judged.in({}).rejection, Rejection::constraint_rising);
  judged.instant.t = -1e-6;
  EXPECT_EQ(judged.in({}).rejection, Rejection::constraint_rising) << "may have been reached already";
}

/// Rows that vanish identically in a mode pass: factors that cancel, and rows that an equation implies.
TEST(Admissibility, RowsThatVanishPass) {
  Source source;
  source.states = {{"x", 0.0}};
  source.algebraic = {{"y", 0.0}};
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}};
  source.equations = {"der(x) = -1", "y = 3*x"};
  source.constraints = {"(1 - x)*(1 - z1 + z2) <= 0", "y - 3*x <= 0", "3*x - y <= 0"};
  const Judged judged(source, {0.0});
  EXPECT_TRUE(judged.in({1, 0}).admissible());
  EXPECT_EQ(judged.in({0, 0}).constraints, std::vector<int>{0});
  EXPECT_EQ(judged.in({1, 1}).constraints, std::vector<int>{0});
}

TEST(Admissibility, AnImpliedRowPassesAlongACurve) {
  Source source;
  source.states = {{"x1", 0.3}, {"x2", 0.7}};
  source.algebraic = {{"y", 0.0}};
  source.equations = {"der(x1) = x2", "der(x2) = -x1", "y*(2 + x1) = x2"};
  source.constraints = {"y*(2 + x1) - x2 <= 0", "x2 - y*(2 + x1) <= 0"};
  EXPECT_TRUE(Judged(source, {0.3, 0.7}).in({}).admissible());
}

/// Danger: a logic equation is solved for a binary, or forgotten.
TEST(Admissibility, ABrokenLogicEquationIsNamed) {
  Source source = chain(1, -1.0);
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}, {"z3", 0.0}};
  source.equations.emplace_back("conjunction", "z3 = z1*z2");
  const Judged judged(source, {0.0});
  for (const auto& z : {std::vector<char>{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1}})
    EXPECT_TRUE(judged.in(z).admissible());
  for (const auto& z : {std::vector<char>{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 0}}) {
    const Admissibility verdict = judged.in(z);
    EXPECT_EQ(verdict.rejection, Rejection::no_solution);
    EXPECT_EQ(describe(verdict, judged.model), "no solution of conjunction");
  }
}

TEST(Admissibility, AnInvariantExcludes) {
  Source source = chain(1, -1.0);
  source.binaries = {{"heat", 0.0}, {"cool", 0.0}};
  source.invariants = {"not (heat and cool)"};
  const Judged judged(source, {0.0});
  EXPECT_TRUE(judged.in({1, 0}).admissible());
  EXPECT_EQ(judged.in({1, 1}).rejection, Rejection::forbidden);
}

/// A signal that nothing determines keeps its value where nothing needs it, else the mode is refused.
TEST(Admissibility, UndeterminedSignals) {
  Source source;
  source.states = {{"x", 0.0}};
  source.algebraic = {{"y", 5.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = -1", "z*(y - x) = 0"};
  const Judged harmless(source, {0.0});
  const Admissibility verdict = harmless.in({0});
  ASSERT_TRUE(verdict.admissible()) << describe(verdict, harmless.model);
  EXPECT_EQ(verdict.motion->signal(harmless.model.signature.algebraic_row(0), 0).value, 5.0);
  EXPECT_EQ(verdict.motion->signal(harmless.model.signature.algebraic_row(0), 1).value, 0.0);
  EXPECT_EQ(harmless.in({1}).motion->signal(harmless.model.signature.algebraic_row(0), 0).value, 0.0);

  source.constraints = {"y - 10 <= 0"};
  const Judged needed(source, {0.0});
  EXPECT_EQ(needed.in({0}).rejection, Rejection::not_unique);
  EXPECT_EQ(describe(needed.in({0}), needed.model), "not determined: y");
  EXPECT_TRUE(needed.in({1}).admissible());

  source.constraints.clear();
  source.equations = {"z*(der(x) + 1) = 0", "y = x"};
  const Judged state(source, {0.0});
  EXPECT_EQ(state.in({0}).rejection, Rejection::not_unique);
  EXPECT_EQ(describe(state.in({0}), state.model), "not determined: der(x)");
}

/// A mode of higher index begins where its constraints hold, after a jump if need be.
TEST(Admissibility, HigherIndexIsAMotionLikeAnyOther) {
  Source source;
  source.states = {{"w1", 0.0}, {"w2", 0.0}};
  source.algebraic = {{"tau", 0.0}};
  source.binaries = {{"engaged", 0.0}};
  source.equations = {
      "der(w1) = 1 - tau", "der(w2) = tau - w2", {"clutch", "engaged*(w1 - w2) + (1 - engaged)*tau = 0"}};
  const Judged judged(source, {2.0, 2.0});
  EXPECT_TRUE(judged.in({0}).admissible());
  EXPECT_TRUE(judged.in({1}).admissible());
  EXPECT_TRUE(judged.in({1}).motion->restart().impulsive_parts().empty());
  const Judged apart(source, {2.0, 1.0});
  const Admissibility verdict = apart.in({1});
  ASSERT_TRUE(verdict.admissible());
  EXPECT_NEAR(verdict.motion->v()[2], 1.5, 1e-14);
  EXPECT_NEAR(verdict.motion->v()[3], 1.5, 1e-14);
}

/// Danger: where Newton's method cannot start (2y = 0 at y = 0), the model is said to have no solution. And
/// where there is none (y² = −4), the search for a start goes on for ever, or ends in a made-up one.
TEST(Admissibility, ASingularStartIsNoContradiction) {
  Source source = chain(1, -1.0);
  source.algebraic = {{"y", 0.0}};
  source.equations.emplace_back("root", "y*y = 4");
  EXPECT_TRUE(Judged(source, {0.0}).in({}).admissible());
  source.equations.back() = {"root", "y*y = -4"};  // negative control
  EXPECT_EQ(Judged(source, {0.0}).in({}).rejection, Rejection::no_convergence);
}

/// Contradictions in blocks are named by the equations that contradict each other, not by their whole block.
TEST(Admissibility, ContradictingEquationsAreNamed) {
  Source source;
  source.states = {{"x", 0.0}};
  source.algebraic = {{"a", 0.0}, {"b", 0.0}, {"c", 0.0}};
  source.equations = {"der(x) = a",
                      {"first", "a + b = 1"},
                      {"second", "2*a + 2*b + 0.5*c = 3 + c/2"},
                      {"bystander", "c + b - a = 4"}};
  const Judged judged(source, {0.0});
  const Admissibility verdict = judged.in({});
  EXPECT_EQ(verdict.rejection, Rejection::no_solution);
  EXPECT_EQ(describe(verdict, judged.model), "no solution of first, second");
}

}  // namespace admissibility_test
}  // namespace mti
