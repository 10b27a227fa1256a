// Components of discrete time: one sample time for the whole, and no mixture with continuous time.
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/components/flatten.hpp"
#include "mti/components/interconnect.hpp"

namespace mti::test {
namespace sample_time_test {

/// x_{k+1} = a x_k + u.
Source lag(std::optional<Number> sample_time) {
  Source source;
  source.sample_time = std::move(sample_time);
  source.parameters = {{"a", 0.5}, {"Ts", 0.1}};
  source.states = {{"x", 1.0}};
  source.inputs = {{"u"}};
  source.algebraic = {{"y"}};
  source.equations = {source.sample_time ? "next(x) = a*x + u" : "der(x) = a*x + u", "y = x"};
  return source;
}

std::string id_of(const std::function<void()>& function) {
  try {
    function();
  } catch (const InvalidModel& invalid) {
    return invalid.faults().front().id;
  }
  return "none";
}

TEST(SampleTime, SeriesParallelAndFeedbackKeepIt) {
  const Source discrete = lag("2*Ts"), other = lag(0.2);
  const Model model = build(series(discrete, other, {{"y", "u"}}));
  EXPECT_EQ(model.sample_time, 0.2);
  EXPECT_EQ(model.signature.row_name(0), "next(first.x)");
  EXPECT_EQ(build(feedback(discrete, other, {"y", "u"}, {"y", "u"}, "r", -1.0)).sample_time, 0.2);
  EXPECT_EQ(id_of([&] {
              static_cast<void>(series(discrete, lag(0.3), {{"y", "u"}}));
            }),
            "sample-time-mismatch");
  EXPECT_EQ(id_of([&] {
              static_cast<void>(parallel(lag(std::nullopt), other, {{"u", "u", "u"}}, {{"y", "y", "y"}}));
            }),
            "sample-time-mismatch");
}

Composition system_of(std::optional<Number> sample_time, Source part, Number Ts) {
  Composition inner{std::move(part), {}, {}};
  Composition outer;
  outer.own.sample_time = std::move(sample_time);
  outer.own.parameters = {{"h", 0.1}};
  outer.components.push_back({.name = "part", .model = nullptr, .parameters = {{"Ts", std::move(Ts)}}});
  outer.components.back().model = std::make_shared<const Composition>(std::move(inner));
  return outer;
}

TEST(SampleTime, OfComponentsIsThatOfTheWhole) {
  EXPECT_EQ(build(system_of("2*h", lag("Ts"), "h + h")).sample_time, 0.2);
  EXPECT_EQ(id_of([] { static_cast<void>(build(system_of("2*h", lag("Ts"), "h"))); }),
            "sample-time-mismatch");
  EXPECT_EQ(id_of([] { static_cast<void>(build(system_of(std::nullopt, lag("Ts"), "h"))); }),
            "sample-time-mismatch");
  EXPECT_EQ(id_of([] { static_cast<void>(build(system_of("h", lag(std::nullopt), "h"))); }),
            "der-in-discrete-model")
      << "derivatives have no place there";
}

/// Counts its time from 5 s on.
Source counter(Number start) {
  Source source;
  source.parameters = {{"Ts", 5.0}};
  source.states = {{"since"}};
  source.inputs = {{"u"}};
  source.algebraic = {{"y"}};
  source.equations = {"der(since) = 1", "y = since + u"};
  source.experiment = {.start = std::move(start), .stop = 9.0, .fixed_start = true};
  return source;
}

TEST(FixedStart, OfAComponentIsThatOfTheWhole) {
  const auto at = [](Number start) {
    Composition system = system_of(std::nullopt, counter("Ts"), 5.0);
    system.own.experiment.start = std::move(start);
    system.own.experiment.stop = 9.0;
    return system;
  };
  EXPECT_TRUE(build(at("50*h")).experiment.fixed_start);
  EXPECT_EQ(id_of([&] { static_cast<void>(build(at(0.0))); }), "start-time-mismatch");
}

TEST(FixedStart, OfTheSecondOfTwoModelsIsThatOfTheFirst) {
  EXPECT_TRUE(build(series(counter(5.0), counter("Ts"), {{"y", "u"}})).experiment.fixed_start);
  Source other = counter(4.0);
  other.experiment.fixed_start = false;
  EXPECT_EQ(id_of([&] {
              static_cast<void>(series(other, counter(5.0), {{"y", "u"}}));
            }),
            "start-time-mismatch");
  EXPECT_TRUE(build(series(counter(5.0), other, {{"y", "u"}})).experiment.fixed_start);
}

}  // namespace sample_time_test
}  // namespace mti::test
