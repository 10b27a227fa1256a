#include "solvers/eigenvalues/pencil_eigenvalues.hpp"

#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/eigenvalues/dense_pencil.hpp"
#include "solvers/eigenvalues/shift_invert.hpp"
#include "solvers/structure/block_triangular.hpp"
#include "solvers/structure/incidence.hpp"
#include "solvers/structure/matching.hpp"

namespace mti {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr const char* singular_note = "the pencil is singular: the motion is not determined";
constexpr double not_asked_for = std::numeric_limits<double>::quiet_NaN();

/// Which unknowns occur in which row of E or A.
Incidence pattern_of(const SparseColumns& E, const SparseColumns& A) {
  std::vector<std::vector<PatternColumn>> rows(at(A.rows()));
  for (const SparseColumns* matrix : {&E, &A})
    for (int k = 0; k < matrix->outerSize(); ++k)
      for (SparseColumns::InnerIterator entry(*matrix, k); entry; ++entry)
        if (entry.value() != 0.0) rows[at(entry.row())].emplace_back(k);
  Incidence pattern(static_cast<int>(A.cols()));
  for (const std::vector<PatternColumn>& row : rows) pattern.add_row(row);
  return pattern;
}

/// The pencil of one block.
struct BlockPencil {
  SparseColumns E, A;
  std::vector<int> dynamic;  ///< columns with an entry in E
};

/// Takes blocks out of E and A; keeps what it needs for that between calls.
class BlockReader {
 public:
  BlockReader(const SparseColumns& E, const SparseColumns& A)
      : E_(E), A_(A), place_(static_cast<int>(A.rows()), -1) {}

  BlockPencil read(const Block& block) {
    for (std::size_t i = 0; i < block.rows.size(); ++i) place_[block.rows[i]] = static_cast<int>(i);
    BlockPencil pencil{part(E_, block), part(A_, block), {}};
    for (int k = 0; k < pencil.E.cols(); ++k)
      if (pencil.E.outerIndexPtr()[k + 1] > pencil.E.outerIndexPtr()[k]) pencil.dynamic.push_back(k);
    for (const PatternRow row : block.rows) place_[row] = -1;
    return pencil;
  }

 private:
  [[nodiscard]] SparseColumns part(const SparseColumns& matrix, const Block& block) const {
    const auto size = static_cast<int>(block.rows.size());
    Triplets entries;
    for (int k = 0; k < size; ++k)
      for (SparseColumns::InnerIterator entry(matrix, block.columns[at(k)].value()); entry; ++entry)
        if (const int row = place_[PatternRow(entry.index())]; row >= 0 && entry.value() != 0.0)
          entries.emplace_back(row, k, entry.value());
    SparseColumns result(size, size);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

  const SparseColumns &E_, &A_;
  Indexed<PatternRow, int> place_;
};

/// Rates of the dynamic unknowns with the others eliminated: the dense A_r of ẋ = A_r x. Nothing where ∂f/∂ẋ
/// and the columns of the others are no regular matrix (index above 1).
std::optional<Eigen::MatrixXd> eliminate_algebraic(const BlockPencil& pencil) {
  const auto size = static_cast<int>(pencil.A.cols());
  const auto dynamic = static_cast<int>(pencil.dynamic.size());
  std::vector<char> is_dynamic(at(size), 0);
  for (const int k : pencil.dynamic) is_dynamic[at(k)] = 1;
  SparseColumns leading(size, size), right(size, dynamic);
  Eigen::VectorXd scale = Eigen::VectorXd::Zero(size);
  Triplets entries;
  const auto add = [&](const SparseColumns& matrix, int from, int to, double sign) {
    for (SparseColumns::InnerIterator entry(matrix, from); entry; ++entry) {
      entries.emplace_back(static_cast<int>(entry.row()), to, sign * entry.value());
      scale[entry.row()] = std::max(scale[entry.row()], std::abs(entry.value()));
    }
  };
  int next = 0;
  for (const int k : pencil.dynamic) add(pencil.E, k, next++, 1.0);
  for (int k = 0; k < size; ++k)
    if (is_dynamic[at(k)] == 0) add(pencil.A, k, next++, -1.0);
  leading.setFromTriplets(entries.begin(), entries.end());
  if (!(scale.minCoeff() > 0.0)) return std::nullopt;
  entries.clear();
  for (int c = 0; c < dynamic; ++c)
    for (SparseColumns::InnerIterator entry(pencil.A, pencil.dynamic[at(c)]); entry; ++entry)
      entries.emplace_back(static_cast<int>(entry.row()), c, entry.value() / scale[entry.row()]);
  right.setFromTriplets(entries.begin(), entries.end());
  leading = scale.cwiseInverse().asDiagonal() * leading;
  leading.makeCompressed();
  Eigen::SparseLU<SparseColumns, Eigen::COLAMDOrdering<int>> factor(leading);
  if (factor.info() != Eigen::Success) return std::nullopt;
  Eigen::MatrixXd rates(dynamic, dynamic);
  for (int c = 0; c < dynamic; ++c) {
    const Eigen::VectorXd column = right.col(c);
    const Eigen::VectorXd solution = factor.solve(column);
    constexpr double too_large = 1e12;
    if (!solution.allFinite() || solution.norm() > too_large * column.norm()) return std::nullopt;
    rates.col(c) = solution.head(dynamic);
  }
  return rates;
}

/// Eigenvalues of blocks, one after the other, until one says why there are none.
class BlockSolver {
 public:
  BlockSolver(const EigenvalueOptions& options, PencilSpectrum& result)
      : options_(options), result_(result) {}

