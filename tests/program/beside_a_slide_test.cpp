// Every model file of the repository beside a relay that has nothing to do with it and slides all the time, or a constraint on
// positions of its own: each part moves as it does alone.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "io/model/read_model.hpp"
#include "tests/places.hpp"
#include "tests/program/model_documents.hpp"
#include "tests/program/run_comparison.hpp"
#include "tests/program/simulation_run.hpp"

namespace mti::test {
namespace beside_a_slide_test {

namespace fs = std::filesystem;
using nlohmann::json;

/// Impacts that accumulate become noise before they end, and how many there are is part of it.
const std::set<std::string> decided_by_noise = {"bouncing_ball_contact", "example_bouncing_ball"};

bool accumulates(fs::path model) {
  if (decided_by_noise.contains(test_name(model))) return true;
  const fs::path expectation = model.replace_extension(".expect.json");
  return fs::exists(expectation) && read_json(expectation).contains("zeno");
}

void add(json& document, const char* list, json entry) {
  if (document.contains(list) && document[list].is_object())
    document[list]["aside" + std::to_string(document[list].size())] = std::move(entry);
  else
    document[list].push_back(std::move(entry));
}

json with_relay(json document) {
  add(document, "states", {{"name", "aside_w"}});
  add(document, "binaries", {{"name", "aside_f"}});
  add(document, "equations", "der(aside_w) = 1 - 3*aside_f");
  add(document, "constraints", "(1 - 2*aside_f)*aside_w <= 0");
  return document;
}

json with_constrained_part(json document) {
  for (const char* state : {"aside_a", "aside_b"}) add(document, "states", {{"name", state}, {"start", 1.0}});
  add(document, "algebraic", {{"name", "aside_F"}});
  for (const char* equation :
       {"der(aside_a) = aside_F - aside_a", "der(aside_b) = -aside_F - 2*aside_b", "aside_a = aside_b"})
    add(document, "equations", equation);
  return document;
}

/// Without what belongs to the added part.
Course without_aside(Course course) {
  const auto is_aside = [](const auto& entry) { return entry.first.starts_with("aside_"); };
  std::erase_if(course.states, is_aside);
  for (Course::Step& step : course.steps) {
    std::erase_if(step.changed, is_aside);
    for (Course::Changes& tie : step.ties) std::erase_if(tie, is_aside);
  }
  std::erase_if(course.steps,
                [](const Course::Step& step) { return step.kind == "initial" && step.changed.empty(); });
  return course;
}

class BesideASlide : public testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    if (accumulates(GetParam())) GTEST_SKIP() << "what accumulates becomes noise";
    document = read_json(GetParam());
    model = read_model(GetParam());
    if (model.is_discrete() || !document.contains("equations"))
      GTEST_SKIP() << "nothing slides in discrete time, and matrices are not added to";
    reference = without_aside(course_of(run(model), model));
    const Course finer = without_aside(course_of(run(model, 100.0), model));
    spread = spread_between(reference, finer, model.experiment.rtol, model.experiment.start);
    ASSERT_EQ(difference(reference, finer, spread).text, "") << "the run itself is not accurate enough";
  }

  void expect_same(const json& joined) {
    const Model both = read_model_text(joined.dump(), GetParam().parent_path());
    EXPECT_EQ(difference(reference, without_aside(course_of(run(both), both)), spread).text, "");
  }

  json document;
  Model model;
  Course reference;
  Spread spread;
};

TEST_P(BesideASlide, MovesAsAlone) { expect_same(with_relay(document)); }
TEST_P(BesideASlide, MovesAsAloneBesideAConstraintOnPositions) {
  expect_same(with_constrained_part(document));
}

INSTANTIATE_TEST_SUITE_P(Files, BesideASlide,
                         testing::ValuesIn(model_documents({"tests/cases", "tests/models", "examples"})),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace beside_a_slide_test
}  // namespace mti::test
