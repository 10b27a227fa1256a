#include "mti/model/jacobian.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"

namespace mti {
namespace {

std::vector<int> consecutive(int first, int count) {
  std::vector<int> rows(at(count));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

/// The columns of a pattern that belong to the listed signals, all entries 0.
SparseColumns with_pattern(const SparsePattern& pattern, const std::vector<int>& signals) {
  SparseColumns matrix(pattern.rows, static_cast<int>(signals.size()));
  int entries = 0;
  for (std::size_t c = 0; c < signals.size(); ++c) {
    const std::size_t signal = at(signals[c]);
    entries += pattern.column_start[signal + 1] - pattern.column_start[signal];
    matrix.outerIndexPtr()[c + 1] = entries;
  }
  matrix.resizeNonZeros(entries);
  int* row = matrix.innerIndexPtr();
  for (const int signal : signals)
    row = std::copy(pattern.row.begin() + pattern.column_start[at(signal)],
                    pattern.row.begin() + pattern.column_start[at(signal) + 1], row);
  std::fill_n(matrix.valuePtr(), entries, 0.0);
  return matrix;
}

}  // namespace

std::vector<int> derivative_rows(const Signature& signature) {
  return consecutive(signature.derivative_row(0), signature.n());
}
std::vector<int> state_rows(const Signature& signature) {
  return consecutive(signature.state_row(0), signature.n());
}
std::vector<int> input_rows(const Signature& signature) {
  return consecutive(signature.input_row(0), signature.m());
}
std::vector<int> algebraic_rows(const Signature& signature) {
  return consecutive(signature.algebraic_row(0), signature.p());
}
std::vector<int> binary_rows(const Signature& signature) {
  return consecutive(signature.binary_row(0), signature.q());
}

Jacobian::Jacobian(const CpMap& map, std::vector<std::vector<int>> groups)
    : kernel_(map),
      workspace_(kernel_.workspace()),
      value_(at(kernel_.rows())),
      entries_(kernel_.pattern().nonzeros()),
      groups_(std::move(groups)) {
  for (const std::vector<int>& signals : groups_) {
    for (const int signal : signals)
      if (signal < 0 || signal >= kernel_.signals())
        throw InvalidModel("index-out-of-range", "",
                           "found the signal " + std::to_string(signal) + ", expected a row of S, 0 to " +
                               std::to_string(kernel_.signals() - 1));
    matrices_.push_back(with_pattern(kernel_.pattern(), signals));
  }
}

void Jacobian::evaluate(std::span<const double> v) noexcept {
  kernel_.value_and_jacobian(v, value_, entries_, workspace_);
  const std::vector<int>& start = kernel_.pattern().column_start;
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    double* entry = matrices_[group].valuePtr();
    for (const int signal : groups_[group])
      entry =
          std::copy(entries_.begin() + start[at(signal)], entries_.begin() + start[at(signal) + 1], entry);
  }
}

}  // namespace mti
