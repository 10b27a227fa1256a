#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/build/build_parts.hpp"
#include "mti/build/build_triplets.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/multilinear/affine_columns.hpp"

namespace mti::building {
namespace {

/// Numbers of declared signals; rows of S are (ẋ, x, u, y, z).
struct Counts {
  explicit Counts(const Source& source)
      : n(static_cast<int>(source.states.size())),
        m(static_cast<int>(source.inputs.size())),
        p(static_cast<int>(source.algebraic.size())),
        q(static_cast<int>(source.binaries.size())) {}
  [[nodiscard]] int rows() const { return 2 * n + m + p + q; }
  int n, m, p, q;
};

void add_entry(TripletSource& matrix, int row, int column, double value) {
  matrix.i.push_back(row);
  matrix.k.push_back(column);
  matrix.v.push_back(value);
}

std::string times(int rows, int columns) { return std::to_string(rows) + " x " + std::to_string(columns); }

/// Reads a matrix that must have a size; `reason` says why. A matrix without rows, columns and entries passes
/// for an empty one.
Entries read_sized(const TripletSource& matrix, const std::string& name, int rows, int columns,
                   const std::string& reason, Faults& faults, bool& good) {
  const std::string pointer = "/matrices/" + name;
  const bool is_absent = matrix.rows == 0 && matrix.cols == 0 && matrix.v.empty();
  if (!(is_absent && (rows == 0 || columns == 0)) && (matrix.rows != rows || matrix.cols != columns)) {
    faults.add("matrix-size", pointer,
               name + " is " + times(matrix.rows, matrix.cols) + "; expected " + times(rows, columns) + ": " +
                   reason);
    good = false;
  }
  return read_entries(matrix, pointer, faults, good);
}

/// ẋ = F and y = G as columns of ẋ and y, one each, before those of the form.
MatricesSource left_sides(const Counts& counts) {
  MatricesSource result;
  result.S.rows = counts.rows();
  result.S.cols = counts.n + counts.p;
  result.Phi_eq.rows = counts.n + counts.p;
  for (int i = 0; i < counts.n + counts.p; ++i) {
    const int row = i < counts.n ? i : counts.n + counts.m + i;  // of ẋ_i or of y_(i − n)
    add_entry(result.S, row, i, 1.0);
    add_entry(result.Phi_eq, i, i, 1.0);
  }
  return result;
}

void finish(MatricesSource& matrices, const std::vector<std::string>& equation_names) {
  matrices.Phi_eq.cols = matrices.Phi_ineq.cols = matrices.S.cols;
  matrices.equation_names = equation_names;
}

/// Checks the factor matrices: one 2 × R for each signal of (x, u).
void check_factors(const ExplicitSource& form, const Counts& counts, Faults& faults, bool& good) {
  const auto fail = [&](const std::string& pointer, const std::string& message) {
    faults.add("factor-size", pointer, message);
    good = false;
  };
  const std::string pointer = "/matrices/factors";
  const auto signals = at(counts.n + counts.m);
  const auto R = at(form.phi.cols);
  if (form.factors.size() != signals)
    fail(pointer, "found " + std::to_string(form.factors.size()) +
                      " factor matrices; the signals (x, u) need " + std::to_string(counts.n) + " + " +
                      std::to_string(counts.m));
  if (!form.lambda.empty() && form.lambda.size() != R)
    fail("/matrices/lambda", "found " + std::to_string(form.lambda.size()) + " numbers; phi has " +
                                 std::to_string(R) + " columns");
  for (std::size_t i = 0; i < form.factors.size(); ++i) {
    const auto& U = form.factors[i];
    if (U.size() != 2)
      fail(element(pointer, i),
           "found " + std::to_string(U.size()) + " rows; expected 2: constants and slopes");
    for (std::size_t row = 0; row < U.size(); ++row) {
      if (U[row].size() != R)
        fail(element(element(pointer, i), row), "found " + std::to_string(U[row].size()) +
                                                    " numbers; phi has " + std::to_string(R) + " columns");
      for (std::size_t k = 0; k < U[row].size(); ++k)
        if (!std::isfinite(U[row][k])) {
          faults.add("not-finite", element(element(element(pointer, i), row), k),
                     "the value is not a finite number");
          good = false;
        }
    }
  }
  for (std::size_t k = 0; k < form.lambda.size(); ++k)
    if (!std::isfinite(form.lambda[k])) {
      faults.add("not-finite", element("/matrices/lambda", k), "the value is not a finite number");
      good = false;
    }
}

/// Row of S of signal i of (x, u).
int row_of(int signal, const Counts& counts) { return counts.n + signal; }

MatricesSource from_structure_matrix(const ExplicitSource& form, const Counts& counts, Faults& faults,
                                     bool& good) {
  MatricesSource result = left_sides(counts);
  result.normalized = form.normalized;
  const int first = result.S.cols;
  const Entries U = read_sized(*form.U, "U", counts.n + counts.m, form.phi.cols,
                               "one row for each state and input, one column for each of phi", faults, good);
  for (std::size_t place = 0; place < U.size(); ++place) {
    if (form.normalized && std::abs(U.value(place)) > 1.0) {
      faults.add("not-normalised", element("/matrices/U/v", U.order[place]),
                 "U holds " + text::format_number(U.value(place)) +
                     "; expected |U| <= 1, or \"normalized\": false beside U for factors 1 - |U| + U*w taken "
                     "as they are");
      good = false;
    }
    add_entry(result.S, row_of(U.row(place), counts), first + U.column(place), U.value(place));
  }
  if (!form.lambda.empty()) {
    faults.add("factor-size", "/matrices/lambda", R"(lambda belongs to "factors"; with "U" scale phi)");
    good = false;
  }
  return result;
}

/// A column of S, and what it is multiplied by.
struct FormColumn {
  int column;
  WideProduct scale;
};
/// Those that stand for each column of phi.
using FormColumns = std::vector<std::vector<FormColumn>>;

/// Rows of S of binary inputs, ascending.
std::vector<int> binary_rows(const Source& source, const Counts& counts) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < source.inputs.size(); ++i)
    if (source.inputs[i].binary) rows.push_back(2 * counts.n + static_cast<int>(i));
  return rows;
}

