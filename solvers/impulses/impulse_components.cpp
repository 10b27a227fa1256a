#include "solvers/impulses/impulse_components.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "mti/common/at.hpp"
#include "solvers/structure/disjoint_sets.hpp"

namespace mti {
namespace {

class Components {
 public:
  Components(const RowMap& f, std::span<const SolutionBlock> blocks, const std::vector<char>& together,
             int states)
      : f_(f), blocks_(blocks), together_(together), states_(states) {
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (std::size_t j = 0; j < blocks[b].unknowns.size(); ++j) {
        owner_.emplace(blocks[b].unknowns[j], b);
        if (blocks[b].e[j] < 0) impulsive_.insert(blocks[b].unknowns[j]);
      }
  }

  ImpulseComponents find() const {
    ImpulseComponents result{{}, std::vector<char>(blocks_.size(), 0)};
    DisjointSets sets(static_cast<int>(blocks_.size()));
    std::vector<char> needed(blocks_.size(), 0);
    // Blocks stand in solving order: whoever needs a block comes behind it.
    for (std::size_t b = blocks_.size(); b-- > 0;) {
      if (together_[b] == 0) continue;
      if (needed[b] == 0 && is_sum(blocks_[b])) {
        result.follows[b] = 1;
        continue;
      }
      needed[b] = 1;
      for_each_source(blocks_[b], [&](std::size_t source) {
        needed[source] = 1;
        sets.join(static_cast<int>(b), static_cast<int>(source));
      });
    }
    std::map<int, std::size_t> place;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (needed[b] == 0) continue;
      const auto [found, is_new] = place.try_emplace(sets.of(static_cast<int>(b)), result.components.size());
      if (is_new) result.components.emplace_back();
      result.components[found->second].push_back(b);
    }
    return result;
  }

 private:
  /// Nothing but Dirac parts, each column with one factor at most that may be impulsive.
  [[nodiscard]] bool is_sum(const SolutionBlock& block) const {
    return std::ranges::all_of(block.c, [](int c) { return c < 0; }) &&
           std::ranges::all_of(block.equations, [&](int equation) {
             return std::ranges::all_of(f_.terms(equation), [&](const RowMap::Term& term) {
               const auto impulsive = std::ranges::count_if(
                   f_.factors(term.column),
                   [&](const RowMap::Factor& factor) { return impulsive_.contains(factor.signal); });
               return impulsive <= (f_.function_of(term.column) == nullptr ? 1 : 0);
             });
           });
  }

  /// The other blocks of `together_` whose unknowns the rows hold; x⁺ where values are asked for.
  template <class Take>
  void for_each_source(const SolutionBlock& block, Take take) const {
    for (std::size_t i = 0; i < block.equations.size(); ++i)
      for (const RowMap::Term& term : f_.terms(block.equations[i]))
        for (const RowMap::Factor& factor : f_.factors(term.column)) {
          const bool is_state = factor.signal >= states_ && factor.signal < 2 * states_;
          const bool is_jump = is_state && block.c[i] >= 0;
          const auto found = owner_.find(is_jump ? factor.signal - states_ : factor.signal);
          if (found != owner_.end() && together_[found->second] != 0) take(found->second);
        }
  }

  const RowMap& f_;
  std::span<const SolutionBlock> blocks_;
  const std::vector<char>& together_;
  int states_;
  std::unordered_map<int, std::size_t> owner_;  ///< the block of an unknown (row of S)
  std::unordered_set<int> impulsive_;           ///< unknowns that are no values
};

}  // namespace

ImpulseComponents impulse_components(const RowMap& f, std::span<const SolutionBlock> blocks,
                                     const std::vector<char>& together, int states) {
  if (std::ranges::find(together, 1) == together.end()) return {{}, std::vector<char>(blocks.size(), 0)};
  return Components(f, blocks, together, states).find();
}

}  // namespace mti
