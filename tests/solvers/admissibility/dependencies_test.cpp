// Which binaries an event can influence, where rows of f follow from others.

#include "solvers/admissibility/dependencies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace dependencies_test {

std::vector<int> of_trigger(const Source& source, int constraint) {
  const Model model = build(source);
  const SignalRows rows(model);
  return Dependencies(rows).of_trigger(constraint);
}

/// A capacitor that is charged through an ideal diode: either i or v is 0, neither negative.
Source charged_capacitor(double start) {
  Source source;
  source.states = {{"c", start}};
  source.algebraic = {{"i"}, {"v"}};
  source.binaries = {{"z", start > 0.0 ? 0.0 : 1.0}};
  source.equations = {{"der(c) = i - 2"}, {"v = c + i"}, {"z*v + (1 - z)*i = 0"}};
  source.constraints = {{"-i <= 0"}, {"-v <= 0"}};
  return source;
}

/// z = 0 from c(0) = 1: c = 1 − 2t until v = c = 0 at 0.5. With z = 1 c' = −c − 2: c = −2(1 − e^(−(t − 0.5))).
/// From c(0) = −1 with z = 1 at once: c = −2 + e^(−t).
double charge_at_1(double start) {
  return start > 0.0 ? -2.0 * (1.0 - std::exp(-0.5)) : -2.0 + std::exp(-1.0);
}

void expect_charge(const Source& source, double start) {
  SimulationOptions options;
  options.rtol = 1e-8;
  options.atol = 1e-10;
  options.stop = options.output_interval = 1.0;
  const Trajectory run = simulate(build(source), options);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(run.value(run.size() - 1, run.column("c")), charge_at_1(start), 1e-6);
}

/// Dangers: v is matched with one copy and i with the other, so that the row with z is nobody's; the order of rows
/// decides who is matched.
TEST(Dependencies, CopiesAndSumsInEveryOrder) {
  for (const double start : {1.0, -1.0})
    for (const char* const more :
         {"v = c + i", "3*v = 3*(c + i)", "0.7*(z*v + (1 - z)*i) = 0", "5*der(c) = 5*(i - 2)",
          "der(c) + v = i - 2 + c + i", "2*v - der(c) = 2*c + i + 2 + 3*(z*v + (1 - z)*i)"}) {
      Source source = charged_capacitor(start);
      source.equations.push_back(more);
      std::vector<int> order{0, 1, 2, 3};
      do {
        Source other = source;
        for (std::size_t i = 0; i < order.size(); ++i)
          other.equations[i] = source.equations[static_cast<std::size_t>(order[i])];
        SCOPED_TRACE(testing::Message() << more << " from " << start << ", rows " << order[0] << order[1]
                                        << order[2] << order[3]);
        EXPECT_EQ(of_trigger(other, 0), std::vector<int>{0});
        EXPECT_EQ(of_trigger(other, 1), std::vector<int>{0});
        expect_charge(other, start);
      } while (std::ranges::next_permutation(order).found);
    }
}

/// z·(v − c − i) = 0 and its partner follow from v = c + i, but by no numbers: the part is over-determined, and counts as a
/// whole.
TEST(Dependencies, WhatFollowsByOtherThanNumbers) {
  Source source = charged_capacitor(1.0);
  source.equations.insert(source.equations.begin() + 1, {"(1 + z)*(v - c - i) = 0"});
  std::vector<int> order{0, 1, 2, 3};
  do {
    Source other = source;
    for (std::size_t i = 0; i < order.size(); ++i)
      other.equations[i] = source.equations[static_cast<std::size_t>(order[i])];
    EXPECT_EQ(of_trigger(other, 0), std::vector<int>{0});
    expect_charge(other, 1.0);
  } while (std::ranges::next_permutation(order).found);
}

/// a depends on z1 alone, b on z2 and a. Whether or not what they say together is written, too, a broken bound on a
/// does not concern z2. Danger: of the three rows the one of a is set aside.
TEST(Dependencies, ASumOfRowsWidensNothing) {
  Source source;
  source.states = {{"x", 0.0}};
  source.algebraic = {{"a"}, {"b"}};
  source.binaries = {{"z1"}, {"z2"}};
  source.equations = {{"der(x) = 1"}, {"a = x - z1"}, {"b = a + z2*x"}};
  source.constraints = {{"a <= 1"}, {"b <= 7"}};
  const RelationSource sum("a + b = x - z1 + a + z2*x"), multiple("2*a = 2*(x - z1)");
  for (const RelationSource& more : {sum, multiple})
    for (int place = 0; place <= 3; ++place) {
      Source other = source;
      other.equations.insert(other.equations.begin() + place, more);
      EXPECT_EQ(of_trigger(other, 0), std::vector<int>{0});
      EXPECT_EQ(of_trigger(other, 1), (std::vector<int>{0, 1}));
    }
}

