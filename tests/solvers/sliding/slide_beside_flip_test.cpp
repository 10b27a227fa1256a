// A row that has to slide and one that is far on its other side at one instant: the first slides, the binary of the second flips.
// Against the closed form, from every start of the binaries.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace slide_beside_flip_test {

/// A block b that slides on a sled a, which rests on rough ground: friction F of the ground on the sled, C between them, D as
/// the block has it; p and q are the signs of the velocities a and b − a.
struct Sled {
  double F = 0.0, C = 0.0, D = 0.0, b = 0.0;

  [[nodiscard]] Source source(bool p, bool q) const {
    Source source;
    source.parameters = {{"F", F}, {"C", C}, {"D", D}};
    source.states = {{"a", 0.0}, {"b", b}};
    source.binaries = {{"p"}, {"q"}};
    source.binaries[0].start = p ? 1.0 : 0.0;
    source.binaries[1].start = q ? 1.0 : 0.0;
    source.equations = {"der(a) = -(2*p - 1)*F + C*(2*q - 1)", "der(b) = -D*(2*q - 1)"};
    source.constraints = {"(1 - 2*p)*a <= 0", "(1 - 2*q)*(b - a) <= 0"};
    return source;
  }
};

TEST(SlideBesideFlip, TheOneSlidesAndTheOtherFlips) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> size(0.2, 4.0);
  for (int trial = 0; trial < 60; ++trial) {
    const double side = trial % 2 == 0 ? 1.0 : -1.0;
    const Sled sled{size(random), size(random), size(random), side};
    const bool sticks = sled.C < sled.F;
    const double slope = sticks ? 0.0 : side * (sled.C - sled.F);
    // Until the block is as fast as the sled.
    const double stop = 0.9 / (std::abs(slope) + sled.D);
    for (const bool p : {false, true})
      for (const bool q : {false, true}) {
        SimulationOptions options = test::with_accuracy(1e-8);
        options.stop = stop;
        const Trajectory run = simulate(build(sled.source(p, q)), options);
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop)
            << run.outcome.message << " in trial " << trial << ", p = " << p << ", q = " << q;
        const std::size_t last = run.size() - 1;
        EXPECT_NEAR(run.value(last, run.column("a")), slope * stop, 1e-7) << trial;
        EXPECT_NEAR(run.value(last, run.column("b")), side * (1.0 - sled.D * stop), 1e-7) << trial;
        EXPECT_EQ(run.value(last, run.column("q")), side > 0.0 ? 1.0 : 0.0) << trial;
        const double weight = sticks ? 0.5 * (1.0 + side * sled.C / sled.F) : side > 0.0 ? 1.0 : 0.0;
        EXPECT_NEAR(run.value(last, run.column("p")), weight, 1e-9) << trial;
      }
  }
}

}  // namespace slide_beside_flip_test
}  // namespace mti
