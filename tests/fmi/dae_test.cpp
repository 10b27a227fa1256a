// FMUs whose equations an importer solves (layered standard fmi-ls-dae): residuals and their derivatives against formulas,
// motions that IDA finds from them against closed forms and `simulate`.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "fmi/variables/dae_residuals.hpp"
#include "io/model/read_model.hpp"
#include "mti/common/fault.hpp"
#include "mti/model/delays.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/fmi/dae_importer.hpp"
#include "tests/fmi/instance3.hpp"
#include "tests/fmi/written_fmu.hpp"

namespace mti::dae_test {

using test::DaeImporter;
using test::WrittenFmu;

fmi::ExportOptions as_dae() { return {.dae = fmi::Dae::yes}; }

/// Two capacitors in parallel: r3 has to be differentiated once.
const char* const parallel = R"json({"format": "mti-model", "version": 1, "parameters": {"C1": 2, "C2": 3},
  "states": [{"name": "x1", "start": 1}, {"name": "x2", "start": 1}], "algebraic": [{"name": "y"}],
  "equations": [{"name": "r1", "text": "C1*der(x1) + y = 0"}, {"name": "r2", "text": "C2*der(x2) - y + 1 = 0"},
                {"name": "r3", "text": "x1 - x2 = 0"}], "experiment": {"stop": 2}})json";

/// A circle of radius 1, with the force along it: x² + y² = 1 twice to be differentiated.
const char* const pendulum = R"json({"format": "mti-model", "version": 1,
  "states": [{"name": "x", "start": 1}, {"name": "y", "start": 0}, {"name": "v", "start": 0}, {"name": "w", "start": 0}],
  "algebraic": [{"name": "F"}],
  "equations": ["der(x) = v", "der(y) = w", "der(v) = -F*x", "der(w) = -F*y - 9.81",
                {"name": "circle", "text": "x^2 + y^2 = 1"}], "experiment": {"stop": 1}})json";

/// Implicit in ẋ and y, with an input, functions and a binary.
const char* const implicit = R"json({"format": "mti-model", "version": 1,
  "states": [{"name": "a", "start": 0.4}, {"name": "b", "start": 0.2}], "inputs": [{"name": "u", "value": 0.3}],
  "algebraic": [{"name": "y"}], "binaries": [{"name": "z"}],
  "equations": ["2*der(a) + 0.1*der(a)*b + a*y*z + sin(a) = u", "der(b) + y*a = exp(-b)", "y^3 + y = a + b*u"],
  "constraints": ["(b - 0.6)*(1 - z) <= 0", "(0.6 - b)*z <= 0"], "experiment": {
  "stop" : 3
}
})json";

/// A store between its limits: events, also such as jump.
const char* const thermostat = R"json({"format": "mti-model", "version": 1,
  "states": [{"name": "T", "start": 18}, {"name": "E", "start": 0}], "algebraic": [{"name": "P"}], "binaries": [{"name": "on", "start": 1}],
  "equations": ["der(T) = 0.1*(P - (T - 10))", "P = 20*on", "der(E) = P"],
  "constraints": ["(T - 22)*on <= 0", "(19 - T)*(1 - on) <= 0"], "experiment": {
  "stop" : 60
}
})json";

// Of a model without functions, which have signals of their own. Equations are kept with a sign of their own.
TEST(Dae, ResidualsAreTheEquations) {
  const WrittenFmu written(R"json({"format": "mti-model", "version": 1,
    "states": [{"name": "a", "start": 0.4}, {"name": "b", "start": 0.2}], "inputs": [{"name": "u", "value": 0.3}],
    "algebraic": [{"name": "y"}], "equations": [{"name": "e1", "text": "2*der(a) + 0.1*der(a)*b + a*y = u"},
    {"name": "e2", "text": "der(b) + y*a = 1 - b"}, {"name": "e3", "text": "y*(3 + b) = a + b*u"}]})json",
                           as_dae());
  DaeImporter importer(written.fmu, 1e-6);
  ASSERT_EQ(importer.start(0.0, 3.0), fmi3OK);
  ASSERT_EQ(importer.residuals().size(), importer.derivatives().size() + importer.algebraic().size());
  std::vector<unsigned> places;
  for (const char* const name : {"a", "b", "der(a)", "der(b)", "y"})
    places.push_back(written.fmu.reference(name));
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> number(-2.0, 2.0);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> p(5);
    for (double& value : p) value = number(random);
    ASSERT_EQ(importer.set(places, p), fmi3OK);
    const double a = p[0], b = p[1], da = p[2], db = p[3], y = p[4], u = 0.3;
    EXPECT_NEAR(std::abs(importer.get("e1.residual")), std::abs(2 * da + 0.1 * da * b + a * y - u), 1e-14);
    EXPECT_NEAR(std::abs(importer.get("e2.residual")), std::abs(db + y * a - 1 + b), 1e-14);
    EXPECT_NEAR(std::abs(importer.get("e3.residual")), std::abs(y * (3 + b) - a - b * u), 1e-14);
  }
}

