// Events, inputs, parameters and states of instances, with closed forms; calls out of order.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <tuple>

#include "tests/fmi/instance3.hpp"
#include "tests/fmi/written_fmu.hpp"
#include "tests/places.hpp"

namespace mti::test {
namespace co_simulation_test {

const std::filesystem::path three_tank = source_dir() / "examples/three_tank/model.json";

/// ẋ = a − 2·z where z becomes 1 as soon as x ≥ 1, and stays: x = a·t up to t = 1/a, then 1 + (a − 2)(t − 1/a).
constexpr const char* ramp = R"({"format": "mti-model", "version": 1, "parameters": {"a": 1, "b": "3*a"},
  "states": [{"name": "x"}], "inputs": [{"name": "u", "value": 0}], "algebraic": [{"name": "y"}],
  "binaries": [{"name": "z"}],
  "equations": ["der(x) = a - 2*z + u", "y = b*u + x"],
  "constraints": ["(x - 1)*(1 - z) <= 0"], "experiment": {"stop": 1.9, "rtol": 1e-9}})";

/// ẋ = 1 − 2z with z = [x ≥ 0]: it slides on x = 0 from t = 1 on, with weight ζ = 1/2; u is drift along the surface.
constexpr const char* relay = R"({"format": "mti-model", "version": 1,
  "states": [{"name": "x", "start": -1}, {"name": "w"}], "inputs": [{"name": "u", "value": 0}],
  "binaries": [{"name": "z"}],
  "equations": ["der(x) = 1 - 2*z + u", "der(w) = z"],
  "constraints": ["x*(1 - z) <= 0", "-x*z <= 0"], "experiment": {"stop": 4, "rtol": 1e-9}})";

/// x falls to 0 at t = 1, where nothing follows.
constexpr const char* dead = R"({"format": "mti-model", "version": 1, "states": [{"name": "x", "start": 1}],
  "equations": ["der(x) = -1"], "constraints": ["-x <= 0"], "experiment": {"stop": 2}})";

TEST(CoSimulation, PassesThroughEvents) {
  const WrittenFmu ramps(ramp);
  Instance3 instance(ramps.fmu);
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  EXPECT_NEAR(instance.real("der(x)"), 1.0, 1e-12);
  EXPECT_FALSE(instance.boolean("z"));
  const Instance3::Step step = instance.step(0.0, 1.5);
  EXPECT_EQ(step.status, fmi3OK);
  EXPECT_FALSE(step.event || step.early || step.terminate);
  EXPECT_NEAR(instance.real("x"), 0.5, 1e-8);
  EXPECT_NEAR(instance.real("der(x)"), -1.0, 1e-8);
  EXPECT_TRUE(instance.boolean("z"));
  EXPECT_EQ(instance.real("time"), 1.5);
}

TEST(CoSimulation, ReturnsEarlyAtEventsWithBothSides) {
  const WrittenFmu ramps(ramp);
  Instance3 instance(ramps.fmu, {.events = true, .early_return = true, .logs = true});
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  EXPECT_FALSE(instance.update().needs_update);
  ASSERT_EQ(MTI_FMU_CALL(ramps.fmu, fmi3EnterStepMode)(instance.handle()), fmi3OK);
  const Instance3::Step step = instance.step(0.0, 1.5);
  EXPECT_EQ(step.status, fmi3OK);
  EXPECT_TRUE(step.event && step.early);
  EXPECT_NEAR(step.time, 1.0, 1e-8);
  EXPECT_FALSE(instance.boolean("z")) << "the left limit, up to the update";
  EXPECT_NEAR(instance.real("der(x)"), 1.0, 1e-8);
  ASSERT_EQ(MTI_FMU_CALL(ramps.fmu, fmi3EnterEventMode)(instance.handle()), fmi3OK);
  const Instance3::Update update = instance.update();
  EXPECT_FALSE(update.needs_update || update.states_changed);
  EXPECT_TRUE(instance.boolean("z"));
  EXPECT_NEAR(instance.real("der(x)"), -1.0, 1e-8);
  ASSERT_EQ(MTI_FMU_CALL(ramps.fmu, fmi3EnterStepMode)(instance.handle()), fmi3OK);
  EXPECT_EQ(instance.step(step.time, 0.5).status, fmi3OK);
  EXPECT_NEAR(instance.real("x"), 0.5, 1e-8);
  ASSERT_FALSE(instance.log().empty());
  EXPECT_NE(instance.log().front().find("z: 0 -> 1"), std::string::npos) << instance.log().front();
}

