#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "mti/common/at.hpp"
#include "solvers/switching/successor.hpp"
#include "tests/solvers/motion/motion_oracle.hpp"
#include "tests/solvers/motion/random_hybrid_model.hpp"
#include "tests/solvers/switching/successor_oracle.hpp"

/// The successor search against the enumeration of all assignments of A on some 2,000 hybrid models of many
/// shapes. How hard the models are is counted by the oracle with one part of the rule left out at a time:
/// wherever a model counts, a search without that part gives a wrong answer.
namespace mti::test {
namespace successor_quota_test {

constexpr double accuracy = 1e-10;  // rtol = atol; data are small integers, what is not zero is > 1e-4
constexpr unsigned seeds = 160;     // per entry of all_shapes
constexpr long max_candidates = 100'000;

struct Tally {
  int models = 0, discarded = 0, without_successor = 0, unchanged = 0, tied = 0;
  int several = 0;       ///< admissible assignments of A, at any distance
  int way_back = 0;      ///< greedy choice, sub-problem by sub-problem, ends in no admissible mode
  int above_D = 0;       ///< g and Dg alone give another answer
  int extended = 0;      ///< A grew
  int found_beyond = 0;  ///< A grew, and then there was a successor
  std::size_t largest_A = 0;
};

std::set<int> as_set(const std::vector<int>& list) { return {list.begin(), list.end()}; }

std::set<std::vector<int>> as_set(const std::vector<std::vector<int>>& list) {
  return {list.begin(), list.end()};
}

bool same_answer(const ExpectedSuccessor& a, const ExpectedSuccessor& b) {
  return a.found == b.found && a.flipped == b.flipped && a.ties == b.ties && a.triggered == b.triggered;
}

/// An instant at which something happens: z⁻ is not admissible, if that can be had in a few draws.
RandomHybridModel eventful_model(Shape shape, unsigned seed) {
  constexpr int draws = 30;
  RandomHybridModel random(shape, seed);
  for (int i = 0; i < draws; ++i) {
    if (!SuccessorOracle(random.model, random.instant, random.before).check_admissibility({}).admissible())
      break;
    random.draw_point();
  }
  return random;
}

void count(const RandomHybridModel& random, SuccessorOracle& oracle, const ExpectedSuccessor& expected,
           Tally& tally) {
  ++tally.models;
  tally.without_successor += expected.found ? 0 : 1;
  tally.unchanged += expected.found && expected.flipped.empty() ? 1 : 0;
  tally.tied += expected.ties.empty() ? 0 : 1;
  tally.several += expected.admissible >= 2 ? 1 : 0;
  tally.way_back += expected.found && !oracle.greedy_choice_succeeds(expected.A) ? 1 : 0;
  tally.extended += expected.extended ? 1 : 0;
  tally.found_beyond += expected.extended && expected.found ? 1 : 0;
  tally.largest_A = std::max(tally.largest_A, expected.A.size());
  const ExpectedSuccessor by_slope = SuccessorOracle(random.model, random.instant, random.before, 1).find();
  tally.above_D += by_slope.usable && !same_answer(by_slope, expected) ? 1 : 0;
}

void expect_same_successor(const Successor& successor, const ExpectedSuccessor& expected, Mode before) {
  ASSERT_EQ(successor.status, expected.found ? Successor::Status::found : Successor::Status::dead_end);
  EXPECT_EQ(as_set(successor.triggered), as_set(expected.triggered));
  if (!expected.found) return;
  EXPECT_EQ(successor.flipped, expected.flipped);
  EXPECT_EQ(as_set(successor.ties), as_set(expected.ties));
  EXPECT_EQ(successor.ties.size(), expected.ties.size());
  for (const int binary : expected.flipped) before.z[at(binary)] ^= 1;
  EXPECT_EQ(successor.mode, before);
}

/// Danger: an assignment is skipped, one farther away is taken, a tie is lost, A grows too little or too
/// much, a tangency is taken for a crossing; a mode is judged admissible in one search and not in another.
TEST(SuccessorQuota, TheSearchAgreesWithEnumerationOnModelsThatNeedAllOfIt) {
  Tally tally;
  unsigned number = 0;
  for (unsigned seed = 0; seed < seeds; ++seed)
    for (const Shape shape : all_shapes) {
      const RandomHybridModel random = eventful_model(shape, ++number);
      SuccessorOracle oracle(random.model, random.instant, random.before);
      const ExpectedSuccessor expected = oracle.find();
      if (!expected.usable) {
        ++tally.discarded;
        continue;
      }
      SCOPED_TRACE("model " + std::to_string(number) + "\n" + random.text());
      count(random, oracle, expected, tally);
      const Accuracy accuracies(random.model, accuracy, accuracy);
      ModeCache cache(random.model);
      const SuccessorSearch search(random.model, cache, accuracies,
                                   {.max_candidates = max_candidates, .sliding = false, .causal = false});
      expect_same_successor(search.find(random.instant, random.before), expected, random.before);
      std::set<std::vector<int>> admissible, expected_admissible;
      for (const std::vector<int>& flipped : subsets_by_size(expected.A)) {
        const Mode mode = oracle.with(flipped);
        if (check_admissibility(random.model, cache.get(mode), accuracies, random.instant).admissible())
          admissible.insert(flipped);
        if (oracle.check_admissibility(flipped).admissible()) expected_admissible.insert(flipped);
      }
      EXPECT_EQ(admissible, expected_admissible);
      if (testing::Test::HasFailure()) return;  // one model is enough to look at
    }
  EXPECT_GE(tally.models, 2000);
  EXPECT_LE(tally.discarded, tally.models / 10);
  EXPECT_LE(tally.unchanged, tally.models / 10);
  EXPECT_GE(tally.several, 3 * tally.models / 10);
  EXPECT_GE(tally.way_back, tally.models / 10);
  EXPECT_GE(tally.above_D, tally.models / 10);
  EXPECT_GE(tally.found_beyond, tally.models / 10);
  EXPECT_GE(tally.without_successor, tally.models / 10);
  EXPECT_GE(tally.tied, tally.models / 10);
  EXPECT_GE(tally.largest_A, 9U);
  for (const auto& [name, value] : {std::pair{"models", tally.models},
                                    {"several", tally.several},
                                    {"way_back", tally.way_back},
                                    {"above_D", tally.above_D},
                                    {"extended", tally.extended},
                                    {"found_beyond", tally.found_beyond},
                                    {"without_successor", tally.without_successor},
                                    {"tied", tally.tied},
                                    {"discarded", tally.discarded},
                                    {"unchanged", tally.unchanged},
                                    {"largest_A", static_cast<int>(tally.largest_A)}})
    RecordProperty(name, value);
}

/// The oracle itself, on problems whose answer is worked out by hand.
ExpectedSuccessor successor_of(const Source& source, const std::vector<double>& x, const std::vector<char>& z,
                               int most_orders = -1) {
  const Model model = build(source);
  const Instant instant = instant_of(model, 0.0, x);
  return SuccessorOracle(model, instant, {z, {}, {}}, most_orders).find();
}

/// x''' = 1 from rest on x ≤ 0 with z = 0: only D³g = 1 tells that z = 1, x ≥ 0, is where it goes.
TEST(SuccessorQuota, OracleSeesTheThirdDerivative) {
  Source source;
  source.states = {{"x", 0.0}, {"v", 0.0}, {"a", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = v", "der(v) = a", "der(a) = 1"};
  source.constraints = {"x*(1 - 2*z) <= 0"};
  EXPECT_EQ(successor_of(source, {0.0, 0.0, 0.0}, {0}).flipped, std::vector<int>{0});
  EXPECT_EQ(successor_of(source, {0.0, 0.0, 0.0}, {0}, 2).flipped, std::vector<int>{});
  EXPECT_TRUE(successor_of(source, {0.0, 0.0, 0.0}, {1}).flipped.empty());
}

/// Breaker 1 opens at load 3 and overloads breaker 2, whose opening is not among the first A = {z1}.
TEST(SuccessorQuota, OracleFollowsACascade) {
  Source source;
  source.states = {{"x", 0.0}};
  source.algebraic = {{"y1", 0.0}, {"y2", 0.0}};
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}};
  source.equations = {"der(x) = 1", "y1 = x", "y2 = 1 + x*z1"};
  source.constraints = {"(y1 - 2)*(1 - z1) <= 0", "(y2 - 3)*(1 - z2) <= 0"};
  const ExpectedSuccessor both = successor_of(source, {3.0}, {0, 0});
  EXPECT_EQ(both.flipped, (std::vector<int>{0, 1}));
  EXPECT_TRUE(both.extended);
  EXPECT_EQ(both.A, (std::set<int>{0, 1}));
  source.constraints[1] = "(y2 - 5)*(1 - z2) <= 0";  // strong enough: 1 + 3 < 5
  const ExpectedSuccessor one = successor_of(source, {3.0}, {0, 0});
  EXPECT_EQ(one.flipped, std::vector<int>{0});
  EXPECT_FALSE(one.extended);
  source.constraints[1] = "y2 - 3 <= 0";  // nobody can help
  EXPECT_FALSE(successor_of(source, {3.0}, {0, 0}).found);
}

/// A mass on a rope, x ≤ 1 taut: the binary stands in the equation of the force, met at D²g.
TEST(SuccessorQuota, OracleFindsTheBinaryOfARope) {
  Source source;
  source.states = {{"x", 0.0}, {"v", 0.0}};
  source.algebraic = {{"force", 0.0}};
  source.binaries = {{"other", 0.0}, {"pulls", 0.0}};
  source.equations = {"der(x) = v", "der(v) = 1 - force", "force = 2*pulls"};
  source.constraints = {"x <= 1", "(x - 4)*(1 - 2*other) <= 0"};
  const ExpectedSuccessor expected = successor_of(source, {1.0, 0.0}, {0, 0});
  EXPECT_EQ(expected.A, std::set<int>{1});
  EXPECT_EQ(expected.flipped, std::vector<int>{1});
  EXPECT_FALSE(successor_of(source, {1.0, 1.0}, {0, 0}).found);  // it arrives with speed
}

/// Either of z1, z2 would do for the first row; y = 3 z1 breaks the limit that only the second stage knows.
TEST(SuccessorQuota, OracleKnowsWhereGreedIsNotEnough) {
  Source source;
  source.states = {{"x", 0.0}};
  source.algebraic = {{"y", 0.0}};
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}, {"z3", 0.0}};
  source.equations = {"der(x) = 1", "y = 3*z1 + z2"};
  source.constraints = {"(x + 1)*(1 - z1)*(1 - z2) <= 0", "(y - 2)*(2 - z3) <= 0"};
  const Model model = build(source);
  const Instant instant = instant_of(model, 0.0, {0.0});
  SuccessorOracle oracle(model, instant, {{0, 0, 0}, {}, {}});
  const ExpectedSuccessor expected = oracle.find();
  EXPECT_EQ(expected.flipped, std::vector<int>{1});
  EXPECT_EQ(expected.admissible, 1);
  EXPECT_FALSE(oracle.greedy_choice_succeeds(expected.A));
  EXPECT_TRUE(oracle.greedy_choice_succeeds({1}));
}

}  // namespace successor_quota_test
}  // namespace mti::test
