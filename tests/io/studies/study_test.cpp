// Studies as a whole: the same bytes whatever the number of threads, interruptions and parts; what they say about
// samples, against closed forms and definitions.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "io/studies/study.hpp"
#include "io/study_journals/study_journal.hpp"
#include "tests/io/studies/study_plans.hpp"
#include "tests/places.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace study_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

using Study = MixedStudy;

TEST_F(Study, ResultsAreTheSameForAnyNumberOfThreads) {
  const std::string alone = undisturbed();
  EXPECT_NE(alone.find("dead_end"), std::string::npos);
  EXPECT_NE(alone.find("reached_stop"), std::string::npos);
  for (const int jobs : {2, 4, 7}) {
    run_study(plan, place("jobs"), {.jobs = jobs});
    EXPECT_EQ(study_results_in(place("jobs")), alone) << jobs;
  }
}

/// Stops a study once so many of its runs are done, then goes on; as often as it takes.
TEST_F(Study, StoppedAndResumedStudiesAreTheSame) {
  const std::string alone = undisturbed();
  StudyEnd end;
  int stops = -1;
  for (bool resume = false; !end.is_complete() || stops < 0; resume = true, ++stops) {
    ASSERT_LT(stops, 100);
    const long before = end.done;
    std::stop_source stop;
    std::jthread stopper([&] {
      while (!stop.stop_requested() &&
             (!fs::exists(place("s") / study_journal_name) ||
              JournalRows(place("s") / study_journal_name, plan).count() < before + 10))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      stop.request_stop();
    });
    end = run_study(plan, place("s"), {.jobs = 2, .resume = resume, .stop_token = stop.get_token()});
    stop.request_stop();
    EXPECT_GE(end.done, before);
    const Json summary = Json::parse(read_text(place("s") / study_summary_name));
    EXPECT_EQ(summary.at("complete"), end.is_complete());
    EXPECT_EQ(summary.at("done"), end.done);
  }
  EXPECT_EQ(study_results_in(place("s")), alone);
}

TEST_F(Study, TimeThatIsOverKeepsWhatIsDone) {
  const StudyEnd end = run_study(plan, place("t"), {.jobs = 1, .max_seconds = 1e-9});
  EXPECT_FALSE(end.is_complete() && end.done > plan.runs);
  EXPECT_EQ(run_study(plan, place("t"), {.jobs = 1, .resume = true}).done, plan.runs);
  EXPECT_EQ(study_results_in(place("t")), undisturbed());
}

TEST_F(Study, PartsPutTogetherAreTheStudy) {
  const std::string alone = undisturbed();
  std::vector<fs::path> parts;
  for (int k = 1; k <= 3; ++k) {
    parts.push_back(place("part" + std::to_string(k)));
    const StudyEnd end = run_study(plan, parts.back(), {.jobs = 2, .shard = StudyShard{k, 3}});
    EXPECT_EQ(end.runs, 20);
    EXPECT_TRUE(end.is_complete());
    EXPECT_EQ(Json::parse(read_text(parts.back() / study_summary_name)).at("shard"),
              std::to_string(k) + "/3");
  }
  std::ranges::reverse(parts);
  EXPECT_TRUE(merge_studies(plan, parts, place("merged")).is_complete());
  EXPECT_EQ(study_results_in(place("merged")), alone);
  // A part is missing: what is there is put together, and a resume makes the rest.
  parts.pop_back();
  EXPECT_EQ(merge_studies(plan, parts, place("two")).done, 40);
  run_study(plan, place("two"), {.resume = true});
  EXPECT_EQ(study_results_in(place("two")), alone);
  EXPECT_THROW(merge_studies(plan, {place("nowhere")}, place("m")), UnusableFile);
  EXPECT_THROW(merge_studies(plan, {place("merged")}, place("merged")), InvalidOption);
}