TEST(CoSimulation, TellsOfAJump) {
  const UnpackedFmu fmu(source_dir() / "tests/cases/bouncing_ball_fmi.json");
  Instance3 instance(fmu, {.events = true, .early_return = true});
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  static_cast<void>(instance.update());
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3EnterStepMode)(instance.handle()), fmi3OK);
  const Instance3::Step step = instance.step(0.0, 1.0);
  ASSERT_TRUE(step.event);
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3EnterEventMode)(instance.handle()), fmi3OK);
  EXPECT_TRUE(instance.update().states_changed);
}

/// w jumps by 2 when u passes 1/2. In event mode nothing of it is seen before the update, which tells of it, whether
/// values were read, or a state was taken, in between or not.
TEST(CoSimulation, DecidesInputsOfEventModeInItsUpdate) {
  const WrittenFmu written(
      R"json({"format": "mti-model", "version": 1, "states": [{"name": "x"}, {"name": "w"}],
    "inputs": [{"name": "u", "value": 0}], "binaries": [{"name": "z"}],
    "equations": ["der(x) = 1 + u", "der(w) = 0"],
    "constraints": ["(u - 0.5)*(1 - z) <= 0", "(0.5 - u)*z <= 0"],
    "transitions": [{"when": "rise(z)", "equations": ["x = pre(x)", "w = pre(w) + 2"]}],
    "experiment": {"stop": 4}})json");
  for (const int way : {0, 1, 2, 3}) {
    const bool reads = way % 2 == 1, saves = way / 2 == 1;
    SCOPED_TRACE(std::string(reads ? "reads " : "") + (saves ? "saves" : ""));
    Instance3 instance(written.fmu, {.events = true, .early_return = true});
    ASSERT_EQ(instance.start(0.0), fmi3OK);
    static_cast<void>(instance.update());
    ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterStepMode)(instance.handle()), fmi3OK);
    ASSERT_EQ(instance.step(0.0, 1.0).status, fmi3OK);
    ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterEventMode)(instance.handle()), fmi3OK);
    ASSERT_EQ(instance.set("u", 1.0), fmi3OK);
    if (reads) {
      EXPECT_EQ(instance.real("w"), 0.0);
    }
    fmi3FMUState state = saves ? instance.state() : nullptr;
    if (reads) {
      EXPECT_EQ(instance.real("w"), 0.0);
    }
    if (reads && saves) {
      ASSERT_EQ(instance.take_up(state), fmi3OK);
      EXPECT_EQ(instance.real("w"), 0.0);
    }
    const Instance3::Update update = instance.update();
    EXPECT_TRUE(update.states_changed);
    EXPECT_EQ(instance.real("w"), 2.0);
    if (saves) {
      EXPECT_EQ(MTI_FMU_CALL(written.fmu, fmi3FreeFMUState)(instance.handle(), &state), fmi3OK);
    }
  }
}

TEST(CoSimulation, TakesParametersAndStartValues) {
  const WrittenFmu ramps(ramp);
  Instance3 instance(ramps.fmu);
  EXPECT_EQ(instance.set("a", 0.5), fmi3OK);
  EXPECT_EQ(instance.set("x", 0.25), fmi3OK);
  ASSERT_EQ(instance.enter(0.0, 1e-9), fmi3OK);
  EXPECT_EQ(instance.real("b"), 1.5) << "b = 3 a";
  EXPECT_EQ(instance.set("u", 2.0), fmi3OK);
  EXPECT_NEAR(instance.real("y"), 1.5 * 2.0 + 0.25, 1e-12);
  EXPECT_EQ(instance.set("u", 0.0), fmi3OK);
  EXPECT_NEAR(instance.real("y"), 0.25, 1e-12);
  ASSERT_EQ(instance.exit(), fmi3OK);
  EXPECT_EQ(instance.set("a", 2.0), fmi3Error) << "fixed";
  EXPECT_EQ(instance.set("b", 2.0), fmi3Error) << "calculated";
  ASSERT_EQ(instance.step(0.0, 1.0).status, fmi3OK);
  EXPECT_NEAR(instance.real("x"), 0.75, 1e-8);
  // After a reset nothing is left of them.
  ASSERT_EQ(MTI_FMU_CALL(ramps.fmu, fmi3Reset)(instance.handle()), fmi3OK);
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  ASSERT_EQ(instance.step(0.0, 0.5).status, fmi3OK);
  EXPECT_NEAR(instance.real("x"), 0.5, 1e-8);
}

