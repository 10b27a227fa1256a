#pragma once

#include <string>
#include <vector>

#include "mti/model/model.hpp"

/// Models that are nothing but a pattern: rows are sums of products of signals with coefficient 1.
namespace mti::test {

using Product = std::vector<std::string>;  ///< names, "der(x)" for derivatives
using SumOfProducts = std::vector<Product>;

struct NamedSum {
  std::string name;
  SumOfProducts terms;
};

inline std::vector<Signal> signals(const std::vector<std::string>& names) {
  std::vector<Signal> result;
  for (const std::string& name : names) result.push_back({.name = name});
  return result;
}

inline int row_of_S(const Signature& signature, const std::string& name) {
  if (name.rfind("der(", 0) == 0)
    return *signature.find(name.substr(4, name.size() - 5)) - signature.n();  // rows of ẋ stand before x
  if (name.rfind("pre(", 0) == 0)
    return *signature.find_pre(*signature.find(name.substr(4, name.size() - 5)) - signature.binary_row(0));
  return *signature.find(name);
}

inline Model pattern_model(Signature signature, const std::vector<NamedSum>& equations,
                           const std::vector<NamedSum>& constraints = {}) {
  Model model;
  std::vector<Eigen::Triplet<double>> S, Phi_eq, Phi_ineq;
  int columns = 0;
  const auto add = [&](const std::vector<NamedSum>& rows, std::vector<Eigen::Triplet<double>>& Phi,
                       std::vector<std::string>& names) {
    for (const NamedSum& row : rows) {
      for (const Product& product : row.terms) {
        for (const std::string& name : product) S.emplace_back(row_of_S(signature, name), columns, 1.0);
        Phi.emplace_back(static_cast<int>(names.size()), columns++, 1.0);
      }
      names.push_back(row.name);
    }
  };
  add(equations, Phi_eq, model.equation_names);
  add(constraints, Phi_ineq, model.constraint_names);
  const auto fill = [&](SparseColumns& matrix, std::size_t rows,
                        const std::vector<Eigen::Triplet<double>>& triplets) {
    matrix.resize(static_cast<int>(rows), columns);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
  };
  fill(model.S, signature.size(), S);
  fill(model.Phi_eq, equations.size(), Phi_eq);
  fill(model.Phi_ineq, constraints.size(), Phi_ineq);
  model.signature = std::move(signature);
  return model;
}

/// Equations (10)-(19) of the paper, one product per term.
inline Model three_tanks() {
  const auto tank = [](const std::string& x, const std::string& p, const std::string& q,
                       const std::string& z) {
    return SumOfProducts{
        {"der(" + x + ")", "y1"}, {x, "y1"}, {p, "y1"}, {q, "y1"}, {"u1", "y1"}, {x, z}, {"u2", z}};
  };
  // (limit − x)(1 − opening + closing) or with the signs of the other limit: the same pattern
  const auto limit = [](const std::string& u, const std::string& x, const std::string& a,
                        const std::string& b) {
    return SumOfProducts{{u}, {x}, {u, a}, {x, a}, {u, b}, {x, b}};
  };
  return pattern_model(
      {signals({"x1", "x2", "x3"}), signals({"u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8"}),
       signals({"y1"}), signals({"z1", "z2", "z3", "z4", "z5", "z6"})},
      {{"tank1", tank("x1", "x2", "x3", "z1")},
       {"tank2", tank("x2", "x3", "x1", "z3")},
       {"tank3", tank("x3", "x1", "x2", "z5")},
       {"open_valves", {{"y1"}, {"z1", "z3"}, {"z1", "z5"}, {"z3", "z5"}, {"z1", "z3", "z5"}, {}}}},
      {{"low1", limit("u3", "x1", "z1", "z2")},
       {"low2", limit("u5", "x2", "z3", "z4")},
       {"low3", limit("u7", "x3", "z5", "z6")},
       {"high1", limit("u4", "x1", "z2", "z1")},
       {"high2", limit("u6", "x2", "z4", "z3")},
       {"high3", limit("u8", "x3", "z6", "z5")}});
}

}  // namespace mti::test
