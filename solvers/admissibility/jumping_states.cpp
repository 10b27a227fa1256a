#include "solvers/admissibility/jumping_states.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "mti/common/sort_distinct.hpp"
#include "solvers/structure/block_triangular.hpp"
#include "solvers/structure/disjoint_sets.hpp"
#include "solvers/structure/matching.hpp"

namespace mti {
namespace {

/// Past so many switches in one coefficient or block its vertices are not looked at: it counts as zero somewhere, which is
/// only dearer.
constexpr std::size_t most_switches = 10;

/// The coefficient c(s) of one unknown, times a product of other signals, as a function of the switches s: binaries,
/// pre(z) and binary inputs.
class SwitchedCoefficient {
 public:
  void add(double weight, std::vector<RowMap::Factor> switches) {
    terms_.push_back({weight, std::move(switches)});
  }

  void list_switches(std::vector<int>& signals) const {
    for (const Term& term : terms_)
      for (const RowMap::Factor& factor : term.switches) signals.push_back(factor.signal);
  }

  /// c is no more than what rounding leaves of coefficients that cancel; bit i of the vertex is signals[i].
  [[nodiscard]] bool vanishes_at(unsigned vertex, const std::vector<int>& signals) const {
    double sum = 0.0, size = 0.0;
    for (const Term& term : terms_) {
      double product = term.weight;
      for (const RowMap::Factor& factor : term.switches) {
        const auto place = std::ranges::lower_bound(signals, factor.signal) - signals.begin();
        product *= 1.0 - std::abs(factor.S) + factor.S * static_cast<double>(vertex >> place & 1U);
      }
      sum += product;
      size += std::abs(product);
    }
    const double rounding = 4.0 * static_cast<double>(terms_.size()) * std::numeric_limits<double>::epsilon();
    return std::abs(sum) <= rounding * size;
  }

  [[nodiscard]] bool vanishes_nowhere() const {
    std::vector<int> signals;
    list_switches(signals);
    sort_distinct(signals);
    if (signals.size() > most_switches) return false;
    for (unsigned vertex = 0; vertex < 1U << signals.size(); ++vertex)
      if (vanishes_at(vertex, signals)) return false;
    return true;
  }

