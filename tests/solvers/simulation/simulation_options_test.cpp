#include <gtest/gtest.h>

#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace simulation_options_test {

TEST(RunOptions, ThatAreUnsetComeFromTheExperiment) {
  Model model;
  model.experiment = {.start = 1.0, .stop = 3.0, .rtol = 1e-5, .atol = 1e-7, .output_interval = {}};
  const ResolvedOptions unset = resolve(model, {});
  EXPECT_EQ(unset.start, 1.0);
  EXPECT_EQ(unset.stop, 3.0);
  EXPECT_EQ(unset.rtol, 1e-5);
  EXPECT_EQ(unset.atol, 1e-7);
  EXPECT_EQ(unset.output_interval, 2.0 / 500);
  EXPECT_EQ(resolve(model, {.stop = 1.0 + 1e-15}).output_interval, 1.0 + 1e-15 - 1.0)
      << "no finer than times are";
  model.experiment.output_interval = 0.25;
  EXPECT_EQ(resolve(model, {.stop = 5.0}).output_interval, 0.25);
  EXPECT_EQ(resolve(model, {.output_interval = 0.5}).output_interval, 0.5);
  model.experiment.output_interval = {};
  model.sample_time = 0.125;
  EXPECT_EQ(resolve(model, {}).output_interval, 0.125) << "each sample";
}

}  // namespace simulation_options_test
}  // namespace mti
