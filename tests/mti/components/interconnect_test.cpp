// append, connect, series, parallel and feedback: as text, and against closed forms of linear systems.
#include "mti/components/interconnect.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <complex>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/components/append.hpp"
#include "mti/components/connect.hpp"
#include "mti/components/rename.hpp"
#include "tests/mti/model/model_texts.hpp"

namespace mti {
namespace interconnect_test {

using Complex = std::complex<double>;

/// Gain k/(s + a) with a feed-through d: ẋ = −a x + k u, y = x + d u.
Source lag(double a, double k, double d = 0.0) {
  Source source;
  source.parameters = {{"a", a}, {"k", k}, {"d", d}};
  source.states = {{"x", 0.0}};
  source.inputs = {{.name = "u", .form = Number(1.0), .unit = "V"}};
  source.algebraic = {{"y", 0.0}};
  source.equations = {"der(x) = -a*x + k*u", {"output", "y = x + d*u"}};
  return source;
}

Complex transfer(double a, double k, double d, Complex s) { return k / (s + a) + d; }

/// f(v), straight from its definition.
Eigen::VectorXd value(const CpMap& f, const Eigen::VectorXd& v) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(f.rows());
  for (int k = 0; k < f.columns(); ++k) {
    double product = 1.0;
    for (SparseColumns::InnerIterator entry(f.S(), k); entry; ++entry)
      product *= 1.0 - std::abs(entry.value()) + entry.value() * v[entry.row()];
    for (SparseColumns::InnerIterator entry(f.Phi(), k); entry; ++entry)
      result[entry.row()] += entry.value() * product;
  }
  return result;
}

/// The transfer function of a linear model from its only input to `output`, at s:
///
///     ∂f/∂ẋ s X + ∂f/∂x X + ∂f/∂y Y + ∂f/∂u = 0
///
/// f is affine here, so that its slopes are differences of values with step 1.
Complex transfer(const Model& model, const std::string& output, Complex s) {
  const Signature& signature = model.signature;
  const CpMap f = model.f();
  Eigen::VectorXd v = Eigen::VectorXd::Zero(signature.size());
  const Eigen::VectorXd f0 = value(f, v);
  const auto slope = [&](int row) -> Eigen::VectorXcd {
    v.setZero();
    v[row] = 1.0;
    return (value(f, v) - f0).cast<Complex>();
  };
  const int n = signature.n(), p = signature.p();
  EXPECT_EQ(n + p, model.equations());
  EXPECT_EQ(signature.m(), 1);
  Eigen::MatrixXcd A(n + p, n + p);
  for (int i = 0; i < n; ++i)
    A.col(i) = s * slope(signature.derivative_row(i)) + slope(signature.state_row(i));
  for (int i = 0; i < p; ++i) A.col(n + i) = slope(signature.algebraic_row(i));
  const Eigen::VectorXcd solution = A.fullPivLu().solve(-slope(signature.input_row(0)));
  return solution[n + *signature.find(output) - signature.algebraic_row(0)];
}

const std::vector<Complex> points = {{0.0, 0.0}, {0.0, 1.0}, {0.3, -2.0}, {5.0, 40.0}};
constexpr double tolerance = 1e-13;  // systems of at most six unknowns with numbers near 1

void expect_close(Complex found, Complex expected) {
  EXPECT_LE(std::abs(found - expected), tolerance * (1.0 + std::abs(expected))) << found << " " << expected;
}

TEST(Interconnect, SeriesMultipliesTransferFunctions) {
  const Model model = build(series(lag(1.0, 2.0, 0.5), lag(3.0, 4.0, -0.2), {{"y", "u"}}));
  for (const Complex s : points)
    expect_close(transfer(model, "second.y", s), transfer(1.0, 2.0, 0.5, s) * transfer(3.0, 4.0, -0.2, s));
}

TEST(Interconnect, ParallelAddsTransferFunctions) {
  const Source system = parallel(lag(1.0, 2.0), lag(3.0, 4.0, 2.0), {{"u", "u", "u"}}, {{"y", "y", "y"}});
  ASSERT_EQ(system.inputs.size(), 1U);
  EXPECT_EQ(system.inputs[0].name, "u");
  EXPECT_EQ(system.inputs[0].unit, "V");
  EXPECT_EQ(std::get<Number>(system.inputs[0].form), Number(1.0)) << "as the input of the first was given";
  const Model model = build(system);
  for (const Complex s : points)
    expect_close(transfer(model, "y", s), transfer(1.0, 2.0, 0.0, s) + transfer(3.0, 4.0, 2.0, s));
}

TEST(Interconnect, FeedbackDividesByOnePlusTheLoop) {
  for (const double sign : {-1.0, 1.0, -0.5}) {
    // With feed-through in both models the loop holds an equation without a state.
    const Model model =
        build(feedback(lag(1.0, 2.0, 0.5), lag(3.0, 4.0, -0.2), {"y", "u"}, {"y", "u"}, "r", sign));
    for (const Complex s : points) {
      const Complex G = transfer(1.0, 2.0, 0.5, s), H = transfer(3.0, 4.0, -0.2, s);
      expect_close(transfer(model, "forward.y", s), G / (1.0 - sign * G * H));
      // Negative control: the loop is not open.
      EXPECT_GT(std::abs(transfer(model, "forward.y", s) - G), 1e-6);
    }
  }
}

TEST(Interconnect, TheExperimentKeepsItsParameters) {
  Source first = lag(2.0, 3.0);
  first.experiment.stop = "4*a";
  first.experiment.output_interval = "a/8";
  for (const Source& system : {series(first, lag(1.0, 1.0), {{"y", "u"}}),
                               parallel(first, lag(1.0, 1.0), {{"u", "u", "u"}}, {{"y", "y", "y"}})}) {
    const Model model = build(system);
    EXPECT_EQ(model.experiment.stop, 8.0);
    EXPECT_EQ(model.experiment.output_interval, 0.25);
  }
}

TEST(Interconnect, UnknownInputsAreFaults) {
  const auto id_of = [](auto make) -> std::string {
    try {
      (void)make();
    } catch (const InvalidModel& invalid) {
      return invalid.faults()[0].id + ": " + invalid.faults()[0].message;
    }
    return "";
  };
  EXPECT_EQ(id_of([] {
              return series(lag(1, 1), lag(1, 1), {{"y", "v"}});
            }),
            "unknown-input: there is no input second.v, did you mean second.u?");
  EXPECT_EQ(id_of([] {
              return series(lag(1, 1), lag(1, 1), {{"y", "u"}, {"x", "u"}});
            }),
            "input-driven-twice: the input second.u already follows another expression");
}

TEST(Interconnect, WhatIsConnectedTwiceIsNested) {
  const Source inner = series(lag(1.0, 2.0), lag(3.0, 4.0), {{"y", "u"}});
  const Model model = build(series(inner, lag(5.0, 6.0), {{"second.y", "u"}}));
  for (const Complex s : points)
    expect_close(transfer(model, "second.y", s),
                 transfer(1.0, 2.0, 0.0, s) * transfer(3.0, 4.0, 0.0, s) * transfer(5.0, 6.0, 0.0, s));
}

TEST(Rename, NamesOnly) {
  EXPECT_EQ(with_prefix("a.b*1e5 - 2.e3*e3 + .5e-1*x^2 + sin (a)*time", "t."),
            "t.a.b*1e5 - 2.e3*t.e3 + .5e-1*t.x^2 + sin (t.a)*time");
  EXPECT_EQ(with_prefix("not (on and off) or true", "t."), "not (t.on and t.off) or true");
  EXPECT_EQ(with_prefix("reach(gap)", "t."), "reach(t.gap)");
  EXPECT_EQ(with_prefix("der(x) = pre( x ) + pi", "t."), "der(t.x) = pre( t.x ) + pi");
  EXPECT_EQ(with_prefix("nothing = orange", "t."), "t.nothing = t.orange") << "words inside of names";
  EXPECT_EQ(with_prefix("x + ", ""), "x + ") << "what is wrong stays";
}

TEST(Connect, BalanceAndEquate) {
  Source source;
  balance(source, {"-a", " b", "-c + d", "2*e"}, "node");
  equate(source, {"p", "q"}, "pair");
  equate(source, {"p", "q", "2*r"}, "all");
  ASSERT_EQ(source.equations.size(), 4U);
  EXPECT_EQ(source.equations[0].text, "-a + b -c + d + 2*e = 0");
  EXPECT_EQ(source.equations[1].name, "pair");
  EXPECT_EQ(source.equations[1].text, "p = q");
  EXPECT_EQ(source.equations[3].name, "all_2");
  EXPECT_EQ(source.equations[3].text, "p = 2*r");
}

TEST(Connect, DrivenInputsKeepUnitNominalAndValue) {
  Source source;
  source.states = {{"x", 0.0}};
  source.inputs = {{.name = "u", .form = Number(3.0), .unit = "K", .nominal = 40.0},
                   {.name = "w", .form = SineSource{.amplitude = 1.0, .frequency = 1.0}}};
  source.equations = {"der(x) = u + w"};
  const Driven driven = drive(source, {{"w", "2*x", "first"}, {"u", "x", "second"}});
  EXPECT_TRUE(driven.faults.empty());
  const Model model = build(source);
  EXPECT_EQ(model.signature.m(), 0);
  ASSERT_EQ(model.signature.p(), 2);
  EXPECT_EQ(model.signature.algebraic()[0].name, "w");
  EXPECT_EQ(model.signature.algebraic()[1].unit, "K");
  EXPECT_EQ(model.signature.algebraic()[1].nominal, 40.0);
  EXPECT_EQ(model.y_start, (std::vector<double>{0.0, 3.0}));
  EXPECT_EQ(test::equation_of(model, 1), (test::Monomials{{"w", 1.0}, {"x", -2.0}}));
}

TEST(Append, TheTimeIsThatOfTheSystem) {
  Source clock;
  clock.states = {{"x", 0.0}};
  clock.inputs = {{.name = "time"}};
  clock.equations = {"der(x) = time"};
  Source system;
  append(system, clock, "a");
  append(system, clock, "b");
  const Model model = build(system);
  EXPECT_EQ(model.signature.m(), 1);
  EXPECT_EQ(test::equation_of(model, 1), (test::Monomials{{"der(b.x)", 1.0}, {"time", -1.0}}));
}

}  // namespace interconnect_test
}  // namespace mti