TEST_F(Study, OptionsThatAreNotUsableAreRefused) {
  for (const StudyOptions& options :
       {StudyOptions{.jobs = -1}, StudyOptions{.shard = StudyShard{0, 2}},
        StudyOptions{.shard = StudyShard{3, 2}}, StudyOptions{.max_seconds = 0.0}})
    EXPECT_EQ(refusal_of([&] { run_study(plan, place("o"), options); }), "bad-option");
  EXPECT_FALSE(fs::exists(place("o")));
}

// n counts the laws of reach(b), at which y = 0.5 is passed by what a law of a has done and never else, and z follows n there.
TEST_F(Study, CountsWhatArrivesByWhatHasHappenedAtTheInstant) {
  const StudyPlan cascade =
      read_study_plan(R"j({"format": "mti-study", "version": 1, "model": {"format": "mti-model",
      "version": 1, "parameters": {"rise": 1}, "states": [{"name": "x"}, {"name": "y"}, {"name": "n"}],
      "binaries": [{"name": "z"}], "equations": ["der(x) = 1", "der(y) = 0", "der(n) = 0"],
      "constraints": [{"name": "a", "text": "x <= 1"}, {"name": "b", "text": "y <= 0.5"},
                      {"name": "c", "text": "(n - 1.5)*(1 - z) <= 0"}],
      "transitions": [{"when": "reach(a)", "equations": ["x = 0", "y = pre(y) + rise"]},
                      {"when": "reach(b)", "equations": ["y = 0", "n = pre(n) + 1"]}],
      "experiment": {"stop": 3.5}}, "design": "list", "vary": {"rise": {"values": [0, 0.3, 1]}},
      "keep": {"final": ["n", "z"], "event_counts": ["reach(a)", "reach(b)", "reach(c)", "rise(z)"]}})j");
  run_study(cascade, place("c"));
  const auto table = study_table(place("c"));
  EXPECT_EQ(numbers_of(table.at("final(n)")), (std::vector<double>{0, 1, 3}));
  EXPECT_EQ(numbers_of(table.at("count(reach(a))")), (std::vector<double>{3, 3, 3}));
  EXPECT_EQ(numbers_of(table.at("count(reach(b))")), numbers_of(table.at("final(n)")));
  EXPECT_EQ(numbers_of(table.at("count(reach(c))")), numbers_of(table.at("final(z)")));
  EXPECT_EQ(numbers_of(table.at("count(rise(z))")), numbers_of(table.at("final(z)")));
}

/// What study.json says of the only quantity of ẋ = b/2 + u/2, x(0) = 0, which is x(2) = b + u; x reaches the wall at `wall`.
Json summary_of_sum(const fs::path& directory, const std::string& design, const std::string& wall,
                    const std::optional<StudyShard>& shard) {
  const StudyPlan plan = read_study_plan(
      R"({"format": "mti-study", "version": 1, "model": {"format": "mti-model", "version": 1, "parameters": {"b": 0},
          "states": [{"name": "x"}], "inputs": [{"name": "u", "value": 0}], "equations": ["der(x) = b/2 + u/2"],
          "constraints": [{"name": "wall", "text": "x <= )" +
      wall + R"("}], "experiment": {"stop": 2}}, "keep": {"final": ["x"]}, )" + design + "}");
  run_study(plan, directory, {.jobs = 2, .shard = shard});
  return Json::parse(read_text(directory / study_summary_name)).at("quantities").at(0);
}

