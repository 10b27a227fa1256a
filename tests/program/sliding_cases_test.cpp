// Published models that slide, through the program: against closed forms, published results, and, where the
// problem amplifies errors, a hand-written event-driven integration at the same tolerances.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/program/exact_affine.hpp"
#include "tests/program/published_case.hpp"
#include "tests/program/relay_by_hand.hpp"

namespace mti::test {
namespace {

const std::filesystem::path cases = std::filesystem::path(MTI_SOURCE_DIR) / "tests/cases";

class SlidingCases : public testing::TestWithParam<Case> {};

// A switch that comes late by e/|ṡ| moves a state by (jump of ẋ)·e/|ṡ|, hardly more than e here: states have
// to be within their own error at all times.
TEST_P(SlidingCases, ApproachTheReferenceAsTheToleranceFalls) {
  const Case& a_case = GetParam();
  const std::filesystem::path file = cases / (a_case.name + ".json");
  const nlohmann::json model = read_json(file),
                       reference = read_json(cases / "reference" / (a_case.name + ".json"));
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    SCOPED_TRACE("log10 rtol = " + std::to_string(std::log10(rtol)));
    const SimulationRun run = simulate(file, rtol, rtol);
    ASSERT_EQ(run.status, 0) << run.errors;
    EXPECT_EQ(run.summary.at("outcome"), "reached_stop");
    EXPECT_EQ(run.summary.at("end_time"), model.at("experiment").at("stop"));
    expect_events(run, reference, a_case.time_error(rtol));
    expect_samples(run, model, reference, a_case.state_error(rtol));
  }
}

INSTANTIATE_TEST_SUITE_P(Published, SlidingCases,
                         testing::Values(Case{"fesd_simplest_sliding", 2.0, 3.0, 3.0},
                                         Case{"disode_ex0_dry_friction", 4.0, 0.2, 3.4},
                                         Case{"om_chattering_events1", 3.0, 2.0, 2.0},
                                         Case{"om_chattering_events2", 3.0, 2.6, 4.0}),
                         [](const auto& instance) { return instance.param.name; });

// A run that chatters about the surface instead of sliding must not pass: its binary is 0 or 1.
TEST(SlidingCasesControl, ABinaryThatChattersIsFarOutside) {
  const Case sliding{"fesd_simplest_sliding", 2.0, 3.0, 3.0};
  EXPECT_GT(std::min(0.75, 1.0 - 0.75), 1e3 * sliding.state_error(1e-6));
}

/// Relay feedback of Piiroinen and Kuznetsov, equation (32), ω = 25, ξ = 0.05, σ = 1.
RelaySystem relay_feedback() {
  const double omega = 25.0, xi = 0.05, sigma = 1.0;
  RelaySystem system;
  system.A.resize(3, 3);
  system.A << -(2 * xi * omega + 1), 1, 0, -(2 * xi * omega + omega * omega), 0, 1, -omega * omega, 0, 0;
  system.b = Eigen::Vector3d(1.0, -2.0 * sigma, 1.0);
  system.c = Eigen::RowVector3d(1.0, 0.0, 0.0);
  return system;
}
const Eigen::Vector3d relay_start(0.0, -0.001, -0.02);
const std::vector<double> sample_times = {1.0, 2.0, 5.0, 10.0};

/// Largest errors of a run, and whether its sequence is the reference's.
struct RelayErrors {
  double time = 0.0, state = 0.0;
};

/// `changes` against the first and last events of the reference: 0 → ±1 is slide_end, ±1 → 0 slide_begin.
double time_error(const std::vector<RelayRun::Change>& changes, const nlohmann::json& reference) {
  const nlohmann::json &first = reference.at("first"), &last = reference.at("last");
  const std::size_t count = reference.at("count");
  EXPECT_EQ(changes.size(), count);
  if (changes.size() != count) return INFINITY;
  double largest = 0.0;
  const auto compare = [&](const RelayRun::Change& change, const nlohmann::json& event) {
    EXPECT_EQ(event.at("kind"), change.after == 0 ? "slide_begin" : "slide_end") << change.time;
    if (change.after != 0) {
      EXPECT_EQ(event.at("changed").at("positive"), change.after > 0 ? 1 : 0) << change.time;
    }
    largest = std::max(largest, std::abs(change.time - event.at("time").get<double>()));
  };
  for (std::size_t i = 0; i < first.size(); ++i) compare(changes[i], first[i]);
  for (std::size_t i = 0; i < last.size(); ++i) compare(changes[count - last.size() + i], last[i]);
  return largest;
}

/// `state(k)` gives x at the k-th sample.
template <class State>
double state_error(const State& state, const nlohmann::json& reference) {
  double largest = 0.0;
  for (std::size_t k = 0; k < sample_times.size(); ++k) {
    const nlohmann::json& sample = reference.at("samples").at(k);
    EXPECT_EQ(sample.at("time"), sample_times[k]);
    const Eigen::Vector3d x = state(k);
    for (int i = 0; i < 3; ++i)
      largest = std::max(largest,
                         std::abs(x[i] - sample.at("values").at("x" + std::to_string(i + 1)).get<double>()));
  }
  return largest;
}

RelayErrors by_hand(double tolerance, const nlohmann::json& reference) {
  const RelayRun run = run_by_hand(relay_feedback(), relay_start, 0, sample_times, tolerance, tolerance);
  return {time_error(run.changes, reference),
          state_error([&](std::size_t k) -> Eigen::Vector3d { return run.samples.at(k); }, reference)};
}

const std::filesystem::path relay_file = cases / "piiroinen_kuznetsov_relay_feedback.json";
nlohmann::json relay_reference() {
  return read_json(cases / "reference/piiroinen_kuznetsov_relay_feedback.json");
}

// The yardstick itself: its errors fall with its tolerance.
TEST(RelayByHand, ApproachesThePublishedRun) {
  const nlohmann::json reference = relay_reference();
  double before = 1.0;
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    const RelayErrors errors = by_hand(tolerance, reference);
    EXPECT_LT(errors.time, 0.3 * before);
    before = std::max(errors.time, 1e-10);
    RecordProperty("time_error_" + std::to_string(std::lround(-std::log10(tolerance))),
                   std::to_string(errors.time));
    std::printf("%g %g %g\n", tolerance, errors.time, errors.state);
  }
  EXPECT_LT(before, 1e-8);
}

