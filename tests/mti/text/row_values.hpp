#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "mti/build/build.hpp"

namespace mti::test {

/// Row of Phi·Π(1 − |S| + S v).
inline double value_of_row(const SparseColumns& S, const SparseColumns& Phi, int row,
                           const std::vector<double>& v) {
  double sum = 0.0;
  for (int k = 0; k < S.outerSize(); ++k) {
    double product = Phi.coeff(row, k);
    if (product == 0.0) continue;
    for (SparseColumns::InnerIterator entry(S, k); entry; ++entry)
      product *= 1.0 - std::abs(entry.value()) + entry.value() * v[static_cast<std::size_t>(entry.row())];
    sum += product;
  }
  return sum;
}

/// Sums that stand in products more than once, fn.sum1 …, at the values of their definitions, and their copies. Those made
/// later may need earlier ones.
inline void enter_sums(const Model& model, std::vector<double>& v) {
  for (int sum = 1;; ++sum) {
    const std::string name = "fn.sum" + std::to_string(sum);
    const auto equation = std::ranges::find(model.equation_names, name + ".definition");
    if (equation == model.equation_names.end()) return;
    std::vector<std::size_t> places;
    for (int row = 0; row < model.signature.size(); ++row)
      if (const std::string own = model.signature.row_name(row);
          own == name || own.starts_with(name + ".copy"))
        places.push_back(static_cast<std::size_t>(row));
    const auto row = static_cast<int>(equation - model.equation_names.begin());
    for (const double start : {0.0, -value_of_row(model.S, model.Phi_eq, row, v)})
      for (const std::size_t place : places) v[place] = start;
  }
}

}  // namespace mti::test
