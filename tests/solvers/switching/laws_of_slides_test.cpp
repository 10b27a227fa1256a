// A law of fall(z) or rise(z) is applied where z switches, also where the motion could as well stay on the surface by itself:
// what runs along a surface does not press on it, and is no slide.

#include <gtest/gtest.h>

#include <string>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace laws_of_slides_test {

double last(const Trajectory& run, const std::string& name) {
  return run.value(run.size() - 1, run.column(name));
}

const double tolerances[] = {1e-4, 1e-6, 1e-9};

/// Filling ends at q = 1, t = 1, which is counted once, and the count is watched: the slide with q' = 0 has no count.
Source filling(const std::string& watched) {
  Source source;
  source.states = {{"q"}, {"n"}};
  source.binaries = {{"fill", 1.0}, {"alarm"}};
  source.equations = {"der(q) = fill", "der(n) = 0", "fill = (q < 1)", RelationSource("alarm = " + watched)};
  source.transitions = {{"fall(fill)", {}, {"n = pre(n) + 1"}}};
  source.experiment.stop = 3.0;
  return source;
}

TEST(LawsOfSlides, CountWhatStopsItself) {
  for (const double tolerance : tolerances)
    for (const std::string watched : {"(n > 0.5)", "(n > 7)", "(n > 0.5 and q > 0.5)"}) {
      const Trajectory run = test::run(filling(watched), test::with_accuracy(tolerance));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_EQ(last(run, "n"), 1.0) << watched;
      EXPECT_EQ(last(run, "alarm"), watched == "(n > 7)" ? 0.0 : 1.0) << watched;
      EXPECT_NEAR(last(run, "q"), 1.0, 30.0 * tolerance);
    }
}

/// A batch: full at 1 it is counted and emptied. Where the law makes fill 1 again no mode follows: fill cannot fall and stay 1.
TEST(LawsOfSlides, ChangeWhatStoppedThem) {
  for (const double count : {3.0, 1.0})
    for (const double tolerance : tolerances) {
      Source source;
      source.parameters = {{"count", count}};
      source.states = {{"q"}, {"c"}};
      source.binaries = {{"fill", 1.0}};
      source.equations = {"der(q) = fill", "der(c) = 0", "fill = (q < 1 and c < 2.5)"};
      source.transitions = {{"fall(fill)", {}, {"c = pre(c) + count", "q = 0"}}};
      source.experiment.stop = 5.0;
      const Trajectory run = test::run(source, test::with_accuracy(tolerance));
      EXPECT_EQ(run.outcome.kind, count == 3.0 ? OutcomeKind::reached_stop : OutcomeKind::dead_end)
          << run.outcome.message;
      if (count == 3.0) {
        EXPECT_EQ(last(run, "c"), 3.0);
        EXPECT_EQ(last(run, "q"), 0.0);
      } else {
        EXPECT_NEAR(run.outcome.end_time, 1.0, 50.0 * tolerance);
      }
    }
}

/// x rises to 1, where z falls and the law makes m = 1, with which x goes on; without it both sides would press.
TEST(LawsOfSlides, MayLetTheMotionGoOn) {
  for (const double tolerance : tolerances) {
    Source source;
    source.states = {{"x"}, {"m"}};
    source.binaries = {{"z", 1.0}};
    source.equations = {"der(x) = z + (1 - z)*(2*m - 1)", "der(m) = 0", "z = (x < 1)"};
    source.transitions = {{"fall(z)", {}, {"m = 1"}}};
    source.experiment.stop = 3.0;
    const Trajectory run = test::run(source, test::with_accuracy(tolerance));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_EQ(last(run, "m"), 1.0);
    EXPECT_NEAR(last(run, "x"), 3.0, 30.0 * tolerance);
  }
}

/// A relay that both sides press on slides, whether its crossings are counted or not, and without more candidates.
TEST(LawsOfSlides, LeaveSlidesThatPress) {
  for (const double tolerance : tolerances) {
    Source source;
    source.states = {{"x", -1.0}, {"n"}};
    source.binaries = {{"z"}, {"many"}};
    source.equations = {"der(x) = 1 - 3*z", "der(n) = 0", "z = (x > 0)", "many = (n > 3.5)"};
    source.transitions = {{"rise(z)", {}, {"n = pre(n) + 1"}}};
    source.experiment.stop = 3.0;
    const Trajectory run = test::run(source, test::with_accuracy(tolerance));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(last(run, "x"), 0.0, 30.0 * tolerance);
    for (const Event& event : run.events) EXPECT_LE(event.candidates_tried, 20);
  }
}

}  // namespace laws_of_slides_test
}  // namespace mti
