// Reasons without the binaries that only a look ahead depends on: no assignment that keeps to one is admissible.

#include "solvers/switching/sharper_reasons.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/admissibility/conflicts.hpp"
#include "tests/solvers/motion/motion_oracle.hpp"
#include "tests/solvers/motion/random_hybrid_model.hpp"
#include "tests/solvers/switching/assignments_of_reason.hpp"

namespace mti::test {
namespace sharper_reasons_test {

struct Tally {
  int reasons = 0, shorter = 0;
};

/// Every assignment of the model's binaries that agrees with z⁻ in a reason is judged. Danger: a row that only touches its
/// limit for some values of the binaries that were left out, and is passed over there.
void expect_sound(const Model& model, const Instant& instant, const Mode& mode, double tolerance,
                  Tally& tally) {
  const PosedProblem posed(model, instant, tolerance);
  const SwitchingProblem& problem = posed.problem;
  const Admissibility verdict = problem.check(mode);
  if (verdict.admissible() || !verdict.motion) return;
  int looks = 256;
  const auto reasons = reasons_of(verdict, model, posed.dependencies),
             sharper = sharper_reasons(problem, verdict, verdict, looks);
  ASSERT_EQ(reasons.size(), sharper.size());
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    ++tally.reasons;
    if (sharper[i] == reasons[i]) continue;
    ++tally.shorter;
    EXPECT_LT(sharper[i].size(), reasons[i].size());
    SCOPED_TRACE("reason " + std::to_string(i));
    expect_to_exclude(problem, mode, sharper[i]);
  }
}

/// x_i'' = c_i + p_i z_(i+1) on x_i z_i ≤ 0 with x_i' = v_i > 0: whether x_i turns back within ε is for the neighbour to say
/// where p_i is large.
TEST(SharperReasons, HoldForAllAssignmentsOfARing) {
  constexpr int q = 6;
  const double accelerations[] = {0.0, 1.0, -1.0, -1e3, -1e6, -1e9, 1e6}, speeds[] = {1.0, 1e-1, 1e-2, 1e-3};
  std::mt19937 random(3);
  const auto any = [&](const auto& list) {
    return list[std::uniform_int_distribution<std::size_t>(0, std::size(list) - 1)(random)];
  };
  Tally tally;
  for (int trial = 0; trial < 100; ++trial) {
    Source source;
    std::vector<double> x;
    for (int i = 0; i < q; ++i) source.states.push_back({"x" + std::to_string(i), 0.0});
    for (int i = 0; i < q; ++i) source.states.push_back({"v" + std::to_string(i), 0.0});
    for (int i = 0; i < q; ++i) {
      const std::string k = std::to_string(i), next = std::to_string((i + 1) % q);
      source.binaries.push_back({"z" + k, 1.0});
      source.equations.emplace_back("der(x" + k + ") = v" + k);
      source.equations.emplace_back("der(v" + k + ") = " + std::to_string(any(accelerations)) + " + (" +
                                    std::to_string(any(accelerations)) + ")*z" + next);
      source.constraints.emplace_back("x" + k + "*z" + k + " <= 0");
      x.push_back(0.0);
    }
    for (int i = 0; i < q; ++i) x.push_back(any(speeds));
    const Model model = build(source);
    const Instant instant = instant_of(model, 0.0, x);
    expect_sound(model, instant, Mode{.z = std::vector<char>(q, 1), .pre = {}, .binary_inputs = {}}, 1e-6,
                 tally);
    if (HasFailure()) return;
  }
  EXPECT_GT(tally.shorter, 50);
  EXPECT_GT(tally.reasons - tally.shorter, 50);
}

TEST(SharperReasons, HoldForAllAssignmentsOfRandomModels) {
  Tally tally;
  unsigned number = 0;
  for (unsigned seed = 0; seed < 60; ++seed)
    for (const Shape shape : all_shapes) {
      const RandomHybridModel random(shape, ++number);
      if (random.model.signature.q() > 9) continue;
      expect_sound(random.model, random.instant, random.before, 1e-10, tally);
      ASSERT_FALSE(HasFailure()) << random.text();
    }
  RecordProperty("shorter", tally.shorter);
  EXPECT_GT(tally.reasons, 100);
}

}  // namespace sharper_reasons_test
}  // namespace mti::test
