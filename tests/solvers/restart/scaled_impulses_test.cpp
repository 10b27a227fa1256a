// Products of impulses: one limit, whatever accuracy and units are.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace scaled_impulses_test {

/// Two shafts; from t = 1 on one clutch, which carries one torque in its third power, both in units of `unit`.
/// w1 alone jumps [benveniste2019, RR 9334, (188)]; from then on the torques are 0, and w = 5 e^(−t/10).
Source clutch(double unit) {
  Source source;
  source.parameters = {{"u", unit}};
  source.states = {{"w1", 1.0}, {"w2", 5.0}};
  source.inputs = {{.name = "engaged", .form = TableSource{{0.0, 1.0}, {0.0, 1.0}}, .binary = true}};
  source.algebraic = {{.name = "tau1", .nominal = unit}, {.name = "tau2", .nominal = unit}};
  source.equations = {{"shaft1", "der(w1) = -0.1*w1 + 2*(tau1/u)^3"},
                      {"shaft2", "der(w2) = -0.1*w2 + 3*tau2/u"},
                      {"clutch", "engaged*(w1 - w2) + (1 - engaged)*tau1 = 0"},
                      {"balance", "engaged*tau1 + tau2 = 0"}};
  return source;
}

void check(const Model& model, double rtol, double atol) {
  SimulationOptions options;
  options.rtol = rtol;
  options.atol = atol;
  options.stop = options.output_interval = 2.0;
  const Trajectory run = simulate(model, options);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  for (const char* const name : {"w1", "w2"})
    EXPECT_NEAR(run.value(run.size() - 1, run.column(name)), 5.0 * std::exp(-0.2), 20.0 * rtol) << name;
}

/// Danger: Newton's method comes from far away, and is believed at rest wherever it is.
TEST(ScaledImpulses, OneLimitAtEveryAccuracy) {
  const Model model = build(clutch(1.0));
  for (const double rtol : {1e-3, 1e-5, 1e-6, 1e-9})
    for (const double atol : {1e-2, 1e-5, 1e-8, 1e-12}) {
      SCOPED_TRACE(testing::Message() << "rtol " << rtol << ", atol " << atol);
      check(model, rtol, atol);
    }
}

TEST(ScaledImpulses, OneLimitInAllUnits) {
  for (const double unit : {1e-6, 1e-3, 1e3, 1e6}) {
    SCOPED_TRACE(testing::Message() << "torques of size " << unit);
    check(build(clutch(unit)), 1e-6, 1e-9);
  }
}

/// From t = 1 on w1 and w2 turn together, by a torque whose `form` both feel, at w1 times what `coefficient` is.
Source coupled(const std::string& form, const std::string& coefficient,
               const std::vector<std::string>& others, bool others_first) {
  Source source;
  source.inputs = {{.name = "engaged", .form = TableSource{{0.0, 1.0}, {0.0, 1.0}}, .binary = true},
                   {"u", TableSource{{0.0, 1.0, 1.0, 2.0}, {1.0, 1.0, 4.0, 4.0}}}};
  std::vector<StateSource> shafts = {{"w1", 0.0}, {"w2", 6.0}}, third = {{"w3", 1.0}};
  const std::vector<RelationSource> equations = {{"shaft1", "der(w1) = " + coefficient + "*(" + form + ")"},
                                                 {"shaft2", "der(w2) = -(" + form + ")"},
                                                 {"clutch", "engaged*(w1 - w2) + (1 - engaged)*tau = 0"}};
  std::vector<RelationSource> rest = {{"shaft3", "der(w3) = s"},
                                      {"stop3", "engaged*(w3 - 4) + (1 - engaged)*s = 0"}};
  for (const std::string& other : others) rest.push_back({other});
  source.algebraic = {{"tau"}, {"s"}};
  if (!others.empty()) source.algebraic.push_back({"k"});
  if (others_first) {
    third.insert(third.end(), shafts.begin(), shafts.end());
    rest.insert(rest.end(), equations.begin(), equations.end());
    source.states = third;
    source.equations = rest;
  } else {
    shafts.insert(shafts.end(), third.begin(), third.end());
    source.states = shafts;
    source.equations = equations;
    source.equations.insert(source.equations.end(), rest.begin(), rest.end());
  }
  return source;
}

