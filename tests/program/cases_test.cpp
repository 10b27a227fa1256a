// Models of other tools, written as model files, run through the program and compared with closed forms,
// published results and independent computations (tests/cases/reference; each file names its source).

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/places.hpp"
#include "tests/program/published_case.hpp"

namespace mti::test {
namespace cases_test {

const std::filesystem::path cases = source_dir() / "tests/cases";

class Cases : public testing::TestWithParam<Case> {};

TEST_P(Cases, ApproachTheReferenceAsTheToleranceFalls) {
  const Case& a_case = GetParam();
  const std::filesystem::path file = cases / (a_case.name + ".json");
  const nlohmann::json model = read_json(file),
                       reference = read_json(cases / "reference" / (a_case.name + ".json"));
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    SCOPED_TRACE("log10 rtol = " + std::to_string(std::log10(rtol)));
    const SimulationRun run = simulate(file, rtol, rtol);
    ASSERT_EQ(run.status, 0) << run.errors;
    EXPECT_EQ(run.errors, "");
    EXPECT_EQ(run.summary.at("outcome"), "reached_stop");
    EXPECT_EQ(run.summary.at("end_time"), model.at("experiment").at("stop"));
    expect_switches(run, reference, a_case.time_error(rtol));
    expect_samples(run, model, reference, a_case.sample_error(rtol));
  }
}

INSTANTIATE_TEST_SUITE_P(Published, Cases,
                         testing::Values(Case{"fesd_simplest_switch", 2.0, 1.0, 3.0},
                                         Case{"disode_ex6_thermostat", 2.2, 0.02, 0.12},
                                         Case{"hyst_heater_lygeros", 2.5, 0.04, 0.15},
                                         Case{"cora_room_heating_2rooms", 2.1, 0.06, 0.25},
                                         Case{"msl_controlled_temperature", 2.1, 0.0013, 0.04},
                                         Case{"om_pwl_algebraic_loop", 3.5, 1.25, 2.0},
                                         Case{"scipy_9228_multiple_roots_in_step", 13.0, 1.6, 9.2},
                                         Case{"siconos_circuit_rlcd", 2.0, 4e3, 1e4},
                                         Case{"siconos_diode_bridge", 2.0, 8e2, 1e4}),
                         [](const auto& instance) { return instance.param.name; });

// A run of the wrong physics must not pass: the piecewise constant system without its switch, whose end value
// nosnoc prints for an integrator that steps over the surface.
TEST(CasesControl, AStepOverTheSurfaceIsFarOutside) {
  const Case crossing{"fesd_simplest_switch", 2.0, 1.0, 3.0};
  EXPECT_GT(std::abs(0.36692644 - 0.45206483006411496), 1e3 * crossing.sample_error(1e-8));
}

// Both sides of an event stand in the trajectory, and neither leaves the thermostat's band.
TEST(Cases, TemperaturesStayInTheirBand) {
  struct Band {
    std::string file, signal;
    double low, high;
  };
  for (const Band& band :
       {Band{"hyst_heater_lygeros", "x", 18.1, 29.0}, Band{"cora_room_heating_2rooms", "T2", 20.0, 21.0}}) {
    const SimulationRun run = simulate(cases / (band.file + ".json"), 1e-9, 1e-9);
    ASSERT_EQ(run.status, 0) << run.errors;
    long events = 0;
    for (const auto& row : run.rows) {
      EXPECT_GE(run.value(row, band.signal), band.low - 1e-6);
      EXPECT_LE(run.value(row, band.signal), band.high + 1e-6);
      events += row.side == 1 ? 1 : 0;
    }
    EXPECT_EQ(events, static_cast<long>(run.events.size()));
  }
}

// The published run was made at 1e-4 or so; it differs from the independent one by 1.3e-3 s and 4e-3 K.
TEST(Cases, ControlledTemperatureIsCloseToThePublishedRun) {
  const std::filesystem::path file = cases / "msl_controlled_temperature.json";
  const nlohmann::json reference = read_json(cases / "reference/msl_controlled_temperature.published.json");
  const SimulationRun run = simulate(file, 1e-10, 1e-10);
  ASSERT_EQ(run.status, 0) << run.errors;
  expect_switches(run, reference, 1.5e-3);
  for (const nlohmann::json& sample : reference.at("samples"))
    EXPECT_NEAR(run.value(run.at(sample.at("time").get<double>()), "T"),
                sample.at("values").at("T").get<double>(), 2e-2)
        << "t = " << sample.at("time");
}

// HIRES at the end of its interval; the reference has sixteen digits. Every concentration is above 1e-5, so
// with atol = 1e-4 rtol the error is relative.
TEST(Cases, HiresAgreesInAsManyDigitsAsAskedFor) {
  const nlohmann::json reference = read_json(cases / "reference/daets_hires.json");
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    const SimulationRun run = simulate(cases / "daets_hires.json", rtol, 1e-4 * rtol);
    ASSERT_EQ(run.status, 0) << run.errors;
    for (const auto& [name, value] : reference.at("samples")[0].at("values").items()) {
      const double y = value.get<double>();
      EXPECT_NEAR(run.value(run.rows.back(), name), y, 50.0 * rtol * y) << name << " at rtol = " << rtol;
    }
  }
}

constexpr double product_root = 0.2640190781878826, reactant_root = 20795496.882973745;

// y3 = 0.01 and y1 = 1e-4, eight decades of time apart, from an integration at 1e-11. Near the second
// y1 ∼ 1/t: a relative error of the state is one of the time. Near the first ẏ3 t / y3 ≈ 1.
TEST(Cases, RobertsonMeetsBothThresholds) {
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    const SimulationRun run = simulate(cases / "daets_robertson_dae_with_roots.json", rtol, 1e-5 * rtol);
    ASSERT_EQ(run.status, 0) << run.errors;
    const std::vector<Switch> found = switches(run, {"consumed", "produced"});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].changed, (std::map<std::string, int>{{"produced", 1}}));
    EXPECT_EQ(found[1].changed, (std::map<std::string, int>{{"consumed", 1}}));
    EXPECT_NEAR(found[0].time, product_root, 50.0 * rtol * product_root);
    EXPECT_NEAR(found[1].time, reactant_root, 50.0 * rtol * reactant_root);
    EXPECT_EQ(run.summary.at("end_time"), 4e10);
  }
}

// IVP Test Set: y(1e11), one and a half decades beyond the model's own stop time.
TEST(Cases, RobertsonReachesItsLongestPublishedTime) {
  const std::filesystem::path file = cases / "daets_robertson_dae_with_roots.json";
  const nlohmann::json model = read_json(file);
  const double rtol = 1e-9, atol = 1e-16;
  const SimulationRun run = simulate(file, rtol, atol, {"--stop", "1e11", "--output-interval", "1e10"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const std::map<std::string, double> published = {
      {"y1", 2.083340149701255e-08}, {"y2", 8.333360770334713e-14}, {"y3", 0.999999979166505}};
  for (const auto& [name, y] : published)
    EXPECT_NEAR(run.value(run.rows.back(), name), y, 50.0 * (rtol * y + atol * nominal(model, name))) << name;
}

}  // namespace cases_test
}  // namespace mti::test
