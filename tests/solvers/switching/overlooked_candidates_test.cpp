// Searches with reasons and bounds, which begin where few binaries are exceeded, against the same question with few
// binaries, against twins in which a product stands for an output, and against answers by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/mode/mode_cache.hpp"
#include "solvers/switching/successor.hpp"
#include "tests/solvers/motion/motion_oracle.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti::test {
namespace overlooked_candidates_test {

std::string numbered(const std::string& name, int i) { return name + std::to_string(i); }

/// The model with u = 0 up to t = 1 and `step` from then on.
Source with_step(double step) {
  Source source;
  source.inputs = {{"u", TableSource{{0.0, 1.0, 1.0, 3.0}, {0.0, 0.0, step, step}}}};
  source.experiment = {.stop = 2.0};
  return source;
}

void add_binaries(Source& source, const std::vector<std::string>& names) {
  for (const std::string& name : names) source.binaries.push_back({name, 0.0});
}

/// The binaries that change at t = 1.
std::string changed_by_step(const Trajectory& run, const Model& model) {
  std::string names;
  for (const Event& event : run.events)
    if (event.time == 1.0)
      for (const Change& change : event.changed)
        names += (names.empty() ? "" : " ") + model.signature.row_name(change.row);
  return names;
}

// --- Restarts that move x

/// x + u ≤ 1.2 is broken by u = 1. Flipping w puts x to 0, which takes one flip; pairs of others switch the row off.
Source broken_by_step(bool by_law, int pairs) {
  Source source = with_step(1.0);
  source.states = {{"x", 0.5}};
  std::string off;
  for (int i = 0; i < pairs; ++i) {
    add_binaries(source, {numbered("a", i), numbered("b", i)});
    off += "*(1 - " + numbered("a", i) + "*" + numbered("b", i) + ")";
  }
  add_binaries(source, {"w"});
  source.equations = {by_law ? "der(x) = 0" : "w*x + (1 - w)*der(x) = 0"};
  if (by_law) source.transitions = {{"rise(w)", {}, {"x = 0"}}};
  source.constraints = {"(x + u - 1.2)" + off + " <= 0", "(x + u - 1.2)*(1 - a0*b0)*(1 - w) <= 0"};
  return source;
}

/// Danger: the reason of the broken row is taken to be its own binaries, and the candidate that moves x is never judged;
/// or bounds hold the row against x⁻.
TEST(OverlookedCandidates, AJumpCuresWhatIsBrokenForAnyNumberOfBinaries) {
  for (const bool by_law : {false, true})
    for (const int pairs : {1, 2, 3, 5, 6}) {
      const Source source = broken_by_step(by_law, pairs);
      const Model model = build(source);
      const Trajectory run = simulate(model);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_EQ(changed_by_step(run, model), "w") << pairs << " pairs" << (by_law ? ", by a law" : "");
      EXPECT_EQ(last(run, "x"), 0.0);
    }
}

/// Three binaries that make two states jump, by equations or laws, and constraints on these states. `idle` more binaries
/// switch all constraints off together.
class JumpingModel {
 public:
  explicit JumpingModel(unsigned seed) : random_(seed) {
    source_.inputs = {{"u", TableSource{{0.0, 1.0}, {1.0, 1.0}}}};
    source_.states = {{"x1", 0.0}, {"x2", 0.0}};
    add_binaries(source_, {"z1", "z2", "z3"});
    for (const std::string x : {"x1", "x2"}) {
      const std::string w = literal(), other = integer(0, 1) == 1 && x == "x2" ? " - x1" : "";
      const std::string goal = x + other + " - (" + std::to_string(integer(-2, 2)) + ")";
      if (integer(0, 2) == 0) {
        source_.equations.emplace_back("der(" + x + ") = " + std::to_string(integer(-1, 1)) + "*" +
                                       literal());
        source_.transitions.push_back(
            {(integer(0, 1) == 0 ? "rise(z" : "fall(z") + std::to_string(integer(1, 3)) + ")",
             {},
             {x + " = " + std::to_string(integer(-2, 2)) + other}});
      } else {
        source_.equations.emplace_back(w + "*(" + goal + ") + (1 - " + w + ")*der(" + x + ") = 0");
      }
    }
    for (int i = 0; i < 3; ++i)
      constraints_.push_back("(" + std::to_string(integer(-2, 2)) + "*x1 + " +
                             std::to_string(integer(-2, 2)) + "*x2 + " + std::to_string(integer(-2, 2)) +
                             "*u - 0.25)*" + literal() + "*" + literal());
    for (char& bit : before_) bit = static_cast<char>(integer(0, 1));
    x_ = {static_cast<double>(integer(-2, 2)), static_cast<double>(integer(-2, 2))};
  }

