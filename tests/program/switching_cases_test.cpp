// Published models of diode networks, many boundaries and event iterations, through the program; and that the
// scalable ones are members of their families (bench/families.hpp).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bench/families.hpp"
#include "io/model/read_model.hpp"
#include "io/model/write_model.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "tests/places.hpp"
#include "tests/program/exact_affine.hpp"
#include "tests/program/published_case.hpp"

namespace mti::test {
namespace switching_cases_test {

const std::filesystem::path cases = source_dir() / "tests/cases";
nlohmann::json reference_of(const std::string& name) {
  return read_json(cases / "reference" / (name + ".json"));
}

// Pressures reach 10.8 bar. Those of the small reservoirs are near zero after half time and move at 0.13
// bar/s and more where a valve closes; their absolute tolerance is atol/100, and what they did before is
// forgotten.
TEST(TrainBrakes, ThreeCarsApproachTheReference) {
  const nlohmann::json reference = reference_of("siconos_train_brakes_n");
  struct Crossing {
    double size, slope;
  };
  const std::vector<Crossing> crossings = {{10.8, 217.0}, {10.8, 38.0}, {10.8, 9.4},
                                           {0.01, 1e3},   {0.02, 1.07}, {0.16, 0.129}};
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    SCOPED_TRACE("log10 rtol = " + std::to_string(std::log10(rtol)));
    const SimulationRun run = simulate(cases / "siconos_train_brakes_n.json", rtol, rtol);
    ASSERT_EQ(run.status, 0) << run.errors;
    EXPECT_EQ(run.summary.at("outcome"), "reached_stop");
    expect_samples(run, nlohmann::json::object(), reference, Case::steps * rtol * 20.8);
    const std::vector<Switch> found = switches(run, {"blocks1", "blocks2", "blocks3"});
    ASSERT_EQ(found.size(), crossings.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const nlohmann::json& expected = reference.at("switches")[i];
      EXPECT_EQ(nlohmann::json(found[i].changed), expected.at("changed")) << "switch " << i;
      EXPECT_NEAR(found[i].time, expected.at("time").get<double>(),
                  Case::steps * rtol * crossings[i].size / crossings[i].slope)
          << "switch " << i;
    }
  }
}

/// The brake line as an exact hybrid system, w = (u, v, 1); bit i of the mode: valve i + 1 lets through.
///
/// Eliminated by hand: k_i = v_i/S where the valve lets through, else 0; j_{i−1} = (w_{i−1} − w_i)/R;
/// l_i = j_{i−1} − j_i − k_i. It opens and closes as v_i passes zero.
ExactMode exact_brakes(int cars, double w0, int open) {
  const double R = 100.0, S = 10.0, C = 1e-3, D = 1e-4;
  ExactMode mode;
  const Eigen::Index constant = 2 * Eigen::Index{cars}, size = constant + 1;
  mode.M = Eigen::MatrixXd::Zero(size, size);
  const auto w = [&](int i) {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(size);
    if (i < 0)
      row[constant] = w0;
    else
      row[i] = row[cars + i] = 1.0;
    return row;
  };
  for (int i = 0; i < cars; ++i) {
    Eigen::RowVectorXd through = (w(i - 1) - w(i)) / R;
    if (i + 1 < cars) through -= (w(i) - w(i + 1)) / R;
    Eigen::RowVectorXd k = Eigen::RowVectorXd::Zero(size), v = k;
    v[cars + i] = 1.0;
    if ((open >> i & 1) != 0) k = v / S;
    mode.M.row(i) = through / C;
    mode.M.row(cars + i) = (through - k) / D;
    mode.exits.push_back({(open >> i & 1) != 0 ? Eigen::RowVectorXd(-v) : v, open ^ (1 << i)});
  }
  return mode;
}

// Another member of the family against the exact flow of its modes. Valves that close up to 6·10⁻⁵ s after
// half time are decided by pressures of some 10⁻⁶ bar.
TEST(TrainBrakes, EightCarsFollowTheExactFlow) {
  const int cars = 8;
  const Eigen::Index constant = 2 * Eigen::Index{cars};
  Eigen::VectorXd w(constant + 1);
  for (int i = 0; i < cars; ++i) {
    const double place = 0.6667 * i / cars;
    w[i] = 7.5 * (1.0 - 0.6667 + place);
    w[cars + i] = -7.5 * (1.0 + place);
  }
  w[constant] = 1.0;
  int open = 0;
  std::vector<ExactSwitch> exact =
      follow([&](int mode) { return exact_brakes(cars, 10.0, mode); }, 0.0, 5.0, 1e-3, w, open);
  const std::size_t before_half = exact.size();
  const auto second =
      follow([&](int mode) { return exact_brakes(cars, 0.0, mode); }, 5.0, 10.0, 1e-3, w, open);
  exact.insert(exact.end(), second.begin(), second.end());
  ASSERT_GE(before_half, 8U);
  ASSERT_GE(second.size(), 8U);

  const double rtol = 1e-9;
  const SimulationRun run =
      simulate(nlohmann::json::parse(to_json(bench::train_brake_line(cars))), rtol, rtol);
  ASSERT_EQ(run.status, 0) << run.errors;
  std::set<std::string> valves;
  for (int i = 1; i <= cars; ++i) valves.insert("blocks" + std::to_string(i));
  const std::vector<Switch> found = switches(run, valves);
  ASSERT_EQ(found.size(), exact.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].changed.size(), 1U);
    const auto& [name, blocks] = *found[i].changed.begin();
    const int car = std::stoi(name.substr(6)) - 1;
    EXPECT_EQ(exact[i].before ^ exact[i].after, 1 << car) << "switch " << i;
    EXPECT_EQ(blocks, exact[i].after >> car & 1 ? 0 : 1) << "switch " << i;
    EXPECT_NEAR(found[i].time, exact[i].time, Case::steps * rtol * 15.0 / exact[i].slope) << "switch " << i;
  }
  for (int i = 0; i < cars; ++i) {
    EXPECT_NEAR(run.value(run.rows.back(), "u" + std::to_string(i + 1)), w[i], Case::steps * rtol * 20.0);
    EXPECT_NEAR(run.value(run.rows.back(), "v" + std::to_string(i + 1)), w[cars + i],
                Case::steps * rtol * 20.0);
  }
}