/// Normalises the factors.
MatricesSource from_factors(const ExplicitSource& form, const Counts& counts,
                            const std::vector<int>& binaries, FormColumns& columns, Faults& faults,
                            bool& good) {
  MatricesSource result = left_sides(counts);
  check_factors(form, counts, faults, good);
  if (!good) return result;
  std::vector<AffineFactor> product;
  for (std::size_t k = 0; k < at(form.phi.cols); ++k) {
    product.clear();
    for (std::size_t i = 0; i < form.factors.size(); ++i)
      product.push_back({row_of(static_cast<int>(i), counts), form.factors[i][0][k], form.factors[i][1][k]});
    const auto parts = columns_of_product(product, binaries);
    if (!parts) {
      faults.add(
          "too-many-terms", "/matrices/factors",
          "column " + std::to_string(k) +
              " has too many factors a + b*w with |b| much larger than |a|, which one column of S cannot "
              "hold to the last digit; name parts of it as algebraic signals");
      good = false;
      return result;
    }
    for (const ScaledColumn& part : *parts) {
      WideProduct scale(form.lambda.empty() ? 1.0 : form.lambda[k]);
      scale.times(part.scale);
      columns[k].push_back({result.S.cols, scale});
      for (const auto& [row, S] : part.factors) add_entry(result.S, row, result.S.cols, S);
      ++result.S.cols;
    }
  }
  return result;
}

