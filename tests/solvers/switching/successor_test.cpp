#include "solvers/switching/successor.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <string>

#include "mti/build/build.hpp"
#include "solvers/mode/mode_cache.hpp"
#include "tests/solvers/motion/motion_oracle.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

/// Which binaries change at an event, and which do not (docs/theory.md, "Which binaries may change").
namespace mti {
namespace successor_test {

/// The successor at t = 0 in a model without inputs that move.
struct Search {
  explicit Search(const Source& source, const std::vector<double>& x, std::vector<char> z, long limit = 10000)
      : model(build(source)),
        accuracy(model, 1e-8, 1e-8),
        cache(model),
        search(model, cache, accuracy, {.max_candidates = limit}) {
    before.z = std::move(z);
    for (const int binary : model.signature.pre()) before.pre.push_back(before.z[at(binary)]);
    successor = search.find(test::instant_of(model, 0.0, x), before);
  }

  /// "z1 z3", or why there is none.
  [[nodiscard]] std::string flipped() const {
    if (successor.status != Successor::Status::found)
      return successor.status == Successor::Status::dead_end ? "dead end" : "no decision";
    std::string names;
    for (const int binary : successor.flipped)
      names += (names.empty() ? "" : " ") + model.signature.binaries()[at(binary)].name;
    return names.empty() ? "none" : names;
  }