// Ramps are exact for every integrator of first order; x100 ends at 10, the slowest that arrives has slope 1.
TEST(ManyEvents, TenOfAHundredArriveTheLastAtTheEnd) {
  const nlohmann::json reference = reference_of("scalable_many_events");
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    const SimulationRun run = simulate(cases / "scalable_many_events.json", rtol, rtol);
    ASSERT_EQ(run.status, 0) << run.errors;
    expect_switches(run, reference, Case::steps * rtol * 11.0);
    expect_samples(run, nlohmann::json::object(), reference, Case::steps * rtol * 11.0);
    ASSERT_GE(run.rows.size(), 2U);
    EXPECT_EQ(run.rows.back().time, 1.0);
    EXPECT_EQ(run.rows.back().side, 1) << "the event at the stop time has both its rows";
    EXPECT_EQ(run.value(run.rows[run.rows.size() - 2], "v"), 9.0);
  }
}

// As many as there are, and those after the end not.
TEST(ManyEvents, OtherSizes) {
  const double rtol = 1e-8;
  for (const auto& [N, M] : {std::pair{40, 50}, std::pair{60, 15}}) {
    const SimulationRun run = simulate(nlohmann::json::parse(to_json(bench::many_events(N, M))), rtol, rtol);
    ASSERT_EQ(run.status, 0) << run.errors;
    const int arrive = std::min(N, M);
    EXPECT_EQ(run.value(run.rows.back(), "v"), arrive);
    ASSERT_EQ(run.events.size(), at(arrive));
    for (int k = 1; k <= arrive; ++k)
      EXPECT_NEAR(run.events[at(k - 1)].at("time").get<double>(), static_cast<double>(k) / M,
                  Case::steps * rtol * (1.0 + M));
  }
}