MatricesSource matrices_of(const Source& source, const ExplicitSource& form, const Counts& counts,
                           Faults& faults) {
  bool good = true;
  if (form.U && !form.factors.empty())
    faults.add("factor-size", "/matrices/factors", "found beside U; expected one of the two");
  const Entries phi = read_sized(form.phi, "phi", counts.n + counts.p, form.phi.cols,
                                 "one row for each state and algebraic signal", faults, good);
  FormColumns columns(good ? at(form.phi.cols) : 0);
  MatricesSource result =
      form.U ? from_structure_matrix(form, counts, faults, good)
             : from_factors(form, counts, binary_rows(source, counts), columns, faults, good);
  if (!good) return result;
  if (form.U)
    for (std::vector<FormColumn>& column : columns) column = {{result.S.cols++, WideProduct()}};
  for (std::size_t place = 0; place < phi.size(); ++place)
    for (const FormColumn& column : columns[at(phi.column(place))]) {
      WideProduct weight = column.scale;
      weight.times(-phi.value(place));
      add_entry(result.Phi_eq, phi.row(place), column.column, weight.value());
    }
  finish(result, form.equation_names);
  return result;
}

MatricesSource matrices_of(const StateSpaceSource& form, const Counts& counts, Faults& faults) {
  bool good = true;
  const int n = counts.n, m = counts.m, p = counts.p, e = form.E ? form.E->rows : n;
  if (form.E && e < 0) good = false;
  const std::string by_rows = form.E ? "E has " + std::to_string(e) + " rows, " : "";
  const auto read = [&](const TripletSource& matrix, const char* name, int rows, int columns) {
    return read_sized(matrix, name, rows, columns,
                      by_rows + "there are " + std::to_string(n) + " states, " + std::to_string(m) +
                          " inputs and " + std::to_string(p) + " algebraic signals",
                      faults, good);
  };
  TripletSource identity;
  identity.rows = identity.cols = n;
  for (int i = 0; !form.E && i < n; ++i) add_entry(identity, i, i, 1.0);
  const Entries E = read(form.E ? *form.E : identity, "E", e, n);
  const Entries A = read(form.A, "A", e, n), B = read(form.B, "B", e, m);
  const Entries C = read(form.C, "C", p, n), D = read(form.D, "D", p, m);

  // Column i holds the signal of row i of S alone; those that nothing uses go when the model is built.
  MatricesSource result;
  result.S.rows = counts.rows();
  result.S.cols = 2 * n + m + p;
  result.Phi_eq.rows = e + p;
  if (!good) return result;
  for (int i = 0; i < result.S.cols; ++i) add_entry(result.S, i, i, 1.0);
  const auto add = [&](const Entries& entries, int first_row, int first_column, double sign) {
    for (std::size_t place = 0; place < entries.size(); ++place)
      add_entry(result.Phi_eq, first_row + entries.row(place), first_column + entries.column(place),
                sign * entries.value(place));
  };
  add(E, 0, 0, 1.0);
  add(A, 0, n, -1.0);
  add(B, 0, 2 * n, -1.0);
  for (int i = 0; i < p; ++i) add_entry(result.Phi_eq, e + i, 2 * n + m + i, 1.0);
  add(C, e, n, -1.0);
  add(D, e, 2 * n, -1.0);
  finish(result, form.equation_names);
  return result;
}

}  // namespace

Source with_matrices(const Source& source) {
  Faults faults;
  const Counts counts(source);
  Source result = source;
  result.explicit_form.reset();
  result.state_space.reset();
  if (source.matrices || (source.explicit_form && source.state_space))
    faults.add("equations-and-matrices", "/matrices", "a model has one form: found several");
  result.matrices = source.explicit_form ? matrices_of(source, *source.explicit_form, counts, faults)
                                         : matrices_of(*source.state_space, counts, faults);
  if (faults.empty()) return result;

  // The other faults are found with no equations at all.
  std::vector<Fault> all = faults.take();
  result.matrices.emplace().S.rows = counts.rows();
  try {
    if (!source.states.empty()) static_cast<void>(build(result));
  } catch (const InvalidModel& invalid) {
    for (const Fault& fault : invalid.faults()) all.push_back(fault);
  }
  throw InvalidModel(std::move(all));
}

}  // namespace mti::building
