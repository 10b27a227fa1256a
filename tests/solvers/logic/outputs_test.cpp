#include "solvers/logic/outputs.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/model/freeze.hpp"

/// Which binaries are outputs of logic, and what the deciders make them.
namespace mti {
namespace outputs_test {

/// Binaries z0, z1, …, of which those in `constrained` occur in a constraint.
Model logic(int binaries, const std::vector<std::string>& equations, const std::vector<int>& constrained,
            int binary_inputs = 0) {
  Source source;
  source.states = {{"x", 0.0}};
  for (int i = 0; i < binary_inputs; ++i)
    source.inputs.push_back({"u" + std::to_string(i), Number{0.0}, "", 1.0, true});
  for (int i = 0; i < binaries; ++i) source.binaries.push_back({"z" + std::to_string(i), 0.0});
  source.equations = {"der(x) = 1"};
  for (const std::string& text : equations) source.equations.emplace_back(text);
  for (const int i : constrained) {
    const std::string z = "z" + std::to_string(i);
    source.constraints.emplace_back("(x - " + std::to_string(i + 1) + ")*(1 - 2*" + z + ") <= 0");
  }
  return build(source);
}

Mode start(const Model& model) {
  Mode mode{model.z_start, std::vector<char>(at(model.signature.r()), 0), {}, {}};
  for (const Signal& input : model.signature.inputs())
    if (input.binary) mode.binary_inputs.push_back(0);
  return mode;
}

std::vector<int> order_of(const Model& model) { return Outputs(SignalRows(model)).order(); }

TEST(Outputs, AGateBehindThresholdsIsOne) {
  const Model model = logic(3, {"z2 - z1 - z0 + z1*z0 = 0"}, {0, 1});
  const SignalRows rows(model);
  const Outputs outputs(rows);
  EXPECT_EQ(outputs.order(), std::vector<int>{2});
  EXPECT_EQ(outputs.equation_of(2), 1);
  EXPECT_FALSE(outputs.is_output(0));
  Mode mode = start(model);
  mode.z = {0, 1, 0};
  EXPECT_TRUE(outputs.settle(mode));
  EXPECT_EQ(mode.z, (std::vector<char>{0, 1, 1}));
  const std::vector<int> last{2}, first{0};
  EXPECT_EQ(outputs.deciders_behind(last), (std::vector<int>{0, 1}));
  EXPECT_EQ(outputs.outputs_behind(first), std::vector<int>{2});
}

/// Negative controls: a row in a constraint, a real signal, an equation that leaves it open.
TEST(Outputs, WhatDecidesItselfIsNone) {
  EXPECT_TRUE(order_of(logic(2, {"z1 = z0"}, {0, 1})).empty());
  EXPECT_TRUE(order_of(logic(1, {"z0*x = 0"}, {})).empty());
  EXPECT_TRUE(order_of(logic(2, {"z0*z1 = 0"}, {0})).empty());
  EXPECT_TRUE(order_of(logic(3, {"z2*(z0 + z1) = z0"}, {0, 1})).empty()) << "open at z0 = z1 = 0";
}

/// z4 = z3 or z0 leaves z0 open where z3 = 1, so z4 alone can be the output although all are free.
TEST(Outputs, OnlyWhatIsDeterminedEverywhere) {
  EXPECT_EQ(order_of(logic(3, {"z0 - z1 - z2 + z1*z2 = 0"}, {})), std::vector<int>{0});
}

TEST(Outputs, OfTwoThatCouldServeTheLastDeclared) {
  EXPECT_EQ(order_of(logic(2, {"z0 = z1"}, {})), std::vector<int>{1});
  // z2 = z0, z2 = z1: both of z1, z2 follow from z0.
  const Model model = logic(3, {"z2 = z0", "z2 = z1"}, {});
  const SignalRows rows(model);
  const Outputs outputs(rows);
  EXPECT_EQ(outputs.order(), (std::vector<int>{2, 1}));
  EXPECT_FALSE(outputs.is_output(0));
}

TEST(Outputs, InALoopTheFirstDeclaredDecidesOrNone) {
  EXPECT_EQ(order_of(logic(3, {"z0 = z1", "z1 = z0"}, {})), std::vector<int>{1});
  const Model ring = logic(4, {"z0 = z3*z1", "z1 = z0 + z2 - z0*z2", "z2 = 1 - z1"}, {3});
  const SignalRows rows(ring);
  const Outputs outputs(rows);
  // Where z3 = 1 the ring has one solution, z0 = z1 = 1, where it is 0 none: all three follow.
  EXPECT_EQ(outputs.order().size(), 3U);
  Mode mode = start(ring);
  mode.z = {1, 0, 0, 1};
  EXPECT_TRUE(outputs.settle(mode));
  EXPECT_EQ(mode.z, (std::vector<char>{1, 1, 0, 1}));
  mode.z = {1, 0, 0, 0};
  EXPECT_FALSE(outputs.settle(mode));
}

TEST(Outputs, FollowPreAndBinaryInputs) {
  const Model model = logic(2, {"z1 = z0 + pre(z1)*u0 - z0*pre(z1)*u0"}, {0}, 1);
  const SignalRows rows(model);
  const Outputs outputs(rows);
  ASSERT_EQ(outputs.order(), std::vector<int>{1});
  Mode mode = start(model);
  mode.pre = {1};
  EXPECT_TRUE(outputs.settle(mode));
  EXPECT_EQ(mode.z[1], 0);
  mode.binary_inputs = {1};
  EXPECT_TRUE(outputs.settle(mode));
  EXPECT_EQ(mode.z[1], 1);
}

/// z1 = z0 + pre(z1) has no value in {0, 1} where both are 1: it keeps its own, and the caller is told.
TEST(Outputs, WithoutAValueKeepsItsOwn) {
  const Model model = logic(2, {"z1 = z0 + pre(z1)"}, {0});
  const SignalRows rows(model);
  const Outputs outputs(rows);
  ASSERT_EQ(outputs.order(), std::vector<int>{1});
  Mode mode = start(model);
  mode.z = {1, 0};
  mode.pre = {1};
  EXPECT_FALSE(outputs.settle(mode));
  EXPECT_EQ(mode.z[1], 0);
}

/// Danger: recursion over long chains, or work that grows with their square.
TEST(Outputs, AChainOfFiveThousand) {
  constexpr int length = 5000;
  std::vector<std::string> equations;
  for (int i = length - 1; i > 0; --i)
    equations.push_back("z" + std::to_string(i) + " = 1 - z" + std::to_string(i - 1));
  const Model model = logic(length, equations, {});
  const SignalRows rows(model);
  const Outputs outputs(rows);
  ASSERT_EQ(outputs.order().size(), at(length - 1));
  Mode mode = start(model);
  EXPECT_TRUE(outputs.settle(mode));
  EXPECT_EQ(mode.z[length - 1], 1);
  EXPECT_EQ(mode.z[length - 2], 0);
}

/// Random equations of binaries against enumeration: whatever the deciders are, the matched equations have
/// exactly the settled solution, or none.
TEST(Outputs, AreWhatEnumerationFinds) {
  std::mt19937 random(20);
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  int outputs_seen = 0, without_value = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const int q = draw(2, 6);
    const auto z = [&] { return "z" + std::to_string(draw(0, q - 1)); };
    std::vector<std::string> equations;
    for (int e = draw(1, 4); e > 0; --e) {
      const std::string a = z(), b = z(), c = z();
      switch (draw(0, 6)) {
        case 0:
          equations.push_back(a + " = " + b + "*" + c);
          break;
        case 1:
          equations.push_back(a + " = " + b + " + " + c + " - " + b + "*" + c);
          break;
        case 2:
          equations.push_back(a + " = " + b + " + " + c + " - 2*" + b + "*" + c);
          break;
        case 3:
          equations.push_back(a + " = 1 - " + b);
          break;
        case 4:
          equations.push_back(a + "*" + b + " = 0*" + c);
          break;
        case 5:
          equations.push_back("(1 + " + a + ")*" + b + " = " + c + " + pre(" + a + ")");
          break;
        default:
          equations.push_back(a + " + " + b + " = " + c);
          break;
      }
    }
    std::vector<int> constrained;
    for (int i = 0; i < q; ++i)
      if (draw(0, 2) == 0) constrained.push_back(i);
    Model model;
    try {
      model = logic(q, equations, constrained);
    } catch (const InvalidModel&) {
      continue;  // an equation that is 0 = 0, or a number
    }
    const SignalRows rows(model);
    const Outputs outputs(rows);
    const RowMap& f = outputs.equations();
    outputs_seen += static_cast<int>(outputs.order().size());
    const int r = model.signature.r();
    std::string text;
    for (const std::string& equation : equations) text += equation + "; ";
    for (unsigned vertex = 0; vertex < 1U << (q + r); ++vertex) {
      Mode mode = start(model);
      for (int i = 0; i < q; ++i) mode.z[at(i)] = static_cast<char>(vertex >> i & 1U);
      for (int i = 0; i < r; ++i) mode.pre[at(i)] = static_cast<char>(vertex >> (q + i) & 1U);
      std::vector<std::vector<char>> solutions;
      const std::size_t count = outputs.order().size();
      for (unsigned choice = 0; choice < 1U << count; ++choice) {
        Mode chosen = mode;
        for (std::size_t k = 0; k < count; ++k)
          chosen.z[at(outputs.order()[k])] = static_cast<char>(choice >> k & 1U);
        std::vector<double> v(at(model.signature.size()), 0.0);
        write_mode(model.signature, chosen, v);
        bool holds = true;
        for (const int output : outputs.order())
          holds = holds && std::abs(f.value(outputs.equation_of(output), v)) < 1e-9;
        // Rows of the model that determine them, alone or together.
        for (int row = 0; row < model.equations(); ++row)
          holds = holds && (outputs.outputs_of(row).empty() || std::abs(f.value(row, v)) < 1e-9);
        if (holds) solutions.push_back(chosen.z);
      }
      const bool settled = outputs.settle(mode);
      ASSERT_LE(solutions.size(), 1U) << text;
      ASSERT_EQ(settled, solutions.size() == 1U) << text;
      if (settled) {
        ASSERT_EQ(mode.z, solutions[0]) << text;
      }
      without_value += settled ? 0 : 1;
    }
    for (const int i : constrained) ASSERT_FALSE(outputs.is_output(i)) << text;
  }
  EXPECT_GT(outputs_seen, 200);
  EXPECT_GT(without_value, 20);
}

}  // namespace outputs_test
}  // namespace mti