// Of b = 0 … 3 and u = 0 … 3 each explains half. In shard 1/4 u is 0 in all runs; where b + u > 5 runs into a wall, large b
// come with small u. Every second point of Sobol's sequence has b in one half.
TEST_F(Study, InfluenceIsThatOfWholeDesigns) {
  const std::string grid =
      R"("design": "grid", "vary": {"b": {"values": [0, 1, 2, 3]}, "u": {"values": [0, 1, 2, 3]}})";
  const std::string uniform =
      R"("vary": {"b": {"uniform": [0, 1]}, "u": {"uniform": [0, 1]}}, "runs": 256, "design": )";
  const auto note_in = [](const Json& quantity) { return quantity.value("first_order_note", std::string()); };
  const Json whole = summary_of_sum(place("a"), grid, "9", {});
  EXPECT_NEAR(whole.at("first_order").at("b").get<double>(), 0.5, 1e-12);
  EXPECT_NEAR(whole.at("first_order").at("u").get<double>(), 0.5, 1e-12);
  EXPECT_EQ(note_in(whole), "");
  const Json shard = summary_of_sum(place("b"), grid, "9", StudyShard{1, 4});
  EXPECT_FALSE(shard.contains("first_order"));
  EXPECT_EQ(note_in(shard),
            "left out: 4 of 16 runs have it, and factors are independent in whole grids only");
  const Json corner = summary_of_sum(place("c"), grid, "5.5", {});
  EXPECT_EQ(corner.at("count"), 15);
  EXPECT_FALSE(corner.contains("first_order"));
  EXPECT_EQ(note_in(corner),
            "left out: 15 of 16 runs have it, and factors are independent in whole grids only");
  for (const std::string design : {R"("sobol")", R"("latin_hypercube")"}) {
    const Json half = summary_of_sum(place(design.substr(1, 5)), uniform + design, "9", StudyShard{1, 2});
    EXPECT_FALSE(half.contains("first_order")) << design;
    EXPECT_EQ(note_in(half), "left out: 128 of 256 runs are there, and their points are spread together");
  }
  const Json draws = summary_of_sum(place("e"), uniform + R"("random")", "9", StudyShard{1, 2});
  EXPECT_NEAR(draws.at("first_order").at("b").get<double>(), 0.5, 4 * std::sqrt(0.25 / 128));
  EXPECT_EQ(note_in(draws), "");
  const Json some = summary_of_sum(place("f"), uniform + R"("sobol")", "1.7", {});
  EXPECT_TRUE(some.contains("first_order"));
  EXPECT_EQ(note_in(some), "of " + std::to_string(some.at("count").get<long>()) +
                               " of 256 runs: factors may not be independent where the others have no value");
  EXPECT_NE(read_text(place("f") / study_page_name).find("may not be independent"), std::string::npos);
}

// x(2) = b + c u after ẋ = b/2 + (c/2) u: linear in b and u, of variances 1/12 and 9/4; main effects in closed form,
// moments and quantiles by their definitions from the rows.
TEST_F(Study, SummaryIsThatOfItsRows) {
  const StudyPlan linear =
      read_study_plan(R"({"format": "mti-study", "version": 1, "model": {"format": "mti-model",
      "version": 1, "parameters": {"b": 0}, "states": [{"name": "x", "start": 0}],
      "inputs": [{"name": "u", "value": 0}], "equations": ["der(x) = b/2 + u/4"], "experiment": {"stop": 2}},
      "design": "sobol", "runs": 1024, "vary": {"b": {"uniform": [0, 1]}, "u": {"normal": {"mean": 1, "deviation": 0.5}}},
      "keep": {"final": ["x"]}, "quantiles": [0, 0.1, 0.5, 1]})");
  run_study(linear, place("l"));
  const auto table = study_table(place("l"));
  const std::vector<double> b = numbers_of(table.at("b")), u = numbers_of(table.at("u"));
  std::vector<double> x = numbers_of(table.at("final(x)"));
  ASSERT_EQ(x.size(), 1024U);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], b[i] + u[i] / 2, 10 * 1e-6 * 2);
  const Json quantity = Json::parse(read_text(place("l") / study_summary_name)).at("quantities").at(0);
  // Variances 1/12 of b and 1/16 of u/2; the integration error of Sobol's points is below 1/√n by far.
  const double share = (1.0 / 12) / (1.0 / 12 + 1.0 / 16);
  EXPECT_NEAR(quantity.at("first_order").at("b").get<double>(), share, 1 / std::sqrt(1024.0));
  EXPECT_NEAR(quantity.at("first_order").at("u").get<double>(), 1 - share, 1 / std::sqrt(1024.0));
  EXPECT_NEAR(quantity.at("mean").get<double>(), 1.0, 4 / 1024.0);
  EXPECT_NEAR(quantity.at("deviation").get<double>(), std::sqrt(1.0 / 12 + 1.0 / 16), 4 / 1024.0 + 1e-3);
  std::ranges::sort(x);
  const std::vector<double> expected = {x.front(), x[102] + 0.3 * (x[103] - x[102]), (x[511] + x[512]) / 2,
                                        x.back()};
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(quantity.at("quantiles")[k][1].get<double>(), expected[k], 1e-12);
}

