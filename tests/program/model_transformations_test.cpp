// The transformations themselves: f and g of the transformed model at the transformed point are those of the
// model, times the row's factor; and a transformation that forgets something changes the run.

#include "tests/program/model_transformations.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/mti/model/model_texts.hpp"
#include "tests/program/run_comparison.hpp"

namespace mti::test {
namespace model_transformations_test {

/// A model with everything: affine factors (by matrices), every kind of input, pre(z), an invariant, a law.
Model rich_model() {
  Source source;
  source.states = {{"x1", 1.0, "", 2.0}, {"x2", -0.5}};
  source.inputs = {{"u1", TableSource{{0.0, 1.0, 3.0}, {0.0, 2.0, -1.0}}, "", 5.0},
                   {"u2", SineSource{2.0, 0.25, 0.5, 1.0}},
                   {"u3", 0.75},
                   {"b", TableSource{{0.0, 2.0}, {0.0, 1.0}}, "", 1.0, true}};
  source.algebraic = {{"y1", 0.25, "", 10.0}, {"y2", 0.0}};
  source.binaries = {{"z1", 0.0}, {"z2", 1.0}, {"z3", 0.0}};
  source.equations = {"der(x1) = -x1*y1 + u1*z1 + time", "2*der(x2)*(1 + z2) = u2 - x2 + y2*pre(z3)",
                      "y1 = 1 + x2*x2 + u3*b", "y2 + x1*z3 = 3"};
  source.constraints = {"(x1 - u1)*(1 - 2*z1) <= 0", "(x2 - y2)*z2 <= 7", "pre(z3) - z3 <= 0",
                        "pre(z1) - 2 + x1/9 <= 0"};
  source.invariants = {"not (z1 and z3) or z2"};
  source.transitions = {{"reach(c2)", {"eq2"}, {"x2 = -pre(x2)/2 + u3"}}};
  source.experiment = {.start = 0.0, .stop = 4.0, .rtol = 1e-8, .atol = 1e-8, .output_interval = Number(0.5)};
  Model model = build(source);
  // 1 + v becomes 2·(1/2 + v/2) where it stands as a factor of its own.
  for (int k = 0; k < model.columns(); k += 2)
    for (SparseColumns::InnerIterator factor(model.S, k); factor; ++factor)
      factor.valueRef() = factor.value() > 0.0 ? 0.5 : -0.25;
  return model;
}

double product_of_column(const SparseColumns& S, int k, const std::vector<double>& v) {
  double product = 1.0;
  for (SparseColumns::InnerIterator factor(S, k); factor; ++factor)
    product *= 1.0 - std::abs(factor.value()) + factor.value() * v[at(static_cast<int>(factor.row()))];
  return product;
}

std::vector<double> values(const SparseColumns& S, const SparseColumns& Phi, const std::vector<double>& v) {
  std::vector<double> result(at(static_cast<int>(Phi.rows())), 0.0);
  for (int k = 0; k < Phi.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(Phi, k); entry; ++entry)
      result[at(static_cast<int>(entry.row()))] += entry.value() * product_of_column(S, k, v);
  return result;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-9 * (1.0 + std::abs(expected[i]))) << "row " << i;
}

/// f, g and the laws of `other` at the scaled point are those of `model`.
void expect_same_functions(const Model& model, const Model& other, const std::vector<double>& scale) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-2.0, 2.0);
  std::vector<double> v(at(2 * model.signature.size()));
  for (double& value : v) value = unit(random);
  std::vector<double> w = v;
  for (std::size_t i = 0; i < w.size(); ++i) w[i] *= scale[i % scale.size()];
  expect_near(values(other.S, other.Phi_eq, w), values(model.S, model.Phi_eq, v));
  expect_near(values(other.S, other.Phi_ineq, w), values(model.S, model.Phi_ineq, v));
  const CpMap &law = model.transitions.at(0).equations, &other_law = other.transitions.at(0).equations;
  expect_near(values(other_law.S(), other_law.Phi(), w), values(law.S(), law.Phi(), v));
}

