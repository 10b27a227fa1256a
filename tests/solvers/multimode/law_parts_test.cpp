// Transition laws that determine an entry, leave it open or contradict, against what is known by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "io/model/read_model.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/multimode/mode_changes.hpp"
#include "tests/places.hpp"

namespace mti::test {
namespace law_parts_test {

Source case_source(const std::string& name) {
  return read_source_file(source_dir() / "tests/cases" / (name + ".json"));
}

/// What is said of a model's only law; names of signals without auxiliary ones.
struct Parts {
  explicit Parts(const Source& source) {
    const Model model = build(source);
    const AllModes all(model);
    const std::vector<LawParts> laws = law_parts(all, model);
    EXPECT_EQ(laws.size(), 1U);
    const LawParts& law = laws.front();
    EXPECT_EQ(law.transition, 0);
    for (int variable = 0; variable < all.space.variables(); ++variable)
      variables.push_back(all.space.name(variable));
    under = law.under_determined;
    over = law.over_determined;
    for (int j = 0; j < all.incidence.signals; ++j)
      if (!law.signals[at(j)].empty()) {
        const int n = model.signature.n();
        signals.insert(model.signature.row_name(j < n ? model.signature.state_row(j)
                                                      : model.signature.algebraic_row(j - n)));
      }
    for (std::size_t i = 0; i < law.equations.size(); ++i)
      if (!law.equations[i].empty()) equations.insert(model.equation_names[i]);
    for (const ModeSet& set : law.law_equations) law_equations.push_back(set);
  }

  std::vector<std::string> variables;
  ModeSet under, over;
  std::set<std::string> signals, equations;
  std::vector<ModeSet> law_equations;
};

using Names = std::set<std::string>;

void expect_determined(const Parts& parts) {
  EXPECT_TRUE(parts.under.empty());
  EXPECT_TRUE(parts.over.empty());
  EXPECT_EQ(parts.signals, Names{});
  EXPECT_EQ(parts.equations, Names{});
  for (const ModeSet& set : parts.law_equations) EXPECT_TRUE(set.empty());
}

/// v2 − v1 = −ε (…) and F1 + F2 = 0 in the place of F1 = 0 and F2 = 0: v1', v2', F1, F2 from four rows.
TEST(LawParts, RestitutionOfTwoBodiesIsDetermined) {
  expect_determined(Parts(case_source("two_bodies_restitution")));
}

/// Without F1 + F2 = 0 nothing says that momentum is kept.
TEST(LawParts, RestitutionWithoutBalanceOfForcesIsNot) {
  Source source = case_source("two_bodies_restitution");
  source.transitions.front().equations.pop_back();
  const Parts parts(source);
  EXPECT_TRUE(parts.under.is_all());
  EXPECT_TRUE(parts.over.empty());
  EXPECT_EQ(parts.signals, (Names{"v1", "v2", "F1", "F2"}));
}

TEST(LawParts, ElasticRopeIsDetermined) { expect_determined(Parts(case_source("cup_and_ball_elastic"))); }

/// λ = 0 out of force, nothing in its place: v_x' + λ x and v_y' + λ y + g for three unknowns.
TEST(LawParts, RopeWithoutALawLeavesSpeedsAndForceOpen) {
  Source source = case_source("cup_and_ball_elastic");
  source.transitions.front().equations.clear();
  const Parts parts(source);
  EXPECT_TRUE(parts.under.is_all());
  EXPECT_TRUE(parts.over.empty());
  EXPECT_EQ(parts.signals, (Names{"vx", "vy", "lambda"}));
  EXPECT_EQ(parts.equations, Names{});
}

Source ball() {
  Source source;
  source.states = {{"h", 1.0}, {"v", 0.0}};
  source.equations = {{"motion", "der(h) = v"}, {"fall", "der(v) = -9.81"}};
  source.constraints = {{"floor", "-h <= 0"}};
  source.transitions = {{"reach(floor)", {}, {"v = -0.5*pre(v)"}}};
  return source;
}

TEST(LawParts, BouncingBallIsDetermined) {
  expect_determined(Parts(ball()));
  Source named = ball();
  named.transitions.front().replaces = {"fall"};
  expect_determined(Parts(named));
}

/// Two values for v⁺.
TEST(LawParts, SuperfluousEquationContradicts) {
  Source source = ball();
  source.transitions.front().equations.emplace_back("v + pre(v) = 0");
  const Parts parts(source);
  EXPECT_TRUE(parts.over.is_all());
  EXPECT_TRUE(parts.under.empty());
  EXPECT_EQ(parts.signals, Names{});
  EXPECT_EQ(parts.equations, Names{});
  ASSERT_EQ(parts.law_equations.size(), 2U);
  for (const ModeSet& set : parts.law_equations) EXPECT_TRUE(set.is_all());
}

/// v⁺ by the law and by `fall`, which is not replaced here; h, which could have moved, is left open.
TEST(LawParts, LawThatReplacesTheWrongRowDoesBoth) {
  Source source = ball();
  source.transitions.front().replaces = {"motion"};
  const Parts parts(source);
  EXPECT_TRUE(parts.over.is_all());
  EXPECT_TRUE(parts.under.is_all());
  EXPECT_EQ(parts.signals, Names{"h"});
  EXPECT_EQ(parts.equations, Names{"fall"});
  EXPECT_TRUE(parts.law_equations.at(0).is_all());
}

/// The published ball has a law for v and c; where it rests, v = 0 is left in force beside the law's v.
TEST(LawParts, SayInWhichModesALawContradicts) {
  const Parts parts(case_source("bouncing_ball_fmi"));
  ASSERT_EQ(parts.variables, std::vector<std::string>{"rest"});
  EXPECT_TRUE(parts.under.empty());
  EXPECT_EQ(parts.over, ModeSet::where(0));
  EXPECT_EQ(parts.equations, Names{"fall"});
  EXPECT_EQ(parts.law_equations.at(0), ModeSet::where(0));
  EXPECT_TRUE(parts.law_equations.at(1).empty());
}

/// A clutch whose law gives both speeds when it engages: the modes entered are those with the clutch engaged.
TEST(LawParts, HoldInTheModesThatTheLawEnters) {
  Source source;
  source.states = {{"w1", 0.0}, {"w2", 1.0}};
  source.algebraic = {{"tau"}};
  source.binaries = {{"engaged"}, {"other"}};
  source.equations = {{"shaft1", "der(w1) = tau"},
                      {"shaft2", "der(w2) = -tau"},
                      {"clutch", "engaged*(w1 - w2) + (1 - engaged)*(1 + other)*tau = 0"}};
  source.transitions = {{"rise(engaged)", {"shaft1"}, {"w1 = pre(w1)", "w2 = pre(w2)"}}};
  for (const char* when : {"rise(engaged)", "fall(engaged)"}) {
    source.transitions.front().when = when;
    const Parts parts(source);
    const auto place = std::ranges::find(parts.variables, "engaged") - parts.variables.begin();
    const ModeSet engaged = ModeSet::where(static_cast<int>(place));
    EXPECT_EQ(parts.over, std::string(when).starts_with("rise") ? engaged : !engaged) << when;
    EXPECT_TRUE(parts.under.empty()) << when;
  }
}

}  // namespace law_parts_test
}  // namespace mti::test
