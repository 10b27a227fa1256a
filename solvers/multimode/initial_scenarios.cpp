#include "solvers/multimode/initial_scenarios.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// The modes in which a number is at least `order`.
ModeSet at_least(const ModeNumber& number, int order) {
  if (order <= 0) return ModeSet::all();
  return order > static_cast<int>(number.levels.size()) ? ModeSet::none() : number.levels[at(order - 1)];
}

/// The start of all modes as one system: equations with their derivatives against signals with theirs, up to
/// c_i and d_j, or `further` of each: one stage more has as many equations as unknowns, and the matching of
/// the leading system, so that it changes nothing but gives derivatives that a scenario may speak of.
class StartSystem {
 public:
  StartSystem(const AllModes& modes, int further) : modes_(modes), further_(further) {
    first_column_.push_back(0);
    for (const ModeNumber& d : modes.offsets.d)
      first_column_.push_back(first_column_.back() + static_cast<int>(d.levels.size()) + 1 + further_);
    pattern_ = ConditionalPattern(first_column_.back());
    for (std::size_t i = 0; i < modes.incidence.entries.size(); ++i) {
      const int most = static_cast<int>(modes.offsets.c[i].levels.size()) + further_;
      for (int k = 0; k <= most; ++k) {
        add(modes.incidence.entries[i], k);
        rows_.push_back(
            {static_cast<int>(i), k, modes.incidence.active[i] & at_least(modes.offsets.c[i], k - further_)});
      }
    }
  }

  /// Solves it, with the rows of a scenario, in the modes `where`.
  /// `fixed`: states whose start values are rows too.
  [[nodiscard]] ScenarioParts with(const SymbolicIncidence& own, const std::vector<int>& fixed,
                                   const ModeSet& where) const {
    StartSystem system = *this;
    for (const auto& entries : own.entries) system.add(entries, 0);
    for (const int state : fixed)
      system.pattern_.add_row({{first_column_[at(state)], where - modes_.parts.absent[at(state)]}});
    const Considered considered = within_effort(modes_.space);

    ScenarioParts parts;
    parts.own.resize(own.entries.size());
    std::vector<ModeSet> over(system.pattern_.rows.size());
    MultimodeMatching matching(system.pattern_);
    for (std::size_t row = 0; row < over.size(); ++row) {
      const std::size_t beside = row - rows_.size();
      const ModeSet active = row < rows_.size() ? rows_[row].where
                             : beside < own.entries.size()
                                 ? own.active[beside]
                                 : where - modes_.parts.absent[at(fixed[beside - own.entries.size()])];
      const auto search =
          matching.match(system.pattern_, static_cast<int>(row), considered(active & where), considered);
      parts.over_determined |= search.unmatched;
      for (const auto& [reached, modes] : search.rows) over[at(reached)] |= modes;
    }
    for (std::size_t row = 0; row < over.size(); ++row) {
      if (over[row].empty()) continue;
      if (row < rows_.size())
        parts.equations.push_back({rows_[row].index, rows_[row].order, over[row]});
      else if (const std::size_t beside = row - rows_.size(); beside < parts.own.size())
        parts.own[beside] = over[row];
      else
        parts.fixed.emplace_back(fixed[beside - parts.own.size()], over[row]);
    }
    const auto under = matching.reached_from_free_columns(system.pattern_, considered);
    for (std::size_t j = 0; j + 1 < first_column_.size(); ++j)
      for (int column = first_column_[j]; column < first_column_[j + 1]; ++column) {
        const int order = column - first_column_[j];
        const ModeSet there = (at_least(modes_.offsets.d[j], order - further_) & where) -
                              modes_.parts.absent[j];  // an absent signal has its start value
        if (ModeSet left = considered(under.columns[at(column)] & there); !left.empty())
          parts.signals.push_back({static_cast<int>(j), order, std::move(left)});
        parts.under_determined |= considered(matching.free(column) & there);
      }
    return parts;
  }

 private:
  /// The k-th derivative of a row.
  void add(const std::vector<SymbolicIncidence::Entry>& entries, int k) {
    std::vector<ConditionalPattern::Entry> row;
    for (const SymbolicIncidence::Entry& entry : entries) {
      const ModeNumber& d = modes_.offsets.d[at(entry.signal)];
      for (int order = 0; order <= static_cast<int>(d.levels.size()) + further_; ++order) {
        ModeSet there;
        if (order == k) there |= entry.value;
        if (order == k + 1) there |= entry.derivative;
        if (order < k) there |= entry.value_product;
        if (order >= 1 && order < k + 1) there |= entry.derivative_product;
        there &= at_least(d, order - further_);
        if (!there.empty()) row.push_back({first_column_[at(entry.signal)] + order, std::move(there)});
      }
    }
    pattern_.add_row(std::move(row));
  }

  const AllModes& modes_;
  int further_;
  std::vector<int> first_column_;  ///< of each signal: the column of its 0-th derivative
  ConditionalPattern pattern_{0};
  std::vector<ScenarioParts::Derivative> rows_;
};

bool speaks_of_derivatives(const SymbolicIncidence& own) {
  return std::ranges::any_of(own.entries, [](const auto& row) {
    return std::ranges::any_of(
        row, [](const SymbolicIncidence::Entry& entry) { return !entry.derivative.empty(); });
  });
}

}  // namespace

std::vector<ScenarioParts> scenario_parts(const AllModes& modes, const Model& model) {
  std::vector<ScenarioParts> all;
  for (const Scenario& scenario : model.scenarios) {
    const ModeSet meant = modes.space.considered(modes_where(scenario.modes, modes.space));
    const ModeSet regular = modes.space.considered(meant - modes.parts.singular);
    const SymbolicIncidence own =
        symbolic_incidence(scenario.equations, model.signature, modes.space, scenario.copied);
    std::vector<int> fixed;
    for (int state = 0; state < model.signature.n(); ++state)
      if (scenario.is_initial && !model.has_free_start(state)) fixed.push_back(state);
    ScenarioParts parts = StartSystem(modes, speaks_of_derivatives(own) ? 1 : 0).with(own, fixed, regular);
    parts.name = scenario.name;
    parts.modes = meant;
    parts.singular = modes.space.considered(meant & modes.parts.singular);
    parts.determined = modes.space.considered(regular - parts.under_determined - parts.over_determined);
    all.push_back(std::move(parts));
  }
  return all;
}

}  // namespace mti
