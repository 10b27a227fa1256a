#include "mti/multilinear/cp_map.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/multilinear/affine_columns.hpp"
#include "mti/multilinear/merged_sum.hpp"

namespace mti {
namespace {

void require_finite(const SparseColumns& matrix, const std::string& name) {
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(matrix, k); entry; ++entry)
      if (!std::isfinite(entry.value()))
        throw InvalidModel("not-finite", "",
                           name + " has a value that is not finite in row " + std::to_string(entry.row()) +
                               ", column " + std::to_string(k));
}

std::size_t hash_of(std::span<const std::pair<int, double>> factors) {
  std::size_t hash = factors.size();
  for (const auto& [signal, S] : factors) {
    hash ^= std::hash<int>{}(signal) + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
    hash ^= std::hash<double>{}(S) + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
  }
  return hash;
}

/// Where a column with this hash may be, of a power of two of places: hashes of small numbers differ little by themselves.
std::size_t first_place(std::size_t hash, std::size_t places) {
  hash *= 0x9e3779b97f4a7c15ULL;
  return (hash ^ hash >> 32U) % places;
}

}  // namespace

CpMap::CpMap(SparseColumns S, SparseColumns Phi, std::vector<FunctionColumn> functions)
    : S_(std::move(S)), Phi_(std::move(Phi)), functions_(std::move(functions)) {
  if (S_.cols() != Phi_.cols())
    throw InvalidModel("matrix-size", "",
                       "S has " + std::to_string(S_.cols()) + " columns, Phi has " +
                           std::to_string(Phi_.cols()) + "; both need one per term");
  require_finite(S_, "S");
  require_finite(Phi_, "Phi");
  S_.prune([](Eigen::Index, Eigen::Index, double value) { return value != 0.0; });
  Phi_.prune([](Eigen::Index, Eigen::Index, double value) { return value != 0.0; });
  for (int k = 0; k < columns(); ++k)
    for (SparseColumns::InnerIterator entry(S_, k); entry; ++entry)
      if (std::abs(entry.value()) > 1.0)
        throw InvalidModel("not-normalised", "",
                           "S holds " + std::to_string(entry.value()) + " in row " +
                               std::to_string(entry.row()) + ", column " + std::to_string(k) +
                               "; expected |S| <= 1");
}

const ElementaryFunction* find_column(std::span<const FunctionColumn> functions, int column) {
  if (functions.empty()) return nullptr;
  const auto found = std::ranges::lower_bound(functions, column, {}, &FunctionColumn::column);
  return found != functions.end() && found->column == column ? &found->phi : nullptr;
}

const ElementaryFunction* CpMap::function_of(int column) const { return find_column(functions_, column); }

NormalisedFactor normalise(double a, double b) {
  const double sign = a < 0.0 ? -1.0 : 1.0;
  const double size = std::abs(a) + std::abs(b);
  if (size == 0.0) return {0.0, 0.0};
  return {sign * b / size, sign * size};
}

void CpBuilder::reserve(std::size_t columns, std::size_t factors, std::size_t terms) {
  factors_.reserve(factors);
  factor_start_.reserve(columns + 1);
  hashes_.reserve(columns);
  make_room(columns);
  terms_.reserve(terms);
}

void CpBuilder::add(int row, double coefficient, std::span<const AffineFactor> factors) {
  for (const ScaledColumn& column : required_columns(factors)) {
    WideProduct scaled(coefficient);
    scaled.times(column.scale);
    add_normalised(row, scaled.value(), column.factors);
  }
}

void CpBuilder::add_normalised(int row, double coefficient, std::span<const std::pair<int, double>> factors) {
  if (coefficient == 0.0) return;
  scratch_.assign(factors.begin(), factors.end());
  std::sort(scratch_.begin(), scratch_.end());
  terms_.push_back({row, column_of(scratch_), coefficient});
}

void CpBuilder::add_function(int row, double coefficient, int signal, const ElementaryFunction& phi) {
  if (coefficient != 0.0) applications_.push_back({row, coefficient, signal, phi});
}