// x = exp(t) passes 1.5; from then on b1 and b2 set each other off within one instant.
TEST(EventIteration, ThatDoesNotEndIsACycleWithItsNames) {
  const double arrival = std::log(1.5);
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    const SimulationRun run = simulate(cases / "om_event_iteration_limit.json", rtol, rtol);
    EXPECT_EQ(run.status, 3);
    EXPECT_EQ(run.summary.at("outcome"), "cycle");
    EXPECT_NEAR(run.summary.at("end_time").get<double>(), arrival, Case::steps * rtol * 2.5 / 1.5);
    const std::string message = run.summary.at("message");
    for (const char* name : {"b1", "b2"}) EXPECT_NE(message.find(name), std::string::npos) << message;
    ASSERT_FALSE(run.rows.empty());
    EXPECT_NEAR(run.value(run.at(0.4), "x"), std::exp(0.4), Case::steps * rtol * 2.5) << "results are kept";
  }
}

// Negative control: when only the threshold sets b2 off, one flip follows and then the other, and that is
// all.
TEST(EventIteration, ThatEndsIsOneEventWithItsSteps) {
  nlohmann::json model = read_json(cases / "om_event_iteration_limit.json");
  for (nlohmann::json& equation : model.at("equations"))
    if (equation.at("name") == "when_any") equation["text"] = "first = above*(1 - pre(above))";
  for (nlohmann::json& equation : model.at("equations"))
    if (equation.at("name") == "when_both") equation["text"] = "second = pre(b2)*(1 - pre(m2))";
  const SimulationRun run = simulate(model, 1e-8, 1e-8);
  ASSERT_EQ(run.status, 0) << run.errors;
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.value(run.rows.back(), "b1"), 1.0);
  EXPECT_EQ(run.value(run.rows.back(), "b2"), 1.0);
}

void expect_same_relations(const Model& a, const Model& b) {
  const auto same = [](const SparseColumns& m, const SparseColumns& n) {
    return m.rows() == n.rows() && m.cols() == n.cols() && (m - n).norm() == 0.0;
  };
  EXPECT_TRUE(same(a.S, b.S) && same(a.Phi_eq, b.Phi_eq) && same(a.Phi_ineq, b.Phi_ineq));
  EXPECT_EQ(a.equation_names, b.equation_names);
  EXPECT_EQ(a.constraint_names, b.constraint_names);
  EXPECT_EQ(a.x_start, b.x_start);
  EXPECT_EQ(a.z_start, b.z_start);
}

TEST(Families, HoldThePublishedMembers) {
  expect_same_relations(build(bench::train_brake_line(3)), read_model(cases / "siconos_train_brakes_n.json"));
  expect_same_relations(build(bench::many_events(100, 10)), read_model(cases / "scalable_many_events.json"));
  const Model published = read_model(cases / "siconos_train_brakes_n.json");
  const std::vector<double> q = {2.49975, -7.5, 4.1665, -9.16675, 5.83325, -10.8335};
  ASSERT_EQ(published.x_start.size(), q.size());
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(published.x_start[i], q[i], 1e-14);
}

// Copies that share nothing and run in step: every event is one of all copies, the smallest change that suits
// each of them. Temperatures below 90 (with their nominal value) move at 0.2 K/s and more.
TEST(Families, CopiesInStepSwitchTogether) {
  const double rtol = 1e-8, stop = 100.0;
  const std::filesystem::path file = source_dir() / "examples/three_tank/model.json";
  const int copies = 4;
  nlohmann::json one = read_json(file);
  one["experiment"]["stop"] = stop;
  nlohmann::json model = nlohmann::json::parse(to_json(bench::copies_of(read_source_file(file), copies)));
  model["experiment"]["stop"] = stop;
  const SimulationRun single = simulate(one, rtol, rtol), together = simulate(model, rtol, rtol);
  ASSERT_EQ(single.status, 0) << single.errors;
  ASSERT_EQ(together.status, 0) << together.errors;
  ASSERT_EQ(single.events.size(), 2U);
  ASSERT_EQ(together.events.size(), single.events.size());
  for (std::size_t i = 0; i < single.events.size(); ++i) {
    EXPECT_NEAR(together.events[i].at("time").get<double>(), single.events[i].at("time").get<double>(),
                Case::steps * rtol * 90.0 / 0.2);
    nlohmann::json expected = nlohmann::json::object();
    for (const auto& [name, change] : single.events[i].at("changed").items())
      for (int copy = 1; copy <= copies; ++copy) expected["c" + std::to_string(copy) + "." + name] = change;
    EXPECT_EQ(together.events[i].at("changed"), expected);
  }
}

}  // namespace switching_cases_test
}  // namespace mti::test
