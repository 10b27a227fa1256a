// The rows that text and report show of all modes.

#include "io/analysis/all_modes_summary.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace mti::test {
namespace all_modes_summary_test {

using Rows = std::vector<std::pair<std::string, ModeSet>>;

Rows pairs(const SummaryRows& rows) {
  Rows result;
  for (const SummaryRow& row : rows) result.emplace_back(row.what, row.modes);
  return result;
}

struct AllModesRows : ::testing::Test {
  const ModeSet none = ModeSet::none(), all = ModeSet::all(), first = ModeSet::where(0),
                second = ModeSet::where(1);
};

TEST_F(AllModesRows, NamesWhatIsSoInSomeMode) {
  const auto name = [](int i) { return "x" + std::to_string(i); };
  EXPECT_EQ(pairs(named_rows({first, none, all}, name)), (Rows{{"x0", first}, {"x2", all}}));
  EXPECT_EQ(pairs(rows_of(AllModesSummary::Part{{{"rope", first}}, {{"F", second}}})),
            (Rows{{"equation rope", first}, {"signal F", second}}));
}

TEST_F(AllModesRows, SaysWhatALawDoes) {
  const AllModesSummary::Law sound{"reach(floor)", none, none, {}, {}, {}},
      bad{"rise(z)", first, second, {}, {}, {}};
  EXPECT_EQ(pairs(rows_of(sound, "v", "balance")), (Rows{{"reach(floor) determines the instant", all}}));
  EXPECT_EQ(pairs(rows_of(bad, "v", "balance")),
            (Rows{{"rise(z) leaves v undetermined", first}, {"rise(z) contradicts balance", second}}));
}

TEST_F(AllModesRows, SaysWhatAScenarioDetermines) {
  AllModesSummary::Scenario scenario;
  scenario.name = "at rest";
  scenario.determined = first;
  scenario.singular = second;
  scenario.signals = {{"der(w)", all}};
  scenario.equations = {{"der(rope)", first}};
  scenario.own_equations = {{"w = 1", second}};
  EXPECT_EQ(pairs(rows_of(scenario, "singular modes")),
            (Rows{{"at rest: singular modes", second},
                  {"at rest: determines a start", first},
                  {"at rest: leaves der(w) undetermined", all},
                  {"at rest: over-determined, equation der(rope)", first},
                  {"at rest: over-determined, its \"w = 1\"", second}}));
}

TEST_F(AllModesRows, SaysWhatJumpsAndWhatCarriesAnImpulse) {
  const AllModesSummary::Change change{"v", first, none};
  EXPECT_EQ(jump_of(change).what, "v jumps");
  EXPECT_EQ(jump_of(change).modes, first);
  EXPECT_EQ(impulse_of(change).what, "v carries an impulse");
  EXPECT_TRUE(impulse_of(change).modes.empty());
}

}  // namespace all_modes_summary_test
}  // namespace mti::test
