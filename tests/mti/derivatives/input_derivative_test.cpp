#include "mti/derivatives/input_derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/derivatives/parameter_derivative.hpp"

namespace mti {
namespace input_derivative_test {

Source with_input(decltype(InputSource::form) form, std::vector<ParameterSource> parameters) {
  const InputSource input{.name = "u", .form = std::move(form)};
  return {.parameters = std::move(parameters),
          .states = {{.name = "x"}},
          .inputs = {std::move(input)},
          .equations = {"der(x) = u"}};
}

InputDerivative derivative(const Source& source, const std::string& name, std::size_t input = 0) {
  return build_with_derivatives(source, {name}).derivatives[0].inputs[input];
}

double at(const InputDerivative& derivative, double t, int k = 0) {
  return derivative.piece(t).derivative(t, k);
}

TEST(InputDerivative, OfASineHoldsTimesTimesCosines) {
  const Source source =
      with_input(SineSource{"a", "f", "phi", "b"}, {{"a", 2.0}, {"f", 0.3}, {"phi", 0.7}, {"b", 1.0}});
  const double w = 2.0 * std::numbers::pi, t = 1.9, theta = w * 0.3 * t + 0.7;
  EXPECT_NEAR(at(derivative(source, "a"), t), std::sin(theta), 1e-15);
  EXPECT_NEAR(at(derivative(source, "b"), t), 1.0, 1e-15);
  EXPECT_NEAR(at(derivative(source, "phi"), t), 2.0 * std::cos(theta), 1e-15);
  EXPECT_NEAR(at(derivative(source, "f"), t), 2.0 * w * t * std::cos(theta), 1e-13);
  // d/dt of 2 w t cos(0.3 w t + 0.7), and once more
  const double o = 0.3 * w;
  EXPECT_NEAR(at(derivative(source, "f"), t, 1), 2.0 * w * (std::cos(theta) - o * t * std::sin(theta)),
              1e-12);
  EXPECT_NEAR(at(derivative(source, "f"), t, 2),
              2.0 * w * (-2.0 * o * std::sin(theta) - o * o * t * std::cos(theta)), 1e-12);
}

TEST(InputDerivative, OfATableMovesItsCorners) {
  const Source source = with_input(TableSource{.time = {0.0, "t1", 4.0}, .value = {1.0, "v1", 0.0}},
                                   {{"t1", 2.0}, {"v1", 5.0}});
  const InputDerivative by_time = derivative(source, "t1"), by_value = derivative(source, "v1");
  // 1 + (v1 − 1) t/t1, then v1 (4 − t)/(4 − t1)
  EXPECT_NEAR(at(by_time, 0.5), -4.0 * 0.5 / 4.0, 1e-15);
  EXPECT_NEAR(at(by_time, 3.0), 5.0 * 1.0 / 4.0, 1e-15);
  EXPECT_NEAR(at(by_time, 3.0, 1), -5.0 / 4.0, 1e-15);
  EXPECT_NEAR(at(by_value, 0.5), 0.25, 1e-15);
  EXPECT_NEAR(at(by_value, 3.0), 0.5, 1e-15);
  EXPECT_EQ(at(by_value, 5.0), 0.0);
  EXPECT_EQ(at(by_value, -1.0), 0.0);
  EXPECT_EQ(by_time.breakpoint(2.0), 1.0);
  EXPECT_EQ(by_time.breakpoint(4.0), 0.0);
  EXPECT_EQ(by_time.breakpoint(3.0), std::nullopt);
  EXPECT_EQ(by_value.breakpoint(2.0), 0.0);
  const InputDerivative by_entry = derivative(source, "table(u,2)");
  EXPECT_NEAR(at(by_entry, 0.5), 0.25, 1e-15);
}

TEST(InputDerivative, OfPeriodsGrowsWithTheirNumber) {
  const Source source = with_input(
      PulseSource{.kind = PulseSource::Kind::pwm, .period = "T", .duty = "d", .high = "h", .start = "s"},
      {{"T", 2.0}, {"d", 0.25}, {"h", 3.0}, {"s", 1.0}});
  // rises at s + k T, falls at s + k T + d T
  EXPECT_EQ(derivative(source, "T").breakpoint(7.0), 3.0);
  EXPECT_EQ(derivative(source, "T").breakpoint(7.5), 3.25);
  EXPECT_EQ(derivative(source, "d").breakpoint(7.5), 2.0);
  EXPECT_EQ(derivative(source, "d").breakpoint(7.0), 0.0);
  EXPECT_EQ(derivative(source, "s").breakpoint(-0.5), 1.0);
  EXPECT_EQ(at(derivative(source, "h"), 7.2), 1.0);
  EXPECT_EQ(at(derivative(source, "h"), 7.6), 0.0);
  const Source wave = with_input(TriangleSource{.period = "T", .low = 1.0, .high = 3.0}, {{"T", 2.0}});
  // 1 + 4 (t − k T)/T rising: −4 t/T² + 0 of k T/T
  EXPECT_NEAR(at(derivative(wave, "T"), 4.5), -4.5, 1e-14);
  EXPECT_EQ(derivative(wave, "T").breakpoint(5.0), 2.5);
  EXPECT_EQ(derivative(wave, "T").breakpoint(6.0), 3.0);
}

TEST(InputDerivative, OfPulsesFollowsTheirDuty) {
  Source source = with_input(
      PulseSource{.kind = PulseSource::Kind::pwm, .period = "T", .duty = "d", .low = 0.0, .high = 1.0},
      {{"T", 1.0}, {"slope", 0.1}});
  source.inputs.push_back(
      {.name = "d", .form = TableSource{.time = {0.0, 10.0}, .value = {0.1, "0.1 + 10*slope/2"}}});
  // d(t) = 0.1 + slope t/2; pulse k: falls at kT + T d(kT)
  const InputDerivative by_slope = derivative(source, "slope"), by_period = derivative(source, "T");
  EXPECT_NEAR(by_slope.breakpoint(3.0 + (0.1 + 0.15)).value(), 1.5, 1e-13);
  EXPECT_NEAR(by_period.breakpoint(3.0 + (0.1 + 0.15)).value(), 3.0 + 0.25 + 0.05 * 3.0, 1e-13);
  EXPECT_EQ(by_period.breakpoint(3.0), 3.0);
}

TEST(InputDerivative, IsRefusedWhereEntriesPart) {
  const auto refused = [](const Source& source, const std::string& name) {
    try {
      static_cast<void>(build_with_derivatives(source, {name}));
    } catch (const InvalidOption& option) {
      return option.faults()[0].id + " " + option.faults()[0].pointer;
    }
    return std::string();
  };
  const Source jump = with_input(TableSource{.time = {0.0, "t1", "t2"}, .value = {1.0, 1.0, 2.0}},
                                 {{"t1", 2.0}, {"t2", 2.0}, {"both", 1.0}});
  EXPECT_EQ(refused(jump, "t1"), "not-differentiable /inputs/0");
  EXPECT_EQ(refused(jump, "both"), "");
  const Source together =
      with_input(TableSource{.time = {0.0, "t1", "t1"}, .value = {1.0, 1.0, 2.0}}, {{"t1", 2.0}});
  EXPECT_EQ(refused(together, "t1"), "");
  const Source full = with_input(PulseSource{.kind = PulseSource::Kind::pwm, .duty = "d"}, {{"d", 1.0}});
  EXPECT_EQ(refused(full, "d"), "not-differentiable /inputs/0/pwm/duty");
}

}  // namespace input_derivative_test
}  // namespace mti
