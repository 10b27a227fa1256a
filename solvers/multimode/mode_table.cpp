#include "solvers/multimode/mode_table.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace mti {
namespace {

/// Adds weight·[where] to a sum. A set and its complement are one term: of the two the one without the mode
/// of zeros, so that "not open" counts as 1 − [open].
class SumBuilder {
 public:
  explicit SumBuilder(const ModeSpace& space) : space_(space) {}

  void add(int weight, const ModeSet& set) {
    const ModeSet care = space_.care_of(set);
    const ModeSet where = set & care, rest = care - where;
    if (where.empty()) return;
    if (rest.empty()) {
      sum_.constant += weight;
      return;
    }
    const auto known = place_.find(where);
    if (known != place_.end()) {
      sum_.terms[known->second].weight += weight;
    } else if (const auto complement = place_.find(rest); complement != place_.end()) {
      sum_.constant += weight;
      sum_.terms[complement->second].weight -= weight;
    } else if (holds_where_all_are_zero(where)) {
      sum_.constant += weight;
      enter(-weight, rest, care);
    } else {
      enter(weight, where, care);
    }
  }

  ConditionalSum finish() {
    std::erase_if(sum_.terms, [](const ConditionalTerm& term) { return term.weight == 0; });
    std::ranges::stable_sort(sum_.terms, {},
                             [](const ConditionalTerm& term) { return term.where.support(); });
    return std::move(sum_);
  }

 private:
  static bool holds_where_all_are_zero(const ModeSet& set) {
    return set.contains([](int) { return false; });
  }
  void enter(int weight, const ModeSet& where, const ModeSet& care) {
    place_.emplace(where, sum_.terms.size());
    sum_.terms.push_back({weight, where.within(care)});
  }

  const ModeSpace& space_;
  ConditionalSum sum_;
  std::unordered_map<ModeSet, std::size_t, ModeSetHash> place_;
};

/// Equations matched with a derivative: Σ d_j − Σ c_i is their number, since d_j − c_i = σ_ij for every pair.
std::vector<ModeSet> matched_derivatives(const AllModes& modes) {
  std::vector<ModeSet> result;
  for (std::size_t i = 0; i < modes.incidence.entries.size(); ++i) {
    ModeSet slope;
    const auto& entries = modes.incidence.entries[i];
    for (std::size_t e = 0; e < entries.size(); ++e)
      slope |=
          entries[e].derivative & modes.offsets.matching.matched(static_cast<int>(i), static_cast<int>(e));
    if (!slope.empty()) result.push_back(std::move(slope));
  }
  return result;
}

/// The regular modes by number of sets they lie in; nothing if these are more than `most` numbers.
std::optional<std::map<int, ModeSet>> by_number(const std::vector<ModeSet>& sets, const AllModes& modes,
                                                std::size_t most) {
  std::map<int, ModeSet> numbers{{0, modes.space.considered(!modes.parts.singular)}};
  if (numbers[0].empty()) return std::map<int, ModeSet>{};
  for (const ModeSet& set : sets) {
    std::map<int, ModeSet> next;
    for (const auto& [number, where] : numbers) {
      if (ModeSet in = modes.space.considered(where & set); !in.empty()) next[number + 1] |= in;
      if (ModeSet out = modes.space.considered(where - set); !out.empty()) next[number] |= out;
    }
    numbers = std::move(next);
    if (numbers.size() > most) return std::nullopt;
  }
  return numbers;
}

}  // namespace

ConditionalSum degrees_of_freedom(const AllModes& modes) {
  SumBuilder sum(modes.space);
  for (const ModeNumber& d : modes.offsets.d)
    for (const ModeSet& level : d.levels) sum.add(1, level);
  for (const ModeNumber& c : modes.offsets.c)
    for (const ModeSet& level : c.levels) sum.add(-1, level);
  return sum.finish();
}

std::vector<ModeSet> modes_by_index(const AllModes& modes) {
  const ModeSet regular = modes.space.considered(!modes.parts.singular);
  std::vector<ModeSet> at_least{regular};
  for (const ModeNumber& c : modes.offsets.c)
    for (std::size_t k = 0; k < c.levels.size(); ++k) {
      if (k + 1 == at_least.size()) at_least.emplace_back();
      at_least[k + 1] |= modes.space.considered(c.levels[k] & regular);
    }
  while (at_least.back().empty() && at_least.size() > 1) at_least.pop_back();
  for (std::size_t k = 0; k + 1 < at_least.size(); ++k) at_least[k] -= at_least[k + 1];
  return at_least;
}

std::optional<std::vector<ModeClass>> mode_classes(const AllModes& modes, std::size_t most) {
  const auto numbers = by_number(matched_derivatives(modes), modes, most);
  if (!numbers) return std::nullopt;
  ModeSet algebraic;  // some d_j = 0
  for (std::size_t j = 0; j < modes.offsets.d.size(); ++j)
    algebraic |= modes.offsets.d[j].equals(0) - modes.parts.absent[j];
  std::vector<ModeClass> classes;
  const std::vector<ModeSet> indices = modes_by_index(modes);
  for (std::size_t index = 0; index < indices.size(); ++index)
    for (const auto& [number, where] : *numbers)
      for (const bool one_more : {false, true}) {
        const ModeSet both = indices[index] & where;
        ModeSet set = modes.space.considered(one_more ? both & algebraic : both - algebraic);
        if (!set.empty()) classes.push_back({static_cast<int>(index), one_more, number, std::move(set)});
      }
  return classes;
}

}  // namespace mti
