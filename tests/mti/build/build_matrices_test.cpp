// The matrices form: der(x) = −x with a binary, ẋ, x, z in rows 0, 1, 2.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "tests/mti/model/model_texts.hpp"

namespace mti {
namespace build_matrices_test {

using Found = std::vector<std::pair<std::string, std::string>>;

/// f = ẋ + x·(½ + ½z),  g = −3 + 2x
Source sound() {
  Source source;
  source.states = {{"x", 1.0}};
  source.binaries = {{"z", 0.0}};
  MatricesSource matrices;
  matrices.S = {3, 4, {0, 2, 1, 1}, {0, 1, 1, 3}, {1.0, 0.5, 1.0, 1.0}};
  matrices.Phi_eq = {1, 4, {0, 0}, {0, 1}, {1.0, 1.0}};
  matrices.Phi_ineq = {1, 4, {0, 0}, {2, 3}, {-3.0, 2.0}};
  source.matrices = matrices;
  return source;
}

double value_of(const SparseColumns& S, const SparseColumns& Phi, const std::vector<double>& v) {
  double sum = 0.0;
  for (int k = 0; k < S.outerSize(); ++k) {
    double product = Phi.coeff(0, k);
    for (SparseColumns::InnerIterator entry(S, k); entry; ++entry)
      product *= 1.0 - std::abs(entry.value()) + entry.value() * v[at(entry.row())];
    sum += product;
  }
  return sum;
}

TEST(BuildMatrices, TakesThemAsTheyAre) {
  const Model model = build(sound());
  EXPECT_EQ(model.columns(), 4);
  EXPECT_EQ(model.S.coeff(2, 1), 0.5);
  EXPECT_EQ(model.S.coeff(1, 1), 1.0);
  EXPECT_EQ(model.Phi_ineq.coeff(0, 2), -3.0);
  EXPECT_EQ(model.equation_names, (std::vector<std::string>{"eq1"}));
  EXPECT_EQ(model.constraint_names, (std::vector<std::string>{"c1"}));
}

TEST(BuildMatrices, AgreesWithTheText) {
  Source text = sound();
  text.matrices.reset();
  text.equations = {"der(x) + x*(0.5 + 0.5*z) = 0"};
  text.constraints = {"2*x <= 3"};
  const Model from_text = build(text), from_matrices = build(sound());
  for (const double z : {0.0, 1.0}) {
    const std::vector<double> v = {-0.25, 1.5, z};
    EXPECT_EQ(value_of(from_text.S, from_text.Phi_eq, v), value_of(from_matrices.S, from_matrices.Phi_eq, v));
    EXPECT_EQ(value_of(from_text.S, from_text.Phi_ineq, v), 0.0);
    EXPECT_EQ(value_of(from_matrices.S, from_matrices.Phi_ineq, v), 0.0);
  }
}

TEST(BuildMatrices, NormalisesFactorsThatAreNot) {
  Source source = sound();
  source.matrices->S.v[1] = 2.0;  // 1 − 2 + 2z = 2z − 1, normalised: S = −2/3 with Φ times −3
  source.matrices->normalized = false;
  const Model model = build(source);
  EXPECT_EQ(model.S.coeff(2, 1), -2.0 / 3.0);
  EXPECT_EQ(model.Phi_eq.coeff(0, 1), -3.0);
  EXPECT_NEAR(value_of(model.S, model.Phi_eq, {0.0, 5.0, 0.0}), -5.0, 1e-14);
  EXPECT_NEAR(value_of(model.S, model.Phi_eq, {0.0, 5.0, 1.0}), 5.0, 1e-14);
}

TEST(BuildMatrices, MayHaveRowsForLeftLimits) {
  Source source = sound();
  source.matrices->pre = {"z"};
  source.matrices->S.rows = 4;
  source.matrices->S.i[1] = 3;
  const Model model = build(source);
  EXPECT_EQ(model.signature.row_name(3), "pre(z)");
  EXPECT_EQ(model.S.coeff(3, 1), 0.5);
}

TEST(BuildMatrices, OrderOfTripletsDoesNotMatter) {
  Source source = sound();
  for (TripletSource* matrix : {&source.matrices->S, &source.matrices->Phi_eq, &source.matrices->Phi_ineq}) {
    std::reverse(matrix->i.begin(), matrix->i.end());
    std::reverse(matrix->k.begin(), matrix->k.end());
    std::reverse(matrix->v.begin(), matrix->v.end());
  }
  test::expect_same(build(source), build(sound()));
}

TEST(BuildMatrices, ConstraintsMayBeMissing) {
  Source source = sound();
  source.matrices->Phi_ineq = {};
  EXPECT_EQ(build(source).constraints(), 0);
  EXPECT_EQ(build(source).columns(), 2) << "columns that nobody uses are dropped";
}

struct Case {
  const char* id;
  const char* pointer;
  std::function<void(MatricesSource&)> spoil;
};

TEST(BuildMatrices, FaultsHaveTheirIdAndPointer) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Case> cases = {
      {"matrix-size", "/matrices/S/rows", [](MatricesSource& m) { m.S.rows = 4; }},
      {"matrix-size", "/matrices/Phi_eq/cols", [](MatricesSource& m) { m.Phi_eq.cols = 5; }},
      {"matrix-size", "/matrices/Phi_ineq/cols", [](MatricesSource& m) { m.Phi_ineq.cols = 5; }},
      {"matrix-size", "/matrices/S", [](MatricesSource& m) { m.S.v.pop_back(); }},
      {"matrix-size", "/matrices/Phi_eq", [](MatricesSource& m) { m.Phi_eq.k.push_back(0); }},
      {"matrix-size", "/matrices/Phi_ineq", [](MatricesSource& m) { m.Phi_ineq.rows = -1; }},
      {"matrix-size", "/matrices/Phi_eq/rows", [](MatricesSource& m) { m.Phi_eq.rows = 2'000'000'000; }},
      {"index-out-of-range", "/matrices/S/i/2", [](MatricesSource& m) { m.S.i[2] = 3; }},
      {"index-out-of-range", "/matrices/S/k/0", [](MatricesSource& m) { m.S.k[0] = -1; }},
      {"index-out-of-range", "/matrices/Phi_eq/i/1", [](MatricesSource& m) { m.Phi_eq.i[1] = 1; }},
      {"index-out-of-range", "/matrices/Phi_ineq/k/1", [](MatricesSource& m) { m.Phi_ineq.k[1] = 4; }},
      {"not-finite", "/matrices/S/v/3", [=](MatricesSource& m) { m.S.v[3] = nan; }},
      {"not-finite", "/matrices/Phi_eq/v/0", [=](MatricesSource& m) { m.Phi_eq.v[0] = nan; }},
      {"duplicate-entry", "/matrices/Phi_eq/i/1", [](MatricesSource& m) { m.Phi_eq.k[1] = 0; }},
      {"not-normalised", "/matrices/S/v/1", [](MatricesSource& m) { m.S.v[1] = -1.5; }},
      {"name-count", "/matrices/equation_names",
       [](MatricesSource& m) {
         m.equation_names = {"a", "b"};
       }},
      {"name-count", "/matrices/constraint_names",
       [](MatricesSource& m) {
         m.constraint_names = {"a", "b"};
       }},
      {"bad-name", "/matrices/equation_names/0", [](MatricesSource& m) { m.equation_names = {"1"}; }},
      {"duplicate-name", "/matrices/constraint_names/0",
       [](MatricesSource& m) { m.equation_names = m.constraint_names = {"a"}; }},
      {"empty-equation", "/matrices/Phi_eq",
       [](MatricesSource& m) {
         m.Phi_eq.v = {0.0, 0.0};
       }},
      {"impossible-equation", "/matrices/Phi_eq",
       [](MatricesSource& m) {
         m.Phi_eq = {1, 4, {0}, {2}, {1.0}};
       }},
      {"impossible-constraint", "/matrices/Phi_ineq",
       [](MatricesSource& m) {
         m.Phi_ineq = {1, 4, {0}, {2}, {1.0}};
       }},
      {"unknown-name", "/matrices/pre/0",
       [](MatricesSource& m) {
         m.pre = {"q"};
         m.S.rows = 4;
       }},
      {"pre-of-non-binary", "/matrices/pre/0",
       [](MatricesSource& m) {
         m.pre = {"x"};
         m.S.rows = 4;
       }},
      {"duplicate-name", "/matrices/pre/1",
       [](MatricesSource& m) {
         m.pre = {"z", "z"};
         m.S.rows = 5;
       }},
  };
  for (const Case& one : cases) {
    Source source = sound();
    one.spoil(*source.matrices);
    std::string message;
    EXPECT_EQ(test::faults_of(source, &message), (Found{{one.id, one.pointer}}))
        << "expected " << one.id << " at " << one.pointer << "\n"
        << message;
  }
}

TEST(BuildMatrices, StandInPlaceOfEquations) {
  Source source = sound();
  source.equations = {"der(x) = -x"};
  EXPECT_EQ(test::faults_of(source), (Found{{"equations-and-matrices", "/matrices"}}));
}

TEST(BuildMatrices, ALawNeedsTheClockAsAnInput) {
  Source source = sound();
  source.transitions = {{"reach(c1)", {}, {"x = time"}}};
  EXPECT_EQ(test::faults_of(source), (Found{{"undeclared-clock", "/inputs"}}));
  source.inputs = {{.name = "time"}};
  source.matrices->S.rows = 4;
  source.matrices->S.i[1] = 3;
  const Model model = build(source);
  EXPECT_EQ(test::monomials_of(model.transitions[0].equations.S(), model.transitions[0].equations.Phi(), 0,
                               model.signature),
            (test::Monomials{{"x", 1.0}, {"time", -1.0}}));
}

}  // namespace build_matrices_test
}  // namespace mti
