#include "solvers/plan/system_jacobian.hpp"

#include <algorithm>
#include <cmath>

#include <map>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/linear_algebra/binary_scales.hpp"

namespace mti {

namespace {

constexpr double entry_noise = 1e-15;
constexpr std::size_t searched_in_turn = 8;  ///< up to here looking at every unknown is cheaper than a hash

/// Those of `doubtful` that are nothing beside the other entries of their row and column also in units in which these are
/// about 1: a capacitance of 10⁻¹⁸ F is small beside the 1 of a voltage, but not beside the others of its row.
std::vector<std::size_t> small_in_any_units(const std::vector<std::size_t>& doubtful, std::size_t size,
                                            const std::vector<Eigen::Triplet<double>>& entries) {
  std::map<std::pair<int, int>, double> others;
  std::vector<char> is_doubtful(entries.size(), 0);
  for (const std::size_t k : doubtful) is_doubtful[k] = 1;
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (is_doubtful[k] == 0) others[{entries[k].row(), entries[k].col()}] += entries[k].value();
  std::vector<SparseEntry> sure;
  for (const auto& [place, value] : others)
    if (value != 0.0 && std::isfinite(value)) sure.push_back({place.first, place.second, value});
  const int count = static_cast<int>(size);
  const BinaryScales scales = binary_scales(count, count, sure);
  const auto scaled = [&](int row, int column, double value) {
    return std::scalbn(std::abs(value), scales.rows[at(row)] + scales.columns[at(column)]);
  };
  std::vector<double> row_size(size, 0.0), column_size(size, 0.0);
  for (const SparseEntry& entry : sure) {
    const double value = scaled(entry.row, entry.column, entry.value);
    double &of_row = row_size[at(entry.row)], &of_column = column_size[at(entry.column)];
    of_row = std::max(of_row, value);
    of_column = std::max(of_column, value);
  }
  std::vector<std::size_t> small;
  for (const std::size_t k : doubtful) {
    const auto& entry = entries[k];
    const double least = std::min(row_size[at(entry.row())], column_size[at(entry.col())]);
    if (scaled(entry.row(), entry.col(), entry.value()) <= entry_noise * least) small.push_back(k);
  }
  return small;
}

/// Zero for what a signal that is zero up to rounding leaves of a product: nothing beside the other entries of
/// its row and of its column. Numbers of the model are what they are.
void drop_noise(const std::vector<char>& varies, std::size_t size,
                std::vector<Eigen::Triplet<double>>& entries) {
  std::vector<double> row_size(size, 0.0), column_size(size, 0.0);
  for (const auto& entry : entries) {
    double &of_row = row_size[at(entry.row())], &of_column = column_size[at(entry.col())];
    of_row = std::max(of_row, std::abs(entry.value()));
    of_column = std::max(of_column, std::abs(entry.value()));
  }
  std::vector<std::size_t> doubtful;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto& entry = entries[k];
    const double least = std::min(row_size[at(entry.row())], column_size[at(entry.col())]);
    if (varies[k] != 0 && entry.value() != 0.0 && std::abs(entry.value()) <= entry_noise * least)
      doubtful.push_back(k);
  }
  if (doubtful.empty()) return;
  for (const std::size_t k : small_in_any_units(doubtful, size, entries))
    entries[k] = {entries[k].row(), entries[k].col(), 0.0};
}

}  // namespace

SystemJacobian::SystemJacobian(const SolutionBlock& block, int states) : block_(block), states_(states) {
  if (block.unknowns.size() <= searched_in_turn) return;
  for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
    position_.emplace(block.unknowns[j], static_cast<int>(j));
    if (block.differentiated() && block.unknowns[j] < states)
      position_.emplace(block.unknowns[j] + states, static_cast<int>(j));
  }
}

int SystemJacobian::position(int signal) const {
  if (block_.unknowns.size() > searched_in_turn) {
    const auto found = position_.find(signal);
    return found == position_.end() ? -1 : found->second;
  }
  for (std::size_t j = 0; j < block_.unknowns.size(); ++j) {
    const int unknown = block_.unknowns[j];
    if (signal == unknown || (block_.differentiated() && unknown < states_ && signal == unknown + states_))
      return static_cast<int>(j);
  }
  return -1;
}

int SystemJacobian::column(std::size_t i, int signal) const {
  const int found = position(signal);
  if (found < 0 || !block_.differentiated()) return found;
  const auto j = at(found);
  const bool through_state = block_.unknowns[j] < states_ && signal == block_.unknowns[j] + states_;
  return block_.c[i] == block_.e[j] + (through_state ? 1 : 0) ? found : -1;
}

std::vector<Eigen::Triplet<double>> SystemJacobian::entries(const RowMap& f,
                                                            std::span<const double> v) const {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<char> varies;  // by entry: it is a product with values of signals
  for (std::size_t i = 0; i < block_.equations.size(); ++i)
    for (const RowMap::Term& term : f.terms(block_.equations[i])) {
      const auto factors = f.factors(term.column);
      if (const ElementaryFunction* const phi = f.function_of(term.column)) {
        const int signal = factors[0].signal;
        if (const int j = column(i, signal); j >= 0) {
          entries.emplace_back(static_cast<int>(i), j, term.Phi * phi->slope(v[at(signal)]));
          varies.push_back(1);
        }
        continue;
      }
      for (std::size_t b = 0; b < factors.size(); ++b) {
        const int j = column(i, factors[b].signal);
        if (j < 0) continue;
        double slope = term.Phi * factors[b].S, size = std::abs(slope);
        for (std::size_t k = 0; k < factors.size(); ++k) {
          if (k == b) continue;
          const double fixed = 1.0 - std::abs(factors[k].S);
          const double varying = factors[k].S * v[at(factors[k].signal)];
          slope *= fixed + varying;
          size *= fixed + std::abs(varying);
        }
        // A factor 1 − v that has cancelled is none; small by units is another matter.
        if (std::abs(slope) <= entry_noise * size) slope = 0.0;
        entries.emplace_back(static_cast<int>(i), j, slope);
        varies.push_back(factors.size() > 1 ? 1 : 0);
      }
    }
  drop_noise(varies, std::max(block_.equations.size(), block_.unknowns.size()), entries);
  return entries;
}

}  // namespace mti
