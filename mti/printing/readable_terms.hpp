#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "mti/multilinear/cp_map.hpp"

namespace mti::text {

/// (constant + slope · v_row)^exponent
struct ReadableFactor {
  int row = 0;  ///< of S; of a copy the row of what it copies
  double constant = 0.0, slope = 1.0;
  int exponent = 1;
};

/// coefficient · Π factors. A plain signal is 0 + 1·v; of an affine factor the smaller of its numbers is 1:
/// 1 − 2z, x − 5.
struct ReadableTerm {
  double coefficient = 0.0;
  std::vector<ReadableFactor> factors;
  const ElementaryFunction* phi = nullptr;  ///< of the one factor
};

/// Copies of a model: what was made so that a power stays multilinear, x² = x·x̂ with x̂ − x = 0.
struct PowerCopies {
  std::vector<int> original;        ///< for each row of S the row it copies, or itself
  std::vector<char> is_definition;  ///< for each equation: says nothing but x̂ − x = 0
};

/// An auxiliary algebraic signal is a copy if an equation holds nothing but it and its original, with
/// opposite coefficients, and no transition law puts that equation out of force.
[[nodiscard]] PowerCopies find_copies(const Model& model);

/// Every signal stands for itself.
[[nodiscard]] PowerCopies no_copies(const Model& model);

/// Reads the terms of the rows of a map; Φ is regrouped by rows once.
class ReadableRows {
 public:
  /// `original` gives for each row of S the row that is written in its place.
  ReadableRows(const CpMap& map, std::function<int(int)> original)
      : map_(map), Phi_(map.Phi()), original_(std::move(original)) {}

  [[nodiscard]] std::vector<ReadableTerm> terms(int row) const;

 private:
  CpMap map_;
  Eigen::SparseMatrix<double, Eigen::RowMajor, int> Phi_;
  std::function<int(int)> original_;
};

/// How numbers, names, products and powers are written.
struct Notation {
  std::function<std::string(int row)> name;
  std::function<std::string(double value)> number;  ///< of a value ≥ 0
  std::function<std::string(const std::string& base, int exponent)> power;
  std::function<std::string(const ElementaryFunction& phi, const std::string& argument)> apply;
  std::string times, open, close;
};

/// A sum term by term, e.g. {"x1*z1", "- 3*x2^2"}: a sign and a blank begin all but the first, which has its
/// minus without a blank. {"0"} for no terms.
[[nodiscard]] std::vector<std::string> written(const std::vector<ReadableTerm>& terms,
                                               const Notation& notation);

/// The shortest text of a number that is right to so many significant digits; 17 or more: that reads back
/// exactly.
[[nodiscard]] std::string format_rounded(double value, int digits);

}  // namespace mti::text
