// Products of impulses in parts that share none: each is balanced as if it were alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace independent_impulses_test {

/// w' = a p^n, v' = b q; from t = 1 on w = v, p = −q, before p = q = 0. While p ∼ h^(−1/n) lets w jump, q leaves v alone:
/// w⁺ = v⁺ = v⁻, and of order 1/n the weight of p is ((v − w)/a)^(1/n).
struct Clutch {
  double w, v, a, b;
  int power;

  [[nodiscard]] double weight() const {
    return std::copysign(std::pow(std::abs(v - w) / a, 1.0 / power), v - w);
  }
};

std::string named(const char* kind, std::size_t k) { return kind + std::to_string(k); }

Source clutches(const std::vector<Clutch>& all) {
  Source source;
  source.inputs = {{.name = "e", .form = TableSource{{0.0, 1.0}, {0.0, 1.0}}, .binary = true}};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string w = named("w", k), v = named("v", k), p = named("p", k), q = named("q", k);
    source.states.push_back({w, all[k].w});
    source.states.push_back({v, all[k].v});
    source.algebraic.push_back({p});
    source.algebraic.push_back({q});
    for (const std::string& equation :
         {"der(" + w + ") = " + std::to_string(all[k].a) + "*" + p + "^" + std::to_string(all[k].power),
          "der(" + v + ") = " + std::to_string(all[k].b) + "*" + q,
          "e*(" + w + " - " + v + ") + (1 - e)*" + p + " = 0", "e*" + p + " + " + q + " = 0"})
      source.equations.emplace_back(equation);
  }
  return source;
}

std::vector<Clutch> random_clutches(std::size_t count, std::mt19937& random) {
  std::uniform_real_distribution<double> speed(-9.0, 9.0), factor(0.5, 4.0);
  std::vector<Clutch> all;
  for (std::size_t k = 0; k < count; ++k)
    all.push_back({speed(random), speed(random), factor(random), factor(random), k % 2 == 0 ? 3 : 5});
  return all;
}

Trajectory run_of(const Source& source) {
  SimulationOptions options;
  options.rtol = options.atol = 1e-8;
  options.stop = options.output_interval = 2.0;
  return simulate(build(source), options);
}

double weight_of(const Trajectory& run, const std::string& name) {
  const int row = run.rows_of_S()[run.column(name)];
  for (const Event& event : run.events)
    for (const Impulse& impulse : event.impulses)
      if (impulse.row == row) return impulse.weight;
  return 0.0;
}

double end_of(const Trajectory& run, const std::string& name) {
  return run.value(run.size() - 1, run.column(name));
}

void expect_each_as_alone(const Trajectory& run, const std::vector<Clutch>& all) {
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_NEAR(end_of(run, named("w", k)), all[k].v, 1e-6);
    EXPECT_NEAR(end_of(run, named("v", k)), all[k].v, 1e-6);
    EXPECT_NEAR(weight_of(run, named("p", k)), all[k].weight(), 1e-6);
  }
}

TEST(IndependentImpulses, ManyClutches) {
  std::mt19937 random(3);
  for (std::size_t count = 1; count <= 4; ++count) {
    SCOPED_TRACE(testing::Message() << count << " clutches");
    const std::vector<Clutch> all = random_clutches(count, random);
    Source source = clutches(all);
    std::ranges::shuffle(source.equations, random);
    expect_each_as_alone(run_of(source), all);
  }
}

/// At the same instant two shafts of masses 1 and 2 are joined by a linear clutch: 1·2 + 2·5 = 3·4.
TEST(IndependentImpulses, BesideALinearBalance) {
  std::mt19937 random(4);
  const std::vector<Clutch> all = random_clutches(2, random);
  Source source = clutches(all);
  source.states.push_back({"m", 2.0});
  source.states.push_back({"n", 5.0});
  source.algebraic.push_back({"f"});
  for (const char* const equation : {"der(m) = f", "2*der(n) = -f", "e*(m - n) + (1 - e)*f = 0"})
    source.equations.emplace_back(equation);
  std::ranges::shuffle(source.equations, random);
  const Trajectory run = run_of(source);
  expect_each_as_alone(run, all);
  EXPECT_NEAR(end_of(run, "m"), 4.0, 1e-6);
  EXPECT_NEAR(weight_of(run, "f"), 2.0, 1e-6);
}

