#pragma once

#include <Eigen/SparseCore>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "mti/functions/elementary_function.hpp"

namespace mti {

/// Column-compressed sparse matrix; column k of S and of Φ belongs to term k.
using SparseColumns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

/// A column that is no product of factors: φ of the only signal it holds, with S = 1 there.
struct FunctionColumn {
  int column = 0;
  ElementaryFunction phi;

  friend bool operator==(const FunctionColumn&, const FunctionColumn&) = default;
};

/// A multilinear function in normalised canonical polyadic form:
///
///     f_j(v) = Σ_k Φ_jk · Π_i (1 − |S_ik| + S_ik v_i),    |S_ik| ≤ 1                      (6), (7)
///
/// S is (signals × R), Φ is (rows × R), both sparse and without stored zeros, R the number of columns.
/// S_ik = 0: signal i is absent from column k; 1: factor v_i; −1: factor −v_i; otherwise an affine factor.
/// Columns listed in functions() are elementary functions φ(v_i) of their signal instead; so the patterns of S and Φ are
/// the incidence of all columns, and a map without such columns is multilinear.
/// Source: the paper, equations (6) and (7).
class CpMap {
 public:
  CpMap() = default;
  /// Throws InvalidModel (ids `matrix-size`, `not-normalised`, `not-finite`) where the invariants do not
  /// hold. `functions` ascends by column.
  CpMap(SparseColumns S, SparseColumns Phi, std::vector<FunctionColumn> functions = {});

  [[nodiscard]] const SparseColumns& S() const noexcept { return S_; }
  [[nodiscard]] const SparseColumns& Phi() const noexcept { return Phi_; }
  [[nodiscard]] const std::vector<FunctionColumn>& functions() const noexcept { return functions_; }
  /// φ of a column; null: the column is a product.
  [[nodiscard]] const ElementaryFunction* function_of(int column) const;
  [[nodiscard]] int signals() const noexcept { return static_cast<int>(S_.rows()); }
  [[nodiscard]] int rows() const noexcept { return static_cast<int>(Phi_.rows()); }
  [[nodiscard]] int columns() const noexcept { return static_cast<int>(S_.cols()); }

 private:
  friend class CpBuilder;
  struct Unchecked {};
  /// For parts that hold the invariants by the way they were made.
  CpMap(SparseColumns S, SparseColumns Phi, std::vector<FunctionColumn> functions, Unchecked)
      : S_(std::move(S)), Phi_(std::move(Phi)), functions_(std::move(functions)) {}

  SparseColumns S_, Phi_;
  std::vector<FunctionColumn> functions_;
};

/// One affine factor a + b·v_i of a column that is being put together.
struct AffineFactor {
  int signal = 0;
  double a = 0.0;
  double b = 1.0;
};

/// A factor a + b·v in the normal form: a + b·v = scale · (1 − |S| + S v). docs/theory.md, "Functions":
/// S = sign(a)·b/(|a|+|b|), scale = sign(a)·(|a|+|b|), sign(0) = 1.
struct NormalisedFactor {
  double S = 0.0;
  double scale = 1.0;
};
[[nodiscard]] NormalisedFactor normalise(double a, double b);

/// Collects columns and merges equal ones: the only way text, matrices and frozen models become S and Φ.
///
/// A factor with b = 0 is folded into the coefficient. Coefficients that cancel to rounding are dropped,
/// and so is a column without coefficients, so that incidence read off the result is that of the function.
class CpBuilder {
 public:
  CpBuilder(int signals, int rows) : signals_(signals), rows_(rows) {}

  /// Makes room for what is to come, so that it is not moved about while it grows.
  void reserve(std::size_t columns, std::size_t factors, std::size_t terms);

  /// Adds coefficient · Π factors to row `row`. The signals of `factors` must be distinct.
  void add(int row, double coefficient, std::span<const AffineFactor> factors);
  /// The same with factors already normalised: (signal, S).
  void add_normalised(int row, double coefficient, std::span<const std::pair<int, double>> factors);

  /// Adds coefficient · φ(v_signal) to row `row`, as a column of its own.
  void add_function(int row, double coefficient, int signal, const ElementaryFunction& phi);

  /// Columns in the order of their first appearance, functions behind the products. Throws InvalidModel (id `not-finite`) if a coefficient
  /// has overflowed.
  [[nodiscard]] CpMap build() const;

 private:
  struct Term {
    int row;
    int column;
    double coefficient;
  };
  struct Application {
    int row;
    double coefficient;
    int signal;
    ElementaryFunction phi;
  };
  /// The column with these factors, ascending by signal; made if it is not there.
  int column_of(std::span<const std::pair<int, double>> factors);
  [[nodiscard]] std::span<const std::pair<int, double>> factors_of(int column) const;
  void make_room(std::size_t columns);

  int signals_, rows_;
  std::vector<std::pair<int, double>> factors_;  ///< of all columns, one after the other
  std::vector<std::size_t> factor_start_{0};
  std::vector<std::size_t> hashes_;  ///< of columns
  /// Columns by their hashes, each at the first free place from there on; −1: free. At least half of them are.
  std::vector<int> by_hash_;
  std::vector<std::pair<int, double>> scratch_;
  std::vector<Term> terms_;
  std::vector<Application> applications_;
};

/// φ of a column in an ascending list; null: it is not there.
[[nodiscard]] const ElementaryFunction* find_column(std::span<const FunctionColumn> functions, int column);

}  // namespace mti
