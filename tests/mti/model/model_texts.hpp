#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/model/model.hpp"
#include "mti/source/source.hpp"

namespace mti::test {

/// The two-point controlled three-tank system, equations (10) to (19) of the paper, start valves closed.
inline Source three_tank_source() {
  Source source;
  source.name = "three_tank";
  source.parameters = {{"c", 4200.0}, {"m", 5.0}, {"a", 125.0}, {"g", "3*a"}, {"fv", 0.09}};
  source.states = {{"x1", 37.0}, {"x2", 30.0}, {"x3", 40.0}};
  const std::vector<double> u = {0, 80, 30, 40, 25, 35, 35, 45};
  for (std::size_t i = 0; i < u.size(); ++i)
    source.inputs.push_back({"u" + std::to_string(i + 1), Number(u[i])});
  source.algebraic = {{"y1", 1.0}};
  for (int i = 1; i <= 6; ++i) source.binaries.push_back({"z" + std::to_string(i), 0.0});
  source.equations = {"(c*m*der(x1) + g*x1 - a*(x2+x3) - a*u1)*y1 + c*fv*(x1-u2)*z1 = 0",
                      "(c*m*der(x2) + g*x2 - a*(x1+x3) - a*u1)*y1 + c*fv*(x2-u2)*z3 = 0",
                      "(c*m*der(x3) + g*x3 - a*(x1+x2) - a*u1)*y1 + c*fv*(x3-u2)*z5 = 0",
                      {"open_valves", "y1 = 1 + z1*z3 + z1*z5 + z3*z5 - z1*z3*z5"}};
  source.constraints = {{"tank1_low", "(u3-x1)*(1-z1+z2) <= 0"},
                        "(u5-x2)*(1-z3+z4) <= 0",
                        "(u7-x3)*(1-z5+z6) <= 0",
                        "(x1-u4)*(1-z2+z1) <= 0",
                        "(x2-u6)*(1-z4+z3) <= 0",
                        "(x3-u8)*(1-z6+z5) <= 0"};
  source.experiment = {
      .start = 0.0, .stop = 1000.0, .rtol = 1e-6, .atol = 1e-8, .output_interval = Number(1.0)};
  return source;
}

/// The smallest model there is: der(x) = −x.
inline Source decay_source() {
  Source source;
  source.states = {{"x", 1.0}};
  source.equations = {"der(x) = -x"};
  return source;
}

/// A function of monomial columns as {product of signal names: coefficient}, e.g. {"x1*z1": 2}.
using Monomials = std::map<std::string, double>;

inline Monomials monomials_of(const SparseColumns& S, const SparseColumns& Phi, int row,
                              const Signature& signature) {
  Monomials result;
  for (int k = 0; k < S.outerSize(); ++k) {
    const double coefficient = Phi.coeff(row, k);
    if (coefficient == 0.0) continue;
    std::string name;
    for (SparseColumns::InnerIterator entry(S, k); entry; ++entry) {
      EXPECT_EQ(entry.value(), 1.0);
      const int i = static_cast<int>(entry.row());
      if (!name.empty()) name += '*';
      name += i < signature.size() ? signature.row_name(i)
                                   : "pre(" + signature.row_name(i - signature.size()) + ")";
    }
    EXPECT_FALSE(result.contains(name)) << name << " has two columns";
    result[name] = coefficient;
  }
  return result;
}

inline Monomials equation_of(const Model& model, int row) {
  return monomials_of(model.S, model.Phi_eq, row, model.signature);
}
inline Monomials constraint_of(const Model& model, int row) {
  return monomials_of(model.S, model.Phi_ineq, row, model.signature);
}

/// (id, pointer) of every fault of a source, in the order reported; empty if it builds.
inline std::vector<std::pair<std::string, std::string>> faults_of(const Source& source,
                                                                  std::string* message = nullptr) {
  std::vector<std::pair<std::string, std::string>> result;
  try {
    static_cast<void>(build(source));
  } catch (const InvalidModel& error) {
    for (const Fault& fault : error.faults()) result.emplace_back(fault.id, fault.pointer);
    if (message != nullptr) *message = error.what();
  }
  return result;
}

/// Equal to the last bit, structure included.
inline void expect_same(const SparseColumns& a, const SparseColumns& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  ASSERT_EQ(a.nonZeros(), b.nonZeros());
  for (int k = 0; k < a.outerSize(); ++k) {
    SparseColumns::InnerIterator right(b, k);
    for (SparseColumns::InnerIterator left(a, k); left; ++left, ++right) {
      ASSERT_TRUE(right) << "column " << k;
      ASSERT_EQ(left.row(), right.row()) << "column " << k;
      ASSERT_EQ(left.value(), right.value()) << "column " << k;
    }
  }
}

inline void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.description, b.description);
  EXPECT_EQ(a.signature, b.signature);
  expect_same(a.S, b.S);
  expect_same(a.Phi_eq, b.Phi_eq);
  expect_same(a.Phi_ineq, b.Phi_ineq);
  EXPECT_EQ(a.equation_names, b.equation_names);
  EXPECT_EQ(a.constraint_names, b.constraint_names);
  EXPECT_EQ(a.inputs, b.inputs);
  EXPECT_EQ(a.x_start, b.x_start);
  EXPECT_EQ(a.y_start, b.y_start);
  EXPECT_EQ(a.z_start, b.z_start);
  EXPECT_EQ(a.invariants, b.invariants);
  ASSERT_EQ(a.transitions.size(), b.transitions.size());
  for (std::size_t i = 0; i < a.transitions.size(); ++i) {
    EXPECT_EQ(a.transitions[i].when, b.transitions[i].when);
    EXPECT_EQ(a.transitions[i].target, b.transitions[i].target);
    EXPECT_EQ(a.transitions[i].replaces, b.transitions[i].replaces);
    expect_same(a.transitions[i].equations.S(), b.transitions[i].equations.S());
    expect_same(a.transitions[i].equations.Phi(), b.transitions[i].equations.Phi());
  }
  ASSERT_EQ(a.scenarios.size(), b.scenarios.size());
  for (std::size_t i = 0; i < a.scenarios.size(); ++i) {
    EXPECT_EQ(a.scenarios[i].name, b.scenarios[i].name);
    EXPECT_EQ(a.scenarios[i].modes, b.scenarios[i].modes);
    EXPECT_EQ(a.scenarios[i].copied, b.scenarios[i].copied);
    expect_same(a.scenarios[i].equations.S(), b.scenarios[i].equations.S());
    expect_same(a.scenarios[i].equations.Phi(), b.scenarios[i].equations.Phi());
  }
  EXPECT_EQ(a.experiment.start, b.experiment.start);
  EXPECT_EQ(a.experiment.stop, b.experiment.stop);
  EXPECT_EQ(a.experiment.rtol, b.experiment.rtol);
  EXPECT_EQ(a.experiment.atol, b.experiment.atol);
  EXPECT_EQ(a.experiment.output_interval, b.experiment.output_interval);
}

}  // namespace mti::test