/// What sums up signals of several parts follows from them and joins none: of states no impulse, of slopes that of the jumps,
/// of torques that of the highest order among them.
TEST(IndependentImpulses, WithSumsOfThem) {
  std::mt19937 random(5);
  const std::vector<Clutch> all = random_clutches(2, random);
  struct Sum {
    std::string text;
    double weight;
  };
  const std::vector<Sum> sums = {{"w0 + w1", 0.0},
                                 {"der(w0) - 2*der(w1)", all[0].v - all[0].w - 2.0 * (all[1].v - all[1].w)},
                                 {"2*p0 - q0", 3.0 * all[0].weight()},
                                 {"5*p1 + p0 + w1", all[0].weight()}};
  Source source = clutches(all);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const std::string s = named("s", k), r = named("r", k);
    source.algebraic.push_back({s});
    source.algebraic.push_back({r});
    source.equations.emplace_back(s + " = " + sums[k].text);
    source.equations.emplace_back("2*" + r + " = " + s + " + 1");
  }
  std::ranges::shuffle(source.equations, random);
  const Trajectory run = run_of(source);
  expect_each_as_alone(run, all);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    EXPECT_NEAR(weight_of(run, named("s", k)), sums[k].weight, 1e-6) << sums[k].text;
    EXPECT_NEAR(weight_of(run, named("r", k)), sums[k].weight / 2.0, 1e-6) << sums[k].text;
  }
}

/// Leading terms that cancel leave an order that nothing says.
TEST(IndependentImpulses, SumsThatCancelAreRefused) {
  Source source = clutches({{1.0, 5.0, 2.0, 3.0, 3}, {1.0, 5.0, 2.0, 3.0, 3}});
  source.algebraic.push_back({"s"});
  source.equations.emplace_back("s = p0 - p1");
  const Trajectory run = run_of(source);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::refused_restart);
  EXPECT_NE(run.outcome.message.find("(s)"), std::string::npos) << run.outcome.message;
}

/// A copy of a row is left out, and which of the two is makes no difference.
TEST(IndependentImpulses, WithCopiesOfRows) {
  std::mt19937 random(6);
  std::vector<Clutch> all = random_clutches(2, random);
  all[1].power = 3;
  const Source source = clutches(all);
  for (std::size_t row = 0; row < source.equations.size(); row += 2) {
    const std::string& text = source.equations[row].text;
    const auto sign = text.find(" = ");
    Source other = source;
    other.equations.emplace_back("3*(" + text.substr(0, sign) + ") = 3*(" + text.substr(sign + 3) + ")");
    SCOPED_TRACE(other.equations.back().text);
    std::ranges::shuffle(other.equations, random);
    expect_each_as_alone(run_of(other), all);
  }
}

/// Two bodies hit each other and part again, above a floor that they never come near: it has no part in where they go, be the
/// model linear or not.
TEST(IndependentImpulses, AFloorThatIsFarAwayCatchesNothing) {
  for (const char* force : {"0.1*h1", "0.1*h1^2", "0.05*h1*v1"}) {
    const auto end = [&](bool has_floor) {
      Source source;
      source.states = {{"h0", 0.0}, {"v0", 0.0}, {"h1", 1.0}, {"v1", -1.0}};
      source.algebraic = {{"F0"}, {"F1"}};
      source.binaries = {{"c0"}, {"c1"}};
      source.equations = {"der(h0) = v0",
                          "der(h1) = v1",
                          "c1*(h1 - h0) + (1 - c1)*F1 = 0",
                          has_floor ? "c0*(h0 + 5) + (1 - c0)*F0 = 0" : "F0 = 0",
                          "der(v0) = F0 - F1 - 0.3",
                          "der(v1) = F1 - " + std::string(force)};
      source.constraints = {"h1 - h0 >= 0", "F1 >= 0"};
      if (has_floor) {
        source.constraints.push_back({"h0 + 5 >= 0"});
        source.constraints.push_back({"F0 >= 0"});
      } else {
        source.constraints.push_back({"c0 <= 0"});
      }
      source.experiment.stop = 3.0;
      SimulationOptions options;
      options.rtol = options.atol = 1e-9;
      const Trajectory run = simulate(build(source), options);
      EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << force << ": " << run.outcome.message;
      std::vector<double> values;
      for (const char* name : {"h0", "v0", "h1", "v1"})
        values.push_back(run.value(run.size() - 1, run.column(name)));
      return values;
    };
    const std::vector<double> with_floor = end(true), without = end(false);
    for (std::size_t i = 0; i < without.size(); ++i) EXPECT_NEAR(with_floor[i], without[i], 1e-7) << force;
  }
}

}  // namespace independent_impulses_test
}  // namespace mti