// J·s against central differences, and the adjoint as its transpose, at points off the solution.
TEST(Dae, DerivativesAreThoseOfResiduals) {
  for (const char* const text : {parallel, pendulum, implicit}) {
    const WrittenFmu written(text, as_dae());
    DaeImporter importer(written.fmu, 1e-6);
    ASSERT_EQ(importer.start(0.0, 1.0), fmi3OK);
    std::vector<unsigned> knowns, unknowns;
    for (const auto* list : {&importer.states(), &importer.derivatives(), &importer.algebraic()})
      knowns.insert(knowns.end(), list->begin(), list->end());
    for (const auto& [name, variable] : written.fmu.variables())
      if (name.find(".residual") != std::string::npos) unknowns.push_back(written.fmu.reference(name));
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> number(-1.5, 1.5);
    std::vector<double> point(knowns.size()), seed(knowns.size()), weight(unknowns.size());
    for (int round = 0; round < 5; ++round) {
      for (auto* list : {&point, &seed, &weight})
        for (double& value : *list) value = number(random);
      const auto at_distance = [&](double h) {
        std::vector<double> moved = point;
        for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += h * seed[k];
        EXPECT_EQ(importer.set(knowns, moved), fmi3OK);
        return importer.get(unknowns);
      };
      const double h = 1e-5;
      const std::vector<double> ahead = at_distance(h), behind = at_distance(-h);
      static_cast<void>(at_distance(0.0));
      std::vector<double> along(unknowns.size()), back(knowns.size());
      ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3GetDirectionalDerivative)(
                    importer.handle(), unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
                    seed.data(), seed.size(), along.data(), along.size()),
                fmi3OK);
      ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3GetAdjointDerivative)(
                    importer.handle(), unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
                    weight.data(), weight.size(), back.data(), back.size()),
                fmi3OK);
      double forward = 0.0, adjoint = 0.0;
      for (std::size_t k = 0; k < unknowns.size(); ++k) {
        EXPECT_NEAR(along[k], (ahead[k] - behind[k]) / (2 * h), 1e-8);
        forward += weight[k] * along[k];
      }
      for (std::size_t k = 0; k < knowns.size(); ++k) adjoint += back[k] * seed[k];
      EXPECT_NEAR(forward, adjoint, 1e-12);
    }
  }
}

// (C1 + C2) ẋ = -1; r3 in the form of its derivative makes it a problem of index 1.
TEST(Dae, AConstraintIsSolvedInItsDerivative) {
  const WrittenFmu written(parallel, as_dae());
  const std::string manifest = DaeImporter::manifest_of(written.fmu);
  EXPECT_NE(manifest.find("index=\"2\""), std::string::npos);
  EXPECT_NE(manifest.find("index=\"1\""), std::string::npos);
  DaeImporter importer(written.fmu, 1e-8);
  ASSERT_EQ(importer.start(0.0, 2.0), fmi3OK);
  ASSERT_TRUE(importer.advance(2.0)) << (importer.log().empty() ? "" : importer.log().back());
  EXPECT_NEAR(importer.get("x1"), 0.6, 1e-7);
  EXPECT_NEAR(importer.get("x2"), 0.6, 1e-7);
  EXPECT_NEAR(importer.get("y"), 0.4, 1e-7);
  EXPECT_NEAR(importer.get("r3.residual"), 0.0, 1e-7);
}

