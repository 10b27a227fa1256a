#include "program/guard/guarded_run.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>

#include "mti/build/build.hpp"

namespace guarded_run_test {
namespace {

constexpr double for_ever = std::numeric_limits<double>::infinity();

/// Work that does not end before it is told to.
class Endless {
 public:
  std::string operator()() {
    told_.wait();
    return "late";
  }
  static void tell() { teller().set_value(); }

 private:
  static std::promise<void>& teller() {
    static std::promise<void> promise;
    return promise;
  }
  std::shared_future<void> told_ = teller().get_future().share();
};

TEST(GuardedRun, WorkIsWaitedForWhileNothingAsksForAnEnd) {
  mti::Patience patience(std::stop_token(), for_ever);
  EXPECT_EQ(mti::make_in_time([] { return std::string("page"); }, patience), "page");
  EXPECT_THROW((void)mti::make_in_time([]() -> std::string { throw std::runtime_error("full"); }, patience),
               std::runtime_error);
}

TEST(GuardedRun, WorkThatEndsInTimeIsTakenAlsoAfterTheRequest) {
  std::stop_source stop;
  stop.request_stop();
  mti::Patience patience(stop.get_token(), for_ever);
  EXPECT_EQ(mti::make_in_time([] { return std::string("page"); }, patience), "page");
}

TEST(GuardedRun, WorkWithoutAnEndIsLeftAfterTheRequest) {
  const auto work = [endless = std::make_shared<Endless>()] { return (*endless)(); };
  std::stop_source stop;
  stop.request_stop();
  mti::Patience asked(stop.get_token(), for_ever), out_of_time(std::stop_token(), 0.0);
  EXPECT_EQ(mti::make_in_time(work, asked), std::nullopt);
  EXPECT_EQ(mti::make_in_time(work, out_of_time), std::nullopt);
  Endless::tell();
}

/// A run that has ended hands its results over itself, though its work goes on after the request and the time of grace:
/// they are not taken from where they no longer are.
TEST(GuardedRun, ARunThatHasEndedIsWaitedFor) {
  mti::Source source;
  source.states = {{"x", 1.0}};
  source.equations = {"der(x) = -x"};
  const mti::Model model = mti::build(source);
  std::stop_source stop;
  mti::SimulationOptions options{.stop = 1.0};
  options.stop_token = stop.get_token();
  mti::Patience patience(stop.get_token(), for_ever);
  const mti::GuardedRun result = mti::run_guarded(
      model, options, patience, [&](const mti::Model& same, const mti::SimulationOptions& with) {
        mti::Trajectory trajectory = mti::simulate(same, with);
        stop.request_stop();
        std::this_thread::sleep_for(std::chrono::milliseconds(600));
        return trajectory;
      });
  EXPECT_FALSE(result.abandoned);
  EXPECT_EQ(result.trajectory.outcome.kind, mti::OutcomeKind::reached_stop);
  EXPECT_GT(result.trajectory.size(), 100U);
}

}  // namespace
}  // namespace guarded_run_test