double input_at(const Model& model, int i, double t) { return model.inputs[at(i)].piece(t).value(t); }

TEST(ModelTransformations, RowsAreMultiplied) {
  const Model model = rich_model();
  const std::vector<double> f_scale{1e6, 2.0, 1e-6, 3.0, 1.0}, g_scale{1e-6, 1e6, 4.0, 1.0};
  ASSERT_EQ(f_scale.size(), at(model.equations()));
  const Model other = with_scaled_rows(model, f_scale, g_scale);
  std::vector<double> v(at(model.signature.size()), 0.7), f = values(model.S, model.Phi_eq, v),
                                                          g = values(model.S, model.Phi_ineq, v);
  for (std::size_t j = 0; j < f.size(); ++j) f[j] *= f_scale[j];
  for (std::size_t l = 0; l < g.size(); ++l) g[l] *= g_scale[l];
  expect_near(values(other.S, other.Phi_eq, v), f);
  expect_near(values(other.S, other.Phi_ineq, v), g);
}

TEST(ModelTransformations, SignalsInOtherUnits) {
  const Model model = rich_model();
  const Signature& signature = model.signature;
  SignalScales scales = no_scales(model);
  scales.states = {1e6, 1e-3};
  for (std::size_t i = 0; i < scales.inputs.size(); ++i) scales.inputs[i] = 10.0 + static_cast<double>(i);
  scales.algebraic[0] = 1e-6;
  const Model other = with_scaled_signals(model, scales);
  std::vector<double> scale(at(signature.size()), 1.0);
  for (int i = 0; i < 2; ++i) scale[at(i)] = scale[at(2 + i)] = scales.states[at(i)];
  for (int i = 0; i < 3; ++i) scale[at(signature.input_row(i))] = 10.0 + i;  // not b, not the clock
  scale[at(signature.algebraic_row(0))] = 1e-6;
  expect_same_functions(model, other, scale);
  for (int i = 0; i < signature.m(); ++i)
    for (const double t : {0.3, 2.5, 9.0})
      EXPECT_NEAR(input_at(other, i, t), input_at(model, i, t) * scale[at(signature.input_row(i))], 1e-12);
  EXPECT_EQ(other.x_start[0], 1e6);
  EXPECT_EQ(other.signature.states()[0].nominal, 2e6);
  EXPECT_NEAR(other.signature.algebraic()[0].nominal, 1e-5, 1e-20);
  EXPECT_NEAR(other.y_start[0], 0.25e-6, 1e-20);
}

TEST(ModelTransformations, TimeInAnotherUnit) {
  const Model model = rich_model();
  const Signature& signature = model.signature;
  const double k = 1e6;
  const Model other = with_scaled_time(model, k);
  std::vector<double> scale(at(signature.size()), 1.0);
  scale[0] = scale[1] = 1.0 / k;
  scale[at(*signature.find("time"))] = k;
  expect_same_functions(model, other, scale);
  for (int i = 0; i < signature.m(); ++i)
    for (const double t : {0.3, 2.5, 9.0})
      EXPECT_NEAR(input_at(other, i, k * t), input_at(model, i, t) * scale[at(signature.input_row(i))], 1e-6);
  EXPECT_EQ(other.experiment.stop, 4e6);
  EXPECT_EQ(other.experiment.output_interval, 0.5e6);
}

