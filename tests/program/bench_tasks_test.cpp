// The tasks that bench/engine_bench.cpp times switch and end where bench/tasks/NAME.exact.json says (40 digits, or published):
// switching times within 10·rtol·T, and values at the end T within that times the fastest rate of a signal.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "io/model/read_model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/places.hpp"
#include "tests/program/simulation_run.hpp"

namespace mti::test {
namespace bench_tasks_test {

struct Task {
  const char* model;
  const char* exact;
  Overrides overrides;
  double stop;
  double rate;  ///< the largest |s'| of a state
};

class BenchTasks : public testing::TestWithParam<Task> {};

TEST_P(BenchTasks, SwitchAndEndWhereTheExactMotionDoes) {
  const Task& task = GetParam();
  const Model model = read_model(source_dir() / task.model, task.overrides);
  const nlohmann::json exact =
      read_json(source_dir() / "bench/tasks" / (std::string(task.exact) + ".exact.json"));
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    const Trajectory run = simulate(model, {.stop = task.stop, .rtol = rtol, .atol = rtol});
    const double of_time = 10.0 * rtol * task.stop;
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << rtol << run.outcome.message;
    ASSERT_EQ(run.events.size(), exact.at("events").get<std::size_t>()) << rtol;
    for (const auto& [k, time] : exact.at("times").get<std::vector<std::pair<std::size_t, double>>>())
      ASSERT_NEAR(run.events.at(k).time, time, of_time) << rtol << " " << k;
    for (const auto& [signal, value] : exact.at("end").items()) {
      const double found = run.end_point.at(static_cast<std::size_t>(*model.signature.find(signal)));
      EXPECT_NEAR(found, value, of_time * task.rate) << rtol << signal;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Tasks, BenchTasks,
    testing::Values(Task{"bench/tasks/relay.json", "relay", {}, 2000.0, 1.1},
                    Task{"bench/tasks/stiff_relay.json", "stiff_relay", {}, 20.0, 1.1},
                    Task{"bench/tasks/elastic_ball.json", "elastic_ball", {}, 1000.0, 9.81},
                    Task{"bench/tasks/sampled_pi.json", "sampled_pi", {}, 1000.05, 4.0},
                    Task{"bench/tasks/pleiades.json", "pleiades", {}, 3.0, 5.4},
                    Task{"examples/buck_converter/model.json", "buck_24", {{"E", 24.0}}, 0.0199, 1.1e4}),
    [](const auto& instance) { return std::string(instance.param.exact); });

}  // namespace bench_tasks_test
}  // namespace mti::test
