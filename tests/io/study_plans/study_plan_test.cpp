// Plans of studies: every design has the runs it should have, and what is wrong is told with its place.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/study_plans/study_plan.hpp"
#include "io/study_plans/study_points.hpp"
#include "tests/io/studies/study_plans.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace study_plan_test {

using Rows = std::vector<std::vector<double>>;

Rows points_of(const std::string& text, const std::filesystem::path& directory = {}) {
  const StudyPlan plan = read_study_plan(text, directory);
  const StudyPoints points(plan);
  Rows rows;
  for (long run = 0; run < plan.runs; ++run) {
    rows.emplace_back();
    for (std::size_t j = 0; j < plan.factors.size(); ++j) rows.back().push_back(points.value(run, j));
  }
  return rows;
}

TEST(StudyPlan, AGridHasAllCombinationsTheLastFactorFastest) {
  EXPECT_EQ(
      points_of(decay_plan(
          R"("design": "grid", "vary": {"a": {"values": [1, 2]}, "x": {"from": 0, "to": 1, "count": 3}})")),
      (Rows{{1, 0}, {1, 0.5}, {1, 1}, {2, 0}, {2, 0.5}, {2, 1}}));
}

TEST(StudyPlan, AListGoesThroughItsLevelsTogether) {
  EXPECT_EQ(points_of(decay_plan(
                R"("design": "list", "vary": {"a": {"values": [1, 2]}, "u": {"values": [3, 4]}})")),
            (Rows{{1, 3}, {2, 4}}));
}

TEST(StudyPlan, ACsvPlanHasARunForEachLine) {
  const TemporaryDirectory directory;
  directory.write("plan.csv", "\xEF\xBB\xBF\"a\";x\r\n1;+2.5\r\n\r\n3;-4e-1\r\n");
  EXPECT_EQ(points_of(decay_plan(R"("design": "csv", "plan": "plan.csv")"), directory.path()),
            (Rows{{1, 2.5}, {3, -0.4}}));
}

TEST(StudyPlan, LevelsOfASampledDesignAreEquallyFrequent) {
  const Rows rows = points_of(decay_plan(
      R"("design": "latin_hypercube", "runs": 12, "vary": {"a": {"values": [1, 2, 3]}, "x": {"uniform": [0, 1]}})"));
  std::multiset<double> levels;
  for (const auto& row : rows) levels.insert(row[0]);
  for (const double level : {1.0, 2.0, 3.0}) EXPECT_EQ(levels.count(level), 4U);
}

TEST(StudyPlan, FingerprintIsThatOfPlanModelAndTables) {
  const TemporaryDirectory directory;
  const auto print_of = [&](const std::string& members) {
    return read_study_plan(decay_plan(members), directory.path()).fingerprint;
  };
  const std::string csv = R"("design": "csv", "plan": "plan.csv")";
  directory.write("plan.csv", "a\n1\n");
  const std::string before = print_of(csv);
  EXPECT_EQ(print_of(csv), before);
  directory.write("plan.csv", "a\n2\n");
  EXPECT_NE(print_of(csv), before);
  const std::string model = R"({"format": "mti-model", "version": 1, "parameters": {"a": 1},
      "states": [{"name": "x", "start": 1}], "equations": ["der(x) = )";
  const std::string plan = R"({"format": "mti-study", "version": 1, "model": "m.json", "design": "list",
      "vary": {"a": {"values": [1]}}})";
  directory.write("m.json", model + "-a*x\"]}");
  const std::string of_file = read_study_plan(plan, directory.path()).fingerprint;
  directory.write("m.json", model + "-2*a*x\"]}");
  EXPECT_NE(read_study_plan(plan, directory.path()).fingerprint, of_file);
}