  Model model;
  Accuracy accuracy;
  ModeCache cache;
  SuccessorSearch search;
  Mode before;
  Successor successor;
};

/// Danger: every binary is free, and one that has nothing to do with the event flips. Opening valve 1 of the
/// three tanks would stop tank 3 at its limit as well, for they share the inlet.
TEST(Successor, OnlyBinariesOfTheTriggeredRowChange) {
  Source source;
  source.states = {{"x1", 5.0}, {"x3", 1.0}};
  source.binaries = {{"z1", 0.0}, {"z3", 0.0}};
  source.equations = {"der(x1) = -1", "der(x3) = 1 - 2*z1 - 2*z3"};
  source.constraints = {"(x3 - 1)*(1 - 0.5*z3) <= 0", "-x1*(1 + z1) <= 0"};
  EXPECT_EQ(Search(source, {5.0, 1.0}, {0, 0}).flipped(), "z3") << "z1 is declared first and would do";
}

/// Danger: the smallest change is not found first; a tie is decided by chance.
TEST(Successor, NearestFirstThenTheOrderOfDeclaration) {
  Source source;
  source.states = {{"x", 1.0}};
  source.binaries = {{"a", 0.0}, {"b", 0.0}, {"c", 0.0}};
  source.equations = {"der(x) = 1"};
  source.constraints = {"(x - 1)*(1 - a*b)*(1 - b*c) <= 0"};
  const Search tie(source, {1.0}, {0, 0, 0});
  EXPECT_EQ(tie.flipped(), "a b");
  EXPECT_EQ(tie.successor.ties, (std::vector<std::vector<int>>{{1, 2}}));
  EXPECT_EQ(tie.successor.tried, 1 + 3 + 3);
  const Search near(source, {1.0}, {0, 0, 1});
  EXPECT_EQ(near.flipped(), "b");
  EXPECT_TRUE(near.successor.ties.empty());
}

/// Danger: z⁻ is not a candidate, and a row that turns back switches the mode.
TEST(Successor, AnAdmissibleModeStays) {
  Source source;
  source.states = {{"x", 1.0}};
  source.binaries = {{"a", 0.0}};
  source.equations = {"der(x) = -1 + 2*a"};
  source.constraints = {"(x - 1)*(2 - a) <= 0"};
  const Search stays(source, {1.0}, {0});
  EXPECT_EQ(stays.flipped(), "none");
  EXPECT_EQ(stays.successor.tried, 1);
  EXPECT_EQ(Search(source, {1.0}, {1}).flipped(), "a") << "negative control";
}

/// Danger: the flip that answers the event overloads a neighbour, and the run ends. Two lines share the load
/// u = 2; whichever is open leaves all of it to the other.
TEST(Successor, ACascadeExtendsTheSearch) {
  Source source;
  source.parameters = {{"u", 2.0}, {"strong", 1.5}};
  source.states = {{"x", 0.0}};
  source.algebraic = {{"i1", 0.0}, {"i2", 0.0}};
  source.binaries = {{"open1", 0.0}, {"open2", 0.0}};
  source.equations = {"der(x) = 1", "i1 = (1 - open1)*(1 + open2)*u/2", "i2 = (1 - open2)*(1 + open1)*u/2"};
  source.constraints = {"(i1 - 0.9)*(1 - open1) <= 0", "(i2 - strong)*(1 - open2) <= 0"};
  EXPECT_EQ(Search(source, {0.0}, {0, 0}).flipped(), "open1 open2");
  source.parameters[1].value = 2.5;  // negative control: line 2 is strong enough
  EXPECT_EQ(Search(source, {0.0}, {0, 0}).flipped(), "open1");
}

/// Danger: a binary that equations define from others does not follow them. A chain of three.
TEST(Successor, LogicDownstreamFollows) {
  Source source;
  source.states = {{"x", 1.0}};
  source.binaries = {{"s", 0.0}, {"valve", 0.0}, {"lamp", 1.0}, {"spare", 0.0}};
  source.equations = {"der(x) = 1", "valve = s", "lamp = 1 - valve"};
  source.constraints = {"(x - 1)*(1 - 2*s) <= 0"};
  EXPECT_EQ(Search(source, {1.0}, {0, 0, 1, 0}).flipped(), "s valve lamp");
  source.equations = {"der(x) = 1", "lamp = 1 - valve"};
  EXPECT_EQ(Search(source, {1.0}, {0, 0, 1, 0}).flipped(), "s") << "negative control: nothing downstream";
}

/// A row without binaries: the binaries of the equations that determine its lowest derivative that has any.
TEST(Successor, ARowWithoutBinariesAsksTheEquationsBehindIt) {
  Source source;
  source.states = {{"x", 1.0}};
  source.algebraic = {{"flow", 0.0}};
  source.binaries = {{"other", 0.0}, {"pump", 1.0}};
  source.equations = {"der(x) = flow - 0.5", "flow = pump"};
  source.constraints = {"x - 1 <= 0", "-other <= 0"};
  EXPECT_EQ(Search(source, {1.0}, {0, 1}).flipped(), "pump");

  // Two integrations deep: at rest on the boundary, pushed by the thrust.
  Source deep;
  deep.states = {{"x1", 1.0}, {"x2", 0.0}};
  deep.binaries = {{"thrust", 1.0}, {"other", 0.0}};
  deep.equations = {"der(x1) = x2", "der(x2) = thrust + 0*other"};
  deep.constraints = {"x1 - 1 <= 0", "-other <= 0"};
  EXPECT_EQ(Search(deep, {1.0, 0.0}, {1, 0}).flipped(), "thrust");
}

/// An ideal diode, z·i + (1 − z)·v = 0: the constraints hold no binary, the coupled network does.
TEST(Successor, AnIdealDiodeBlocksAndConducts) {
  Source source;
  source.parameters = {{"R", 10.0}};
  source.inputs = {{"u", SineSource{1.0, 1.0, 0.0, 0.0}}};
  source.states = {{"charge", 0.0}};
  source.algebraic = {{"i", 0.0}, {"v", 0.0}};
  source.binaries = {{"blocks", 0.0}};
  source.equations = {"der(charge) = i", "u = R*i + v", "blocks*i + (1 - blocks)*v = 0"};
  source.constraints = {"-i <= 0", "v <= 0"};
  source.experiment = {.stop = 3.2, .rtol = 1e-8, .atol = 1e-8};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  const std::vector<double> times = test::event_times(trajectory);
  ASSERT_EQ(times.size(), 6U) << test::events_text(trajectory, model);
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(times[k], 0.5 * static_cast<double>(k + 1), 1e-7);
  EXPECT_EQ(test::recorded(trajectory, "blocks", 0.768), 1.0);
  EXPECT_EQ(test::recorded(trajectory, "blocks", 1.28), 0.0);
}

/// Danger: two limits met at one instant are answered one by one. A single flip may cure both.
TEST(Successor, TwoLimitsAtOneInstant) {
  Source source;
  source.states = {{"x1", 1.0}, {"x2", 1.0}};
  source.binaries = {{"a", 0.0}, {"b", 0.0}, {"c", 0.0}};
  source.equations = {"der(x1) = 1", "der(x2) = 1"};
  source.constraints = {"(x1 - 1)*(1 - a)*(1 - c) <= 0", "(x2 - 1)*(1 - b)*(1 - c) <= 0"};
  EXPECT_EQ(Search(source, {1.0, 1.0}, {0, 0, 0}).flipped(), "c");
  EXPECT_EQ(Search(source, {1.0, 0.5}, {0, 0, 0}).flipped(), "a");
  source.constraints = {"(x1 - 1)*(1 - a) <= 0", "(x2 - 1)*(1 - b) <= 0"};
  EXPECT_EQ(Search(source, {1.0, 1.0}, {0, 0, 0}).flipped(), "a b");
}

TEST(Successor, InvariantsExcludeAssignments) {
  Source source;
  source.states = {{"x", 1.0}};
  source.binaries = {{"a", 0.0}, {"b", 0.0}};
  source.equations = {"der(x) = 1"};
  source.constraints = {"(x - 1)*(1 - a)*(1 - b) <= 0"};
  source.invariants = {"not a or b"};
  EXPECT_EQ(Search(source, {1.0}, {0, 0}).flipped(), "b");
}

/// Danger: what the invariant ties to the flip is not in A, and the run ends.
TEST(Successor, InvariantsDrawTheirBinariesIn) {
  Source source;
  source.states = {{"x", 1.0}};
  source.binaries = {{"heat", 0.0}, {"cool", 1.0}};
  source.equations = {"der(x) = -1"};
  source.constraints = {"(1 - x)*(1 - heat) <= 0"};
  source.invariants = {"not (heat and cool)"};
  EXPECT_EQ(Search(source, {1.0}, {0, 1}).flipped(), "heat cool");
}

/// Initialisation: what z⁻ leaves undetermined is among what has to change.
TEST(Successor, AModeThatDeterminesTheMotionIsFound) {
  Source source;
  source.states = {{"x", 0.0}};
  source.algebraic = {{"y"}};
  source.binaries = {{"locked", 0.0}, {"other", 0.0}};
  source.equations = {"der(x) = 1", "locked*(y - x - 1) = 0"};
  source.constraints = {"-other <= 0", "y - 5 <= 0"};
  EXPECT_EQ(Search(source, {0.0}, {0, 0}).flipped(), "locked");
}

TEST(Successor, DeadEndSaysWhatEachCandidateBreaks) {
  Source source;
  source.states = {{"x", 1.0}};
  source.binaries = {{"a", 0.0}};
  source.equations = {"der(x) = 1"};
  source.constraints = {{"limit", "(x - 1)*(1 - a) <= 0"}, {"guard", "(x - 0.5)*a <= 0"}};
  const Search search(source, {1.0}, {0});
  EXPECT_EQ(search.flipped(), "dead end");
  EXPECT_EQ(diagnosis(search.successor, search.before, search.model),
            "unchanged: leaves through limit; a = 1: violates guard");
}

// Two inertias engage: w⁺ is the mean weighted by the inertias, whether or not they turn alike before.
TEST(Successor, AModeOfHigherIndexBeginsWithTheBalance) {
  Source source;
  source.states = {{"w1", 1.0}, {"w2", 0.0}};
  source.algebraic = {{"tau", 0.0}};
  source.binaries = {{"engaged", 0.0}};
  source.equations = {"der(w1) = 1 - tau", "3*der(w2) = tau", "engaged*(w1 - w2) + (1 - engaged)*tau = 0"};
  source.constraints = {"(w1 - 1)*(1 - engaged) <= 0"};
  for (const double w2 : {1.0, 0.0}) {
    const Search search(source, {1.0, w2}, {0});
    ASSERT_EQ(search.flipped(), "engaged");
    const Motion& motion = *search.successor.motion;
    EXPECT_NEAR(motion.v()[2], (1.0 + 3.0 * w2) / 4.0, 1e-14);
    EXPECT_NEAR(motion.v()[3], (1.0 + 3.0 * w2) / 4.0, 1e-14);
    const std::vector<ImpulsivePart> parts = motion.restart().impulsive_parts();
    ASSERT_EQ(parts.size(), w2 == 1.0 ? 0U : 3U);
    if (w2 == 1.0) continue;
    EXPECT_NEAR(parts[2].weight.value, 0.75, 1e-14) << "the impulse of tau";
  }
}

}  // namespace successor_test
}  // namespace mti
