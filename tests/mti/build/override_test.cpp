#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "mti/build/build.hpp"
#include "tests/mti/model/model_texts.hpp"

namespace mti {
namespace override_test {

std::vector<std::string> ids_of(Source source, const std::vector<std::pair<std::string, double>>& values,
                                std::string* message = nullptr) {
  std::vector<std::string> ids;
  try {
    override_values(source, values);
  } catch (const InvalidOption& error) {
    for (const Fault& fault : error.faults()) ids.push_back(fault.id);
    if (message != nullptr) *message = error.what();
  }
  return ids;
}

TEST(Override, ReplacesParametersInputsAndStartValues) {
  Source source = test::three_tank_source();
  override_values(source, {{"a", 100.0}, {"x2", 31.5}, {"y1", 2.0}, {"z3", 1.0}, {"u1", -5.0}});
  const Model model = build(source);
  EXPECT_EQ(test::equation_of(model, 0).at("x2*y1"), -100.0);
  EXPECT_EQ(test::equation_of(model, 0).at("x1*y1"), 300.0) << "g = 3*a must follow";
  EXPECT_EQ(model.x_start, (std::vector<double>{37.0, 31.5, 40.0}));
  EXPECT_EQ(model.y_start, (std::vector<double>{2.0}));
  EXPECT_EQ(model.z_start, (std::vector<char>{0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(model.inputs.at(0), Input(ConstantInput{-5.0}));
}

TEST(Override, ReplacesAnExpressionByTheNumber) {
  Source source = test::three_tank_source();
  override_values(source, {{"g", 7.0}});
  EXPECT_EQ(test::equation_of(build(source), 0).at("x1*y1"), 7.0);
}

TEST(Override, RefusesWhatCannotBeSet) {
  Source source = test::three_tank_source();
  source.inputs[0].form = TableSource{.time = {0.0}, .value = {1.0}};
  source.inputs[1].form = SineSource{};
  std::string message;
  EXPECT_EQ(ids_of(source, {{"alpha", 1.0}, {"u1", 1.0}, {"u2", 1.0}, {"fw", 1.0}}, &message),
            (std::vector<std::string>{"unknown-override", "override-of-function", "override-of-function",
                                      "unknown-override"}));
  EXPECT_NE(message.find("did you mean fv?"), std::string::npos) << message;
  EXPECT_EQ(ids_of(source, {{"a", std::numeric_limits<double>::infinity()}}),
            (std::vector<std::string>{"not-finite"}));
  source.inputs.push_back({.name = "time"});
  EXPECT_EQ(ids_of(source, {{"time", 1.0}}), (std::vector<std::string>{"override-of-function"}));
}

TEST(Override, LeavesOtherValuesAlone) {
  Source source = test::three_tank_source();
  override_values(source, {});
  test::expect_same(build(source), build(test::three_tank_source()));
}

}  // namespace override_test
}  // namespace mti
