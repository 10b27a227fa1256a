// A row of bodies whose clutches close one after the other, against the balance of momentum by hand.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "bench/clutch_chain.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::test {
namespace clutch_chain_test {

using bench::Closing;
using bench::ClutchChain;
using bench::ClutchChainByHand;

class ClutchChains : public testing::TestWithParam<ClutchChain> {};

double momentum(const Trajectory& run, std::size_t row, const ClutchChain& chain) {
  double sum = 0.0;
  for (int i = 1; i <= chain.bodies; ++i)
    sum += chain.inertia(i) * run.value(row, run.column("w" + std::to_string(i)));
  return sum;
}

/// Danger: momentum lost in rounding or to a wrong balance; impulses that miss the bodies coupled before.
TEST_P(ClutchChains, KeepMomentumAndFollowTheBalanceByHand) {
  const ClutchChain& chain = GetParam();
  const Model model = build(chain.source());
  const double rtol = 1e-9;
  SimulationOptions options;
  options.rtol = options.atol = rtol;
  const Trajectory run = simulate(model, options);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;

  ClutchChainByHand by_hand(chain);
  std::size_t row = 0;
  int closings = 0;
  for (const Event& event : run.events) {
    if (event.kind == EventKind::initial) continue;
    ++closings;
    const int clutch = chain.closed + closings;
    const bench::ChainState& expected = by_hand.close_next();
    while (run.side(row) != -1) ++row;
    ASSERT_EQ(run.time(row), event.time);
    EXPECT_NEAR(event.time, expected.time, 100.0 * rtol) << "clutch " << clutch;
    const double before = momentum(run, row, chain), after = momentum(run, row + 1, chain);
    EXPECT_LE(std::abs(after - before), 1e-12 * std::abs(before)) << "clutch " << clutch;
    // The run before has errors of its own, some rtol for every closing.
    const double allowed = 10.0 * closings * rtol * 10.0;
    for (int i = 1; i <= chain.bodies; ++i)
      EXPECT_NEAR(run.value(row + 1, run.column("w" + std::to_string(i))), expected.speeds[at(i - 1)],
                  allowed)
          << "w" << i << " after clutch " << clutch;
    ASSERT_EQ(event.impulses.size(), at(clutch)) << "clutch " << clutch;
    for (const Impulse& impulse : event.impulses) {
      const auto i = at(impulse.row - model.signature.algebraic_row(0));
      EXPECT_EQ(impulse.order, 1.0);
      // Their masses are those of up to all bodies.
      EXPECT_NEAR(impulse.weight, expected.impulses.at(i), 2.0 * chain.bodies * allowed)
          << "tau" << i + 1 << " at clutch " << clutch;
    }
    ++row;
  }
  EXPECT_EQ(closings, chain.bodies - 1 - chain.closed);
}

INSTANTIATE_TEST_SUITE_P(Chains, ClutchChains,
                         testing::Values(ClutchChain{.bodies = 2}, ClutchChain{.bodies = 12},
                                         ClutchChain{.bodies = 12, .closed = 5},
                                         ClutchChain{.bodies = 12, .closing = Closing::by_constraint},
                                         ClutchChain{
                                             .bodies = 12, .closed = 5, .closing = Closing::by_constraint}),
                         [](const auto& instance) {
                           return std::to_string(instance.param.bodies) + "_bodies_" +
                                  std::to_string(instance.param.closed) + "_closed_" +
                                  (instance.param.closing == Closing::by_input ? "by_input" : "by_contact");
                         });

/// The balance by hand itself: two bodies as in the text, J1 w1 + J2 w2 = (J1 + J2) w⁺ and a torque that acts
/// on both.
TEST(ClutchChainByHand, TwoBodies) {
  const ClutchChain chain{.bodies = 2};
  ClutchChainByHand by_hand(chain);
  const double J1 = chain.inertia(1), J2 = chain.inertia(2), decay = std::exp(-chain.drag * chain.interval);
  const double w1 = decay * chain.start_speed(1), w2 = decay * chain.start_speed(2);
  const bench::ChainState& state = by_hand.close_next();
  const double w = (J1 * w1 + J2 * w2) / (J1 + J2);
  EXPECT_NEAR(state.speeds[0], w, 1e-14);
  EXPECT_NEAR(state.speeds[1], w, 1e-14);
  EXPECT_NEAR(state.impulses[0], J2 * (w - w2), 1e-13);
  EXPECT_GT(std::abs(w1 - w2), 1.0);
}

}  // namespace clutch_chain_test
}  // namespace mti::test
