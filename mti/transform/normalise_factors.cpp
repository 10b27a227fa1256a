#include "mti/transform/normalise_factors.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/multilinear/affine_columns.hpp"
#include "mti/transform/model_change.hpp"

namespace mti {

CpMap normalise_factors(const SparseColumns& S, const SparseColumns& Phi) {
  if (S.cols() != Phi.cols())
    throw InvalidModel("matrix-size", "",
                       "S has " + std::to_string(S.cols()) + " columns, Phi has " +
                           std::to_string(Phi.cols()) + "; both need one per term");
  CpBuilder builder(static_cast<int>(S.rows()), static_cast<int>(Phi.rows()));
  std::vector<std::pair<int, double>> normal;
  std::vector<AffineFactor> others;
  for (int k = 0; k < static_cast<int>(S.cols()); ++k) {
    normal.clear();
    others.clear();
    for (SparseColumns::InnerIterator factor(S, k); factor; ++factor) {
      const double value = factor.value();
      if (!std::isfinite(value))
        throw InvalidModel("not-finite", "",
                           "S has a value that is not finite in column " + std::to_string(k));
      const int row = static_cast<int>(factor.row());
      if (std::abs(value) > 1.0)
        others.push_back({row, 1.0 - std::abs(value), value});
      else if (value != 0.0)
        normal.emplace_back(row, value);
    }
    for (ScaledColumn& part : required_columns(others)) {
      part.factors.insert(part.factors.end(), normal.begin(), normal.end());
      for (SparseColumns::InnerIterator entry(Phi, k); entry; ++entry) {
        WideProduct coefficient = part.scale;
        coefficient.times(entry.value());
        builder.add_normalised(static_cast<int>(entry.row()), coefficient.value(), part.factors);
      }
    }
  }
  return builder.build();
}

Model normalise_factors(const Model& model) {
  Model result = model;
  transform::set_rows(normalise_factors(model.S, transform::stacked_Phi(model)), model.equations(), result);
  return result;
}

}  // namespace mti
