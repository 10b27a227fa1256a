// What saving a run decides is told by the run that goes on.
#include <gtest/gtest.h>

#include <vector>

#include "mti/build/build.hpp"
#include "solvers/stepping/run.hpp"

namespace mti {
namespace saved_events_test {

/// x' = u − z, and z becomes 1 as u passes 2.
Model switched() {
  Source source;
  source.states = {{"x"}};
  source.inputs = {{.name = "u"}};
  source.binaries = {{"z"}};
  source.equations = {"der(x) = u - z"};
  source.constraints = {"(u - 2)*(1 - z) <= 0", "(1.5 - u)*z <= 0"};
  source.experiment.stop = 5.0;
  return build(source);
}

TEST(SavedEvents, AreToldByTheNextAdvance) {
  const Model model = switched();
  for (const int saves : {0, 1, 2}) {
    mti::Run run(model, {.rtol = 1e-8});
    EXPECT_EQ(run.advance(1.0), StepEnd::reached);
    run.set_input(0, 3.0);
    for (int k = 0; k < saves; ++k) static_cast<void>(run.save());
    std::vector<StepEnd> ends;
    while (ends.empty() || ends.back() == StepEnd::event) {
      ends.push_back(run.advance(3.0));
      if (ends.back() == StepEnd::event) {
        ASSERT_NE(run.event(), nullptr) << saves;
        EXPECT_EQ(run.time(), 1.0) << saves;
      }
    }
    EXPECT_EQ(ends, (std::vector<StepEnd>{StepEnd::event, StepEnd::reached})) << saves;
    EXPECT_NEAR(run.v()[1], 2.0 * 2.0, 1e-7) << saves;
    EXPECT_EQ(run.finish().events.size(), 1U) << saves;
  }
}

}  // namespace saved_events_test
}  // namespace mti