// (members, id, pointer) of what is wrong; a plan with nothing wrong stands before them.
TEST(StudyPlan, FaultsAreToldWithTheirPlaces) {
  const TemporaryDirectory directory;
  directory.write("bad.csv", "a,x\n1\n2,one\n");
  directory.write("empty.csv", "a\n");
  directory.write("good.csv", "a\n1\n");
  directory.write("unknown.csv", "b\n1\n");
  directory.write("twice.csv", "a,a\n1,2\n");
  const std::string list = R"("design": "list", "vary": {"a": {"values": [1, 2]}})";
  EXPECT_EQ(faults_of_plan(decay_plan(list)), std::vector<Fault>());
  const std::string vary = R"("design": "random", "runs": 3, "vary": {"a": )";
  struct Case {
    std::string members, id, pointer;
  };
  const std::vector<Case> cases = {
      {R"("vary": {"a": {"values": [1]}})", "missing-key", ""},
      {R"("design": "list")", "missing-key", ""},
      {R"("design": "sobol", "vary": {"a": {"values": [1]}})", "missing-key", ""},
      {R"("design": "lists", "vary": {"a": {"values": [1]}})", "bad-design", "/design"},
      {R"("design": "sobol", "runs": 0, "vary": {"a": {"values": [1]}})", "bad-design", "/runs"},
      {R"("design": "grid", "vary": {})", "bad-design", "/vary"},
      {R"("design": "grid", "vary": {"a": {"uniform": [0, 1]}})", "bad-design", "/vary/a"},
      {R"("design": "list", "vary": {"a": {"values": [1, 2]}, "x": {"values": [1]}})", "bad-design",
       "/vary/x"},
      {R"("design": "grid", "vary": {"a": {"from": 0, "to": 1, "count": 100000}, "x": {"from": 0, "to": 1, "count": 100000}})",
       "bad-design", "/vary/x"},
      {R"("design": "grid", "set": {"a": 3}, "vary": {"a": {"values": [1, 2]}})", "bad-factor", "/set/a"},
      {R"("design": "csv", "plan": "bad.csv")", "csv-row", "/plan"},
      {R"("design": "csv", "plan": "bad.csv")", "csv-number", "/plan"},
      {R"("design": "csv", "plan": "empty.csv")", "csv-empty", "/plan"},
      {R"("design": "csv", "plan": "none.csv")", "csv-unreadable", "/plan"},
      {R"("design": "csv", "plan": "unknown.csv")", "unknown-override", "/plan"},
      {R"("design": "csv", "plan": "twice.csv")", "bad-factor", "/plan"},
      {R"("design": "csv", "plan": "good.csv", "set": {"a": 3})", "bad-factor", "/set/a"},
      {R"("design": "list", "vary": {"events": {"values": [1]}})", "bad-factor", "/vary/events"},
      {list + R"(, "runs": 3)", "key-without-use", "/runs"},
      {list + R"(, "seed": 3)", "key-without-use", "/seed"},
      {list + R"(, "plan": "bad.csv")", "key-without-use", "/plan"},
      {list + R"(, "keeps": {})", "unknown-key", "/keeps"},
      {list + R"(, "set": {"b": 1})", "unknown-override", "/set/b"},
      {list + R"(, "quantiles": [0.5, 1.5])", "bad-option", "/quantiles/1"},
      {list + R"(, "simulation": {"rtol": -1})", "bad-option", "/simulation/rtol"},
      {list + R"(, "simulation": {"integrator": "euler"})", "bad-option", "/simulation/integrator"},
      {list + R"(, "simulation": {"stopp": 1})", "unknown-key", "/simulation/stopp"},
      {list + R"(, "keep": {"final": ["y"]})", "unknown-signal", "/keep/final/0"},
      {list + R"(, "keep": {"at": {"times": [3], "signals": ["x"]}})", "bad-option", "/keep/at/times"},
      {list + R"(, "keep": {"at": {"times": [1]}})", "missing-key", "/keep/at"},
      {list + R"j(, "keep": {"event_counts": ["reach(top)"]})j", "unknown-event", "/keep/event_counts/0"},
      {list + R"(, "keep": {"event_counts": ["x"]})", "unknown-event", "/keep/event_counts/0"},
      {list + R"j(, "keep": {"event_times": {"rise(z)": 1}})j", "unknown-event", "/keep/event_times/rise(z)"},
      {vary + R"({}})", "bad-factor", "/vary/a"},
      {vary + R"({"from": 0, "to": 1, "count": 1000000000}})", "bad-factor", "/vary/a/count"},
      {vary + R"({"values": []}})", "bad-factor", "/vary/a/values"},
      {vary + R"({"values": [1], "uniform": [0, 1]}})", "bad-factor", "/vary/a"},
      {vary + R"({"uniform": [1, 1]}})", "bad-factor", "/vary/a/uniform"},
      {vary + R"({"from": 0, "to": 1, "count": 1}})", "bad-factor", "/vary/a/count"},
      {vary + R"({"from": 0, "to": 1}})", "missing-key", "/vary/a"},
      {vary + R"({"normal": {"mean": 0, "deviation": 0}}})", "bad-factor", "/vary/a/normal"},
      {vary + R"({"normal": {"mean": 0, "sigma": 1}}})", "missing-key", "/vary/a/normal"},
      {vary + R"({"triangular": {"low": 0, "mode": 3, "high": 2}}})", "bad-factor", "/vary/a/triangular"},
      {vary + R"({"values": ["1"]}})", "wrong-type", "/vary/a/values/0"},
      {vary + R"(1})", "wrong-type", "/vary/a"},
      {R"("design": "random", "runs": 3, "vary": {"b": {"values": [1]}})", "unknown-override", "/vary/b"},
      {R"("design": "random", "runs": 3, "vary": {"a": {"csv": ["bad.csv"], "column": "x"}})", "csv-row",
       "/vary/a/csv/0"},
  };
  for (const Case& wrong : cases) {
    SCOPED_TRACE(wrong.members);
    bool found = false;
    std::string all;
    for (const Fault& fault : faults_of_plan(decay_plan(wrong.members), directory.path())) {
      found = found || (fault.id == wrong.id && fault.pointer == wrong.pointer);
      all += fault.id + " at " + fault.pointer + "\n";
    }
    EXPECT_TRUE(found) << "expected " << wrong.id << " at " << wrong.pointer << ", found\n" << all;
  }
}