/// Functions of signals are signals of rows of their own: a copy of y = sin(x) + z is one.
TEST(Dependencies, CopiesOfFunctions) {
  Source source;
  source.states = {{"x", 0.0}};
  source.algebraic = {{"y"}, {"w"}};
  source.binaries = {{"z1"}, {"z2"}};
  source.equations = {{"der(x) = 1"}, {"y = sin(x) + z1"}, {"w = z2*y"}, {"2*y = 2*sin(x) + 2*z1"}};
  source.constraints = {{"y <= 0.5"}};
  EXPECT_EQ(of_trigger(source, 0), std::vector<int>{0});
}

/// n ideal diodes that charge one capacitor each and share resistors,
///
///     c_k' = i_k − d_k,   v = c + R i,   0 ≤ i ⊥ v ≥ 0,   R = positive definite,
///
/// has one motion, for the linear complementarity problem has one solution. Copies and sums of rows change none of it.
Source diode_bank(int n, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto name = [](const char* kind, int k) { return kind + std::to_string(k); };
  Source source;
  for (int k = 0; k < n; ++k) {
    source.states.push_back({name("c", k), 1.0 + number(random)});
    source.algebraic.push_back({name("i", k)});
    source.algebraic.push_back({name("v", k)});
    source.binaries.push_back({name("z", k)});
    source.equations.push_back(
        {"der(" + name("c", k) + ") = " + name("i", k) + " - " + std::to_string(2.0 + number(random))});
    std::string voltage = name("v", k) + " = " + name("c", k) + " + 2*" + name("i", k);
    for (int j = 0; j < n; ++j)
      if (j != k) voltage += " + 0.3*" + name("i", j);
    source.equations.push_back(voltage);
    source.equations.push_back(name("z", k) + "*" + name("v", k) + " + (1 - " + name("z", k) + ")*" +
                               name("i", k) + " = 0");
    source.constraints.push_back({"-" + name("i", k) + " <= 0"});
    source.constraints.push_back({"-" + name("v", k) + " <= 0"});
  }
  return source;
}

struct End {
  std::vector<double> states, times;
};

End end_of(const Source& source) {
  SimulationOptions options;
  options.rtol = 1e-8;
  options.atol = 1e-10;
  options.stop = options.output_interval = 3.0;
  const Trajectory run = simulate(build(source), options);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  End end;
  for (const StateSource& state : source.states)
    end.states.push_back(run.value(run.size() - 1, run.column(state.name)));
  for (const Event& event : run.events) end.times.push_back(event.time);
  return end;
}

/// "a = b" as "(a) - (b)".
std::string difference_of(const std::string& equation) {
  const auto sign = equation.find(" = ");
  return "((" + equation.substr(0, sign) + ") - (" + equation.substr(sign + 3) + "))";
}

TEST(Dependencies, RandomCopiesAndSums) {
  std::mt19937 random(7);
  const auto pick = [&](std::size_t size) { return static_cast<std::size_t>(random() % size); };
  for (int model = 0; model < 40; ++model) {
    const Source source = diode_bank(1 + model % 3, random);
    const End expected = end_of(source);
    EXPECT_FALSE(expected.times.empty());
    Source other = source;
    for (int more = 0; more < 1 + model % 4; ++more) {
      std::vector<RelationSource> parts = source.equations;
      std::ranges::shuffle(parts, random);
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(1 + pick(3)), parts.end());
      std::string sum = "0";
      for (const RelationSource& part : parts)
        sum += (random() % 2 == 0 ? " + " : " - ") + std::to_string(1 + random() % 5) + "*" +
               difference_of(part.text);
      other.equations.insert(
          other.equations.begin() + static_cast<std::ptrdiff_t>(pick(other.equations.size() + 1)),
          sum + " = 0");
    }
    std::ranges::shuffle(other.equations, random);
    SCOPED_TRACE(testing::Message() << "model " << model);
    const End found = end_of(other);
    ASSERT_EQ(found.times.size(), expected.times.size());
    for (std::size_t i = 0; i < found.times.size(); ++i) EXPECT_NEAR(found.times[i], expected.times[i], 1e-6);
    for (std::size_t i = 0; i < found.states.size(); ++i)
      EXPECT_NEAR(found.states[i], expected.states[i], 1e-6);
  }
}

}  // namespace dependencies_test
}  // namespace mti
