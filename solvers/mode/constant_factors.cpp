#include "solvers/mode/constant_factors.hpp"

#include <algorithm>

#include "mti/common/at.hpp"

namespace mti {
namespace {

bool has_constant_matrix(const RowMap& f, const SolutionBlock& block) {
  return std::ranges::all_of(block.equations, [&](int equation) {
    return std::ranges::all_of(f.terms(equation),
                               [&](const RowMap::Term& term) { return f.is_affine(term.column); });
  });
}

}  // namespace

const LuFactor* ConstantFactors::find(const SolutionBlock& block) const {
  const auto found = factors_.find(&block);
  return found == factors_.end() ? nullptr : &found->second;
}

void ConstantFactors::keep(const RowMap& f, const SolutionBlock& block, const LuFactor& factor) {
  const auto size = at(factor.size());
  if (entries_ + size * size > most_entries || !has_constant_matrix(f, block)) return;
  if (factors_.emplace(&block, factor).second) entries_ += size * size;
}

}  // namespace mti