 private:
  struct Term {
    double weight;
    std::vector<RowMap::Factor> switches;
  };
  std::vector<Term> terms_;
};

/// An ẋ or y in a row, with its coefficients beside different products of other signals. It is there where one of them
/// is not zero; products of the same signals that are normalised differently are not told apart.
struct SwitchedEntry {
  int unknown;
  bool by_function = false;  ///< it is the argument of one
  std::vector<SwitchedCoefficient> coefficients = {};
};

bool is_switch(const Signature& signature, int signal) {
  if (signal >= signature.binary_row(0)) return true;
  const int input = signal - signature.input_row(0);
  return input >= 0 && input < signature.m() && signature.inputs()[at(input)].binary;
}

/// ẋ_j is unknown j, y_k unknown n + k; −1 for what is known.
int unknown_of(const Signature& signature, int signal) {
  if (signal < signature.n()) return signal;
  const int y = signal - signature.algebraic_row(0);
  return y >= 0 && y < signature.p() ? signature.n() + y : -1;
}

std::vector<SwitchedEntry> entries_of(const RowMap& f, int row, const Signature& signature) {
  std::map<int, std::map<std::vector<std::pair<int, double>>, SwitchedCoefficient>> coefficients;
  std::map<int, SwitchedEntry> entries;
  for (const RowMap::Term& term : f.terms(row)) {
    std::vector<RowMap::Factor> switches;
    std::vector<std::pair<int, double>> others;  // signals with their S
    for (const RowMap::Factor& factor : f.factors(term.column))
      if (is_switch(signature, factor.signal))
        switches.push_back(factor);
      else
        others.emplace_back(factor.signal, factor.S);
    for (std::size_t i = 0; i < others.size(); ++i) {
      const int unknown = unknown_of(signature, others[i].first);
      if (unknown < 0) continue;
      SwitchedEntry& entry = entries.try_emplace(unknown, SwitchedEntry{unknown}).first->second;
      entry.by_function = entry.by_function || f.function_of(term.column) != nullptr;
      // Of a + b v in it the part b counts, and parts of several columns add up.
      std::vector<std::pair<int, double>> beside = others;
      beside.erase(beside.begin() + static_cast<std::ptrdiff_t>(i));
      coefficients[unknown][std::move(beside)].add(term.Phi * others[i].second, switches);
    }
  }
  std::vector<SwitchedEntry> result;
  for (auto& [unknown, entry] : entries) {
    for (auto& [beside, coefficient] : coefficients[unknown])
      entry.coefficients.push_back(std::move(coefficient));
    result.push_back(std::move(entry));
  }
  return result;
}

/// Whether the rows of the block can be matched with its unknowns in every mode: at every vertex of its switches, or where
/// these are many by the entries that are there at all of them.
bool is_matched_at_every_vertex(const Block& block, const std::vector<std::vector<SwitchedEntry>>& entries,
                                int unknowns) {
  std::vector<int> switches;
  std::vector<PatternColumn> own = block.columns;
  std::ranges::sort(own);
  const auto in_block = [&](const SwitchedEntry& entry) {
    return std::ranges::binary_search(own, PatternColumn(entry.unknown));
  };
  for (const PatternRow row : block.rows)
    for (const SwitchedEntry& entry : entries[at(row.value())])
      if (in_block(entry) && !entry.by_function)
        for (const SwitchedCoefficient& coefficient : entry.coefficients) coefficient.list_switches(switches);
  sort_distinct(switches);
  const bool few = switches.size() <= most_switches;
  for (unsigned vertex = 0; vertex < (few ? 1U << switches.size() : 1U); ++vertex) {
    Incidence there(unknowns);
    for (const PatternRow row : block.rows) {
      std::vector<PatternColumn> columns;
      for (const SwitchedEntry& entry : entries[at(row.value())]) {
        const bool is_there =
            entry.by_function || std::ranges::any_of(entry.coefficients, [&](const auto& c) {
              return few ? !c.vanishes_at(vertex, switches) : c.vanishes_nowhere();
            });
        if (in_block(entry) && is_there) columns.emplace_back(entry.unknown);
      }
      there.add_row(columns);
    }
    if (maximum_matching(there).size() < there.rows()) return false;
  }
  return true;
}

/// What ẋ and y join: equations that hold a common one, and laws with the x, ẋ and y that they hold and with the rows that they
/// replace. x_j and ẋ_j are one node, unknown j. Sets that leave some equation without an ẋ or y, or have a law, hold
/// their states, and join what these are the states of; other equations only read x.
class Joined {
 public:
  explicit Joined(const SignalRows& rows)
      : rows_(rows),
        signature_(rows.model.signature),
        unknowns_(signature_.n() + signature_.p()),
        sets_(unknowns_ + rows.f.rows() + static_cast<int>(rows.model.transitions.size())) {
    for (int row = 0; row < rows.f.rows(); ++row)
      for (const int signal : rows.f.signals(row))
        if (const int unknown = unknown_of(signature_, signal); unknown >= 0)
          sets_.join(unknowns_ + row, unknown);
    for (int i = 0; i < std::ssize(rows.model.transitions); ++i) {
      const Transition& law = rows.model.transitions[at(i)];
      if (!is_of_change(law)) continue;  // it has moved x⁻ before candidates are judged
      for (int k = 0; k < law.equations.columns(); ++k)
        for (SparseColumns::InnerIterator factor(law.equations.S(), k); factor; ++factor)
          if (const int node = node_of(static_cast<int>(factor.row()) % signature_.size()); node >= 0)
            sets_.join(node_of_law(i), node);
      for (const int row : law.replaces) sets_.join(node_of_law(i), unknowns_ + row);
    }
  }

  [[nodiscard]] int nodes() const {
    return unknowns_ + rows_.f.rows() + static_cast<int>(rows_.model.transitions.size());
  }
  [[nodiscard]] int of_state(int state) { return sets_.of(state); }
  [[nodiscard]] int of_equation(int row) { return sets_.of(unknowns_ + row); }
  [[nodiscard]] int of_law(int law) { return sets_.of(node_of_law(law)); }

  /// Joins the sets that are marked, by their representatives, with those of all states that they hold, and these in turn.
  void hold_states(const std::vector<char>& marked) {
    std::vector<std::vector<int>> rows_of(at(nodes()));
    std::vector<int> first_set;  // by state
    for (int state = 0; state < signature_.n(); ++state) first_set.push_back(of_state(state));
    std::vector<int> open;
    std::vector<char> holds = marked;
    for (int row = 0; row < rows_.f.rows(); ++row) {
      const int set = of_equation(row);
      (holds[at(set)] != 0 ? open : rows_of[at(set)]).push_back(row);
    }
    while (!open.empty()) {
      const int row = open.back();
      open.pop_back();
      for (const int signal : rows_.f.signals(row)) {
        const int state = signal - signature_.state_row(0);
        if (state < 0 || state >= signature_.n()) continue;
        sets_.join(unknowns_ + row, state);
        const int set = first_set[at(state)];
        if (std::exchange(holds[at(set)], 1) == 0)
          open.insert(open.end(), rows_of[at(set)].begin(), rows_of[at(set)].end());
      }
    }
  }

 private:
  [[nodiscard]] int node_of(int signal) const {
    const int state = signal - signature_.state_row(0);
    return state >= 0 && state < signature_.n() ? state : unknown_of(signature_, signal);
  }
  [[nodiscard]] int node_of_law(int law) const { return unknowns_ + rows_.f.rows() + law; }

