#include "solvers/initialization/coupled_rows.hpp"

#include <algorithm>

#include "mti/common/sort_distinct.hpp"
#include "solvers/structure/disjoint_sets.hpp"

namespace mti {

CoupledRows::CoupledRows(const SignalRows& rows) : rows_(rows) {
  const Model& model = rows.model;
  const Signature& signature = model.signature;
  std::vector<std::vector<int>> of_equation;
  std::vector<int> bent;  // an unknown of each product of unknowns, and of each function of one
  for (int row = 0; row < model.equations(); ++row) {
    of_equation.push_back(unknown(rows.f.signals(row)));
    for (const RowMap::Term& term : rows.f.terms(row)) {
      std::vector<int> signals;
      for (const RowMap::Factor& factor : rows.f.factors(term.column)) signals.push_back(factor.signal);
      signals = unknown(signals);
      const std::size_t most = rows.f.function_of(term.column) == nullptr ? 1 : 0;
      if (signals.size() > most) bent.push_back(signals.front());
    }
  }
  if (const Scenario* const initial = model.initial()) {
    of_initial_.resize(at(initial->equations.rows()));
    binaries_of_initial_.resize(of_initial_.size());
    const SparseColumns &S = initial->equations.S(), &Phi = initial->equations.Phi();
    for (int k = 0; k < Phi.outerSize(); ++k)
      for (SparseColumns::InnerIterator entry(Phi, k); entry; ++entry) {
        std::vector<int> signals;
        for (SparseColumns::InnerIterator factor(S, k); factor; ++factor) {
          const int signal = initial->original(static_cast<int>(factor.row()));
          if (signal >= signature.binary_row(0) && signal < signature.pre_row(0))
            binaries_of_initial_[at(entry.row())].push_back(signal - signature.binary_row(0));
          else
            signals.push_back(signal);
        }
        const std::vector<int> unknowns = unknown(signals);  // a copy counts as another
        if (unknowns.size() > 1) bent.push_back(unknowns.front());
        for (const int signal : unknowns) of_initial_[at(entry.row())].push_back(signal);
      }
  }

  for (std::vector<int>& binaries : binaries_of_initial_) sort_distinct(binaries);
  DisjointSets sets(signature.size());
  const auto join = [&](const std::vector<int>& signals) {
    for (const int signal : signals) sets.join(signals.front(), signal);
  };
  for (const std::vector<int>& signals : of_equation) join(signals);
  for (const std::vector<int>& signals : of_initial_) join(signals);
  for (int signal = 0; signal < signature.size(); ++signal) group_.push_back(sets.of(signal));
  binaries_.resize(group_.size());
  const auto enter = [&](const std::vector<int>& signals, std::span<const int> binaries) {
    if (signals.empty()) return;
    std::vector<int>& all = binaries_[at(group_[at(signals.front())])];
    all.insert(all.end(), binaries.begin(), binaries.end());
  };
  for (std::size_t row = 0; row < of_equation.size(); ++row)
    enter(of_equation[row], rows.f.binaries(static_cast<int>(row)));
  for (std::size_t row = 0; row < of_initial_.size(); ++row)
    enter(of_initial_[row], binaries_of_initial_[row]);
  for (std::vector<int>& binaries : binaries_) sort_distinct(binaries);
  bent_.resize(group_.size());
  for (const int signal : bent) bent_[at(group_[at(signal)])] = 1;
}

std::vector<int> CoupledRows::unknown(std::span<const int> signals) const {
  const Signature& signature = rows_.model.signature;
  std::vector<int> result;
  for (const int signal : signals) {
    const bool is_state = signal >= signature.state_row(0) && signal < signature.input_row(0);
    const bool is_input = signal >= signature.input_row(0) && signal < signature.algebraic_row(0);
    if (is_input || signal >= signature.binary_row(0)) continue;
    if (!is_state || rows_.model.has_free_start(signal - signature.state_row(0))) result.push_back(signal);
  }
  return result;
}

bool CoupledRows::are_affine(std::span<const int> signals) const {
  return std::ranges::none_of(signals, [&](int signal) { return bent_[at(group_[at(signal)])] != 0; });
}

std::vector<int> CoupledRows::binaries_with(std::span<const int> signals) const {
  std::vector<int> binaries;
  for (const int signal : signals) {
    const std::vector<int>& of_group = binaries_[at(group_[at(signal)])];
    binaries.insert(binaries.end(), of_group.begin(), of_group.end());
  }
  sort_distinct(binaries);
  return binaries;
}

}  // namespace mti