/// The motion by simulate(), two digits more accurate at least, at the times of an importer's, and where both are in the end.
/// IDA's tolerances are of its steps: hundreds of them add up, and events are late by what they leave.
void expect_motion_of_simulate(const char* text, double stop, const std::vector<std::string>& signals) {
  const WrittenFmu written(text, as_dae());
  const Model model = read_model_text(text);
  for (const double rtol : {1e-5, 1e-8}) {
    DaeImporter importer(written.fmu, rtol);
    ASSERT_EQ(importer.start(0.0, stop), fmi3OK);
    ASSERT_TRUE(importer.advance(stop)) << (importer.log().empty() ? "" : importer.log().back());
    const Trajectory exact = simulate(model, {.stop = stop, .rtol = 1e-11, .atol = 1e-11});
    ASSERT_EQ(importer.event_times().size(), exact.events.size());
    for (std::size_t k = 0; k < exact.events.size(); ++k)
      EXPECT_NEAR(importer.event_times()[k], exact.events[k].time, 100 * rtol * stop);
    const auto end_of = [&](const std::string& signal) {
      return exact.value(exact.size() - 1, exact.column(signal));
    };
    for (const std::string& signal : signals)
      EXPECT_NEAR(importer.get(signal), end_of(signal), 1000 * rtol * (1.0 + std::abs(end_of(signal))))
          << signal;
  }
}

TEST(Dae, MotionsAreThoseOfSimulate) {
  expect_motion_of_simulate(implicit, 3.0, {"a", "b", "y"});
  expect_motion_of_simulate(thermostat, 60.0, {"T", "E", "P"});
}

// Without dae_mode it is an FMU for Model Exchange as others are, where the index allows it.
TEST(Dae, ModelExchangeIsThereBesides) {
  const WrittenFmu thermo(thermostat, as_dae()), index_2(parallel, as_dae());
  DaeImporter ordinary(thermo.fmu, 1e-6, false), refused(index_2.fmu, 1e-6, false);
  EXPECT_EQ(
      MTI_FMU_CALL(thermo.fmu, fmi3EnterInitializationMode)(ordinary.handle(), false, 0.0, 0.0, false, 0.0),
      fmi3OK);
  EXPECT_EQ(MTI_FMU_CALL(thermo.fmu, fmi3ExitInitializationMode)(ordinary.handle()), fmi3OK);
  double rates[2] = {};
  EXPECT_EQ(MTI_FMU_CALL(thermo.fmu, fmi3GetContinuousStateDerivatives)(ordinary.handle(), rates, 2), fmi3OK);
  EXPECT_NEAR(rates[0], 0.1 * (20.0 - 8.0), 1e-12);
  EXPECT_EQ(refused.start(0.0, 1.0), fmi3Error);
  EXPECT_NE(refused.log().back().find("dae_mode"), std::string::npos);
}

TEST(Dae, TheModeIsChosenInConfigurationModeOnly) {
  const WrittenFmu written(thermostat, as_dae());
  const unsigned mode = written.fmu.reference("dae_mode"), T = written.fmu.reference("T"),
                 P = written.fmu.reference("P");
  DaeImporter importer(written.fmu, 1e-6, false);
  const bool on = true;
  const double value = 20.0;
  EXPECT_EQ(MTI_FMU_CALL(written.fmu, fmi3SetBoolean)(importer.handle(), &mode, 1, &on, 1), fmi3Error);
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterConfigurationMode)(importer.handle()), fmi3OK);
  EXPECT_EQ(MTI_FMU_CALL(written.fmu, fmi3SetFloat64)(importer.handle(), &T, 1, &value, 1), fmi3Error);
  EXPECT_EQ(
      MTI_FMU_CALL(written.fmu, fmi3EnterInitializationMode)(importer.handle(), false, 0.0, 0.0, false, 0.0),
      fmi3Error);
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3ExitConfigurationMode)(importer.handle()), fmi3OK);
  // In ODE mode algebraic signals are calculated.
  ASSERT_EQ(importer.start(0.0, 60.0), fmi3OK);
  EXPECT_EQ(MTI_FMU_CALL(written.fmu, fmi3SetFloat64)(importer.handle(), &P, 1, &value, 1), fmi3Error);
  // In Co-Simulation equations are the run's.
  test::Instance3 run(written.fmu);
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterConfigurationMode)(run.handle()), fmi3OK);
  EXPECT_EQ(MTI_FMU_CALL(written.fmu, fmi3SetBoolean)(run.handle(), &mode, 1, &on, 1), fmi3Error);
  // FMUs without the option have no Configuration Mode.
  const WrittenFmu plain(thermostat);
  test::Instance3 other(plain.fmu);
  EXPECT_EQ(MTI_FMU_CALL(plain.fmu, fmi3EnterConfigurationMode)(other.handle()), fmi3Error);
}

