#include "mti/conditions/truth.hpp"

#include <algorithm>
#include <cstddef>

namespace mti::conditions {

using text::Polynomial;
using text::Symbol;

Polynomial complement(const Polynomial& truth) { return difference(Polynomial::constant(1.0), truth); }

Polynomial difference(const Polynomial& a, const Polynomial& b) {
  Polynomial result = a;
  result.add(b, -1.0);
  result.drop_cancelled();
  return result;
}

std::optional<std::vector<Symbol>> binaries_of(const Polynomial& polynomial) {
  std::vector<Symbol> symbols;
  for (const text::Monomial& monomial : polynomial.monomials()) {
    if (monomial.coefficient.value().is_zero()) continue;
    for (const text::Power& power : monomial.powers) {
      if (!power.symbol.idempotent()) return std::nullopt;
      symbols.push_back(power.symbol);
    }
  }
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

double value_at(const Polynomial& polynomial, const std::vector<Symbol>& binaries, unsigned assignment) {
  text::Coefficient sum;  // exact: 0.1 + 0.2 >= 0.3 is what it says
  for (const text::Monomial& monomial : polynomial.monomials()) {
    const bool counts =
        std::all_of(monomial.powers.begin(), monomial.powers.end(), [&](const text::Power& power) {
          const auto place =
              std::lower_bound(binaries.begin(), binaries.end(), power.symbol) - binaries.begin();
          return (assignment >> static_cast<unsigned>(place) & 1U) != 0U;
        });
    if (counts) sum.add(monomial.coefficient);
  }
  return sum.value().rounded();
}

bool may_leave_zero(const Polynomial& p, const std::vector<Symbol>& binaries, unsigned assignment) {
  for (std::size_t d = 0; d < p.tangents(); ++d) {
    const auto own = binaries_of(p.tangent(d));
    if (!own || !std::ranges::includes(binaries, *own) || value_at(p.tangent(d), binaries, assignment) != 0.0)
      return true;
  }
  return false;
}

bool is_truth(const Polynomial& polynomial) {
  const auto binaries = binaries_of(polynomial);
  if (!binaries || binaries->size() > kMostTabulated) return false;
  for (unsigned assignment = 0; assignment < 1U << binaries->size(); ++assignment) {
    const double value = value_at(polynomial, *binaries, assignment);
    if (value != 0.0 && value != 1.0) return false;
  }
  return true;
}

std::optional<Literal> literal_of(const Polynomial& truth) {
  const auto binaries = binaries_of(truth);
  if (!binaries || binaries->size() != 1 || binaries->front().group() != text::Group::binary ||
      !is_truth(truth))
    return std::nullopt;
  return Literal{binaries->front(), value_at(truth, *binaries, 0U) == 1.0};
}

Polynomial interpolated(const std::vector<Symbol>& binaries, std::vector<double> values) {
  for (std::size_t bit = 1; bit < values.size(); bit *= 2)
    for (std::size_t set = 0; set < values.size(); ++set)
      if ((set & bit) != 0) values[set] -= values[set ^ bit];
  Polynomial result;
  for (std::size_t set = 0; set < values.size(); ++set) {
    if (values[set] == 0.0) continue;
    Polynomial product = Polynomial::constant(values[set]);
    for (std::size_t i = 0; i < binaries.size(); ++i)
      if ((set >> i & 1U) != 0) product = product * Polynomial::variable(binaries[i]);
    result.add(product, 1.0);
  }
  return result;
}

}  // namespace mti::conditions
