#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"

/// Faults of clocks are told in terms of clocks, which are square waves of twice their period inside.
namespace mti {
namespace clock_faults_test {

Fault fault_of(Number period, double stop) {
  Source source;
  source.parameters = {{"T", -0.25}};
  source.states = {{"x"}};
  source.clocks = {{.name = "k", .period = std::move(period), .is_alone = true}};
  source.equations = {"next(x) = x + 1"};
  source.experiment.stop = stop;
  try {
    static_cast<void>(build(source));
  } catch (const InvalidModel& refused) {
    EXPECT_EQ(refused.faults().size(), 1U);
    return refused.faults().front();
  }
  return {};
}

bool ends_with(const std::string& text, const std::string& end) { return text.ends_with(end); }

TEST(ClockFaults, TellThePeriodThatWasGiven) {
  for (const auto& [period, found] : std::vector<std::pair<Number, std::string>>{
           {-1.0, "found -1"}, {"T", "found -0.25"}, {0.0, "found 0"}}) {
    const Fault fault = fault_of(period, 1.0);
    EXPECT_EQ(fault.id, "bad-period");
    EXPECT_EQ(fault.pointer, "/sample/period");
    EXPECT_PRED2(ends_with, fault.message, found);
  }
  const Fault fine = fault_of(1e-12, 1e6);
  EXPECT_EQ(fine.id, "bad-period");
  EXPECT_PRED2(ends_with, fine.message, "found 1e-12");
}

}  // namespace clock_faults_test
}  // namespace mti
