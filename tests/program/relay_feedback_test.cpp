// Relay feedback with sliding pieces down to 2 ms, where errors grow from piece to piece: the yardstick is a
// hand-written event-driven integration at the same tolerances, with the same integrator.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/places.hpp"
#include "tests/program/exact_affine.hpp"
#include "tests/program/published_case.hpp"
#include "tests/program/relay_by_hand.hpp"
#include "tests/program/relay_by_ida.hpp"

namespace mti::test {
namespace relay_feedback_test {

const std::filesystem::path cases = source_dir() / "tests/cases";
const std::filesystem::path file = cases / "piiroinen_kuznetsov_relay_feedback.json";
const std::filesystem::path reference_file = cases / "reference/piiroinen_kuznetsov_relay_feedback.json";

/// Piiroinen and Kuznetsov, equation (32), with ω = 25, ξ = 0.05, σ = 1.
RelaySystem relay_feedback() {
  const double omega = 25.0, xi = 0.05, sigma = 1.0;
  RelaySystem system;
  system.A.resize(3, 3);
  system.A << -(2 * xi * omega + 1), 1, 0, -(2 * xi * omega + omega * omega), 0, 1, -omega * omega, 0, 0;
  system.b = Eigen::Vector3d(1.0, -2.0 * sigma, 1.0);
  system.c = Eigen::RowVector3d(1.0, 0.0, 0.0);
  return system;
}
const Eigen::Vector3d start(0.0, -0.001, -0.02);
const std::vector<double> sample_times = {1.0, 2.0, 5.0, 10.0};

struct Errors {
  double time = 0.0, state = 0.0;  ///< largest; infinite where the sequence of sides is another
};

/// A slide begins with side 0 and ends with the side that the reference names.
Errors errors_of(const RelayRun& run, const nlohmann::json& reference) {
  const nlohmann::json &events = reference.at("events"), &samples = reference.at("samples");
  const Errors another_sequence{INFINITY, INFINITY};
  if (run.changes.size() != events.size() || run.samples.size() != samples.size()) return another_sequence;
  Errors largest;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool begins = events[i].at("kind") == "slide_begin";
    const int after = begins ? 0 : 2 * events[i].at("changed").at("positive").get<int>() - 1;
    if (run.changes[i].after != after) return another_sequence;
    largest.time = std::max(largest.time, std::abs(run.changes[i].time - events[i].at("time").get<double>()));
  }
  for (std::size_t k = 0; k < samples.size(); ++k)
    for (int i = 0; i < 3; ++i) {
      const double exact = samples[k].at("values").at("x" + std::to_string(i + 1));
      largest.state = std::max(largest.state, std::abs(run.samples[k][i] - exact));
    }
  return largest;
}

Errors by_hand(double tolerance, const nlohmann::json& reference) {
  return errors_of(run_by_hand(relay_feedback(), start, 0, sample_times, tolerance, tolerance), reference);
}

/// What a program written for this model achieves with the integrator that the simulator uses. The error of
/// one run is partly luck: the largest at five tolerances next to the one asked for. A run that misses events
/// is no yardstick.
Errors by_ida(double tolerance, const nlohmann::json& reference) {
  Errors largest;
  int runs = 0;
  for (const double factor : {0.8, 0.9, 1.0, 1.1, 1.25}) {
    const double close = factor * tolerance;
    const Errors errors =
        errors_of(run_with_ida(relay_feedback(), start, 0, sample_times, close, close), reference);
    if (!std::isfinite(errors.time)) continue;
    largest = {std::max(largest.time, errors.time), std::max(largest.state, errors.state)};
    ++runs;
  }
  EXPECT_GE(runs, 3);
  return largest;
}

/// What the program wrote, as the same record: a side is the relay's value, 0 where it slides.
RelayRun record_of(const SimulationRun& run) {
  RelayRun record;
  int side = 0;
  for (const nlohmann::json& event : run.events) {
    const double time = event.at("time"), z = run.value(run.at(time), "positive");
    if (time == 0.0) continue;
    const int after = z == 0.0 ? -1 : z == 1.0 ? 1 : 0;
    EXPECT_EQ(event.at("kind"), after == 0 ? "slide_begin" : "slide_end") << "t = " << time;
    record.changes.push_back({time, side, after});
    side = after;
  }
  for (const double time : sample_times) {
    const auto& row = run.at(time);
    record.samples.push_back(
        Eigen::Vector3d(run.value(row, "x1"), run.value(row, "x2"), run.value(row, "x3")));
  }
  return record;
}

TEST(RelayFeedback, IsAsAccurateAsAProgramWrittenForIt) {
  const nlohmann::json reference = read_json(reference_file);
  const double size = 3.6;  // largest |x| + 1
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    SCOPED_TRACE("log10 rtol = " + std::to_string(std::log10(rtol)));
    const SimulationRun run = simulate(file, rtol, rtol);
    ASSERT_EQ(run.status, 0) << run.errors;
    const Errors yardstick = by_ida(rtol, reference), found = errors_of(record_of(run), reference);
    EXPECT_LE(found.time, std::max(Case::steps * rtol * size, 2.0 * yardstick.time));
    EXPECT_LE(found.state, std::max(Case::steps * rtol * size, 2.0 * yardstick.state));
  }
}

