#include "solvers/blocks/rank_deficiency.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "mti/build/build.hpp"
#include "solvers/mode/mode_cache.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

/// Modes that structure calls solvable and numbers do not.
namespace mti {
namespace rank_deficiency_test {

/// Two diodes on one floating node: a_k = v1 + v2 − u_k, either a_k = 0 (blocks) or v_k = 0. With both
/// blocking, v1 + v2 is asked for twice and v1 − v2 not at all.
Source floating_node(double u1, double u2) {
  Source source;
  source.states = {{"x", 0.0}};
  source.inputs = {{"u1", u1}, {"u2", u2}};
  source.algebraic = {{"a1"}, {"a2"}, {"v1"}, {"v2"}};
  source.binaries = {{"blocks1", 1.0}, {"blocks2", 1.0}};
  source.equations = {{"clock", "der(x) = 1"},
                      {"node1", "a1 = v1 + v2 - u1"},
                      {"node2", "a2 = v1 + v2 - u2"},
                      {"diode1", "blocks1*a1 + (1 - blocks1)*v1 = 0"},
                      {"diode2", "blocks2*a2 + (1 - blocks2)*v2 = 0"}};
  source.constraints = {{"reverse1", "v1 >= 0"}, {"reverse2", "v2 >= 0"}, {"forward1", "a1 >= 0"}};
  source.experiment = {.stop = 1.0, .rtol = 1e-8, .atol = 1e-8};
  return source;
}

/// Explains the mode in which both block; a1 = a2 = 0 was found before.
RankDeficiency explain(const Model& model, double u1, double u2) {
  ModeCache cache(model);
  const auto system = cache.get({{1, 1}, {}, {}});
  std::vector<double> v(at(model.signature.size()), 0.0);
  v[at(model.signature.input_row(0))] = u1;
  v[at(model.signature.input_row(1))] = u2;
  EXPECT_TRUE(system->structurally_solvable());
  std::span<const SolutionBlock> blocks = system->plan->blocks;
  while (blocks.back().unknowns.size() == 1) blocks = blocks.first(blocks.size() - 1);
  return explain_singularity(system->f, blocks, v);
}

std::set<std::string> names(const std::vector<int>& rows, const std::vector<std::string>& all) {
  std::set<std::string> result;
  for (const int row : rows) result.insert(all[at(row)]);
  return result;
}

const std::set<std::string> circuit = {"node1", "node2", "diode1", "diode2"};

/// Danger: the equations solved before, which hold the binaries, are forgotten.
TEST(RankDeficiency, NamesWhatIsNotDetermined) {
  const Model model = build(floating_node(2.0, 2.0));
  const RankDeficiency singularity = explain(model, 2.0, 2.0);
  EXPECT_FALSE(singularity.contradiction);
  EXPECT_EQ(names(singularity.equations, model.equation_names), circuit);
  std::set<std::string> unknowns;
  for (const int row : singularity.unknowns) unknowns.insert(model.signature.row_name(row));
  EXPECT_EQ(unknowns, (std::set<std::string>{"v1", "v2"}));
}

TEST(RankDeficiency, NamesTheEquationsThatContradict) {
  const Model model = build(floating_node(2.0, 2.5));
  const RankDeficiency singularity = explain(model, 2.0, 2.5);
  EXPECT_TRUE(singularity.contradiction);
  EXPECT_EQ(names(singularity.equations, model.equation_names), circuit);
}

/// Danger: a start at which nothing conducts is given up because the nodes' equations hold no binary.
/// With u1 = u2 = 2 either diode may conduct; the one declared first does, the other is a tie.
TEST(RankDeficiency, AStartThatLeavesANodeFloatingFindsItsMode) {
  const Trajectory trajectory = test::run(floating_node(2.0, 2.0));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_EQ(test::recorded(trajectory, "blocks1", 0.5), 0.0);
  EXPECT_EQ(test::recorded(trajectory, "blocks2", 0.5), 1.0);
  EXPECT_NEAR(test::recorded(trajectory, "v2", 0.5), 2.0, 1e-12);
  ASSERT_EQ(trajectory.events.size(), 1U);
  EXPECT_EQ(trajectory.events[0].kind, EventKind::initial);
  EXPECT_EQ(trajectory.events[0].ties.size(), 1U);
}

}  // namespace rank_deficiency_test
}  // namespace mti