// An input from files: ẋ = u − x/2 with u ≡ 1 and u ≡ 3 held, x(2) = 2u + (1 − 2u) e^−1.
TEST_F(Study, TablesOfInputsVary) {
  folder.write("one.csv", "t,u\n0,1\n2,1\n");
  folder.write("three.csv", "t,u\n0,3\n2,3\n");
  const StudyPlan tables = read_study_plan(
      decay_plan(R"("design": "grid", "vary": {"u": {"csv": ["one.csv", "three.csv"], "column": "u"},
                     "x": {"values": [1, 2]}}, "keep": {"final": ["x"]})"),
      folder.path());
  run_study(tables, place("c"));
  const auto table = study_table(place("c"));
  EXPECT_EQ(table.at("u"), (std::vector<std::string>{"one.csv", "one.csv", "three.csv", "three.csv"}));
  for (std::size_t i = 0; i < 4; ++i) {
    const double u = i < 2 ? 1 : 3, start = std::stod(table.at("x")[i]);
    EXPECT_NEAR(std::stod(table.at("final(x)")[i]), 2 * u + (start - 2 * u) * std::exp(-1.0),
                10 * 1e-9 * 2 * 6);
  }
}

// The input of a component, which is its own in each use: 2u + (1 − 2u) e^−1 in the first, its constant 5 in the second.
TEST_F(Study, TablesOfInputsOfComponentsVary) {
  folder.write("one.csv", "t,u\n0,1\n2,1\n");
  folder.write("three.csv", "t,u\n0,3\n2,3\n");
  folder.write("lag.json", R"({"format": "mti-model", "version": 1, "inputs": [{"name": "u", "value": 5}],
      "states": [{"name": "x", "start": 1}], "equations": ["der(x) = u - x/2"]})");
  folder.write("lags.json", R"({"format": "mti-model", "version": 1, "parameters": {"first": 1},
      "components": [{"name": "a", "model": "lag.json", "start": {"x": "first"}}, {"name": "b", "model": "lag.json"}],
      "experiment": {"stop": 2, "rtol": 1e-9, "atol": 1e-9}})");
  const StudyPlan lags = read_study_plan(
      R"({"format": "mti-study", "version": 1, "model": "lags.json", "design": "grid",
          "vary": {"a.u": {"csv": ["one.csv", "three.csv"], "column": "u"}, "first": {"values": [1, 2]}},
          "keep": {"final": ["a.x", "b.x"]}})",
      folder.path());
  run_study(lags, place("l"), {.jobs = 2});
  const auto table = study_table(place("l"));
  for (std::size_t i = 0; i < 4; ++i) {
    const double u = i < 2 ? 1 : 3, start = i % 2 == 0 ? 1 : 2;
    EXPECT_NEAR(std::stod(table.at("final(a.x)")[i]), 2 * u + (start - 2 * u) * std::exp(-1.0), 1e-7);
    EXPECT_NEAR(std::stod(table.at("final(b.x)")[i]), 10 - 9 * std::exp(-1.0), 1e-7);
  }
}