  /// Every row holds z1, z2 and z3: A is all there is, with or without idle binaries.
  [[nodiscard]] Successor successor(int idle) const {
    Source source = source_;
    std::string off = "*(4 - z1 - z2 - z3)", all = "1";
    for (int i = 0; i < idle; ++i) {
      add_binaries(source, {numbered("i", i)});
      all += "*" + numbered("i", i);
    }
    if (idle > 0) off += "*(1 - " + all + ")";
    for (const std::string& constraint : constraints_)
      source.constraints.emplace_back(constraint + off + " <= 0");
    const Model model = build(source);
    const Accuracy accuracy(model, 1e-8, 1e-8);
    ModeCache modes(model);
    Mode before;
    before.z = before_;
    before.z.resize(before.z.size() + static_cast<std::size_t>(idle), 0);
    Instant instant = instant_of(model, 0.0, x_);
    instant.z_before = before.z;
    return SuccessorSearch(model, modes, accuracy, {.sliding = false}).find(instant, before);
  }

 private:
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  std::string literal() {
    const std::string z = "z" + std::to_string(integer(1, 3));
    return integer(0, 1) == 0 ? z : "(1 - " + z + ")";
  }

  std::mt19937 random_;
  Source source_;
  std::vector<std::string> constraints_;
  std::vector<char> before_ = {0, 0, 0};
  std::vector<double> x_;
};

/// Danger: the same. Three binaries are enumerated; with idle ones the search has reasons, and bounds.
TEST(OverlookedCandidates, JumpsAreFoundAmongIdleBinariesAsWithoutThem) {
  int found = 0, jumped = 0, tied = 0;
  for (unsigned seed = 1; seed <= 600; ++seed) {
    const JumpingModel model(seed);
    const Successor plain = model.successor(0);
    if (plain.status != Successor::Status::found || plain.flipped.empty()) continue;
    ++found;
    jumped += plain.motion->restart().impulsive_parts().empty() ? 0 : 1;
    tied += plain.ties.empty() ? 0 : 1;
    for (const int idle : {4, 9}) {
      const Successor padded = model.successor(idle);
      ASSERT_EQ(padded.status, Successor::Status::found) << "seed " << seed << ", " << idle << " idle";
      EXPECT_EQ(padded.flipped, plain.flipped) << "seed " << seed << ", " << idle << " idle";
      EXPECT_EQ(padded.ties, plain.ties) << "seed " << seed << ", " << idle << " idle";
    }
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(jumped, 10);
  EXPECT_GT(tied, 5);
}

// --- While something slides

/// z slides at ½. One of the c has to rise; y = `of_z`, which is ½ then, allows c1.
Source choice_beside_a_slide(int choices, const std::string& of_z) {
  Source source = with_step(1.0);
  source.states = {{"x", 0.0}};
  source.algebraic = {{"y", 0.0}};
  add_binaries(source, {"z"});
  std::string none;
  for (int i = 1; i <= choices; ++i) {
    add_binaries(source, {numbered("c", i)});
    none += "*(1 - " + numbered("c", i) + ")";
  }
  source.equations = {"der(x) = 1 - 2*z", "y = " + of_z};
  source.constraints = {"(1 - 2*z)*x <= 0", "(u - 0.5)" + none + " <= 0", "(y - 0.8)*c1 <= 0",
                        "(0.2 - y)*c1 <= 0"};
  return source;
}

/// Danger: bounds take pre(z), or an output that joins the slide with the candidate, for 0 or 1.
TEST(OverlookedCandidates, WhatSlidesIsNeither0Nor1) {
  for (const int choices : {3, 4, 5, 6, 11})
    for (const std::string of_z : {"z", "pre(z)", "o"}) {
      Source source = choice_beside_a_slide(choices, of_z);
      if (of_z == "o") {
        add_binaries(source, {"o"});
        source.equations.emplace_back("o = z*c1");
      }
      const Model model = build(source);
      const Trajectory run = simulate(model);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_EQ(changed_by_step(run, model), of_z == "o" ? "c1 o" : "c1")
          << choices << " choices, y = " << of_z;
      EXPECT_NEAR(last(run, "y"), 0.5, 1e-9);
      // In the ties c1 = 0: there o = z*c1 is 0 as before, and z slides as before.
      const std::vector<std::vector<Change>>& ties = run.events.back().ties;
      ASSERT_EQ(ties.size(), static_cast<std::size_t>(choices - 1));
      for (std::size_t i = 0; i < ties.size(); ++i)
        EXPECT_EQ(changes_text(ties[i], model), numbered("c", static_cast<int>(i) + 2) + ":0>1");
    }
}

/// z1 slides; at t = 1 z2 is met, whose side 1 breaks the limit that e lifts. Where z2 slides at ½ the limit holds.
Trajectory met_beside_a_slide(bool output) {
  Source source = with_step(1.0);
  source.states = {{"x1", 0.0}, {"x2", 0.0}, {"x3", 0.0}};
  source.algebraic = {{"y", 0.0}};
  add_binaries(source, {"z1", "z2", "e"});
  source.equations = {"der(x1) = 1 - 2*z1", "der(x2) = u*(1 - 2*z2) + 5*u*e*z2",
                      output ? "der(x3) = o" : "der(x3) = z1*z2", "y = 3*z2*u"};
  if (output) {
    add_binaries(source, {"o"});
    source.equations.emplace_back("o = z1*z2");
  }
  source.constraints = {"(1 - 2*z1)*x1 <= 0", "(1 - 2*z2)*x2 <= 0", "(y - 2)*(1 - e) <= 0"};
  return run(source);
}

/// Danger: on the sides of the new surface an output does not go along with the slide that is kept, and they have no
/// motion.
TEST(OverlookedCandidates, ASlideBeginsBesideAnotherWithAnOutputAsWithItsProduct) {
  const Trajectory product = met_beside_a_slide(false), output = met_beside_a_slide(true);
  for (const Trajectory* run : {&product, &output}) {
    ASSERT_EQ(run->outcome.kind, OutcomeKind::reached_stop) << run->outcome.message;
    EXPECT_NEAR(last(*run, "z2"), 0.5, 1e-9);
    EXPECT_NEAR(last(*run, "x2"), 0.0, 1e-9);
    EXPECT_NEAR(last(*run, "x3"), 0.25, 1e-9) << "½·½ for one second";
  }
}

// --- Steps of memory

/// u = 3 trips o and puts x' = 1 + u − 2z above zero on both sides: z leaves its slide for the side above, at once.
/// q remembers whether the other side was seen with o.
Trajectory trip_from_a_slide(bool renamed) {
  const std::string above = renamed ? "(1 - z)" : "z", below = renamed ? "z" : "(1 - z)";
  Source source = with_step(3.0);
  source.states = {{"x", 0.0}};
  source.algebraic = {{"i", 0.0}};
  source.binaries = {{"z", renamed ? 1.0 : 0.0}, {"s", 0.0}, {"o", 0.0}, {"q", 0.0}};
  source.equations = {"der(x) = 1 + u - 2*" + above, "i = u*(1 - o)", "o = s + pre(o) - s*pre(o)",
                      "q = pre(q) + (1 - pre(q))*" + below + "*o"};
  source.constraints = {"(1 - 2*" + above + ")*x <= 0", "(i - 2)*(1 - s) <= 0", "(2 - i)*s <= 0"};
  return run(source);
}

/// Danger: that one side does not press is read as θ = 0, whatever θ has reached.
TEST(OverlookedCandidates, AStepOfMemoryLeavesASlideForTheSideThatThetaHasReached) {
  for (const bool renamed : {false, true}) {
    const Trajectory run = trip_from_a_slide(renamed);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_EQ(last(run, "z"), renamed ? 0.0 : 1.0);
    EXPECT_EQ(last(run, "q"), 0.0) << (renamed ? "renamed" : "");
    EXPECT_NEAR(last(run, "x"), 2.0, 1e-9);
    const Event& event = run.events.back();
    ASSERT_EQ(event.steps.size(), 2U);
    EXPECT_EQ(event.steps[0].front().after, renamed ? 0.0 : 1.0) << "z";
  }
}

/// Danger: the table of an output that will join the slide has no row for 0 or 1, and there is no step at all.
TEST(OverlookedCandidates, ATripBesideASlideTakesAnOutputAlong) {
  for (const bool output : {false, true}) {
    Source source = with_step(3.0);
    source.states = {{"x", 0.0}, {"e", 0.0}};
    source.algebraic = {{"i", 0.0}};
    add_binaries(source, {"z", "s", "o"});
    source.equations = {"der(x) = 1 - 2*z", output ? "der(e) = p" : "der(e) = z*o", "i = u*(1 - o)",
                        "o = s + pre(o) - s*pre(o)"};
    if (output) {
      add_binaries(source, {"p"});
      source.equations.emplace_back("p = z*o");
    }
    source.constraints = {"(1 - 2*z)*x <= 0", "(i - 2)*(1 - s) <= 0", "(2 - i)*s <= 0"};
    const Trajectory run = test::run(source);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_EQ(last(run, "o"), 1.0);
    EXPECT_NEAR(last(run, "e"), 0.5, 1e-9) << "½ for one second";
  }
}

// --- Order

/// Danger: subsets of one size are taken as numbers, {1, 2} before {0, 3}.
TEST(OverlookedCandidates, TiesAreBrokenByTheFirstDeclaredBesideASlideToo) {
  Source source = with_step(1.0);
  source.states = {{"x", 0.0}};
  add_binaries(source, {"z", "b0", "b1", "b2", "b3"});
  source.equations = {"der(x) = u*(1 - 2*z)"};
  source.constraints = {"(1 - 2*z)*x <= 0", "(u - 0.5)*(1 - b0*b3)*(1 - b1*b2) <= 0"};
  const Model model = build(source);
  EXPECT_EQ(changed_by_step(simulate(model), model), "z b0 b3");
}

/// Danger: the same where pivoting seeks the two sides of a surface.
TEST(OverlookedCandidates, TiesAreBrokenByTheFirstDeclaredForAnyNumberOfSurfaces) {
  const std::string relay = "(b0*b3 + b1*b2 - b0*b1*b2*b3)";
  for (const int others : {3, 4}) {
    Source source = with_step(1.0);
    add_binaries(source, {"b0", "b1", "b2", "b3"});
    for (int i = 0; i <= others; ++i) {
      const auto z = [&](int k) { return k == 0 ? relay : numbered("z", k); };
      source.states.push_back({numbered("x", i), 0.0});
      if (i > 0) add_binaries(source, {numbered("z", i)});
      source.equations.emplace_back("der(" + numbered("x", i) + ") = u*(1 - 2*" + z(i) + " + 0.1*" +
                                    z((i + 1) % (others + 1)) + ")");
      source.constraints.emplace_back("(1 - 2*" + z(i) + ")*" + numbered("x", i) + " <= 0");
    }
    const Trajectory run = test::run(source);
    for (const std::string b : {"b0", "b1", "b2", "b3"})
      EXPECT_NEAR(last(run, b), b == "b0" || b == "b3" ? 1.0 / 1.9 : 0.0, 1e-9) << b << ", " << others + 1;
  }
}

// --- What is not decided is said

/// Relays x_i' = u(1 − 2 z_i) + 5u Π z: all z = 1 is admissible, x_i' = 4, and as far as can be.
/// Danger: of more than ten the slide is taken without a word.
TEST(OverlookedCandidates, ASlideThatMayNotComeFirstIsWarnedOf) {
  for (const int relays : {9, 11}) {
    Source source = with_step(1.0);
    std::string all = "5*u";
    for (int i = 1; i <= relays; ++i) all += "*" + numbered("z", i);
    for (int i = 1; i <= relays; ++i) {
      source.states.push_back({numbered("x", i), 0.0});
      add_binaries(source, {numbered("z", i)});
      source.equations.emplace_back("der(" + numbered("x", i) + ") = u*(1 - 2*" + numbered("z", i) + ") + " +
                                    all);
      source.constraints.emplace_back("(1 - 2*" + numbered("z", i) + ")*" + numbered("x", i) + " <= 0");
    }
    const Trajectory run = test::run(source);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    const bool warned = std::ranges::any_of(run.warnings, [](const std::string& warning) {
      return warning.find("most_judged_before_pivoting") != std::string::npos;
    });
    EXPECT_EQ(warned, relays > 10);
    if (!warned) {
      EXPECT_NEAR(last(run, "x1"), 4.0, 1e-9);
    }
  }
}

/// Danger: a refused candidate, which might be the one that follows, is forgotten when something slides.
TEST(OverlookedCandidates, ARefusedCandidateEndsTheRunThoughASlideFollows) {
  Source source = with_step(1.0);
  source.states = {{"x", 0.0}, {"v", 1.0}, {"m", 1.0}};
  source.algebraic = {{"F", 0.0}};
  add_binaries(source, {"z", "w"});
  source.equations = {"der(x) = u*(1 - 2*z)", "m*der(v) = F", "w*(v - 5) + (1 - w)*F = 0",
                      "w*(m - 2) + (1 - w)*der(m) = 0"};
  source.constraints = {"(1 - 2*z)*x*(1 - w) <= 0"};
  EXPECT_EQ(to_string(run(source).outcome.kind), to_string(OutcomeKind::refused_restart));
  source.equations[3] = "der(m) = 0";  // nothing jumps that multiplies a weight: w follows
  EXPECT_NEAR(last(run(source), "v"), 5.0, 1e-9);
}

/// One of b1 … bn has to rise, which breaks the limit that c lifts. d, in the equation of y, would cure it too, but no
/// candidate breaks that equation.
TEST(OverlookedCandidates, AGrowsByWhatCandidatesBreakForAnyNumberOfBinaries) {
  for (const int number : {8, 10, 11, 12}) {
    Source source = with_step(1.0);
    source.states = {{"x", 0.0}};
    source.algebraic = {{"y", 0.0}};
    std::string none, sum;
    for (int i = 1; i <= number; ++i) {
      add_binaries(source, {numbered("b", i)});
      none += "*(1 - " + numbered("b", i) + ")";
      sum += (sum.empty() ? "" : " + ") + numbered("b", i);
    }
    add_binaries(source, {"d", "c"});
    source.equations = {"der(x) = 0", "y = (" + sum + ")*(1 - d)"};
    source.constraints = {"(u - 0.5)" + none + " <= 0", "(y - 0.5)*(1 - c) <= 0"};
    const Model model = build(source);
    const Trajectory run = simulate(model);
    EXPECT_EQ(changed_by_step(run, model), "b1 c") << number;
    EXPECT_TRUE(run.warnings.empty());
  }
}

}  // namespace overlooked_candidates_test
}  // namespace mti::test