/// With P = ∫ (torque) the balance w1⁺ = k·P = 6 − P = w2⁺ does not ask for the form of the torque: τ and τ³ + τ are
/// twins. Dangers: which of two values counts that k has at the instant; the order in which the model is written.
TEST(ScaledImpulses, WhatMultipliesThemMayNotJump) {
  struct Case {
    std::string coefficient;
    std::vector<std::string> others;
    std::string named;  ///< what jumps; empty: nothing does
    double speed = 0.0;
  };
  for (const Case& each :
       {Case{"3", {}, "", 4.5}, Case{"k", {"k = 3"}, "", 4.5}, Case{"(1 + 7*engaged)", {}, "", 48.0 / 9.0},
        Case{"w3", {}, "w3"}, Case{"k", {"k = w3"}, "k"}, Case{"k", {"k = w2"}, "k"},
        Case{"k", {"k = 1 + 7*engaged"}, "k"}, Case{"u", {}, "u"}, Case{"k", {"k = u"}, "k"},
        Case{"(1 + w1)", {}, "w1"}})
    for (const std::string form : {"tau", "tau^3 + tau"})
      for (const bool others_first : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << each.coefficient << " with " << form << ", others first " << others_first
                     << (each.others.empty() ? "" : ", " + each.others[0]));
        const Source source = coupled(form, each.coefficient, each.others, others_first);
        SimulationOptions options;
        options.stop = options.output_interval = 2.0;
        const Trajectory run = simulate(build(source), options);
        if (each.named.empty()) {
          ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
          EXPECT_NEAR(run.value(run.size() - 1, run.column("w1")), each.speed, 1e-4);
        } else {
          EXPECT_EQ(run.outcome.kind, OutcomeKind::refused_restart) << run.outcome.message;
          EXPECT_NE(run.outcome.message.find("(" + each.named + ")"), std::string::npos)
              << run.outcome.message;
        }
      }
}

/// m·(ẇ − F) = 0 is ẇ = F, whatever m > 0 does.
TEST(ScaledImpulses, ACommonFactorMayJump) {
  Source source = coupled("tau^3 + tau", "1", {}, false);
  source.equations[0] = {"shaft1", "u*der(w1) = u*(tau^3 + tau)"};
  SimulationOptions options;
  options.stop = options.output_interval = 2.0;
  const Trajectory run = simulate(build(source), options);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(run.value(run.size() - 1, run.column("w1")), 3.0, 1e-4);
}

/// One clutch drives another by its torque t, an impulse of 3: w3 and w4 come together at (3 + 2)/2, whatever the law of
/// the torque s between them. Where that is balanced by orders it is refused. Danger: that t counts as finite there.
TEST(ScaledImpulses, OthersThatDriveThemAreRefused) {
  for (const std::string form : {"s", "s^3 + s"})
    for (const bool driven_first : {false, true}) {
      SCOPED_TRACE(testing::Message() << form << ", driven first " << driven_first);
      Source source;
      source.states = {{"w1", 0.0}, {"w2", 6.0}, {"w3", 0.0}, {"w4", 2.0}};
      source.inputs = {{.name = "engaged", .form = TableSource{{0.0, 1.0}, {0.0, 1.0}}, .binary = true}};
      source.algebraic = {{"t"}, {"s"}};
      const std::vector<RelationSource> driving = {
          {"der(w1) = t"}, {"der(w2) = -t"}, {"engaged*(w1 - w2) + (1 - engaged)*t = 0"}};
      source.equations = {{"der(w3) = t + " + form},
                          {"der(w4) = -(" + form + ")"},
                          {"engaged*(w3 - w4) + (1 - engaged)*s = 0"}};
      source.equations.insert(driven_first ? source.equations.end() : source.equations.begin(),
                              driving.begin(), driving.end());
      SimulationOptions options;
      options.stop = options.output_interval = 2.0;
      const Trajectory run = simulate(build(source), options);
      if (form != "s") {
        EXPECT_EQ(run.outcome.kind, OutcomeKind::refused_restart);
        EXPECT_NE(run.outcome.message.find("(t)"), std::string::npos) << run.outcome.message;
        continue;
      }
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_NEAR(run.value(run.size() - 1, run.column("w1")), 3.0, 1e-4);
      EXPECT_NEAR(run.value(run.size() - 1, run.column("w3")), 2.5, 1e-4);
    }
}

}  // namespace scaled_impulses_test
}  // namespace mti
