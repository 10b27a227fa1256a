#include "solvers/multimode/multimode_offsets.hpp"

#include <stdexcept>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

ConditionalPattern pattern_of(const SymbolicIncidence& incidence) {
  ConditionalPattern pattern(incidence.signals);
  for (const auto& row : incidence.entries) {
    std::vector<ConditionalPattern::Entry> entries;
    for (const SymbolicIncidence::Entry& entry : row) entries.push_back({entry.signal, entry.present});
    pattern.add_row(std::move(entries));
  }
  return pattern;
}

/// The modes in which d − c = σ, where `slope` (σ = 1) or `value` (σ = 0) hold.
ModeSet equality(const ModeNumber& c, const ModeNumber& d, const ModeSet& value, const ModeSet& slope) {
  ModeSet result;
  for (int k = 0; k <= static_cast<int>(c.levels.size()); ++k) {
    if (!value.empty()) result |= d.equals(k, c.equals(k, value));
    if (!slope.empty()) result |= d.equals(k + 1, c.equals(k, slope));
  }
  return result;
}

}  // namespace

std::vector<ModeSet> absent_signals(const SymbolicIncidence& incidence, const Considered& considered) {
  std::vector<ModeSet> present(at(incidence.signals)), absent;
  for (const auto& row : incidence.entries)
    for (const SymbolicIncidence::Entry& entry : row)
      if (!present[at(entry.signal)].is_all()) present[at(entry.signal)] |= entry.present;
  absent.reserve(present.size());
  for (const ModeSet& where : present)
    absent.push_back(where.is_all() ? ModeSet::none() : considered(!where));
  return absent;
}

ModeSet ModeNumber::equals(int value, const ModeSet& where) const {
  ModeSet result = where;
  if (value > static_cast<int>(levels.size())) return ModeSet::none();
  if (value > 0) result &= levels[at(value - 1)];
  if (value < static_cast<int>(levels.size())) result -= levels[at(value)];
  return result;
}

void ModeNumber::raise(const ModeSet& where) {
  // From the top down: more than k afterwards where it was, or where it was more than k − 1 and rises.
  const std::size_t before = levels.size();
  if (ModeSet top = before == 0 ? where : levels.back() & where; !top.empty())
    levels.push_back(std::move(top));
  for (std::size_t k = before; k-- > 0;) levels[k] |= k == 0 ? where : levels[k - 1] & where;
}

FirstMatching::FirstMatching(const SymbolicIncidence& incidence, const Considered& considered)
    : d(at(incidence.signals)), pattern(pattern_of(incidence)), matching(pattern) {
  for (const auto& row : incidence.entries)
    for (const SymbolicIncidence::Entry& entry : row)
      if (!entry.derivative.empty()) {
        ModeNumber& order = d[at(entry.signal)];
        if (order.levels.empty()) order.levels.emplace_back();
        order.levels.front() |= entry.derivative;
      }
  const ModeNumber zero;
  for (std::size_t i = 0; i < incidence.entries.size(); ++i)
    for (std::size_t e = 0; e < incidence.entries[i].size(); ++e) {
      const SymbolicIncidence::Entry& entry = incidence.entries[i][e];
      pattern.rows[i][e].where =
          equality(zero, d[at(entry.signal)], entry.present - entry.derivative, entry.derivative);
    }
  for (std::size_t i = 0; i < incidence.active.size(); ++i)
    unmatched.push_back(
        matching.match(pattern, static_cast<int>(i), incidence.active[i], considered).unmatched);
}

MultimodeParts multimode_parts(const SymbolicIncidence& incidence, const Considered& considered,
                               const FirstMatching& first) {
  const ConditionalPattern pattern = pattern_of(incidence);
  MultimodeMatching matching = first.matching;
  MultimodeParts parts;
  parts.absent = absent_signals(incidence, considered);
  parts.over_equations.resize(pattern.rows.size());
  parts.over_signals.resize(pattern.columns.size());
  for (std::size_t i = 0; i < pattern.rows.size(); ++i) {
    if (first.unmatched[i].empty()) continue;
    const auto search = matching.match(pattern, static_cast<int>(i), first.unmatched[i], considered);
    parts.singular |= search.unmatched;
    for (const auto& [row, where] : search.rows) parts.over_equations[at(row)] |= where;
    for (const auto& [column, where] : search.columns) parts.over_signals[at(column)] |= where;
  }
  MultimodeMatching::Part under = matching.reached_from_free_columns(pattern, considered);
  for (std::size_t j = 0; j < pattern.columns.size(); ++j)
    parts.singular |= considered(matching.free(static_cast<int>(j)) - parts.absent[j]);
  parts.under_equations = std::move(under.rows);
  parts.under_signals = std::move(under.columns);
  for (std::size_t j = 0; j < parts.absent.size(); ++j)
    parts.under_signals[j] -= parts.absent[j] - parts.singular;
  return parts;
}

MultimodeOffsets multimode_offsets(const SymbolicIncidence& incidence, const Considered& considered,
                                   FirstMatching first, const ModeSet& singular) {
  const auto equations = incidence.entries.size();
  std::vector<ModeNumber> c(equations), d = std::move(first.d);
  ConditionalPattern leading = std::move(first.pattern);
  MultimodeMatching matching = std::move(first.matching);
  const auto update = [&](std::size_t i, std::size_t e) {
    const SymbolicIncidence::Entry& entry = incidence.entries[i][e];
    leading.rows[i][e].where =
        equality(c[i], d[at(entry.signal)], entry.present - entry.derivative, entry.derivative);
  };
  for (std::size_t i = 0; i < equations; ++i) {
    ModeSet wanted = first.unmatched[i];
    for (std::size_t rises = 0; !wanted.empty(); ++rises) {
      const auto search = matching.match(leading, static_cast<int>(i), wanted, considered);
      wanted = search.unmatched.empty() ? search.unmatched : considered(search.unmatched - singular);
      if (wanted.empty()) break;
      // No offset exceeds the number of equations (all σ ≤ 1) in a regular mode.
      if (rises > equations + 1) throw std::logic_error("offsets rise without end in a regular mode");
      for (const auto& [row, where] : search.rows) c[at(row)].raise(where & wanted);
      for (const auto& [column, where] : search.columns) d[at(column)].raise(where & wanted);
      for (const auto& [row, where] : search.rows)
        for (std::size_t e = 0; e < leading.rows[at(row)].size(); ++e) update(at(row), e);
      for (const auto& [column, where] : search.columns)
        for (const auto& [row, entry] : leading.columns[at(column)]) update(at(row), at(entry));
    }
  }
  return {std::move(c), std::move(d), std::move(leading), std::move(matching)};
}

}  // namespace mti
