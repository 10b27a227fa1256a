// The interface of FMI 2.0: the same runs.

#include "fmi/interface/fmi2.hpp"

#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>

#include "tests/fmi/instance3.hpp"
#include "tests/fmi/unpacked_fmu.hpp"
#include "tests/places.hpp"

namespace mti::test {
namespace fmi2_test {

const std::filesystem::path three_tank = source_dir() / "examples/three_tank/model.json";

void write_down2(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status, fmi2String category,
                 fmi2String format, ...) {
  char text[1000];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  static_cast<std::vector<std::string>*>(environment)
      ->push_back(std::to_string(static_cast<int>(status)) + " " + category + " " + text);
}

class Instance2 {
 public:
  explicit Instance2(const UnpackedFmu& fmu, const std::string& location = {}) : fmu_(fmu) {
    const std::string resources = location.empty() ? "file://" + fmu.resources().string() : location;
    handle_ = MTI_FMU_CALL(fmu, fmi2Instantiate)("two", fmi2CoSimulation, fmu.token().c_str(),
                                                 resources.c_str(), &callbacks_, 0, 0);
  }
  ~Instance2() { MTI_FMU_CALL(fmu_, fmi2FreeInstance)(handle_); }
  Instance2(const Instance2&) = delete;
  Instance2& operator=(const Instance2&) = delete;

  void start(double stop, double rtol) const {
    EXPECT_EQ(MTI_FMU_CALL(fmu_, fmi2SetupExperiment)(handle_, 1, rtol, 0.0, 1, stop), fmi2OK);
    EXPECT_EQ(MTI_FMU_CALL(fmu_, fmi2EnterInitializationMode)(handle_), fmi2OK);
    EXPECT_EQ(MTI_FMU_CALL(fmu_, fmi2ExitInitializationMode)(handle_), fmi2OK);
  }
  [[nodiscard]] fmi2Status step(double time, double size) const {
    return MTI_FMU_CALL(fmu_, fmi2DoStep)(handle_, time, size, 1);
  }
  [[nodiscard]] double real(const std::string& name) const {
    const unsigned reference = fmu_.reference(name);
    double value = 0.0;
    EXPECT_EQ(MTI_FMU_CALL(fmu_, fmi2GetReal)(handle_, &reference, 1, &value), fmi2OK);
    return value;
  }
  [[nodiscard]] fmi2Component handle() const { return handle_; }
  [[nodiscard]] const std::vector<std::string>& log() const { return log_; }

 private:
  const UnpackedFmu& fmu_;
  std::vector<std::string> log_;
  fmi2CallbackFunctions callbacks_ = {write_down2, nullptr, nullptr, nullptr, &log_};
  fmi2Component handle_ = nullptr;
};

TEST(Fmi2, RunsAsFmi3Does) {
  const UnpackedFmu two(three_tank, {.version = fmi::FmiVersion::two}, UnpackedFmu::Library::packed);
  EXPECT_NE(two.library().string().find("binaries/linux64/three_tank.so"), std::string::npos);
  const UnpackedFmu three(three_tank);
  const Instance2 second(two);
  ASSERT_NE(second.handle(), nullptr);
  Instance3 third(three);
  second.start(1000.0, 1e-8);
  ASSERT_EQ(third.start(0.0, 1000.0, 1e-8), fmi3OK);
  for (int step = 0; step < 20; ++step) {
    const double t = 50.0 * step;
    ASSERT_EQ(second.step(t, 50.0), fmi2OK);
    ASSERT_EQ(third.step(t, 50.0).status, fmi3OK);
    for (const char* name : {"x1", "x2", "x3", "y1", "der(x1)"})
      EXPECT_EQ(second.real(name), third.real(name));
  }
}

TEST(Fmi2, FindsItsResourcesByPathAndByUri) {
  const UnpackedFmu fmu(three_tank, {.version = fmi::FmiVersion::two});
  const std::string path = fmu.resources().string();
  std::string escaped = path;
  escaped.replace(escaped.rfind("resources"), 1, "%72");
  for (const std::string& location : {path, "file://" + path, "file:///" + path.substr(1),
                                      "file://localhost" + path, "file:" + path, "file://" + escaped})
    EXPECT_NE(Instance2(fmu, location).handle(), nullptr) << location;
  const Instance2 nowhere(fmu, "file:///nowhere%20at%20all");
  EXPECT_EQ(nowhere.handle(), nullptr);
  ASSERT_FALSE(nowhere.log().empty());
  EXPECT_NE(nowhere.log().back().find("/nowhere at all/"), std::string::npos) << nowhere.log().back();
}

// ẋ = u with u = 1 + 2 (t − 1) from t = 1 on: x(2) = x(1) + 2.
TEST(Fmi2, InterpolatesInputs) {
  const TemporaryDirectory directory;
  const auto model = directory.write("model.json", R"({"format": "mti-model", "version": 1,
    "states": [{"name": "x"}], "inputs": [{"name": "u", "value": 3}], "equations": ["der(x) = u"],
    "experiment": {"stop": 2, "rtol": 1e-9}})");
  const UnpackedFmu fmu(model, {.version = fmi::FmiVersion::two});
  const Instance2 instance(fmu);
  instance.start(2.0, 1e-9);
  ASSERT_EQ(instance.step(0.0, 1.0), fmi2OK);
  const unsigned u = fmu.reference("u");
  const double one = 1.0, slope = 2.0;
  const int order = 1, second = 2;
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi2SetReal)(instance.handle(), &u, 1, &one), fmi2OK);
  const auto set_slopes = MTI_FMU_CALL(fmu, fmi2SetRealInputDerivatives);
  EXPECT_EQ(set_slopes(instance.handle(), &u, 1, &second, &slope), fmi2Error);
  // What is set twice at one instant counts as set last, from the value that was set there.
  const double other = 5.0;
  ASSERT_EQ(set_slopes(instance.handle(), &u, 1, &order, &other), fmi2OK);
  ASSERT_EQ(set_slopes(instance.handle(), &u, 1, &order, &slope), fmi2OK);
  EXPECT_EQ(instance.real("u"), 1.0);
  ASSERT_EQ(instance.step(1.0, 1.0), fmi2OK);
  EXPECT_NEAR(instance.real("x"), 3.0 + 2.0, 1e-9);
  EXPECT_NEAR(instance.real("u"), 3.0, 1e-12);
}

TEST(Fmi2, SaysHowAStepEnded) {
  const TemporaryDirectory directory;
  const auto model = directory.write("model.json", R"({"format": "mti-model", "version": 1,
    "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -1"],
    "constraints": ["-x <= 0"], "experiment": {"stop": 2}})");
  const UnpackedFmu fmu(model, {.version = fmi::FmiVersion::two});
  const Instance2 instance(fmu);
  instance.start(2.0, 1e-9);
  EXPECT_EQ(instance.step(0.0, 2.0), fmi2Discard);
  double time = 0.0;
  fmi2Boolean terminated = 0;
  EXPECT_EQ(MTI_FMU_CALL(fmu, fmi2GetRealStatus)(instance.handle(), fmi2LastSuccessfulTime, &time), fmi2OK);
  EXPECT_NEAR(time, 1.0, 1e-6);
  EXPECT_EQ(MTI_FMU_CALL(fmu, fmi2GetBooleanStatus)(instance.handle(), fmi2Terminated, &terminated), fmi2OK);
  EXPECT_EQ(terminated, 1);
  EXPECT_NE(instance.log().back().find("dead_end"), std::string::npos) << instance.log().back();
}

}  // namespace fmi2_test
}  // namespace mti::test
