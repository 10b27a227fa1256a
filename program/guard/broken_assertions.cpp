#include "program/guard/broken_assertions.hpp"

#include <algorithm>

#include "mti/common/number.hpp"

namespace mti {

std::vector<Fault> faults_of_assertions(const Trajectory& run) {
  std::vector<Fault> faults;
  for (const auto& [assertion, time] : run.broken_assertions)
    faults.push_back({assertion.is_error ? "modelica-assertion" : "warning: modelica-assertion", "",
                      "at t = " + text::format_number(time, 9) + ": " + assertion.message});
  return faults;
}

bool has_failed_assertion(const Trajectory& run) {
  return std::ranges::any_of(run.broken_assertions,
                             [](const BrokenAssertion& broken) { return broken.assertion.is_error; });
}

}  // namespace mti
