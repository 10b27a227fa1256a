// Plans of fits: what they say, every fault with its place, and what is written of a fit.

#include "io/fitting/fit_plan.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/fitting/write_fit.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace fit_plan_test {

using Json = nlohmann::json;

/// A plan for ẋ = −a·x + u with members of the plan as given.
std::string plan_with(const std::string& members) {
  return R"({"format": "mti-fit", "version": 1, "model": {"format": "mti-model", "version": 1,
      "parameters": {"a": 1}, "states": [{"name": "x", "start": 1}], "inputs": [{"name": "u", "value": 0}],
      "binaries": [{"name": "low"}], "equations": ["der(x) = -a*x + u"],
      "constraints": ["(0.5 - x)*(1 - low) <= 0", "(x - 0.5)*low <= 0"]}, )" +
         members + "}";
}
const std::string parameters = R"("parameters": {"a": {"start": 1, "lower": 0.1, "upper": 5}})";
const std::string experiments =
    R"("experiments": [{"signals": {"x": {"time": [1, 2], "value": [0.2, 0.05]}}}])";

std::vector<std::string> faults_of(const std::string& members, const std::filesystem::path& directory = {}) {
  try {
    static_cast<void>(read_fit_plan(plan_with(members), directory));
  } catch (const InvalidModel& invalid) {
    std::vector<std::string> result;
    for (const Fault& fault : invalid.faults()) result.push_back(fault.pointer + " " + fault.id);
    return result;
  }
  return {};
}

TEST(FitPlan, ReadsEverythingThatItMaySay) {
  const TemporaryDirectory directory;
  directory.write("run.csv", "time,x,heat\n0,1,0\n1,0.4,2\n2,0.1,2\n");
  const FitPlan plan = read_fit_plan(plan_with(R"j("name": "n", "description": "d", "set": {"x": 2},
      "parameters": {"a": {"start": 1, "lower": 0.1, "upper": 5},
                     "x1": {"start": 1, "quantity": "start(x)", "experiments": ["one"]}},
      "experiments": [
        {"name": "one", "start": 0, "stop": 4, "inputs": {"u": {"csv": "run.csv", "column": "heat"}},
         "signals": {"x": {"csv": "run.csv", "deviation": 0.1}},
         "events": {"rise(low)": {"time": [0.7], "weight": 4}}},
        {"set": {"x": 3}, "signals": {"x": {"csv": "run.csv"}}}],
      "loss": {"huber": 1.5}, "starts": 4, "seed": 7, "iterations": 9, "confidence": 0.9, "noise": "known",
      "simulation": {"rtol": 1e-9})j"),
                                     directory.path());
  EXPECT_EQ(plan.name, "n");
  const FitProblem& problem = plan.problem;
  ASSERT_EQ(problem.parameters.size(), 2U);
  EXPECT_EQ(problem.parameters[1].quantity, "start(x)");
  EXPECT_EQ(problem.parameters[0].upper, 5.0);
  ASSERT_EQ(problem.experiments.size(), 2U);
  const FitExperiment& one = problem.experiments[0];
  EXPECT_EQ(std::get<double>(one.source.states[0].start), 2.0);
  EXPECT_EQ(std::get<double>(problem.experiments[1].source.states[0].start), 3.0);
  EXPECT_EQ(std::get<TableSource>(one.source.inputs[0].form).value.size(), 3U);
  EXPECT_EQ(one.signals[0].value, (std::vector<double>{1.0, 0.4, 0.1}));
  EXPECT_EQ(one.signals[0].deviation, 0.1);
  EXPECT_EQ(one.events[0].deviation, 0.5);
  EXPECT_EQ(plan.options.loss.kind, Loss::Kind::huber);
  EXPECT_EQ(plan.options.loss.scale, 1.5);
  EXPECT_EQ(plan.options.starts, 4);
  EXPECT_EQ(plan.options.most_iterations, 9);
  EXPECT_TRUE(plan.options.noise_is_known);
  EXPECT_EQ(problem.simulation.rtol, 1e-9);
}

