// Model Exchange: inputs that an importer sets as the time goes on, and events that it finds as well as it does. Closed forms.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/fmi/exchange_importer.hpp"
#include "tests/fmi/written_fmu.hpp"

namespace mti::test {
namespace exchange_inputs_test {

/// An importer with fixed steps that bisects indicators, for rates that are constant or linear between events (Heun's method).
class FixedSteps {
 public:
  FixedSteps(const UnpackedFmu& fmu, std::string input, std::function<double(double)> u,
             double root_tolerance)
      : fmu_(fmu),
        importer_(fmu, ResetPolicy::always, 1e-6),
        input_(std::move(input)),
        u_(std::move(u)),
        tolerance_(root_tolerance) {}

  void run(double stop, double h) {
    if (!input_.empty()) {
      EXPECT_EQ(importer_.set(input_, u_(0.0)), fmi3OK);
    }
    importer_.start(0.0, stop);
    read_states();
    const long steps = std::lround(stop / h);
    for (long k = 1; k <= steps && !importer_.ended(); ++k) step_to(static_cast<double>(k) * h);
  }
  [[nodiscard]] double state(std::size_t i) const { return x_[i]; }
  [[nodiscard]] const std::vector<double>& events() const { return events_; }
  [[nodiscard]] const ExchangeImporter& importer() const { return importer_; }

 private:
  void read_states() {
    std::size_t n = 0;
    EXPECT_EQ(MTI_FMU_CALL(fmu_, fmi3GetNumberOfContinuousStates)(importer_.handle(), &n), fmi3OK);
    x_.resize(n);
    EXPECT_EQ(MTI_FMU_CALL(fmu_, fmi3GetContinuousStates)(importer_.handle(), x_.data(), x_.size()), fmi3OK);
  }
  std::vector<double> rates() {
    std::vector<double> rates(x_.size());
    EXPECT_EQ(
        MTI_FMU_CALL(fmu_, fmi3GetContinuousStateDerivatives)(importer_.handle(), rates.data(), rates.size()),
        fmi3OK);
    return rates;
  }
  void place(double t, const std::vector<double>& x) {
    EXPECT_EQ(MTI_FMU_CALL(fmu_, fmi3SetTime)(importer_.handle(), t), fmi3OK);
    if (!input_.empty()) {
      EXPECT_EQ(importer_.set(input_, u_(t)), fmi3OK);
    }
    EXPECT_EQ(MTI_FMU_CALL(fmu_, fmi3SetContinuousStates)(importer_.handle(), x.data(), x.size()), fmi3OK);
  }
  std::vector<double> moved_to(double t) {
    place(time_, x_);
    const std::vector<double> first = rates();
    std::vector<double> x = x_;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += (t - time_) * first[i];
    place(t, x);
    const std::vector<double> second = rates();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x_[i] + 0.5 * (t - time_) * (first[i] + second[i]);
    place(t, x);
    return x;
  }
  [[nodiscard]] bool is_outside() {
    return std::ranges::any_of(importer_.indicators(), [](double indicator) { return indicator < 0.0; });
  }
  void step_to(double goal) {
    for (int events = 0; time_ < goal && events < 100; ++events) {
      std::vector<double> x = moved_to(goal);
      double end = goal;
      const bool is_event = is_outside();
      for (double from = time_; is_event && end - from > tolerance_;) {
        const double middle = 0.5 * (from + end);
        x = moved_to(middle);
        (is_outside() ? end : from) = middle;
      }
      x_ = moved_to(end);
      time_ = end;
      bool asks = false, terminate = false;
      EXPECT_EQ(MTI_FMU_CALL(fmu_, fmi3CompletedIntegratorStep)(importer_.handle(), true, &asks, &terminate),
                fmi3OK);
      if (!is_event && !asks) continue;
      events_.push_back(end);
      importer_.event();
      if (importer_.ended()) return;
      read_states();
    }
  }