TEST(ModelTransformations, OtherOrder) {
  const Model model = rich_model(), other = permuted(model, 3);
  EXPECT_NE(other.equation_names, model.equation_names);
  const Signature &from = model.signature, &to = other.signature;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(-2.0, 2.0);
  std::map<std::string, double> by_name;
  for (int row = 0; row < from.size(); ++row) by_name[from.row_name(row)] = unit(random);
  const auto point = [&](const Signature& signature) {
    std::vector<double> v;
    for (int copies = 0; copies < 2; ++copies)
      for (int row = 0; row < signature.size(); ++row) v.push_back(by_name.at(signature.row_name(row)));
    return v;
  };
  const auto named = [](const std::vector<std::string>& names, const std::vector<double>& numbers) {
    std::map<std::string, double> result;
    for (std::size_t i = 0; i < names.size(); ++i) result[names[i]] = std::round(1e9 * numbers[i]);
    return result;
  };
  const std::vector<double> v = point(from), w = point(to);
  EXPECT_EQ(named(other.equation_names, values(other.S, other.Phi_eq, w)),
            named(model.equation_names, values(model.S, model.Phi_eq, v)));
  EXPECT_EQ(named(other.constraint_names, values(other.S, other.Phi_ineq, w)),
            named(model.constraint_names, values(model.S, model.Phi_ineq, v)));
  const CpMap &law = model.transitions[0].equations, &other_law = other.transitions[0].equations;
  expect_near(values(other_law.S(), other_law.Phi(), w), values(law.S(), law.Phi(), v));
  EXPECT_EQ(other.constraint_names[at(other.transitions[0].target)], "c2");
  EXPECT_EQ(other.equation_names[at(other.transitions[0].replaces[0])], "eq2");
  for (int i = 0; i < from.m(); ++i)
    EXPECT_EQ(other.inputs[at(*to.find(from.inputs()[at(i)].name) - to.input_row(0))], model.inputs[at(i)]);
  for (unsigned bits = 0; bits < 8U; ++bits) {
    const auto evaluate = [&](const Model& either) {
      return either.invariants[0].evaluate(
          [&](int row) { return (bits >> (either.signature.row_name(row).back() - '1') & 1U) != 0; });
    };
    EXPECT_EQ(evaluate(other), evaluate(model));
  }
}

TEST(ModelTransformations, PassiveConstraintsAreNegativeWithinTheBounds) {
  const Model model = rich_model();
  const std::vector<double> bounds(at(model.signature.size()), 4.0);
  const Model other = with_passive_constraints(model, 100, bounds, 1);
  ASSERT_EQ(other.constraints(), model.constraints() + 100);
  const std::vector<double> v(at(model.signature.size()), -2.0);
  expect_near(values(other.S, other.Phi_eq, v), values(model.S, model.Phi_eq, v));
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-2.0, 2.0);
  std::vector<double> w = v;
  for (double& value : w) value = unit(random);
  for (int i = 0; i < model.signature.q(); ++i) w[at(model.signature.binary_row(i))] = i % 2;
  const std::vector<double> g = values(other.S, other.Phi_ineq, w);
  for (int row = model.constraints(); row < other.constraints(); ++row) EXPECT_LT(g[at(row)], -1.0);
}

/// Negative controls: the comparison sees a transformation that forgets one thing.
class Forgetful : public testing::Test {
 protected:
  static Course course(const Model& model) { return course_of(simulate(model), model); }
  static std::string found(const Model& other) {
    const Model model = build(three_tank_source());
    return difference(course(model), course(other), Spread{1e-6, 0.0, 1e-4, 1e-5}).text;
  }
  Model model = build(three_tank_source());
};

TEST_F(Forgetful, NothingForgottenNothingFound) { EXPECT_EQ(found(permuted(model, 2)), ""); }

TEST_F(Forgetful, StartValue) {
  SignalScales scales = no_scales(model);
  scales.states[1] = 1.001;
  Model other = with_scaled_signals(model, scales);
  EXPECT_EQ(found(other), "");
  other.x_start = model.x_start;
  EXPECT_NE(found(other), "");
}

TEST_F(Forgetful, Limit) {
  Model other = model;
  other.inputs[3] = Input(ConstantInput{40.01});
  EXPECT_NE(found(other), "");
}

TEST_F(Forgetful, ConstraintThatIsMet) {
  const std::vector<double> too_small(at(model.signature.size()), 35.0);  // tanks reach 40
  EXPECT_NE(found(with_passive_constraints(model, 100, too_small, 1)), "");
}

TEST_F(Forgetful, Name) {
  Model other = permuted(model, 2);
  other.signature = model.signature;
  EXPECT_NE(found(other), "");
}

}  // namespace model_transformations_test
}  // namespace mti::test
