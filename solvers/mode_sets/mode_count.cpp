#include "solvers/mode_sets/mode_count.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/structure/disjoint_sets.hpp"

namespace mti {
namespace {

using BigNumber = boost::multiprecision::cpp_int;

/// Counts the modes of one set over `variables`, ascending, which it depends on at most.
class Counter {
 public:
  explicit Counter(std::span<const int> variables) : variables_(variables) {}

  BigNumber count(const ModeSet& set) { return below(set) << place_of(set); }

 private:
  /// Number of modes of the variables from the top one of `set` on.
  const BigNumber& below(const ModeSet& set) {
    const auto found = counts_.find(set.id());
    if (found != counts_.end()) return found->second;
    if (set.is_constant()) return counts_.emplace(set.id(), set.is_all() ? 1 : 0).first->second;
    const std::size_t next = place_of(set) + 1;
    const ModeSet low = set.low();
    const ModeSet high = set.high();
    // A variable that is skipped on the way down is free: a factor 2.
    BigNumber sum = (below(low) << (place_of(low) - next)) + (below(high) << (place_of(high) - next));
    return counts_.emplace(set.id(), std::move(sum)).first->second;
  }

  [[nodiscard]] std::size_t place_of(const ModeSet& set) const {
    if (set.is_constant()) return variables_.size();
    return at(std::ranges::lower_bound(variables_, set.variable()) - variables_.begin());
  }

  std::span<const int> variables_;
  std::unordered_map<int, BigNumber> counts_;  ///< by identity; all are below one set, which lives
};

/// Sets that depend on variables of one group only.
struct Group {
  std::vector<std::pair<std::vector<int>, ModeSet>> sets;  ///< with what they depend on
};

/// Modes of the variables `group` depends on that lie in all of its sets, and the number of these variables.
std::pair<BigNumber, std::size_t> count_group(Group& group) {
  // From the lowest top variable up: what has been intersected already is then below what comes.
  std::ranges::stable_sort(group.sets, std::greater(), [](const auto& set) { return set.first.front(); });
  ModeSet common = ModeSet::all();
  std::vector<int> variables;
  for (const auto& [support, set] : group.sets) {
    common &= set;
    variables.insert(variables.end(), support.begin(), support.end());
  }
  std::ranges::sort(variables);
  variables.erase(std::ranges::unique(variables).begin(), variables.end());
  return {Counter(variables).count(common), variables.size()};
}

}  // namespace

std::string count_modes(std::span<const ModeSet> sets, int variables) {
  if (variables < 0) throw std::invalid_argument("modes of a negative number of variables");
  DisjointSets joined(variables);
  std::vector<std::pair<std::vector<int>, ModeSet>> proper;
  for (const ModeSet& set : sets) {
    if (set.empty()) return "0";
    if (set.is_all()) continue;
    std::vector<int> support = set.support();
    if (support.back() >= variables) throw std::invalid_argument("a set depends on more variables");
    for (const int variable : support) joined.join(variable, support.front());
    proper.emplace_back(std::move(support), set);
  }

  std::unordered_map<int, Group> groups;
  for (auto& set : proper) {
    Group& group = groups[joined.of(set.first.front())];
    group.sets.push_back(std::move(set));
  }
  BigNumber product = 1;
  auto free = at(variables);
  for (auto& [place, group] : groups) {
    const auto [modes, held] = count_group(group);
    product *= modes;
    free -= held;
  }
  return BigNumber(product << free).str();
}

}  // namespace mti