  const UnpackedFmu& fmu_;
  ExchangeImporter importer_;
  std::string input_;
  std::function<double(double)> u_;
  double tolerance_, time_ = 0.0;
  std::vector<double> x_, events_;
};

/// q' = z, a relay of u with limits ±0.2: u = 0.5 sin(1.3 t) reaches 0.2 at asin(0.4)/1.3, and −0.2 half a period later.
TEST(ExchangeInputs, SwitchWhereTheyPassALimit) {
  const ExchangedFmu written(R"json({"format": "mti-model", "version": 1, "states": [{"name": "q"}],
    "inputs": [{"name": "u", "value": 0}], "binaries": [{"name": "z"}], "equations": ["der(q) = z"],
    "constraints": ["(u - 0.2)*(1 - z) <= 0", "(-0.2 - u)*z <= 0"], "experiment": {"stop": 6}})json");
  const double omega = 1.3, half = std::acos(-1.0) / omega, on = std::asin(0.4) / omega;
  for (const double h : {0.005, 0.2})
    for (const double tolerance : {1e-13, 1e-10, 1e-7, 1e-5}) {
      FixedSteps importer(
          written.fmu, "u", [&](double t) { return 0.5 * std::sin(omega * t); }, tolerance);
      importer.run(6.0, h);
      ASSERT_EQ(importer.events().size(), 3U) << h << " " << tolerance;
      EXPECT_NEAR(importer.state(0), half + (6.0 - on - 2.0 * half), 3.0 * tolerance + 1e-9)
          << h << " " << tolerance;
    }
}

/// A period of pulses goes on as wide as it began: period 0.4, duty 1/4, then 3/4 from `from` on.
TEST(ExchangeInputs, LeaveAPeriodOfPulsesAsItBegan) {
  const ExchangedFmu written(R"json({"format": "mti-model", "version": 1, "states": [{"name": "q"}],
    "inputs": [{"name": "duty", "value": 0.25}, {"name": "p", "pwm": {"period": 0.4, "duty": "duty"}}],
    "equations": ["der(q) = p"], "experiment": {"stop": 3}})json");
  for (const double from : {0.43, 0.55, 0.72}) {
    ExchangeImporter importer(written.fmu, ResetPolicy::if_told, 1e-9);
    importer.start(0.0, 3.0);
    ASSERT_TRUE(importer.advance(from));
    importer.event([&] { EXPECT_EQ(importer.set("duty", 0.75), fmi3OK); });
    ASSERT_TRUE(importer.advance(3.0));
    EXPECT_NEAR(importer.real("q"), 2.0 * 0.1 + 5.0 * 0.3 + 0.2, 1e-8) << from;
  }
}

/// The law of an impact begins from the floor, however late the importer has found it: t₁ = √(2/g), v₁ = e·√(2 g).
TEST(ExchangeInputs, AConstraintIsReachedWhereItHasBeenPassed) {
  const ExchangedFmu written(R"json({"format": "mti-model", "version": 1,
    "states": [{"name": "h", "start": 1}, {"name": "v"}], "equations": ["der(h) = v", "der(v) = -9.81"],
    "constraints": [{"name": "floor", "text": "-h <= 0"}],
    "transitions": [{"when": "reach(floor)", "equations": ["v = -0.9*pre(v)"]}], "experiment": {"stop": 1}})json");
  const double g = 9.81, fall = std::sqrt(2.0 / g), rise = 0.6 - fall, v = 0.9 * std::sqrt(2.0 * g);
  for (const double tolerance : {1e-13, 1e-8, 1e-5, 1e-3}) {
    FixedSteps importer(written.fmu, "", {}, tolerance);
    importer.run(0.6, 0.01);
    ASSERT_FALSE(importer.importer().ended()) << tolerance;
    EXPECT_EQ(importer.events().size(), 1U) << tolerance;
    EXPECT_NEAR(importer.state(0), v * rise - 0.5 * g * rise * rise, 10.0 * tolerance + 1e-6) << tolerance;
    EXPECT_NEAR(importer.state(1), v - g * rise, 20.0 * tolerance + 1e-6) << tolerance;
  }
}