// A model of components: its own parameters, those of a component by flat names, and how many components there are.
TEST_F(Study, ModelsOfComponentsVary) {
  folder.write("tank.json", R"({"format": "mti-model", "version": 1, "parameters": {"k": 1},
      "states": [{"name": "h", "start": 1}], "equations": ["der(h) = -k*h"]})");
  folder.write("tanks.json", R"({"format": "mti-model", "version": 1, "parameters": {"n": 2, "rate": 1},
      "components": [{"name": "tank[i]", "for": {"i": [1, "n"]}, "model": "tank.json", "parameters": {"k": "i*rate"}}],
      "experiment": {"stop": 1, "rtol": 1e-9, "atol": 1e-9}})");
  const StudyPlan tanks = read_study_plan(
      R"({"format": "mti-study", "version": 1, "model": "tanks.json", "set": {"tank1.h": 3}, "design": "list",
          "vary": {"n": {"values": [2, 3, 1]}, "rate": {"values": [1, 0.5, 2]}}, "keep": {"final": ["*"]}})",
      folder.path());
  run_study(tanks, place("n"));
  const auto table = study_table(place("n"));
  const double tolerance = 10 * 1e-9 * 3;
  for (std::size_t run = 0; run < 3; ++run) {
    const double rate = std::stod(table.at("rate")[run]);
    EXPECT_NEAR(std::stod(table.at("final(tank1.h)")[run]), 3 * std::exp(-rate), tolerance);
    if (run < 2) {
      EXPECT_NEAR(std::stod(table.at("final(tank2.h)")[run]), std::exp(-2 * rate), tolerance);
    }
  }
  EXPECT_EQ(table.at("final(tank2.h)")[2], "") << "there is no second tank";
}

/// x(2) = x₀ e^(−2a) with independent x₀ and a: V = E[x₀²] E[e^(−4a)] − (E[x₀] E[e^(−2a)])².
TEST(StudyEffects, OfBlocksAreFirstOrderAndTotal) {
  const std::string vary =
      R"("vary": {"x": {"uniform": [0.5, 1.5]}, "a": {"uniform": [0.2, 1]}}, "keep": {"final": ["x"]})";
  const TemporaryDirectory folder;
  const StudyPlan plan =
      read_study_plan(decay_plan(R"("design": "saltelli", "runs": 8192, "seed": 3, )" + vary));
  ASSERT_TRUE(run_study(plan, folder.path() / "s", {.jobs = 2}).is_complete());
  const Json quantity = Json::parse(read_text(folder.path() / "s" / study_summary_name))["quantities"][0];
  const double square = 13.0 / 12, e = (std::exp(-0.4) - std::exp(-2.0)) / 1.6,
               e2 = (std::exp(-0.8) - std::exp(-4.0)) / 3.2;
  const double V = square * e2 - e * e, of_x = e * e / 12, of_a = e2 - e * e, both = V - of_x - of_a;
  const double near = 5e-3;
  EXPECT_NEAR(quantity["first_order"]["x"].get<double>(), of_x / V, near);
  EXPECT_NEAR(quantity["first_order"]["a"].get<double>(), of_a / V, near);
  EXPECT_NEAR(quantity["total"]["x"].get<double>(), (of_x + both) / V, near);
  EXPECT_NEAR(quantity["total"]["a"].get<double>(), (of_a + both) / V, near);
  EXPECT_NE(read_text(folder.path() / "s" / study_page_name).find("together with others"), std::string::npos);
  // A block's runs differ in one factor from its first: the table shows it.
  const auto table = study_table(folder.path() / "s");
  for (std::size_t first = 0; first < 40; first += 4) {
    EXPECT_NE(table.at("x")[first], table.at("x")[first + 1]);
    EXPECT_EQ(table.at("a")[first], table.at("a")[first + 1]);
    EXPECT_EQ(table.at("x")[first], table.at("x")[first + 2]);
    EXPECT_EQ(table.at("x")[first + 1], table.at("x")[first + 3]);
    EXPECT_EQ(table.at("a")[first + 2], table.at("a")[first + 3]);
  }
  // A part of the runs is no block.
  ASSERT_TRUE(run_study(plan, folder.path() / "part", {.jobs = 2, .shard = StudyShard{1, 3}}).is_complete());
  EXPECT_FALSE(
      Json::parse(read_text(folder.path() / "part" / study_summary_name))["quantities"][0].contains("total"));
  const std::vector<Fault> faults =
      faults_of_plan(decay_plan(R"("design": "saltelli", "runs": 10, )" + vary));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].pointer, "/runs");
  EXPECT_NE(faults[0].message.find("12 is one"), std::string::npos) << faults[0].message;
}

}  // namespace study_test
}  // namespace mti::test