TEST(CoSimulation, HoldsInputsAndShowsWhatFollowsAtOnce) {
  const WrittenFmu ramps(ramp);
  Instance3 instance(ramps.fmu);
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  ASSERT_EQ(instance.step(0.0, 0.25).status, fmi3OK);
  ASSERT_EQ(instance.set("u", 1.0), fmi3OK);
  EXPECT_NEAR(instance.real("der(x)"), 2.0, 1e-9);
  EXPECT_NEAR(instance.real("y"), 3.25, 1e-9);
  ASSERT_EQ(instance.step(0.25, 0.25).status, fmi3OK);
  EXPECT_NEAR(instance.real("x"), 0.75, 1e-8);
}

// The stop time of a run is a part of its tolerances: it moves on when nobody says where it is.
TEST(CoSimulation, GoesOnBeyondTheExperiment) {
  const WrittenFmu ramps(ramp);
  Instance3 instance(ramps.fmu);
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  double time = 0.0;
  for (int k = 0; k < 400; ++k, time += 0.25)
    ASSERT_EQ(instance.step(time, 0.25).status, fmi3OK) << instance.log().back();
  EXPECT_NEAR(instance.real("x"), 1.0 - 99.0, 1e-6);
}

// Times are told apart at any scale T of time: steps that begin one or a hundredth of a step elsewhere, or end beyond the stop
// time by as much, are refused; sums and multiples of the step are one time, up to 10⁵ steps and far from zero.
TEST(CoSimulation, TellsTimesApartAtAnyScale) {
  const WrittenFmu ramps(ramp);
  for (const double T : {1e-12, 1e-9, 1e-3, 1.0, 1e6}) {
    SCOPED_TRACE(T);
    const double h = 0.1 * T;
    Instance3 instance(ramps.fmu);
    ASSERT_EQ(instance.start(0.0, T, 0.0), fmi3OK);
    ASSERT_EQ(instance.step(0.0, h).status, fmi3OK);
    for (const double elsewhere : {0.0, 2 * h, 1.01 * h, 0.99 * h})
      EXPECT_EQ(instance.step(elsewhere, h).status, fmi3Error) << elsewhere;
    Instance3 other(ramps.fmu);
    ASSERT_EQ(other.start(0.0, T, 0.0), fmi3OK);
    EXPECT_EQ(other.step(0.0, 1.01 * T).status, fmi3Error);
    EXPECT_EQ(other.step(0.0, T).status, fmi3OK);
  }
}

TEST(CoSimulation, SumsAndMultiplesOfAStepAreOneTime) {
  const WrittenFmu ramps(ramp);
  for (const auto& [from, h, steps] :
       {std::tuple{0.0, 1e-10, 20'000}, std::tuple{-1.0, 0.1, 20}, std::tuple{-1e-9, 1e-10, 20},
        std::tuple{1e6, 1e-3, 1000}, std::tuple{0.0, 1.0 / 3, 3}}) {
    SCOPED_TRACE(h);
    Instance3 sums(ramps.fmu), multiples(ramps.fmu);
    const double stop = from + steps * h;
    ASSERT_EQ(sums.start(from, stop, 0.0), fmi3OK);
    ASSERT_EQ(multiples.start(from, stop, 0.0), fmi3OK);
    double sum = from;
    for (int k = 0; k < steps; ++k, sum += h) {
      ASSERT_EQ(sums.step(sum, h).status, fmi3OK) << k;
      ASSERT_EQ(multiples.step(from + k * h, h).status, fmi3OK) << k;
    }
  }
}

/// c counts samples at multiples of 0.1, and is held up to a stop time between two of them.
TEST(CoSimulation, HoldsTheLastSampleUpToTheStopTime) {
  const WrittenFmu counters(
      R"json({"format": "mti-model", "version": 1, "sample_time": 0.1,
    "states": [{"name": "c"}], "equations": ["next(c) = c + 1"], "experiment": {"stop": 1}})json");
  for (const double stop : {0.26, 0.3}) {
    Instance3 instance(counters.fmu);
    ASSERT_EQ(instance.start(0.0, stop, 0.0), fmi3OK);
    const long steps = std::lround(stop / 0.02);
    for (long k = 0; k < steps; ++k) {
      const Instance3::Step step = instance.step(static_cast<double>(k) * 0.02, 0.02);
      ASSERT_EQ(step.status, fmi3OK) << stop << " " << k;
      EXPECT_FALSE(step.early || step.terminate) << stop << " " << k;
    }
    EXPECT_EQ(instance.real("c"), std::floor(10.0 * stop + 1e-9)) << stop;
  }
}