// On the surface x1 = 0 the relay's value is x2, −0.001 at the start.
TEST(RelayFeedback, BeginsOnTheSurface) {
  const SimulationRun run = simulate(file, 1e-8, 1e-8);
  EXPECT_EQ(run.status, 0) << run.errors;
  ASSERT_FALSE(run.rows.empty());
  EXPECT_NEAR(run.value(run.at(0.0), "positive"), 0.4995, 1e-9);
}

// The yardstick itself, in error and in what it is compared with: a Runge-Kutta program comes as close as it
// is asked to.
TEST(RelayByHand, ApproachesTheExactRun) {
  const nlohmann::json reference = read_json(reference_file);
  Errors before{1e-2, 1e-2};
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    const Errors errors = by_hand(tolerance, reference);
    EXPECT_LT(errors.time, 0.1 * before.time);
    EXPECT_LT(errors.state, 0.1 * before.state);
    before = errors;
  }
  EXPECT_LT(before.time, 1e-9);
}

/// The same system for the matrix exponential, w = (x, 1).
ExactMode exact_mode(int side) {
  const RelaySystem system = relay_feedback();
  ExactMode mode;
  mode.M = Eigen::MatrixXd::Zero(4, 4);
  mode.M.topLeftCorner(3, 3) = system.A;
  Eigen::RowVectorXd leaves(4), returns(4);
  leaves << system.c * system.A / system.c.dot(system.b), 0.0;
  returns << -side * system.c, 0.0;
  if (side != 0) {
    mode.M.topRightCorner(3, 1) = -side * system.b;
    mode.exits = {{returns, 0}};
  } else {
    mode.M.topLeftCorner(3, 3) -= system.b * leaves.head(3);
    for (const int to : {1, -1}) {
      mode.exits.push_back({to * leaves, to});
      mode.exits.back().s[3] = -1.0;
    }
  }
  return mode;
}

// The reference: crossings of the exact flow, all of them hit the surface where it attracts.
TEST(RelayByHand, TheReferenceIsTheExactRun) {
  const nlohmann::json reference = read_json(reference_file);
  Eigen::VectorXd w(4);
  w << start, 1.0;
  int side = 0;
  RelayRun run;
  double begin = 0.0;
  for (const double time : sample_times) {
    for (const ExactSwitch& found : follow(exact_mode, begin, time, 1e-3, w, side))
      run.changes.push_back({found.time, found.before, found.after});
    run.samples.push_back(w.head(3));
    begin = time;
  }
  const Errors errors = errors_of(run, reference);
  EXPECT_LT(errors.time, 1e-10);
  EXPECT_LT(errors.state, 1e-10);
}

}  // namespace relay_feedback_test
}  // namespace mti::test
