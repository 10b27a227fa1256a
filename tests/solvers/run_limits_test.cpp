// What a run may be asked for, and that it ends soon after it is asked to.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace run_limits_test {

constexpr double infinity = std::numeric_limits<double>::infinity(),
                 nan = std::numeric_limits<double>::quiet_NaN();

Source decay() {
  Source source;
  source.states = {{"x", 1.0}};
  source.equations = {"der(x) = -x"};
  source.experiment.stop = 2.0;
  return source;
}

std::string refused(const Model& model, const SimulationOptions& options) {
  const std::vector<Fault> faults = options.validate(model);
  for (const Fault& fault : faults) EXPECT_EQ(fault.id, "bad-option");
  if (!faults.empty()) {
    EXPECT_THROW(static_cast<void>(simulate(model, options)), InvalidOption);
  }
  return faults.size() == 1 ? faults.front().pointer : std::to_string(faults.size()) + " faults";
}

TEST(RunOptions, ThatAreNoTimesOrLimitsAreRefused) {
  const Model model = build(decay());
  for (const std::vector<double>& times : {std::vector<double>{nan},
                                           {0.0, nan, 1.0},
                                           {nan, 1.0},
                                           {0.5, 0.2},
                                           {0.0, infinity},
                                           {0.0, 3.0},
                                           {-1.0, 0.5}})
    EXPECT_EQ(refused(model, {.output_times = times}), "/experiment/output_times");
  EXPECT_EQ(refused(model, {.max_seconds = nan}), "/experiment/max_seconds");
  EXPECT_EQ(refused(model, {.max_seconds = -1.0}), "/experiment/max_seconds");
  EXPECT_EQ(refused(model, {.max_events = -1}), "/experiment/max_events");
  EXPECT_EQ(refused(model, {.max_events = 0}), "/experiment/max_events");
  EXPECT_EQ(refused(model, {.max_candidates = -5}), "/experiment/max_candidates");
  EXPECT_EQ(refused(model, {.start = -1e308, .stop = 1e308}), "/experiment/stop");
  EXPECT_EQ(refused(model, {.stop = 1e-300}), "/experiment/stop") << "times that multiply to zero";
  EXPECT_EQ(refused(model, {.output_times = {0.0, 0.5, 0.5, 1.0}}), "0 faults")
      << "the same time twice is one row";
}

// Danger: a run that counts time from 1970 takes other steps than the same run from zero: with times rounded to 10⁻⁴, IDA was
// off by 10⁻³ at any tolerance.
TEST(RunOptions, FarFromZeroARunIsTheSameOrIsWarnedOfOrRefused) {
  const Model model = build(decay());  // x' = −x
  for (const double accuracy : {1e-4, 1e-6, 1e-9})
    for (const IntegratorChoice engine :
         {IntegratorChoice::ida, IntegratorChoice::series, IntegratorChoice::flow})
      for (const double start : {1e6, -1e9, 1e12}) {
        SCOPED_TRACE(testing::Message() << start << " at " << accuracy);
        std::vector<std::string> warnings;
        const Trajectory run =
            simulate(model, {.start = start,
                             .stop = start + 3.0,
                             .rtol = accuracy,
                             .atol = accuracy,
                             .integrator = engine,
                             .warn = [&](const std::string& text) { warnings.push_back(text); }});
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop);
        EXPECT_NEAR(run.end_point[at(model.signature.state_row(0))] / (model.x_start[0] * std::exp(-3.0)),
                    1.0, 100.0 * accuracy);
        const double resolution = 4.0 * std::numeric_limits<double>::epsilon() * std::abs(start);
        EXPECT_EQ(warnings.empty(), resolution <= 3.0 * accuracy);
      }
  EXPECT_EQ(refused(model, {.start = 1e13, .stop = 1e13 + 3.0}), "/experiment/stop");
}