TEST(CoSimulation, EndsWhereTheModelEnds) {
  const WrittenFmu deads(dead);
  Instance3 instance(deads.fmu);
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  ASSERT_EQ(instance.step(0.0, 0.5).status, fmi3OK);
  const Instance3::Step step = instance.step(0.5, 1.0);
  EXPECT_EQ(step.status, fmi3Discard);
  EXPECT_TRUE(step.terminate && step.early);
  EXPECT_NEAR(step.time, 1.0, 1e-6);
  EXPECT_NE(instance.log().back().find("dead_end"), std::string::npos);
  EXPECT_NEAR(instance.real("x"), 0.0, 1e-6);
  EXPECT_EQ(instance.step(step.time, 0.1).status, fmi3Error);
  EXPECT_EQ(MTI_FMU_CALL(deads.fmu, fmi3Terminate)(instance.handle()), fmi3OK);
}

// On the surface from t = 1: ζ = 1/2, w = (t − 1)/2; with u = 1/2 from t = 2 on ζ = 3/4.
TEST(CoSimulation, SavesStatesInTheMiddleOfASlide) {
  const WrittenFmu relays(relay);
  Instance3 instance(relays.fmu);
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  ASSERT_EQ(instance.step(0.0, 2.0).status, fmi3OK);
  EXPECT_NEAR(instance.real("z.weight"), 0.5, 1e-9);
  EXPECT_FALSE(instance.boolean("z")) << "the side it came from";
  fmi3FMUState state = instance.state();
  const auto goes_on = [](Instance3& one) {
    EXPECT_EQ(one.set("u", 0.5), fmi3OK);
    EXPECT_EQ(one.step(2.0, 1.0).status, fmi3OK);
    EXPECT_NEAR(one.real("z.weight"), 0.75, 1e-8);
    EXPECT_NEAR(one.real("w"), 0.5 + 0.75, 1e-8);
    return one.real("w");
  };
  const double first = goes_on(instance);
  ASSERT_EQ(instance.take_up(state), fmi3OK);
  EXPECT_NEAR(instance.real("w"), 0.5, 1e-8);
  EXPECT_EQ(goes_on(instance), first) << "bit for bit";
  // As bytes, into another instance.
  std::size_t size = 0;
  ASSERT_EQ(MTI_FMU_CALL(relays.fmu, fmi3SerializedFMUStateSize)(instance.handle(), state, &size), fmi3OK);
  std::vector<fmi3Byte> bytes(size);
  ASSERT_EQ(MTI_FMU_CALL(relays.fmu, fmi3SerializeFMUState)(instance.handle(), state, bytes.data(), size),
            fmi3OK);
  EXPECT_EQ(MTI_FMU_CALL(relays.fmu, fmi3SerializeFMUState)(instance.handle(), state, bytes.data(), size - 1),
            fmi3Error);
  Instance3 other(relays.fmu);
  fmi3FMUState read = nullptr;
  const auto deserialize = MTI_FMU_CALL(relays.fmu, fmi3DeserializeFMUState);
  ASSERT_EQ(deserialize(other.handle(), bytes.data(), size, &read), fmi3OK);
  EXPECT_EQ(other.take_up(state), fmi3Error) << "a state of another instance";
  ASSERT_EQ(other.take_up(read), fmi3OK);
  EXPECT_EQ(goes_on(other), first);
  for (const std::size_t place : {std::size_t{0}, size / 2, size - 1}) {
    std::vector<fmi3Byte> damaged = bytes;
    damaged[place] ^= 1U;
    EXPECT_EQ(deserialize(other.handle(), damaged.data(), size, &read), fmi3Error);
  }
  EXPECT_EQ(deserialize(other.handle(), bytes.data(), 3, &read), fmi3Error);
  ASSERT_EQ(MTI_FMU_CALL(relays.fmu, fmi3FreeFMUState)(instance.handle(), &state), fmi3OK);
  EXPECT_EQ(state, nullptr);
}

TEST(CoSimulation, RunsInTwoThreads) {
  const UnpackedFmu fmu(three_tank);
  const auto run = [&](std::vector<double>& values) {
    Instance3 instance(fmu);
    instance.start(0.0, 1000.0, 1e-8);
    for (int step = 0; step < 100; ++step) {
      instance.step(10.0 * step, 10.0);
      for (const char* name : {"x1", "x2", "x3"}) values.push_back(instance.real(name));
    }
  };
  std::vector<double> one, other, alone;
  std::thread first([&] { run(one); }), second([&] { run(other); });
  first.join();
  second.join();
  run(alone);
  EXPECT_EQ(one, alone);
  EXPECT_EQ(other, alone);
}

