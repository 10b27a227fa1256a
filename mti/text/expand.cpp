#include "mti/text/expand.hpp"

#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/text/expansion.hpp"

namespace mti::text {

std::string power_too_high() {
  return "powers of signals go up to " + std::to_string(kMaximumPower) +
         "; name parts of it as algebraic signals";
}

Expander::Expander(const Declarations& names, Lowering lowering)
    : names_(names), lowering_(std::move(lowering)), uses_pre_(at(names.binaries), 0) {}

std::optional<Polynomial> Expander::expand(std::string_view text, const Relation& relation,
                                           const Owner& owner, std::vector<TextFault>& faults) {
  spare_terms_ += kTermsPerCharacter * text.size();
  Expansion expansion(*this, text, relation, owner, faults);
  const bool swapped = relation.comparison == Relation::Comparison::greater_equal;
  Polynomial difference = expansion.expand(relation.left);
  if (swapped) difference.scale(-1.0);
  expansion.add(difference, expansion.expand(relation.right), swapped ? 1.0 : -1.0, relation.right);
  if (expansion.failed()) return std::nullopt;
  difference.drop_cancelled();
  for (const Monomial& monomial : difference.monomials()) {
    if (!std::isfinite(monomial.coefficient.value().rounded())) {
      expansion.fail("not-finite", relation.left, "a coefficient is not finite");
      return std::nullopt;
    }
    for (const Power& power : monomial.powers) {
      if (power.exponent <= kMaximumPower) continue;
      expansion.fail("power-too-high", relation.left, power_too_high());
      return std::nullopt;
    }
  }
  return difference;
}

std::vector<int> Expander::remembered() const {
  std::vector<int> binaries;
  for (std::size_t i = 0; i < uses_pre_.size(); ++i)
    if (uses_pre_[i] != 0) binaries.push_back(static_cast<int>(i));
  return binaries;
}

}  // namespace mti::text
