// Lifted functions: multilinear rows that hold along every motion of the function, and nothing else.
#include "mti/lifting/lift_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/multilinear/cp_kernel.hpp"
#include "mti/printing/print.hpp"
#include "mti/source/source.hpp"
#include "tests/mti/start_values.hpp"

namespace mti {
namespace lift_functions_test {

/// Of models whose algebraic signals are all auxiliary: their guesses are their values.
Model lifted(const Model& model) {
  return lift_functions(model, test::start_values(model), std::vector<std::string>(at(model.signature.n())));
}

Source source_of(const std::string& function, double start) {
  Source source;
  source.states = {{.name = "x", .start = start}, {.name = "q"}};
  source.equations = {"der(x) = 0.5", "der(q) = " + function};
  return source;
}

/// f of a lifted model at the values of its signals by name; a name that is missing fails the test.
std::map<std::string, double> residuals(const Model& model, const std::map<std::string, double>& values) {
  std::vector<double> v(at(model.signature.size()), 0.0), f(at(model.equations()));
  for (int row = 0; row < model.signature.size(); ++row) {
    std::string name = model.signature.row_name(row);
    if (const auto copy = name.find(".copy"); copy != std::string::npos) name.resize(copy);
    EXPECT_TRUE(values.contains(name)) << name;
    if (values.contains(name)) v[at(row)] = values.at(name);
  }
  CpKernel(model.f()).value(v, f);
  std::map<std::string, double> result;
  for (int row = 0; row < model.equations(); ++row) result[model.equation_names[at(row)]] = f[at(row)];
  return result;
}

/// φ and φ' by the standard library, and what else of a lifted φ(x) has values that are known: name and value at x, and its
/// rate by x where it is a state.
struct Known {
  std::string text, signal;
  double x;
  std::function<double(double)> value, slope;
  std::map<std::string, std::function<double(double)>> others = {};
  bool is_algebraic = false;
};

std::vector<Known> known_functions() {
  const auto root = [](double c, double d) { return [=](double x) { return std::sqrt(c + d * x * x); }; };
  const auto sin = [](double x) { return std::sin(x); };
  const auto cos = [](double x) { return std::cos(x); };
  const auto minus_sin = [](double x) { return -std::sin(x); };
  const double two_by_root_pi = 2.0 / std::sqrt(std::acos(-1.0));
  return {
      {"sin(x)", "fn.sin1", 0.7, sin, cos, {{"fn.sin1.cos", cos}, {"der(fn.sin1.cos)", minus_sin}}},
      {"cos(x)", "fn.cos1", 0.7, cos, minus_sin, {{"fn.cos1.sin", sin}, {"der(fn.cos1.sin)", cos}}},
      {"tan(x)", "fn.tan1", 0.7, [](double x) { return std::tan(x); },
       [](double x) { return 1.0 / (std::cos(x) * std::cos(x)); }},
      {"exp(x)", "fn.exp1", 0.7, [](double x) { return std::exp(x); }, [](double x) { return std::exp(x); }},
      {"log(x)", "fn.log1", 0.7, [](double x) { return std::log(x); }, [](double x) { return 1.0 / x; }},
      {"sinh(x)",
       "fn.sinh1",
       0.7,
       [](double x) { return std::sinh(x); },
       [](double x) { return std::cosh(x); },
       {{"fn.sinh1.cosh", [](double x) { return std::cosh(x); }}}},
      {"cosh(x)",
       "fn.cosh1",
       0.7,
       [](double x) { return std::cosh(x); },
       {},
       {{"fn.cosh1.sinh", [](double x) { return std::sinh(x); }},
        {"der(fn.cosh1.sinh)", [](double x) { return std::cosh(x); }}},
       true},
      {"tanh(x)",
       "fn.tanh1",
       0.7,
       [](double x) { return std::tanh(x); },
       {},
       {{"fn.tanh1.sinh", [](double x) { return std::sinh(x); }},
        {"der(fn.tanh1.sinh)", [](double x) { return std::cosh(x); }},
        {"fn.tanh1.sinh.cosh", [](double x) { return std::cosh(x); }}},
       true},
      {"asin(x)",
       "fn.asin1",
       0.7,
       [](double x) { return std::asin(x); },
       [](double x) { return 1.0 / std::sqrt(1.0 - x * x); },
       {{"fn.asin1.root", root(1.0, -1.0)}}},
      {"acos(x)",
       "fn.acos1",
       0.7,
       [](double x) { return std::acos(x); },
       [](double x) { return -1.0 / std::sqrt(1.0 - x * x); },
       {{"fn.acos1.root", root(1.0, -1.0)}}},
      {"atan(x)", "fn.atan1", 0.7, [](double x) { return std::atan(x); },
       [](double x) { return 1.0 / (1.0 + x * x); }},
      {"asinh(x)",
       "fn.asinh1",
       0.7,
       [](double x) { return std::asinh(x); },
       [](double x) { return 1.0 / std::sqrt(1.0 + x * x); },
       {{"fn.asinh1.root", root(1.0, 1.0)}}},
      {"acosh(x)",
       "fn.acosh1",
       1.7,
       [](double x) { return std::acosh(x); },
       [](double x) { return 1.0 / std::sqrt(x * x - 1.0); },
       {{"fn.acosh1.root", root(-1.0, 1.0)}}},
      {"atanh(x)", "fn.atanh1", 0.7, [](double x) { return std::atanh(x); },
       [](double x) { return 1.0 / (1.0 - x * x); }},
      {"erf(x)",
       "fn.erf1",
       0.7,
       [](double x) { return std::erf(x); },
       [=](double x) { return two_by_root_pi * std::exp(-x * x); },
       {{"fn.erf1.exp", [](double x) { return std::exp(x * x); }},
        {"der(fn.erf1.exp)", [](double x) { return 2.0 * x * std::exp(x * x); }}}},
      {"sqrt(x)", "fn.sqrt1", 0.7, [](double x) { return std::sqrt(x); }, {}, {}, true},
      {"cbrt(x)", "fn.cbrt1", 0.7, [](double x) { return std::cbrt(x); }, {}, {}, true},
      {"x^0.25", "fn.power1", 0.7, [](double x) { return std::pow(x, 0.25); }, {}, {}, true},
      {"x^1.5",
       "fn.power1",
       0.7,
       [](double x) { return std::pow(x, 1.5); },
       {},
       {{"fn.power1.root", [](double x) { return std::sqrt(x); }}},
       true},
      {"x^(-2.5)",
       "fn.power1",
       0.7,
       [](double x) { return std::pow(x, -2.5); },
       {},
       {{"fn.power1.root", [](double x) { return std::sqrt(x); }}},
       true},
      {"x^(-2)", "fn.power1", 0.7, [](double x) { return 1.0 / (x * x); }, {}, {}, true},
      {"x^1.3", "fn.power1", 0.7, [](double x) { return std::pow(x, 1.3); },
       [](double x) { return 1.3 * std::pow(x, 0.3); }},
  };
}

// Independent of any run: x moves at the rate ½; every row of f vanishes at the values and rates that the functions of the
// standard library have along that motion, at points far from the start, and the start values are these values.
TEST(LiftFunctions, RowsHoldAlongTheMotionOfEveryFunction) {
  for (const Known& known : known_functions()) {
    SCOPED_TRACE(known.text);
    const Model model = lifted(build(source_of(known.text, known.x)));
    EXPECT_TRUE(model.is_multilinear());
    EXPECT_TRUE(model.divisors.empty());
    for (const double x : {known.x, 0.6 * known.x + 0.42}) {
      std::map<std::string, double> values = {{"x", x}, {"q", 0.0}, {"der(x)", 0.5}};
      values["der(q)"] = values[known.signal] = known.value(x);
      if (!known.is_algebraic) values["der(" + known.signal + ")"] = 0.5 * known.slope(x);
      for (const auto& [name, value] : known.others)
        values[name] = (name.starts_with("der(") ? 0.5 : 1.0) * value(x);
      for (const auto& [name, residual] : residuals(model, values))
        EXPECT_NEAR(residual, 0.0, 1e-15 * 8) << name;
    }
    for (int i = 0; i < model.signature.n(); ++i) {
      const std::string& name = model.signature.states()[at(i)].name;
      if (name == known.signal) {
        EXPECT_DOUBLE_EQ(model.x_start[at(i)], known.value(known.x));
      }
      if (known.others.contains(name)) {
        EXPECT_DOUBLE_EQ(model.x_start[at(i)], known.others.at(name)(known.x));
      }
    }
  }
}

// The negative control: rows are not 0 where the value of the function is another.
TEST(LiftFunctions, RowsDoNotHoldOffTheFunction) {
  const Model model = lifted(build(source_of("exp(x)", 0.7)));
  const double value = std::exp(0.9);
  std::map<std::string, double> values = {{"x", 0.9},         {"q", 0.0},
                                          {"der(x)", 0.5},    {"der(q)", value},
                                          {"fn.exp1", value}, {"der(fn.exp1)", 0.5 * value}};
  EXPECT_NEAR(residuals(model, values).at("fn.exp1.definition"), 0.0, 1e-15);
  values["fn.exp1"] = values["der(q)"] = value + 0.01;
  EXPECT_NEAR(residuals(model, values).at("fn.exp1.definition"), -0.005, 1e-12);
}

TEST(LiftFunctions, SineAndCosineOfOneArgumentShareTheirPair) {
  const Model model = lifted(build(source_of("sin(x)*cos(x)", 0.2)));
  EXPECT_EQ(model.signature.n(), 4) << "x, q, sin and cos";
  EXPECT_EQ(model.signature.p(), 0);
  EXPECT_EQ(model.equations(), 4);
}

TEST(LiftFunctions, ReadsBackFromItsText) {
  const Model model = lifted(build(source_of("sin(x)/(2 + log(x^2 + 1)) + erf(x)^2", 0.2)));
  const Model again = build(to_equations(model));
  EXPECT_EQ(again.signature, model.signature);
  EXPECT_TRUE(Eigen::MatrixXd(again.S).isApprox(Eigen::MatrixXd(model.S), 0.0));
  EXPECT_TRUE(Eigen::MatrixXd(again.Phi_eq).isApprox(Eigen::MatrixXd(model.Phi_eq), 0.0));
  EXPECT_EQ(again.x_start, model.x_start);
}

TEST(LiftFunctions, RefusesEveryArgumentThatMayJumpByName) {
  Source source = source_of("sin(x + z) + exp(2*z*x) + sqrt(x + z)", 0.2);
  source.binaries = {{.name = "z"}};
  source.constraints = {"(x - 1)*(1 - z) <= 0", "(0.5 - x)*z <= 0"};
  try {
    static_cast<void>(lifted(build(source)));
    FAIL() << "not refused";
  } catch (const InvalidModel& refused) {
    ASSERT_EQ(refused.faults().size(), 2U) << "a root stays algebraic";
    EXPECT_EQ(refused.faults()[0].id, "argument-may-jump");
    EXPECT_EQ(refused.faults()[0].message,
              "fn.sin1.definition: the argument of sin(x + z) may jump, since z switches");
    EXPECT_NE(refused.faults()[1].message.find("exp(2*z*x)"), std::string::npos);
  }
}

TEST(LiftFunctions, RefusesFunctionsInDiscreteTimeByTheirRows) {
  for (const char* function : {"sin(x)", "sin(u)", "exp(time)"}) {
    Source source;
    source.sample_time = 0.5;
    source.states = {{.name = "x"}};
    source.inputs = {{.name = "u"}};
    source.equations = {"next(x) = 0.5*x + " + std::string(function)};
    const auto refused = [&]() -> Fault {
      try {
        static_cast<void>(lifted(build(source)));
      } catch (const InvalidModel& invalid) {
        return invalid.faults().front();
      }
      return {};
    }();
    EXPECT_EQ(refused.id, "argument-may-jump") << function;
    EXPECT_NE(refused.message.find(function), std::string::npos) << refused.message;
  }
}

TEST(LiftFunctions, LeavesMultilinearModelsAlone) {
  const Model model = build(source_of("x*q + x^2", 0.2));
  const Model same = lift_functions(model, {}, {});
  EXPECT_EQ(same.signature, model.signature);
  EXPECT_TRUE(Eigen::MatrixXd(same.S).isApprox(Eigen::MatrixXd(model.S), 0.0));
}

TEST(LiftFunctions, WantsAStartAndAWordForEachState) {
  const Model model = build(source_of("exp(x)", 0.2));
  EXPECT_THROW(static_cast<void>(lift_functions(model, {}, {})), InvalidOption);
  EXPECT_THROW(static_cast<void>(lift_functions(model, test::start_values(model), {})), InvalidOption);
}

/// a·r' = p·r·a' determines nothing at a = 0.
TEST(LiftFunctions, PowersThatBeginAtZeroAreRefusedByName) {
  try {
    static_cast<void>(lifted(build(source_of("x^2.7", 0.0))));
    FAIL();
  } catch (const InvalidModel& refused) {
    ASSERT_EQ(refused.faults().size(), 1U);
    EXPECT_EQ(refused.faults()[0].id, "outside-domain");
    EXPECT_NE(refused.faults()[0].message.find("x^2.7 begins at 0"), std::string::npos);
  }
  EXPECT_NO_THROW(static_cast<void>(lifted(build(source_of("x^2.5", 0.0)))));  // a root
}

}  // namespace lift_functions_test
}  // namespace mti