  const SignalRows& rows_;
  const Signature& signature_;
  int unknowns_;
  DisjointSets sets_;
};

/// Equations of f that some mode may leave without an ẋ or y of their own, one of each block that can; `redundant` aside.
std::vector<int> rows_unmatched_somewhere(const SignalRows& rows, std::span<const int> redundant) {
  const Signature& signature = rows.model.signature;
  const int unknowns = signature.n() + signature.p();
  std::vector<int> unmatched, equation_of;  // the second by row of the pattern: those that need an unknown
  Incidence pattern(unknowns);
  std::vector<std::vector<SwitchedEntry>> entries;
  for (int row = 0; row < rows.f.rows(); ++row) {
    if (std::ranges::binary_search(redundant, row)) continue;
    if (rows.f.signals(row).empty()) {  // of binaries and inputs alone
      unmatched.push_back(row);
      continue;
    }
    equation_of.push_back(row);
    entries.push_back(entries_of(rows.f, row, signature));
    std::vector<PatternColumn> columns;
    for (const SwitchedEntry& entry : entries.back()) columns.emplace_back(entry.unknown);
    pattern.add_row(columns);
  }
  const Matching matching = maximum_matching(pattern);
  for (const PatternRow row : pattern.row_indices())
    if (!matching.row_match[row].exists()) unmatched.push_back(equation_of[at(row.value())]);
  for (const Block& block : block_triangular_form(pattern, matching.row_match))
    if (!block.rows.empty() && !is_matched_at_every_vertex(block, entries, unknowns))
      unmatched.push_back(equation_of[at(block.rows.front().value())]);
  return unmatched;
}

}  // namespace

JumpingStates::JumpingStates(const SignalRows& rows, std::span<const int> redundant) : rows_(rows) {
  const Model& model = rows.model;
  const Signature& signature = model.signature;
  const auto laws = static_cast<int>(model.transitions.size());
  const std::vector<int> unmatched = rows_unmatched_somewhere(rows, redundant);
  Joined joined(rows);
  if (!signature.is_discrete()) {
    std::vector<char> holding(at(joined.nodes()), 0);
    for (const int row : unmatched) holding[at(joined.of_equation(row))] = 1;
    for (int i = 0; i < laws; ++i)
      if (is_of_change(model.transitions[at(i)])) holding[at(joined.of_law(i))] = 1;
    joined.hold_states(holding);
  }
  for (int state = 0; state < signature.n(); ++state) set_of_state_.push_back(joined.of_state(state));
  for (int row = 0; row < rows.f.rows(); ++row) set_of_equation_.push_back(joined.of_equation(row));
  unmatched_.assign(at(joined.nodes()), 0);
  for (const int row : unmatched) unmatched_[at(joined.of_equation(row))] = 1;
  jumps_.assign(unmatched_.size(), 0);
  binaries_.resize(jumps_.size());
  if (signature.is_discrete()) return;  // x is known there
  jumps_ = unmatched_;
  for (int i = 0; i < laws; ++i)
    if (is_of_change(model.transitions[at(i)])) jumps_[at(joined.of_law(i))] = 1;

  for (int row = 0; row < rows.f.rows(); ++row)
    if (const int set = set_of_equation_[at(row)]; jumps_[at(set)] != 0) {
      const std::span<const int> held = rows.f.binaries(row);
      binaries_[at(set)].insert(binaries_[at(set)].end(), held.begin(), held.end());
    }
  for (int i = 0; i < laws; ++i) {
    const Transition& law = model.transitions[at(i)];
    if (!is_of_change(law)) continue;
    std::vector<int>& held = binaries_[at(joined.of_law(i))];
    held.push_back(law.target);
    for (int k = 0; k < law.equations.columns(); ++k)
      for (SparseColumns::InnerIterator factor(law.equations.S(), k); factor; ++factor)
        if (const int binary = static_cast<int>(factor.row()) - signature.binary_row(0);
            binary >= 0 && binary < signature.q())
          held.push_back(binary);
  }
  for (std::vector<int>& held : binaries_) sort_distinct(held);
}

std::vector<int> JumpingStates::of_equation(int row) const {
  std::vector<int> sets{set_of_equation_[at(row)]}, found;
  const Signature& signature = rows_.model.signature;
  for (const int signal : rows_.f.signals(row))
    if (const int state = signal - signature.state_row(0); state >= 0 && state < signature.n())
      sets.push_back(set_of_state_[at(state)]);
  sort_distinct(sets);
  for (const int set : sets) found.insert(found.end(), binaries_[at(set)].begin(), binaries_[at(set)].end());
  sort_distinct(found);
  return found;
}

}  // namespace mti
