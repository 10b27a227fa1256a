#include "tests/program/restart.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "tests/places.hpp"

namespace mti::test {
namespace {

std::vector<std::string> keys_of(const nlohmann::json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, unused] : object.items()) keys.push_back(key);
  return keys;
}

const SimulationRun::Row& row_of(const SimulationRun& run, double time, int side) {
  const auto found = std::find_if(run.rows.begin(), run.rows.end(),
                                  [&](const auto& row) { return row.time == time && row.side == side; });
  if (found == run.rows.end())
    throw std::runtime_error("no row of side " + std::to_string(side) + " at t = " + std::to_string(time));
  return *found;
}

nlohmann::json& named(nlohmann::json& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const nlohmann::json& entry) {
    return entry.is_object() && entry.value("name", "") == name;
  });
  if (found == list.end()) throw std::runtime_error("the model has no " + name);
  return *found;
}

}  // namespace

Instant::Instant(const SimulationRun& run, const nlohmann::json& event)
    : run_(&run),
      event_(event),
      before_(row_of(run, event.at("time").get<double>(), -1)),
      after_(row_of(run, event.at("time").get<double>(), 1)) {}

double Instant::before(const std::string& name) const {
  const nlohmann::json& jumps = event_.at("jumps");
  return jumps.contains(name) ? jumps.at(name).at(0).get<double>() : run_->value(before_, name);
}

double Instant::after(const std::string& name) const {
  const nlohmann::json& jumps = event_.at("jumps");
  return jumps.contains(name) ? jumps.at(name).at(1).get<double>() : run_->value(after_, name);
}

std::vector<std::string> Instant::jumped() const { return keys_of(event_.at("jumps")); }

std::vector<std::string> Instant::impulsive() const { return keys_of(event_.at("impulses")); }

double Instant::weight(const std::string& name) const {
  const nlohmann::json& impulses = event_.at("impulses");
  return impulses.contains(name) ? impulses.at(name).at("weight").get<double>() : 0.0;
}

double Instant::order(const std::string& name) const {
  const nlohmann::json& impulses = event_.at("impulses");
  return impulses.contains(name) ? impulses.at(name).at("order").get<double>() : 0.0;
}

int Instant::changed_to(const std::string& name) const {
  return event_.at("changed").at(name).at(1).get<int>();
}

std::vector<Instant> instants(const SimulationRun& run) {
  std::vector<Instant> result;
  for (const nlohmann::json& event : run.events) result.emplace_back(run, event);
  return result;
}

nlohmann::json reference_of(const std::string& name) {
  return read_json(source_dir() / "tests/cases/reference" / (name + ".json"));
}

nlohmann::json case_model(const std::string& name) {
  return read_json(source_dir() / "tests/cases" / (name + ".json"));
}

SimulationRun completed(const nlohmann::json& model, double rtol) {
  SimulationRun run = simulate(model, rtol, rtol);
  if (run.status != 0)
    throw std::runtime_error("the run ended with " + std::to_string(run.status) + ": " + run.errors);
  EXPECT_EQ(run.errors, "");
  EXPECT_EQ(run.summary.at("outcome"), "reached_stop");
  EXPECT_EQ(run.summary.at("end_time"), model.at("experiment").at("stop"));
  return run;
}

void expect_refused(const SimulationRun& run, const std::string& outcome,
                    const std::vector<std::string>& names) {
  EXPECT_EQ(run.status, 3) << run.errors;
  ASSERT_TRUE(run.summary.contains("outcome")) << run.errors;
  EXPECT_EQ(run.summary.at("outcome"), outcome) << run.errors;
  const std::string message = run.summary.at("message");
  for (const std::string& name : names) EXPECT_NE(message.find(name), std::string::npos) << message;
}

void set_start(nlohmann::json& model, const std::string& signal, double value) {
  for (const char* section : {"states", "algebraic", "binaries"})
    if (model.contains(section))
      for (nlohmann::json& entry : model.at(section))
        if (entry.at("name") == signal) {
          entry["start"] = value;
          return;
        }
  throw std::runtime_error("the model has no " + signal);
}

void set_equation(nlohmann::json& model, const std::string& name, const std::string& text) {
  named(model.at("equations"), name)["text"] = text;
}

void set_table(nlohmann::json& model, const std::string& input, const std::vector<double>& time,
               const std::vector<double>& value) {
  nlohmann::json& entry = named(model.at("inputs"), input);
  entry.erase("value");
  entry["table"] = {{"time", time}, {"value", value}};
}

}  // namespace mti::test
