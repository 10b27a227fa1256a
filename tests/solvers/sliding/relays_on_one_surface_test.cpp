#include <gtest/gtest.h>

#include <string>

#include "tests/solvers/sliding/sliding_queries.hpp"

/// More relays on one surface than have their assignments enumerated.
namespace mti {
namespace relays_on_one_surface_test {

/// x' = 3.1 − (4/n) Σ z_i from x = 1 with all z_i = 1: x = 1 − 0.9 t until t = 1/0.9, then x = 0 with z_i = 3.1/4. Each relay
/// is on the signal that `signal` names, which is zero where x is; `equation` defines it, if it is not x, by the one
/// before, at first x.
Source relays(int number, const std::string& threshold, const std::string& equation) {
  Source source;
  source.states = {{"x", 1.0}};
  std::string slope = "der(x) = 3.1", before = "x";
  for (int i = 1; i <= number; ++i) {
    const std::string index = std::to_string(i), z = "z" + index, y = equation.empty() ? "x" : "y" + index;
    source.binaries.push_back({z, 1.0});
    slope += " - " + std::to_string(4.0 / number) + "*" + z;
    if (!equation.empty()) {
      source.algebraic.push_back({y});
      source.equations.emplace_back(y + " = " + before + equation);
    }
    source.constraints.emplace_back("(1 - 2*" + z + ")*(" + y + (threshold.empty() ? "" : threshold + index) +
                                    ") <= 0");
    before = y;
  }
  source.equations.emplace_back(slope);
  source.experiment = {.stop = 2.0, .output_interval = Number(0.25)};
  return source;
}

/// Of 2^n assignments no more are judged than before pivoting has its turn, and its own.
void expect_that_all_slide(const Source& source) {
  constexpr long judged_before_pivoting = 1000;
  const double accuracy = 1e-6;
  const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  test::expect_kinds(trajectory, 0.5, {{1.0 / 0.9, EventKind::slide_begin}}, 100.0 * accuracy);
  EXPECT_LT(trajectory.events.back().candidates_tried,
            judged_before_pivoting + 10 * std::ssize(source.binaries));
  for (const auto& binary : source.binaries)
    EXPECT_NEAR(test::last(trajectory, binary.name), 3.1 / 4.0, 100.0 * accuracy) << binary.name;
  test::expect_course(
      trajectory, "x", [](double t) { return t < 1.0 / 0.9 ? 1.0 - 0.9 * t : 0.0; }, 100.0 * accuracy);
}

TEST(RelaysOnOneSurface, OfTheSameSignal) {
  for (const int number : {12, 20}) expect_that_all_slide(relays(number, "", ""));
}

TEST(RelaysOnOneSurface, ThroughAChainOfShifts) { expect_that_all_slide(relays(12, " - ", " + 1")); }

TEST(RelaysOnOneSurface, ThroughAChainOfProducts) { expect_that_all_slide(relays(12, "", "*(1 + x^2)")); }

}  // namespace relays_on_one_surface_test
}  // namespace mti