// Danger: rows of one time until memory ends.
TEST(RunOptions, GridsThatTimesCannotTellApartOrTooLongAreRefused) {
  const Model model = build(decay());
  const char* const pointer = "/experiment/output_interval";
  EXPECT_EQ(refused(model, {.start = 1.0, .stop = 2.0, .output_interval = 1e-17}), pointer);
  EXPECT_EQ(refused(model, {.output_interval = 1e-12}), pointer) << "2e12 rows";
  EXPECT_EQ(refused(model, {.start = 1.0, .stop = 1.0 + 1e-9, .output_interval = 1e-16}), pointer);
  EXPECT_EQ(refused(model, {.start = 1.0, .stop = 1.0 + 1e-9, .output_interval = 1e-12}), "0 faults");
  EXPECT_EQ(refused(model, {.start = 1.0, .stop = 1.0 + 1e-13}), "/experiment/stop") << "113 times in all";
  const Trajectory run = simulate(model, {.start = 1.0, .stop = 1.0 + 1e-12});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop);
  EXPECT_LE(run.size(), 8U) << "the interval that is taken if none is given is no finer than times are";
}

TEST(RunOptions, AModelThatLostItsStartValuesIsRefused) {
  Model model = build(decay());
  model.x_start = {};
  EXPECT_EQ(refused(model, {}), "/states");
}

TEST(RunOptions, AJumpAtTheStopTimeIsCarriedOut) {
  Source source = decay();
  source.inputs = {{"u", TableSource{{0.0, 2.0, 2.0, 3.0}, {0.0, 0.0, 5.0, 5.0}}}};
  source.algebraic = {{"y"}};
  source.binaries = {{"z", 0.0}};
  source.equations.emplace_back("y = u");
  source.constraints = {"(1 - 2*z)*(u - 2) <= 0"};
  // (u − 2)(1 − 2z) ≤ 0: z = 1 where u > 2.
  const Trajectory run = test::run(source);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].kind, EventKind::input);
  EXPECT_EQ(run.events[0].time, 2.0);
  EXPECT_EQ(test::last(run, "y"), 5.0);
  EXPECT_EQ(run.side(run.size() - 1), 1);
  EXPECT_EQ(run.value(run.size() - 2, run.column("y")), 0.0);
  test::expect_well_formed(run);
}

TEST(Trajectory, RefusesRowsThatAreNotThere) {
  const Trajectory run = test::run(decay());
  EXPECT_THROW(static_cast<void>(run.value(run.size(), 0)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(run.value(0, run.columns())), std::out_of_range);
  EXPECT_THROW(static_cast<void>(run.row(run.size())), std::out_of_range);
  EXPECT_THROW(static_cast<void>(run.time(run.size())), std::out_of_range);
}

// Danger: what a function of the user's throws looks like a failure of the model.
TEST(UserFunctions, ThrowWhatTheyThrow) {
  struct OwnError {
    int number;
  };
  const Model model = build(decay());
  SimulationOptions options;
  options.observe = [](double time, int, const Mode&, std::span<const double>) {
    if (time > 1.0) throw OwnError{7};
  };
  try {
    static_cast<void>(simulate(model, options));
    FAIL() << "nothing was thrown";
  } catch (const OwnError& error) {
    EXPECT_EQ(error.number, 7);
  }
  options.observe = {};
  options.progress = [](double) { throw std::domain_error("progress"); };
  EXPECT_THROW(static_cast<void>(simulate(model, options)), std::domain_error);
}

/// Two bodies that touch move away from a third at a speed near rounding: the distance of the touching ones
/// is zero to rounding along the whole segment.
Source touching_bodies(double speed) {
  Source source;
  for (const char* name : {"x1", "x2", "x3"}) source.states.push_back({name, name[1] == '1' ? 0.0 : 1.0});
  source.states.push_back({"v1", 1.0});
  source.states.push_back({"v2", 0.0});
  source.states.push_back({"v3", speed});
  source.algebraic = {{"F"}, {"G"}};
  source.binaries = {{"c", 0.0}, {"d", 0.0}};
  source.equations = {"der(x1) = v1",
                      "der(x2) = v2",
                      "der(x3) = v3",
                      "der(v1) = -F",
                      "der(v2) = F - G",
                      "der(v3) = G",
                      "c*(v1 - v2) + (1 - c)*F = 0",
                      "d*(v2 - v3) + (1 - d)*G = 0"};
  source.constraints = {"x1 - x2 <= 0", "x2 - x3 <= 0", "-F <= 0", "-G <= 0"};
  source.experiment = {.stop = 2.0, .rtol = 1e-8, .atol = 1e-10};
  return source;
}

// Danger: a row that is zero to rounding along a step is halved into 2^24 pieces.
TEST(EventLocation, ARowAlongItsBoundaryTakesNoTime) {
  for (const double speed : {0.0, 1e-15, 1e-12, 1e-9, 1e-6}) {
    const auto begun = std::chrono::steady_clock::now();
    const Trajectory run = test::run(touching_bodies(speed));
    EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5)) << speed;
    // Body 1 arrives at 2 at t = 1; what the three have together is the momentum of the first, and of the
    // third.
    double momentum = 0.0;
    for (const char* name : {"v1", "v2", "v3"}) momentum += test::last(run, name);
    EXPECT_NEAR(momentum, 1.0 + speed, 1e-6);
  }
}

