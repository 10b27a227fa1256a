#include "solvers/multimode/symbolic_incidence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

using Factors = std::vector<std::pair<int, double>>;
using BinaryFactors = std::vector<ModePolynomial::Factor>;

/// The columns that freezing merges: what they hold beside binaries, and the binary factors of each.
struct Group {
  Factors others;
  std::vector<int> columns;
};

struct Grouped {
  std::vector<Group> groups;
  std::vector<BinaryFactors> binary;  ///< of each column
};

/// A function column is told from products, and from other functions, by an S beyond 1.
Grouped group_columns(const CpMap& map, const ModeSpace& space, std::span<const int> copied = {}) {
  const SparseColumns& S = map.S();
  Grouped result;
  std::map<Factors, std::size_t> known;
  for (int k = 0; k < S.cols(); ++k) {
    ModeSpace::Column parts = space.column(S, k, copied);
    if (map.function_of(k) != nullptr) parts.others.front().second = 2.0 + k;
    const auto [found, is_new] = known.try_emplace(std::move(parts.others), result.groups.size());
    if (is_new) result.groups.push_back({found->first, {}});
    result.groups[found->second].columns.push_back(k);
    result.binary.push_back(std::move(parts.binary));
  }
  return result;
}

/// Calls visit(row, weights) for the rows of a group: weights are pairs of a column and its entry in Φ.
template <class Visit>
void visit_rows(const Group& group, const SparseColumns& Phi, Visit visit) {
  std::map<int, std::vector<std::pair<int, double>>> rows;
  for (const int k : group.columns)
    for (SparseColumns::InnerIterator weight(Phi, k); weight; ++weight)
      rows[static_cast<int>(weight.row())].emplace_back(k, weight.value());
  for (const auto& [row, weights] : rows) visit(row, weights);
}

BinaryFactors moved(BinaryFactors factors, int offset) {
  for (ModePolynomial::Factor& factor : factors) factor.variable = 2 * factor.variable + offset;
  return factors;
}

}  // namespace

int row_of_signal(const Signature& signature, int signal) {
  return signal < signature.n() ? signature.state_row(signal)
                                : signature.algebraic_row(signal - signature.n());
}

int signal_of_row(const Signature& signature, int row) {
  if (row < signature.state_row(0)) return row;
  if (row < signature.input_row(0)) return row - signature.state_row(0);
  const bool algebraic = row >= signature.algebraic_row(0) && row < signature.binary_row(0);
  return algebraic ? signature.n() + row - signature.algebraic_row(0) : -1;
}

SymbolicIncidence symbolic_incidence(const CpMap& f, const Signature& signature, const ModeSpace& space,
                                     std::span<const int> copied) {
  SymbolicIncidence result;
  result.signals = signature.n() + signature.p();
  result.active.resize(at(f.rows()));
  result.entries.resize(at(f.rows()));
  std::vector<std::map<int, SymbolicIncidence::Entry>> entries(at(f.rows()));
  const Grouped columns = group_columns(f, space, copied);
  for (const Group& group : columns.groups)
    visit_rows(group, f.Phi(), [&](int row, const auto& weights) {
      ModePolynomial coefficient;
      for (const auto& [k, weight] : weights) coefficient.add(weight, columns.binary[at(k)]);
      const ModeSet there = space.considered(coefficient.nonzero());
      if (there.empty()) return;
      const auto i = at(row);
      result.active[i] |= there;
      for (const auto& [factor, value] : group.others) {
        const int signal = signal_of_row(signature, factor);
        if (signal < 0) continue;
        const bool slope = factor < signature.state_row(0);
        SymbolicIncidence::Entry& entry = entries[i][signal];
        entry.signal = signal;
        entry.present |= there;
        (slope ? entry.derivative : entry.value) |= there;
        if (group.others.size() > 1 || std::abs(value) > 1.0)
          (slope ? entry.derivative_product : entry.value_product) |= there;
      }
    });
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (auto& [signal, entry] : entries[i]) result.entries[i].push_back(std::move(entry));
  return result;
}

SymbolicIncidence without_rows(SymbolicIncidence incidence, std::span<const ModeSet> left_out) {
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    if (left_out[i].empty()) continue;
    incidence.active[i] -= left_out[i];
    for (SymbolicIncidence::Entry& entry : incidence.entries[i])
      for (ModeSet* set :
           {&entry.present, &entry.derivative, &entry.value, &entry.derivative_product, &entry.value_product})
        *set -= left_out[i];
    std::erase_if(incidence.entries[i],
                  [](const SymbolicIncidence::Entry& entry) { return entry.present.empty(); });
  }
  return incidence;
}

std::vector<ModeSet> changed_rows(const CpMap& f, const ModeSpace& space, const std::vector<char>& wanted) {
  std::vector<ModeSet> changed(at(f.rows()));
  const Grouped columns = group_columns(f, space);
  for (const Group& group : columns.groups)
    visit_rows(group, f.Phi(), [&](int row, const auto& weights) {
      if (wanted[at(row)] == 0) return;
      ModePolynomial difference;
      for (const auto& [k, weight] : weights) {
        const BinaryFactors& factors = columns.binary[at(k)];
        if (factors.empty()) continue;  // the same in both
        difference.add(weight, moved(factors, 0));
        difference.add(-weight, moved(factors, 1));
      }
      changed[at(row)] |= difference.nonzero();
    });
  return changed;
}

}  // namespace mti
