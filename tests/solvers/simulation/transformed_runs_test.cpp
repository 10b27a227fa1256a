// Random hybrid models, transformed: the same f and g at 1,000 random points, and the same motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/forms/random_model.hpp"
#include "mti/reduction/cp_rank.hpp"
#include "mti/transform/normalise_factors.hpp"
#include "mti/transform/permute.hpp"
#include "mti/transform/reduce.hpp"
#include "mti/transform/scale_signals.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/mti/transform/transform_checks.hpp"

namespace mti::test {
namespace transformed_runs_test {

constexpr double rtol = 1e-9;
constexpr double roundings = 1000.0 * std::numeric_limits<double>::epsilon();

Model random_hybrid(std::uint64_t seed) {
  Source source = random_model({.states = 8, .inputs = 2, .algebraic = 6, .binaries = 3, .seed = seed});
  source.experiment = {.stop = 3.0, .rtol = rtol, .atol = rtol};
  return build(source);
}

Scaling random_scaling(const Model& model, Random& random) {
  Scaling scaling = no_scaling(model);
  const auto draw = [&](std::vector<SignalUnit>& units, const std::vector<Signal>& signals) {
    for (std::size_t i = 0; i < units.size(); ++i)
      if (!signals[i].binary)
        units[i] = {random.uniform(-0.5, 0.5),
                    random.uniform(0.5, 2.0) * (random.index(2) == 0 ? -1.0 : 1.0)};
  };
  draw(scaling.states, model.signature.states());
  draw(scaling.inputs, model.signature.inputs());
  draw(scaling.algebraic, model.signature.algebraic());
  scaling.time = 60.0;
  return scaling;
}

std::vector<int> shuffled(int size, Random& random) {
  std::vector<int> order(at(size));
  std::iota(order.begin(), order.end(), 0);
  for (int i = size; i > 1; --i) std::swap(order[at(i - 1)], order[at(random.index(i))]);
  return order;
}

/// Binaries stay in their order: it decides between modes of the same distance.
Order random_order(const Model& model, Random& random) {
  const Signature& signature = model.signature;
  return {.states = shuffled(signature.n(), random),
          .inputs = shuffled(signature.m(), random),
          .algebraic = shuffled(signature.p(), random),
          .equations = shuffled(model.equations(), random),
          .constraints = shuffled(model.constraints(), random)};
}

/// The models contract, so that the local errors of all steps, of at most rtol·|v| + rtol with |v| ≤ 1, add
/// up at most.
double bound_of_error(const Trajectory& a, const Trajectory& b) {
  return 2.0 * rtol * static_cast<double>(a.statistics.steps + b.statistics.steps);
}

void expect_same_motion(const Trajectory& reference, const Model& model, const Transformed& transformed) {
  const Trajectory run = simulate(transformed.model);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_EQ(run.events.size(), reference.events.size());
  const double bound = bound_of_error(run, reference);
  const std::vector<double> v = transformed.recovery.values(run.end_point);
  for (int row = model.signature.state_row(0); row < model.signature.size(); ++row)
    EXPECT_NEAR(v[at(row)], reference.end_point[at(row)], bound) << model.signature.row_name(row);
}

TEST(TransformedRuns, OfRandomHybridModels) {
  std::size_t events = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Model model = random_hybrid(seed);
    const Trajectory reference = simulate(model);
    ASSERT_EQ(reference.outcome.kind, OutcomeKind::reached_stop) << reference.outcome.message;
    events += reference.events.size();
    for (const Transformed& transformed :
         {reduce(model), reduce(model, {.most_new_columns = 20}),
          scale_signals(model, random_scaling(model, random)), permute(model, random_order(model, random))}) {
      EXPECT_LE(largest_change(model, transformed, 1000, seed), roundings);
      expect_same_motion(reference, model, transformed);
    }
  }
  EXPECT_GT(events, 12U) << "modes are to change";
}

TEST(TransformedRuns, OfOtherFactors) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_hybrid(seed);
    const Trajectory reference = simulate(model);
    const ModelRankReduction ranked = reduce_rank(model, {.tolerance = 1e-12});
    EXPECT_LE(ranked.relative_error, 1e-12);
    for (const Model& other : {ranked.model, normalise_factors(model)}) {
      const Trajectory run = simulate(other);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop);
      for (std::size_t row = 0; row < run.end_point.size(); ++row)
        EXPECT_NEAR(run.end_point[row], reference.end_point[row], bound_of_error(run, reference));
    }
  }
}

}  // namespace transformed_runs_test
}  // namespace mti::test