TEST(FitPlan, SaysWhatIsWrongAndWhere) {
  using Faults = std::vector<std::string>;
  const std::string both = parameters + ", " + experiments;
  EXPECT_EQ(faults_of(both), Faults());
  EXPECT_EQ(faults_of(parameters), Faults{" missing-key"});
  EXPECT_EQ(faults_of(experiments), Faults{" missing-key"});
  EXPECT_EQ(faults_of(both + R"(, "start": 4)"), Faults{"/start unknown-key"});
  EXPECT_EQ(faults_of(both + R"(, "loss": "squared")"), Faults{"/loss bad-option"});
  EXPECT_EQ(faults_of(both + R"(, "loss": {"tukey": 1})"), Faults{"/loss/tukey unknown-key"});
  EXPECT_EQ(faults_of(both + R"(, "loss": {"huber": 0})"), Faults{"/loss bad-option"});
  EXPECT_EQ(faults_of(both + R"(, "noise": "white")"), Faults{"/noise bad-option"});
  EXPECT_EQ(faults_of(both + R"(, "starts": 0)"), Faults{"/starts bad-option"});
  EXPECT_EQ(faults_of(both + R"(, "confidence": 95)"), Faults{"/confidence bad-option"});
  EXPECT_EQ(faults_of(both + R"(, "iterations": 0)"), Faults{"/iterations bad-option"});
  EXPECT_EQ(faults_of(both + R"(, "simulation": {"rtol": -1})"), Faults{"/simulation/rtol bad-option"});
  EXPECT_EQ(faults_of(R"("parameters": {"b": {"start": 1}}, )" + experiments),
            Faults{"/parameters/b unknown-derivative"});
  EXPECT_EQ(faults_of(R"("parameters": {"a": {"start": 1, "low": 0}}, )" + experiments),
            Faults{"/parameters/a/low unknown-key"});
  EXPECT_EQ(faults_of(R"j("parameters": {"a": {"start": 1, "quantity": "start(y)"}}, )j" + experiments),
            Faults{"/parameters/a/quantity unknown-derivative"});
  EXPECT_EQ(faults_of(both + R"(, "set": {"y": 1})"), Faults{"/set unknown-override"});
  EXPECT_EQ(faults_of(both + R"(, "set": {"a": 2})"), Faults{"/set/a bad-parameter"}) << "estimated in all";
  const auto of_experiment = [&](const std::string& members) {
    return faults_of(parameters + R"(, "experiments": [{)" + members + "}]");
  };
  const std::string x = R"("signals": {"x": {"time": [1], "value": [0.2]}})";
  EXPECT_EQ(of_experiment(x + R"(, "set": {"y": 1})"), Faults{"/experiments/0/set unknown-override"});
  EXPECT_EQ(of_experiment(R"("set": {"a": 2}, )" + x), Faults{"/experiments/0/set/a bad-parameter"})
      << "estimated there";
  EXPECT_EQ(of_experiment(x + R"(, "sets": {})"), Faults{"/experiments/0/sets unknown-key"});
  EXPECT_EQ(of_experiment(R"("signals": {"y": {"time": [1], "value": [1]}})"),
            Faults{"/experiments/0/signals/y unknown-signal"});
  EXPECT_EQ(of_experiment(R"("signals": {"low": {"time": [1], "value": [1]}})"),
            Faults{"/experiments/0/signals/low unknown-signal"})
      << "a binary has no derivative";
  EXPECT_EQ(of_experiment(R"("signals": {"x": {"csv": "none.csv"}})"),
            Faults{"/experiments/0/signals/x/csv csv-unreadable"});
  EXPECT_EQ(of_experiment(R"("signals": {"x": {"time": [1], "value": [1], "weight": 1, "deviation": 1}})"),
            Faults{"/experiments/0/signals/x bad-data"});
  EXPECT_EQ(of_experiment(R"j("events": {"rise(lo)": {"time": [1]}})j"),
            Faults{"/experiments/0/events/rise(lo) unknown-event"});
  EXPECT_EQ(of_experiment(x + R"(, "inputs": {"v": {"csv": "v.csv"}})").front(),
            "/experiments/0/inputs/v/csv csv-unreadable");
}

TEST(FitPlan, FaultsOfAModelHaveItsFileOrItsPlaceInThePlan) {
  const TemporaryDirectory directory;
  directory.write("model.json", R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}],
      "equations": ["der(x) = y"]})");
  const std::string head = R"({"format": "mti-fit", "version": 1, )" + parameters + ", " + experiments + ", ";
  const auto fault_of = [&](const std::string& model) {
    try {
      static_cast<void>(read_fit_plan(head + "\"model\": " + model + "}", directory.path()));
    } catch (const InvalidModel& invalid) {
      return invalid.faults().front();
    }
    return Fault{};
  };
  const Fault of_file = fault_of("\"model.json\"");
  EXPECT_EQ(of_file.pointer, "/equations/0");
  EXPECT_EQ(of_file.file, (directory.path() / "model.json").string());
  EXPECT_EQ(fault_of("\"none.json\"").id, "model-unreadable");
  EXPECT_EQ(fault_of("3").id, "wrong-type");
  EXPECT_EQ(fault_of(R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}],
      "equations": ["der(x) = y"]})")
                .pointer,
            "/model/equations/0");
}

/// x = e^{−2t}, low from t = ln(2)/2 on.
TEST(FitPlan, WhatIsWrittenReadsBack) {
  const FitPlan plan = read_fit_plan(plan_with(parameters + R"j(, "experiments": [{"name": "one",
      "signals": {"x": {"time": [0.5, 1], "value": [0.36787944117144233, 0.1353352832366127]}},
      "events": {"rise(low)": {"time": [0.34657359027997264]}}}])j"));
  const Fit found = fit(plan.problem, plan.options);
  const Json json = Json::parse(fit_json("n", found, plan.options));
  EXPECT_EQ(json.at("format"), "mti-fit-results");
  EXPECT_EQ(json.at("end"), "converged");
  EXPECT_NEAR(json.at("parameters").at(0).at("value").get<double>(), 2.0, 1e-6);
  EXPECT_EQ(json.at("data"), 3);
  EXPECT_EQ(json.at("covariance").size(), 1U);
  EXPECT_EQ(json.at("series").size(), 2U);
  const std::string table = residuals_csv(found);
  EXPECT_TRUE(
      table.starts_with("experiment,quantity,time,measured,fitted,residual\none,x,0.5,0.36787944117144233,"))
      << table;
  EXPECT_NE(table.find("\none,rise(low)#1,0.34657359027997264,"), std::string::npos) << table;
  EXPECT_NE(fit_text(found, plan.options).find("converged: 3 observations"), std::string::npos);
}

}  // namespace fit_plan_test
}  // namespace mti::test
