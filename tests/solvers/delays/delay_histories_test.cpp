// Where a delayed signal is not smooth: kinks come again and fade, jumps do not.

#include "solvers/delays/delay_histories.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/model/delays.hpp"

namespace mti {
namespace delay_histories_test {

/// Breakpoints of u(t) = x(t − 1) in each of the intervals [k, k + 1), k = 0 … 11, after an event at 0.3. `level` is what x is
/// on the k-th stretch between two of them.
std::vector<int> breakpoints(double (*level)(int k)) {
  Source source;
  source.states = {{.name = "x", .start = level(0)}};
  source.inputs = {{.name = "u", .form = DelaySource{.of = "x", .time = 1.0}}};
  source.equations = {"der(x) = u"};
  const Model model = with_own_history(build(source));
  const Accuracy accuracy(model, 1e-6, 1e-8);
  DelayHistories histories(model, accuracy);
  std::vector<double> v(static_cast<std::size_t>(model.signature.size()), 0.0);
  double& x = v[static_cast<std::size_t>(model.signature.state_row(0))];
  const auto same = [&](double) { return std::span<const double>(v); };
  std::vector<int> counts(12, 0);
  x = level(0);
  histories.begin_segment(0.0, v, true);
  double t = 0.3;
  histories.add(0.0, t, 1, same);
  for (int k = 1; t < 12.0; ++k) {
    x = level(k);
    histories.begin_segment(t, v, k == 1);
    const double next = model.inputs[0].next_breakpoint(t);
    histories.add(t, next, 1, same);
    t = next;
    if (t < 11.9) ++counts[static_cast<std::size_t>(std::floor(t + 1e-9))];
  }
  return counts;
}

TEST(DelayHistories, KinksFade) {
  const std::vector<int> counts = breakpoints([](int) { return 1.0; });
  for (int k = 1; k <= 6; ++k) EXPECT_EQ(counts[static_cast<std::size_t>(k)], 2) << k;
  // Then no segment is longer than the delay, and that is all.
  for (int k = 8; k <= 10; ++k) EXPECT_LE(counts[static_cast<std::size_t>(k)], 1) << k;
}

TEST(DelayHistories, JumpsDoNot) {
  const std::vector<int> counts = breakpoints([](int k) { return k % 2 == 0 ? 1.0 : 2.0; });
  for (int k = 1; k <= 10; ++k) EXPECT_EQ(counts[static_cast<std::size_t>(k)], 2) << k;
}

// What both sides are known to is no jump.
TEST(DelayHistories, DifferencesWithinTheAccuracyFade) {
  const std::vector<int> counts = breakpoints([](int k) { return k % 2 == 0 ? 1.0 : 1.0 + 1e-6; });
  for (int k = 8; k <= 10; ++k) EXPECT_LE(counts[static_cast<std::size_t>(k)], 1) << k;
}

}  // namespace delay_histories_test
}  // namespace mti