/// ẋ = −2 sign(x − w), q̇ = sign(x − w) on the surface x = w = t/2: θ such that ẋ = 1/2, so q̇ = −1/4. And v̇ = −5 sign(x + v − w) with
/// ẋ = v, on x + v = w = t from x = 1, v = −1 at t = 0: ẋ = t − x, x = t − 1 + 2 e^(−t). Of the first step no slope is known: its first
/// stage, half of it, goes on as if w rested, and x takes half of what that leaves: h/4, of which e^(−2) is left at t = 2.
TEST(ExchangeInputs, MoveTheSurfacesOnWhichMotionsSlide) {
  const ExchangedFmu first(
      R"json({"format": "mti-model", "version": 1, "states": [{"name": "x"}, {"name": "q"}],
    "inputs": [{"name": "w", "value": 0}],
    "equations": ["der(x) = -2*sign(x - w)", "der(q) = sign(x - w)"], "experiment": {"stop": 2}})json");
  const ExchangedFmu second(R"json({"format": "mti-model", "version": 1,
    "states": [{"name": "x", "start": 1}, {"name": "v", "start": -1}], "inputs": [{"name": "w", "value": 0}],
    "equations": ["der(x) = v", "der(v) = -5*sign(x + v - w)"], "experiment": {"stop": 2}})json");
  for (const double h : {0.02, 0.005}) {
    FixedSteps ramp(
        first.fmu, "w", [](double t) { return 0.5 * t; }, 1e-12);
    ramp.run(2.0, h);
    EXPECT_NEAR(ramp.state(0), 1.0, 1e-6) << h;
    EXPECT_NEAR(ramp.state(1), -0.5, 0.125 * h + 1e-5) << h;  // half a step with q' = 0
    FixedSteps curve(
        second.fmu, "w", [](double t) { return t; }, 1e-12);
    curve.run(2.0, h);
    EXPECT_NEAR(curve.state(0), 1.0 + 2.0 * std::exp(-2.0), 0.25 * std::exp(-2.0) * h + 0.1 * h * h + 1e-5)
        << h;
    EXPECT_NEAR(curve.state(1), 2.0 - curve.state(0), 1e-5) << h;
  }
}

/// ẋ = −sign(x − m) stays on m = 1/2. Where m jumps to 0.9 at t = 1, x goes there with slope 1; it does not jump.
TEST(ExchangeInputs, JumpFromTheSurfaceOnWhichAMotionSlides) {
  for (const bool is_input : {true, false}) {
    const std::string declaration =
        is_input ? R"("inputs": [{"name": "m", "value": 0.5}])" : R"("parameters": {"m": 0.5})";
    const ExchangedFmu written(
        R"json({"format": "mti-model", "version": 1, "states": [{"name": "x", "start": 0.5}], )json" +
        declaration + R"json(, "equations": ["der(x) = -sign(x - m)"], "experiment": {"stop": 3}})json");
    ExchangeImporter importer(written.fmu, ResetPolicy::if_told, 1e-8);
    importer.start(0.0, 3.0);
    ASSERT_TRUE(importer.advance(1.0));
    EXPECT_NEAR(importer.real("x"), 0.5, 1e-6);
    importer.event([&] { EXPECT_EQ(importer.set("m", 0.9), fmi3OK); });
    EXPECT_NEAR(importer.real("x"), 0.5, 1e-6);
    ASSERT_TRUE(importer.advance(1.2));
    EXPECT_NEAR(importer.real("x"), 0.7, 1e-5);
    ASSERT_TRUE(importer.advance(2.0));
    EXPECT_NEAR(importer.real("x"), 0.9, 1e-5);
  }
}

}  // namespace exchange_inputs_test
}  // namespace mti::test