std::span<const std::pair<int, double>> CpBuilder::factors_of(int column) const {
  const auto k = at(column);
  return std::span(factors_).subspan(factor_start_[k], factor_start_[k + 1] - factor_start_[k]);
}

/// Twice as many places as columns, in powers of two.
void CpBuilder::make_room(std::size_t columns) {
  constexpr std::size_t least = 32;
  if (2 * columns <= by_hash_.size()) return;
  by_hash_.assign(std::bit_ceil(std::max(least, 2 * columns)), -1);
  for (std::size_t column = 0; column < hashes_.size(); ++column) {
    std::size_t place = first_place(hashes_[column], by_hash_.size());
    while (by_hash_[place] >= 0) place = (place + 1) % by_hash_.size();
    by_hash_[place] = static_cast<int>(column);
  }
}

int CpBuilder::column_of(std::span<const std::pair<int, double>> factors) {
  const std::size_t hash = hash_of(factors);
  make_room(hashes_.size() + 1);
  std::size_t place = first_place(hash, by_hash_.size());
  for (; by_hash_[place] >= 0; place = (place + 1) % by_hash_.size()) {
    const int column = by_hash_[place];
    if (hashes_[at(column)] != hash) continue;
    const auto known = factors_of(column);
    if (std::equal(known.begin(), known.end(), factors.begin(), factors.end())) return column;
  }
  const int column = static_cast<int>(hashes_.size());
  by_hash_[place] = column;
  hashes_.push_back(hash);
  factors_.insert(factors_.end(), factors.begin(), factors.end());
  factor_start_.push_back(factors_.size());
  return column;
}

CpMap CpBuilder::build() const {
  std::vector<Term> terms = terms_;
  const auto by_column_then_row = [](const Term& a, const Term& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  };
  // Terms of one column and row keep their order, so that sums do not depend on the library's sort.
  if (!std::ranges::is_sorted(terms, by_column_then_row))
    std::stable_sort(terms.begin(), terms.end(), by_column_then_row);
  SparseColumns S(signals_, static_cast<int>(2 * hashes_.size() + applications_.size()));
  SparseColumns Phi(rows_, S.cols());
  S.reserve(static_cast<Eigen::Index>(factors_.size()));
  Phi.reserve(static_cast<Eigen::Index>(terms.size()));
  std::vector<std::pair<int, double>> weights, rests;  // of the present column
  std::vector<double> merged;
  int columns = 0;
  std::size_t at = 0;
  while (at < terms.size()) {
    const int column = terms[at].column;
    weights.clear();
    rests.clear();
    while (at < terms.size() && terms[at].column == column) {
      const int row = terms[at].row;
      merged.clear();
      for (; at < terms.size() && terms[at].column == column && terms[at].row == row; ++at)
        merged.push_back(terms[at].coefficient);
      const double sum = merged_sum(merged);
      if (!std::isfinite(sum))
        throw InvalidModel("not-finite", "",
                           "a coefficient in row " + std::to_string(row) + " is not finite");
      if (sum != 0.0) weights.emplace_back(row, sum);
      if (const double rest = rest_of(merged, sum); rest != 0.0) rests.emplace_back(row, rest);
    }
    for (const auto* of_column : {&weights, &rests}) {
      if (of_column->empty()) continue;
      Phi.startVec(columns);
      for (const auto& [row, weight] : *of_column) Phi.insertBack(row, columns) = weight;
      S.startVec(columns);
      for (const auto& [signal, value] : factors_of(column)) S.insertBack(signal, columns) = value;
      ++columns;
    }
  }
  std::vector<FunctionColumn> functions;
  for (const Application& application : applications_) {
    Phi.startVec(columns);
    Phi.insertBack(application.row, columns) = application.coefficient;
    S.startVec(columns);
    S.insertBack(application.signal, columns) = 1.0;
    functions.push_back({columns++, application.phi});
  }
  S.finalize();
  Phi.finalize();
  S.conservativeResize(signals_, columns);
  Phi.conservativeResize(rows_, columns);
  return {std::move(S), std::move(Phi), std::move(functions), CpMap::Unchecked{}};
}

}  // namespace mti