  bool solve(const BlockPencil& pencil, const std::vector<int>& unknowns) {
    if (unknowns.size() == 1) return solve_single(pencil, unknowns);
    const auto dynamic = static_cast<int>(pencil.dynamic.size());
    constexpr int soon_done = 300;
    if (options_.count && dynamic > std::max(soon_done, 4 * *options_.count))
      return search(pencil, *options_.count, unknowns);
    const auto size = static_cast<int>(unknowns.size());
    if (dynamic == 0 && size > soon_done) return search(pencil, 0, unknowns);
    if (size > soon_done && dynamic <= options_.largest_dense) {
      if (const std::optional<Eigen::MatrixXd> rates = eliminate_algebraic(pencil)) {
        std::vector<int> states;
        for (const int k : pencil.dynamic) states.push_back(unknowns[at(k)]);
        const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(dynamic, dynamic);
        keep(solve_ordinary(*rates, options_.participation), unit, *rates, states);
        return true;
      }
    }
    if (size > options_.largest_dense) return fail(too_large(dynamic, size));
    const Eigen::MatrixXd E = pencil.E, A = pencil.A;
    const std::optional<DenseSpectrum> spectrum = solve_dense(E, A, options_.participation);
    if (!spectrum) return fail(singular_note);
    keep(*spectrum, E, A, unknowns);
    return true;
  }

 private:
  bool fail(std::string note) {
    result_.note = std::move(note);
    return false;
  }

  [[nodiscard]] std::string too_large(int dynamic, int size) const {
    return "a block of " + std::to_string(size) + " unknowns that depend on each other, " +
           std::to_string(dynamic) + " of them with dynamics, is above the limit of " +
           std::to_string(options_.largest_dense) + "; ask for a number of eigenvalues near a value instead";
  }

  /// e λ = a.
  bool solve_single(const BlockPencil& pencil, const std::vector<int>& unknowns) {
    const double e = pencil.E.coeff(0, 0), a = pencil.A.coeff(0, 0);
    if (e == 0.0) return a != 0.0 || fail(singular_note);
    Eigenvalue eigenvalue{.value = a / e, .residual = not_asked_for, .condition = not_asked_for};
    if (options_.participation) {
      eigenvalue.residual = 0.0;
      eigenvalue.condition = 1.0;
      eigenvalue.participation = {{unknowns[0], 1.0}};
    }
    result_.values.push_back(std::move(eigenvalue));
    return true;
  }