TEST(StudyPlan, FaultsOfTheModelHaveItsPlace) {
  const TemporaryDirectory directory;
  const std::string broken = R"({"format": "mti-model", "version": 1, "states": [{"name": "x", "start": 1}],
      "equations": ["der(x) = y"]})";
  directory.write("broken.json", broken);
  const std::string rest = R"(, "design": "list", "vary": {"x": {"values": [1]}}})";
  const std::string begin = R"({"format": "mti-study", "version": 1, "model": )";
  const auto of_file = faults_of_plan(begin + "\"broken.json\"" + rest, directory.path());
  ASSERT_EQ(of_file.size(), 1U);
  EXPECT_EQ(of_file[0].id, "unknown-name");
  EXPECT_EQ(of_file[0].pointer, "/equations/0");
  EXPECT_EQ(of_file[0].file, (directory.path() / "broken.json").string());
  const auto within = faults_of_plan(begin + broken + rest);
  ASSERT_EQ(within.size(), 1U);
  EXPECT_EQ(within[0].pointer, "/model/equations/0");
  EXPECT_EQ(within[0].file, "");
  EXPECT_EQ(faults_of_plan(begin + "\"none.json\"" + rest, directory.path()).at(0).id, "model-unreadable");
  EXPECT_EQ(faults_of_plan(R"({"format": "mti-model", "version": 1})").at(0).id, "unknown-format");
  EXPECT_EQ(faults_of_plan(R"({"format": "mti-study", "version": 2})").at(0).id, "unknown-version");
  EXPECT_EQ(faults_of_plan("{\"format\":").at(0).id, "json-syntax");
  EXPECT_EQ(faults_of_plan("[]").at(0).id, "wrong-type");
}

}  // namespace study_plan_test
}  // namespace mti::test
