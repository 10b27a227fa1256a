#include "solvers/mode_sets/independent_factors.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

namespace mti {
namespace {

/// Pairs of variables are compared in parts of up to so many.
constexpr std::size_t most_interleaved = 32;

/// The uppermost set below `set` through which all ways to a mode in it lead: then `set` is this one times
/// a set of variables above. All modes if there is none.
ModeSet waist(const ModeSet& set) {
  std::map<std::pair<int, int>, ModeSet> pending;  // by variable and identity: from the top down
  const auto reach = [&](const ModeSet& next) {
    if (!next.is_constant()) pending.emplace(std::pair(next.variable(), next.id()), next);
    return next.is_all();
  };
  reach(set);
  do {
    const ModeSet next = pending.extract(pending.begin()).mapped();
    const bool low_ends = reach(next.low());
    if (reach(next.high()) || low_ends) return ModeSet::all();
  } while (pending.size() > 1);
  return pending.begin()->second;
}

/// Factors whose variables follow each other.
std::vector<ModeSet> consecutive_factors(ModeSet set, std::size_t most_factors) {
  std::vector<ModeSet> factors;
  while (factors.size() < most_factors) {
    ModeSet rest = waist(set);
    if (rest.is_all()) break;
    factors.push_back(set.exists(rest.support()));
    set = std::move(rest);
  }
  factors.push_back(std::move(set));
  return factors;
}

/// Variables of `set` in groups: two of a group depend on each other, given the rest.
std::vector<std::vector<int>> dependent_groups(const ModeSet& set, const std::vector<int>& variables) {
  std::vector<ModeSet> without;
  without.reserve(variables.size());
  for (const int v : variables) without.push_back(set.exists(std::span(&v, 1)));
  std::vector<std::size_t> group(variables.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t i = 0; i < variables.size(); ++i) {
    for (std::size_t j = i + 1; j < variables.size(); ++j) {
      if (group[i] == group[j] || (without[i] & without[j]) == set) continue;
      std::ranges::replace(group, std::max(group[i], group[j]), std::min(group[i], group[j]));
    }
  }
  std::map<std::size_t, std::vector<int>> members;
  for (std::size_t i = 0; i < variables.size(); ++i) members[group[i]].push_back(variables[i]);
  std::vector<std::vector<int>> groups;
  groups.reserve(members.size());
  for (auto& [first, of_group] : members) groups.push_back(std::move(of_group));
  return groups;
}

std::vector<ModeSet> interleaved_factors(const ModeSet& set) {
  const std::vector<int> variables = set.support();
  if (variables.size() > most_interleaved) return {set};
  std::vector<ModeSet> factors;
  ModeSet product = ModeSet::all();
  for (const std::vector<int>& group : dependent_groups(set, variables)) {
    std::vector<int> others;
    std::ranges::set_difference(variables, group, std::back_inserter(others));
    factors.push_back(set.exists(others));
    product &= factors.back();
  }
  // That no two variables of different groups depend on each other is necessary, not sufficient.
  return product == set ? factors : std::vector{set};
}

}  // namespace

std::vector<ModeSet> independent_factors(const ModeSet& set, std::size_t most_factors) {
  if (set.is_constant()) return {set};
  std::vector<std::pair<int, ModeSet>> factors;
  for (const ModeSet& part : consecutive_factors(set, most_factors)) {
    for (ModeSet& factor : interleaved_factors(part)) {
      const int first = factor.variable();
      factors.emplace_back(first, std::move(factor));
    }
  }
  if (factors.size() > most_factors) return {set};
  std::ranges::sort(factors, {}, &std::pair<int, ModeSet>::first);
  std::vector<ModeSet> sorted;
  sorted.reserve(factors.size());
  for (auto& [first, factor] : factors) sorted.push_back(std::move(factor));
  return sorted;
}

}  // namespace mti
