#include "tests/program/published_case.hpp"

#include <ostream>

namespace mti::test {

void PrintTo(const Case& a_case, std::ostream* stream) { *stream << a_case.name; }

double nominal(const nlohmann::json& model, const std::string& name) {
  for (const char* section : {"states", "algebraic"})
    for (const nlohmann::json& signal : model.value(section, nlohmann::json::array()))
      if (signal.at("name") == name) return signal.value("nominal", 1.0);
  return 1.0;
}

namespace {

std::set<std::string> binaries_of(const nlohmann::json& reference) {
  std::set<std::string> names;
  for (const nlohmann::json& entry : reference.at("switches"))
    for (const auto& [name, value] : entry.at("changed").items()) names.insert(name);
  return names;
}

}  // namespace

void expect_switches(const SimulationRun& run, const nlohmann::json& reference, double tolerance) {
  const std::vector<Switch> found = switches(run, binaries_of(reference));
  const nlohmann::json& expected = reference.at("switches");
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].time, expected[i].at("time").get<double>(), tolerance) << "switch " << i;
    EXPECT_EQ(nlohmann::json(found[i].changed), expected[i].at("changed")) << "switch " << i;
  }
}

void expect_samples(const SimulationRun& run, const nlohmann::json& model, const nlohmann::json& reference,
                    double tolerance) {
  for (const nlohmann::json& sample : reference.at("samples")) {
    const auto& row = run.at(sample.at("time").get<double>());
    for (const auto& [name, value] : sample.at("values").items())
      EXPECT_NEAR(run.value(row, name), value.get<double>(), tolerance * nominal(model, name))
          << name << " at t = " << row.time;
  }
}

void expect_events(const SimulationRun& run, const nlohmann::json& reference, double tolerance) {
  std::vector<nlohmann::json> found;
  for (const nlohmann::json& event : run.events)
    if (event.at("time") > run.rows.at(0).time) found.push_back(event);
  const nlohmann::json& expected = reference.at("events");
  ASSERT_EQ(found.size(), expected.size()) << nlohmann::json(found).dump(1);
  for (std::size_t i = 0; i < found.size(); ++i) {
    SCOPED_TRACE("event " + std::to_string(i));
    EXPECT_NEAR(found[i].at("time").get<double>(), expected[i].at("time").get<double>(), tolerance);
    EXPECT_EQ(found[i].at("kind"), expected[i].at("kind"));
    if (!expected[i].contains("changed")) continue;
    for (const auto& [name, value] : expected[i].at("changed").items())
      EXPECT_EQ(found[i].at("changed").at(name).at(1), value) << name;
  }
}

}  // namespace mti::test