// A run whose steps are many: it is asked to stop from another thread and ends soon.
TEST(Budget, AStopFromAnotherThreadEndsARunOfManyEventsSoon) {
  Source source;
  source.states = {{"x", 0.0}};
  source.binaries = {{"up", 1.0}};
  source.equations = {"der(x) = 2*up - 1"};
  source.constraints = {"(x - 1e-4)*up <= 0", "(-1e-4 - x)*(1 - up) <= 0"};
  source.experiment = {.stop = 1e6, .rtol = 1e-8, .atol = 1e-8};
  const Model model = build(source);
  std::stop_source stop;
  RunningTrajectory running;
  std::chrono::steady_clock::time_point asked;
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    {
      const std::lock_guard hold(running.guard);
      EXPECT_GT(running.trajectory.events.size(), 0U) << "another thread sees what there is";
    }
    asked = std::chrono::steady_clock::now();
    stop.request_stop();
  });
  const Trajectory run = simulate(model, {.stop_token = stop.get_token(), .running = &running});
  other.join();
  EXPECT_EQ(run.outcome.kind, OutcomeKind::interrupted);
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::milliseconds(500));
  test::expect_ordered(run);
}

#ifndef __SANITIZE_ADDRESS__  // the sanitiser needs all addresses
/// Bytes of addresses that this process has.
rlim_t addresses() {
  std::ifstream file("/proc/self/statm");
  rlim_t pages = 0;
  file >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// x' = −x in 5·10⁷ rows of thirty signals, 12 GB, with room for 100 MB more.
TEST(RunLimitsDeathTest, MemoryThatEndsIsAnOutcomeThatKeepsTheRows) {
  Source source;
  for (int i = 0; i < 30; ++i) {
    const std::string x = "x" + std::to_string(i);
    source.states.push_back({x, 1.0});
    source.equations.push_back("der(" + x + ") = -" + x);
  }
  source.experiment.stop = 50.0;
  const Model model = build(source);
  const auto run_in_little_memory = [&] {
    const rlim_t limit = addresses() + 100'000'000;
    const rlimit little{limit, limit};
    if (setrlimit(RLIMIT_AS, &little) != 0) std::_Exit(3);
    const Trajectory run = simulate(model, {.output_interval = 1e-6});
    if (run.outcome.kind != OutcomeKind::out_of_memory || run.size() < 100'000) std::_Exit(4);
    const std::size_t last = run.size() - 1;
    const bool right = std::abs(run.time(last) - 1e-6 * static_cast<double>(last)) < 1e-9 &&
                       std::abs(test::last(run, "x29") - std::exp(-run.time(last))) < 1e-5;
    std::_Exit(right ? 0 : 5);
  };
  EXPECT_EXIT(run_in_little_memory(), ::testing::ExitedWithCode(0), "");
}
#endif

}  // namespace run_limits_test
}  // namespace mti