// The published numbers: on each side, and sliding, the system is linear; its matrix exponential with
// crossings by bisection gives the same events.
TEST(RelayByHand, ThePublishedRunIsTheExactOne) {
  const RelaySystem system = relay_feedback();
  const auto mode = [&](int side) {
    ExactMode exact;
    exact.M = Eigen::MatrixXd::Zero(4, 4);
    exact.M.topLeftCorner(3, 3) = system.A;
    const Eigen::RowVectorXd equivalent = system.c * system.A / system.c.dot(system.b);
    const auto row = [&](const Eigen::RowVectorXd& s, double constant) {
      Eigen::RowVectorXd whole(4);
      whole << s, constant;
      return whole;
    };
    if (side == 0) {
      exact.M.topLeftCorner(3, 3) -= system.b * equivalent;
      exact.exits = {{row(equivalent, -1.0), 1}, {row(-equivalent, -1.0), -1}};
    } else {
      exact.M.topRightCorner(3, 1) = -side * system.b;
      exact.exits = {{row(-side * system.c, 0.0), 0}};
    }
    return exact;
  };
  Eigen::VectorXd w(4);
  w << relay_start, 1.0;
  int side = 0;
  std::vector<RelayRun::Change> changes;
  for (const ExactSwitch& found : follow(mode, 0.0, 10.0, 1e-3, w, side))
    changes.push_back({found.time, found.before, found.after});
  EXPECT_LT(time_error(changes, relay_reference()), 1e-9);
}

TEST(SlidingRelayFeedback, IsAsAccurateAsAProgramWrittenForIt) {
  const nlohmann::json reference = relay_reference();
  const double size = 3.4;  // largest |x| + 1
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    SCOPED_TRACE("log10 rtol = " + std::to_string(std::log10(rtol)));
    const RelayErrors yardstick = by_hand(rtol, reference);
    const SimulationRun run = simulate(relay_file, rtol, rtol);
    ASSERT_EQ(run.status, 0) << run.errors;
    std::vector<RelayRun::Change> changes;
    int side = 0;
    for (const nlohmann::json& event : run.events) {
      if (event.at("time") == 0.0) continue;
      const double z = run.value(run.at(event.at("time")), "positive");
      const int after = z == 0.0 ? -1 : z == 1.0 ? 1 : 0;
      EXPECT_EQ(event.at("kind"), after == 0 ? "slide_begin" : "slide_end");
      changes.push_back({event.at("time"), side, after});
      side = after;
    }
    const double least = Case::steps * rtol * size;
    EXPECT_LE(time_error(changes, reference), std::max(least, 2.0 * yardstick.time));
    const auto state = [&](std::size_t k) {
      const auto& row = run.at(sample_times[k]);
      return Eigen::Vector3d(run.value(row, "x1"), run.value(row, "x2"), run.value(row, "x3"));
    };
    EXPECT_LE(state_error(state, reference), std::max(least, 2.0 * yardstick.state));
  }
}

// sgn = x2 on the surface, which is −0.001 at the start.
TEST(SlidingRelayFeedback, BeginsOnTheSurface) {
  const SimulationRun run = simulate(relay_file, 1e-8, 1e-8);
  EXPECT_EQ(run.status, 0) << run.errors;
  ASSERT_FALSE(run.rows.empty());
  EXPECT_NEAR(run.value(run.rows.front(), "positive"), 0.4995, 1e-9);
}

}  // namespace
}  // namespace mti::test