TEST(Dae, StatesKeepTheMode) {
  const WrittenFmu written(implicit, as_dae());
  DaeImporter importer(written.fmu, 1e-6);
  ASSERT_EQ(importer.start(0.0, 3.0), fmi3OK);
  ASSERT_EQ(importer.set({written.fmu.reference("y"), written.fmu.reference("der(a)")}, {1.25, -0.5}),
            fmi3OK);
  const std::vector<double> before = importer.get(importer.residuals());
  fmi3FMUState state = nullptr;
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3GetFMUState)(importer.handle(), &state), fmi3OK);
  ASSERT_EQ(importer.set({written.fmu.reference("y")}, {7.0}), fmi3OK);
  EXPECT_NE(importer.get(importer.residuals()), before);
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3SetFMUState)(importer.handle(), state), fmi3OK);
  EXPECT_EQ(importer.get(importer.residuals()), before);
  EXPECT_EQ(importer.set({written.fmu.reference("y")}, {7.0}), fmi3OK);
}

// Where an FMU begins, the equations hold, as far as it solves them; for all models that have such FMUs. Manifests are XML.
TEST(Dae, EquationsHoldAtTheStart) {
  int count = 0;
  std::string files;
  const test::TemporaryDirectory directory;
  for (const std::filesystem::path& path : test::all_models()) {
    const Model model = read_model(path);
    if (has_delays(model) || fmi::why_no_dae(model)) continue;
    const test::UnpackedFmu fmu(path, as_dae());
    files += " " + directory.write(std::to_string(count++) + ".xml", DaeImporter::manifest_of(fmu)).string();
    DaeImporter importer(fmu, 1e-9);
    try {
      if (importer.start(model.experiment.start, model.experiment.stop) != fmi3OK) continue;
      const std::vector<double> left = importer.get(importer.residuals());
      std::vector<double> v = importer.get(importer.derivatives());
      for (const auto* list : {&importer.states(), &importer.algebraic()})
        for (const double value : importer.get(*list)) v.push_back(value);
      double largest = 1.0;
      for (const double value : v) largest = std::max(largest, std::abs(value));
      for (const double residual : left) EXPECT_LE(std::abs(residual), 1e-7 * largest * largest) << path;
    } catch (const std::runtime_error& refused) {  // it slides from the start on
      EXPECT_NE(std::string(refused.what()).find("slide"), std::string::npos) << path << refused.what();
    }
  }
  EXPECT_GE(count, 40);
  const std::string said = test::printed_by("xmllint --noout" + files);
  EXPECT_NE(said.find("status 0"), std::string::npos) << said;
}

TEST(Dae, WhatHasNoneIsRefused) {
  const auto why = [](const char* text) { return fmi::why_no_dae(read_model_text(text)).value_or(""); };
  EXPECT_EQ(why(pendulum), "");
  EXPECT_NE(why(R"json({"format": "mti-model", "version": 1, "sample_time": 1, "states": [{"name": "x"}],
                    "equations": ["next(x) = x"]})json")
                .find("discrete"),
            std::string::npos);
  EXPECT_NE(
      why(R"json({"format": "mti-model", "version": 1, "states": [{"name": "x"}], "algebraic": [{"name": "y"}],
                    "binaries": [{"name": "z"}], "equations": ["der(x) = 1", "z*(y - x) + (1 - z)*(x - x) = 0"],
                    "constraints": ["(x - 1)*(1 - z) <= 0", "(1 - x)*z <= 0"]})json")
          .find("no equation holds y"),
      std::string::npos);
  try {
    const WrittenFmu second(thermostat, {.version = fmi::FmiVersion::two, .dae = fmi::Dae::yes});
    FAIL();
  } catch (const FaultError& refused) {
    EXPECT_NE(std::string(refused.what()).find("3.0"), std::string::npos);
  }
}

}  // namespace mti::dae_test
