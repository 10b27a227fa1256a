#include "solvers/structure/mode_structure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/solvers/pattern_model.hpp"

namespace mti {
namespace mode_structure_test {

using test::pattern_model;
using test::signals;
using Names = std::vector<std::string>;

/// The mode given by the values of z; no memory, no binary inputs.
ModeStructure in_mode(const Model& model, std::vector<char> z) {
  return analyze_mode(model, Mode{.z = std::move(z), .pre = {}, .binary_inputs = {}});
}

Names equation_names(const Model& model, const ModePart& part) {
  Names names;
  for (const int equation : part.equations) names.push_back(model.equation_names[equation]);
  return names;
}

Names signal_names(const Model& model, const ModePart& part) {
  Names names;
  for (const int signal : part.signals) names.push_back(model.signature.row_name(signal));
  return names;
}

/// (1 − z)·s as it stands in S: the factor z with S = −½ and Φ doubled is 1 − z.
void replace_by_complement(Model& model, const std::string& equation, const std::string& signal,
                           const std::string& z) {
  const auto row = std::find(model.equation_names.begin(), model.equation_names.end(), equation);
  const int j = static_cast<int>(row - model.equation_names.begin());
  for (int k = 0; k < model.columns(); ++k)
    if (model.Phi_eq.coeff(j, k) != 0.0 && model.S.coeff(test::row_of_S(model.signature, signal), k) != 0.0) {
      model.S.coeffRef(test::row_of_S(model.signature, z), k) = -0.5;
      model.Phi_eq.coeffRef(j, k) *= 2.0;
    }
}

// j1 w1' = −k1 w1 + f1, j2 w2' = −k2 w2 + f2, 0 = if g then w1 − w2 else f1, f1 + f2 = 0
Model clutch() {
  Model model = pattern_model({signals({"w1", "w2"}), {}, signals({"f1", "f2"}), signals({"g"})},
                              {{"shaft1", {{"der(w1)"}, {"w1"}, {"f1"}}},
                               {"shaft2", {{"der(w2)"}, {"w2"}, {"f2"}}},
                               {"law", {{"g", "w1"}, {"g", "w2"}, {"f1", "g"}}},
                               {"balance", {{"f1"}, {"f2"}}}});
  replace_by_complement(model, "law", "f1", "g");
  return model;
}

// [E22] 2.3: offsets 0 and 1, degrees of freedom 2 and 1.
TEST(ModeStructure, clutch_released_is_regular) {
  const Model model = clutch();
  const ModeStructure released = in_mode(model, {0});
  EXPECT_TRUE(released.regular);
  EXPECT_FALSE(released.singular);
  EXPECT_EQ(released.index, 0);
  EXPECT_EQ(released.degrees_of_freedom, 2);
  EXPECT_EQ(released.c, (std::vector<int>{0, 0, 0, 0}));
  EXPECT_EQ(released.d, (std::vector<int>{1, 1, 0, 0}));
  EXPECT_TRUE(released.differentiation_index_is_one_more);
  ASSERT_EQ(released.blocks.size(), 4U);
  EXPECT_EQ(equation_names(model, released.blocks[0]), Names{"law"});
  EXPECT_EQ(signal_names(model, released.blocks[0]), Names{"f1"});
}

TEST(ModeStructure, clutch_engaged_differentiates_its_law) {
  const Model model = clutch();
  const ModeStructure engaged = in_mode(model, {1});
  EXPECT_FALSE(engaged.regular);
  EXPECT_FALSE(engaged.singular);
  EXPECT_EQ(engaged.index, 1);
  EXPECT_EQ(engaged.degrees_of_freedom, 1);
  EXPECT_EQ(engaged.c, (std::vector<int>{0, 0, 1, 0}));
  EXPECT_EQ(engaged.d, (std::vector<int>{1, 1, 0, 0}));
  ASSERT_EQ(engaged.blocks.size(), 1U);
  EXPECT_EQ(signal_names(model, engaged.blocks[0]), (Names{"w1", "w2", "f1", "f2"}));
}

// The classic mistake: not frozen, the clutch looks regular whatever the mode.
TEST(ModeStructure, the_union_of_the_modes_hides_the_constraint) {
  const Model model = clutch();
  const std::vector<int> all = {0, 1, 2, 3};
  EXPECT_TRUE(analyze_mode(model.f(), model.signature, all).regular);
  EXPECT_FALSE(in_mode(model, {1}).regular);
}

// [B20] (29) of first order: taut, the rope is differentiated twice and 2 degrees of freedom are left.
// The squares stand as products with the auxiliary signals x̂ = x, ŷ = y.
TEST(ModeStructure, cup_and_ball_taut_has_offset_two) {
  Model model =
      pattern_model({signals({"x", "y", "vx", "vy"}), {}, signals({"lambda", "xh", "yh"}), signals({"taut"})},
                    {{"move_x", {{"der(x)"}, {"vx"}}},
                     {"move_y", {{"der(y)"}, {"vy"}}},
                     {"force_x", {{"der(vx)"}, {"lambda", "x"}}},
                     {"force_y", {{"der(vy)"}, {"lambda", "y"}, {}}},
                     {"rope", {{"taut"}, {"taut", "x", "xh"}, {"taut", "y", "yh"}, {"lambda", "taut"}}},
                     {"copy_x", {{"x"}, {"xh"}}},
                     {"copy_y", {{"y"}, {"yh"}}}});
  replace_by_complement(model, "rope", "lambda", "taut");

  const ModeStructure taut = in_mode(model, {1});
  EXPECT_FALSE(taut.singular);
  EXPECT_EQ(taut.index, 2);
  EXPECT_EQ(taut.degrees_of_freedom, 2);
  EXPECT_EQ(taut.c, (std::vector<int>{1, 1, 0, 0, 2, 2, 2}));
  EXPECT_EQ(taut.d, (std::vector<int>{2, 2, 1, 1, 0, 2, 2}));
  EXPECT_TRUE(taut.differentiation_index_is_one_more);

  const ModeStructure slack = in_mode(model, {0});
  EXPECT_TRUE(slack.regular);
  EXPECT_EQ(slack.degrees_of_freedom, 4);
}

// [B20] (195): largest offset 1 and 3 degrees of freedom where both diodes conduct or both block, else 0
// and 4.
TEST(ModeStructure, rldc2_in_its_four_modes) {
  Model model = pattern_model({signals({"j1", "j2", "v1", "v2"}),
                               {},
                               signals({"i1", "i2", "x1", "x2", "w1", "w2", "u1", "u2"}),
                               signals({"g1", "g2"})},
                              {{"node", {{"i1"}, {"i2"}, {"j1"}, {"j2"}}},
                               {"mesh1", {{"x1"}, {"w1"}, {"u1"}, {"v1"}}},
                               {"mesh2", {{"u1"}, {"v1"}, {"u2"}, {"v2"}}},
                               {"mesh3", {{"u2"}, {"v2"}, {"x2"}, {"w2"}}},
                               {"coil1", {{"w1"}, {"der(j1)"}}},
                               {"coil2", {{"w2"}, {"der(j2)"}}},
                               {"capacitor1", {{"i1"}, {"der(v1)"}}},
                               {"capacitor2", {{"i2"}, {"der(v2)"}}},
                               {"resistor1", {{"x1"}, {"j1"}}},
                               {"resistor2", {{"x2"}, {"j2"}}},
                               {"diode1", {{"g1", "u1"}, {"g1", "i1"}}},
                               {"diode2", {{"g2", "u2"}, {"g2", "i2"}}}});
  replace_by_complement(model, "diode1", "i1", "g1");
  replace_by_complement(model, "diode2", "i2", "g2");
  for (const char g1 : {char{0}, char{1}})
    for (const char g2 : {char{0}, char{1}}) {
      const ModeStructure mode = in_mode(model, {g1, g2});
      EXPECT_FALSE(mode.singular);
      EXPECT_EQ(mode.regular, g1 != g2);
      EXPECT_EQ(mode.index, g1 == g2 ? 1 : 0);
      EXPECT_EQ(mode.degrees_of_freedom, g1 == g2 ? 3 : 4);
    }
}

// 1 = if p then x else x': with p, the state is algebraic; nothing is differentiated, and ẋ is not found from
// f.
TEST(ModeStructure, a_state_may_become_algebraic) {
  Model model =
      pattern_model({signals({"x"}), {}, {}, signals({"p"})}, {{"law", {{"p", "x"}, {"der(x)", "p"}, {}}}});
  replace_by_complement(model, "law", "der(x)", "p");
  const ModeStructure held = in_mode(model, {1});
  EXPECT_FALSE(held.singular);
  EXPECT_FALSE(held.regular);
  EXPECT_EQ(held.index, 0);
  EXPECT_EQ(held.d, std::vector<int>{0});
  EXPECT_EQ(held.degrees_of_freedom, 0);
  EXPECT_TRUE(held.differentiation_index_is_one_more);
  const ModeStructure moving = in_mode(model, {0});
  EXPECT_TRUE(moving.regular);
  EXPECT_FALSE(moving.differentiation_index_is_one_more);
}

// Two valves that each prescribe the same level, and no flow prescribed: [E22] 2.2 with both limits active.
TEST(ModeStructure, a_singular_mode_names_its_parts) {
  Model model =
      pattern_model({signals({"x"}), signals({"u"}), signals({"yh", "yl", "s"}), signals({"bh", "bl"})},
                    {{"balance", {{"der(x)"}, {"u"}, {"yl"}, {"yh"}}},
                     {"full", {{"bh", "x"}, {"bh"}, {"yh", "bh"}}},
                     {"empty", {{"bl", "x"}, {"yl", "bl"}}},
                     {"sensor", {{"s"}, {"u"}}}});
  replace_by_complement(model, "full", "yh", "bh");
  replace_by_complement(model, "empty", "yl", "bl");

  const ModeStructure both = in_mode(model, {1, 1});
  EXPECT_TRUE(both.singular);
  EXPECT_FALSE(both.regular);
  EXPECT_EQ(equation_names(model, both.overdetermined), (Names{"full", "empty"}));
  EXPECT_EQ(signal_names(model, both.overdetermined), Names{"x"});
  EXPECT_EQ(equation_names(model, both.underdetermined), Names{"balance"});
  EXPECT_EQ(signal_names(model, both.underdetermined), (Names{"yh", "yl"}));

  for (const auto& z : {std::vector<char>{0, 1}, std::vector<char>{1, 0}}) {
    const ModeStructure one = in_mode(model, z);
    EXPECT_FALSE(one.singular);
    EXPECT_TRUE(one.overdetermined.empty() && one.underdetermined.empty());
    EXPECT_EQ(one.degrees_of_freedom, 0);
  }
  EXPECT_EQ(in_mode(model, {0, 0}).degrees_of_freedom, 1);
}

// A logic row vanishes where it holds and is over-determined where it does not.
TEST(ModeStructure, logic_rows_vanish_or_contradict) {
  const Model model = pattern_model({signals({"x"}), {}, {}, signals({"z1", "z2"})},
                                    {{"both", {{"z1", "z2"}}}, {"motion", {{"der(x)"}}}});
  const ModeStructure holds = in_mode(model, {1, 0});
  EXPECT_TRUE(holds.regular);
  EXPECT_EQ(holds.equations, std::vector<int>{1});
  const ModeStructure broken = in_mode(model, {1, 1});
  EXPECT_TRUE(broken.singular);
  EXPECT_EQ(equation_names(model, broken.overdetermined), Names{"both"});
  EXPECT_TRUE(broken.overdetermined.signals.empty());
}

TEST(ModeStructure, derivatives_have_names) {
  const Signature signature(signals({"x"}), {}, signals({"y"}), {});
  EXPECT_EQ(derivative_name(signature, signature.state_row(0), 0), "x");
  EXPECT_EQ(derivative_name(signature, signature.state_row(0), 1), "der(x)");
  EXPECT_EQ(derivative_name(signature, signature.algebraic_row(0), 2), "der(y, 2)");
}

// A chain of tanks with one flow equation each: 200 000 rows, nothing differentiated.
TEST(ModeStructure, manages_large_modes) {
  const int tanks = 100'000;
  Names x, y;
  std::vector<test::NamedSum> equations;
  for (int i = 0; i < tanks; ++i) {
    const std::string own = std::to_string(i), next = std::to_string((i + 1) % tanks);
    x.push_back("x" + own);
    y.push_back("y" + own);
    equations.push_back({"tank" + own, {{"der(x" + own + ")"}, {"y" + own}, {"y" + next}}});
    equations.push_back({"flow" + own, {{"y" + own}, {"x" + own}, {"x" + next}}});
  }
  const Model model = pattern_model({signals(x), {}, signals(y), {}}, equations);
  const ModeStructure mode = in_mode(model, {});
  EXPECT_TRUE(mode.regular);
  EXPECT_EQ(mode.blocks.size(), 2U * tanks);
  EXPECT_EQ(mode.degrees_of_freedom, tanks);
}

}  // namespace mode_structure_test
}  // namespace mti