  bool search(const BlockPencil& pencil, int count, const std::vector<int>& unknowns) {
    NearestEigenvalues found =
        nearest_eigenvalues(pencil.E, pencil.A, options_.near, count, options_.participation, unknowns);
    if (found.singular) return fail(singular_note);
    if (!found.converged)
      return fail("the search near the given value has not converged in a block of " +
                  std::to_string(unknowns.size()) + " unknowns; try another value");
    std::ranges::move(found.values, std::back_inserter(result_.values));
    return true;
  }

  void keep(const DenseSpectrum& spectrum, const Eigen::MatrixXd& E, const Eigen::MatrixXd& A,
            const std::vector<int>& unknowns) {
    const double E_norm = E.norm(), A_norm = A.norm();
    for (Eigen::Index i = 0; i < spectrum.values.size(); ++i) {
      Eigenvalue eigenvalue{
          .value = spectrum.values[i], .residual = not_asked_for, .condition = not_asked_for};
      if (options_.participation) {
        const Eigen::VectorXcd right = spectrum.right.col(i);
        eigenvalue.residual = (A * right - eigenvalue.value * (E * right)).norm() /
                              ((A_norm + std::abs(eigenvalue.value) * E_norm) * right.norm());
        set_participation(eigenvalue, right, spectrum.left_E.row(i).transpose(), unknowns);
      }
      result_.values.push_back(std::move(eigenvalue));
    }
  }

  const EigenvalueOptions& options_;
  PencilSpectrum& result_;
};

/// The nearest ones, and those as near as the last of them.
void keep_nearest(std::vector<Eigenvalue>& values, std::complex<double> near, int count) {
  const auto distance = [near](const Eigenvalue& value) { return std::abs(value.value - near); };
  std::stable_sort(values.begin(), values.end(),
                   [&](const Eigenvalue& a, const Eigenvalue& b) { return distance(a) < distance(b); });
  auto kept = at(count);
  constexpr double alike = 1e-9;
  while (kept > 0 && kept < values.size() &&
         distance(values[kept]) <= (1.0 + alike) * distance(values[at(count) - 1]))
    ++kept;
  if (kept < values.size()) values.erase(values.begin() + static_cast<std::ptrdiff_t>(kept), values.end());
}

}  // namespace

PencilSpectrum finite_eigenvalues(const SparseColumns& E, const SparseColumns& A,
                                  const EigenvalueOptions& options) {
  PencilSpectrum result;
  if (A.rows() != A.cols()) {
    result.note = "the mode has " + std::to_string(A.rows()) + " equations for " + std::to_string(A.cols()) +
                  " unknowns";
    return result;
  }
  const Incidence pattern = pattern_of(E, A);
  const Matching matching = maximum_matching(pattern);
  if (matching.size() < A.cols()) {
    result.note = singular_note;
    return result;
  }
  const std::vector<Block> blocks = block_triangular_form(pattern, matching.row_match);
  result.blocks = static_cast<int>(blocks.size());
  BlockReader reader(E, A);
  BlockSolver solver(options, result);
  for (const Block& block : blocks) {
    result.largest_block = std::max(result.largest_block, static_cast<int>(block.rows.size()));
    if (result.note.empty() && !solver.solve(reader.read(block), values(block.columns)))
      result.values.clear();
  }
  if (!result.note.empty()) {
    result.values.clear();
    return result;
  }
  if (options.count) keep_nearest(result.values, options.near, *options.count);
  std::stable_sort(result.values.begin(), result.values.end(), [](const Eigenvalue& a, const Eigenvalue& b) {
    return a.value.real() != b.value.real() ? a.value.real() < b.value.real()
                                            : a.value.imag() < b.value.imag();
  });
  result.computed = true;
  return result;
}

}  // namespace mti