TEST(CoSimulation, RefusesCallsOutOfOrder) {
  const WrittenFmu ramps(ramp);
  const UnpackedFmu& fmu = ramps.fmu;
  Instance3 instance(fmu);
  const auto refused = [&](fmi3Status status) {
    EXPECT_EQ(status, fmi3Error);
    EXPECT_FALSE(instance.log().empty());
  };
  const unsigned x = fmu.reference("x"), z = fmu.reference("z"), none = 999;
  double value = 0.0;
  bool truth = false;
  const auto get = MTI_FMU_CALL(fmu, fmi3GetFloat64);
  refused(instance.step(0.0, 1.0).status);
  refused(instance.exit());
  refused(get(instance.handle(), &x, 1, &value, 1));
  refused(MTI_FMU_CALL(fmu, fmi3EnterEventMode)(instance.handle()));
  refused(MTI_FMU_CALL(fmu, fmi3Terminate)(instance.handle()));
  refused(instance.set("a", std::numeric_limits<double>::quiet_NaN()));
  refused(instance.enter(std::numeric_limits<double>::infinity(), 0.0));
  refused(instance.enter(0.0, 2.0));
  ASSERT_EQ(instance.start(0.0, 2.0, 1e-9), fmi3OK);
  refused(instance.enter(0.0, 0.0));
  refused(get(instance.handle(), &none, 1, &value, 1));
  refused(get(instance.handle(), &z, 1, &value, 1));
  refused(get(instance.handle(), &x, 1, &value, 2));
  refused(get(instance.handle(), nullptr, 1, &value, 1));
  refused(get(instance.handle(), &x, 1, nullptr, 1));
  EXPECT_EQ(get(instance.handle(), nullptr, 0, nullptr, 0), fmi3OK);
  refused(MTI_FMU_CALL(fmu, fmi3GetBoolean)(instance.handle(), &x, 1, &truth, 1));
  float single = 0.0F;
  refused(MTI_FMU_CALL(fmu, fmi3GetFloat32)(instance.handle(), &x, 1, &single, 1));
  refused(
      MTI_FMU_CALL(fmu, fmi3GetDirectionalDerivative)(instance.handle(), &z, 1, &x, 1, &value, 1, &value, 1));
  refused(MTI_FMU_CALL(fmu, fmi3SetTime)(instance.handle(), 1.0));
  refused(instance.set("u", std::numeric_limits<double>::infinity()));
  refused(instance.set("x", 3.0));
  refused(instance.set("der(x)", 3.0));
  refused(instance.step(0.5, 0.1).status);
  refused(instance.step(0.0, 0.0).status);
  refused(instance.step(0.0, -1.0).status);
  refused(instance.step(0.0, 3.0).status);
  const char* category = "logNothing";
  refused(MTI_FMU_CALL(fmu, fmi3SetDebugLogging)(instance.handle(), true, 1, &category));
  refused(MTI_FMU_CALL(fmu, fmi3SetFMUState)(instance.handle(), &value));
  EXPECT_EQ(get(nullptr, &x, 1, &value, 1), fmi3Error);
  MTI_FMU_CALL(fmu, fmi3FreeInstance)(nullptr);
  // None of that has done anything.
  ASSERT_EQ(instance.step(0.0, 0.5).status, fmi3OK);
  EXPECT_NEAR(instance.real("x"), 0.5, 1e-8);
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3Terminate)(instance.handle()), fmi3OK);
  refused(instance.step(0.5, 0.5).status);
  EXPECT_NEAR(instance.real("x"), 0.5, 1e-8) << "what was reached can still be read";
}

TEST(CoSimulation, RefusesWhatIsNotItsModel) {
  const UnpackedFmu fmu(three_tank);
  std::vector<std::string> log;
  const auto instantiate = [&](const char* token, const char* resources) {
    return MTI_FMU_CALL(fmu, fmi3InstantiateCoSimulation)("one", token, resources, false, false, false, false,
                                                          nullptr, 0, nullptr, nullptr, nullptr);
  };
  const std::string resources = fmu.resources().string();
  EXPECT_EQ(instantiate("{0}", resources.c_str()), nullptr);
  EXPECT_EQ(instantiate(fmu.token().c_str(), "/nowhere"), nullptr);
  EXPECT_EQ(instantiate(nullptr, resources.c_str()), nullptr);
  EXPECT_EQ(MTI_FMU_CALL(fmu, fmi3InstantiateModelExchange)("one", "{0}", resources.c_str(), false, false,
                                                            nullptr, nullptr),
            nullptr);
}

}  // namespace co_simulation_test
}  // namespace mti::test
