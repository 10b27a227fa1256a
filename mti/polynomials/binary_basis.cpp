#include "mti/polynomials/binary_basis.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "mti/common/rounding.hpp"

namespace mti::text {
namespace {

using Symbols = std::vector<Symbol>;
using Code = std::vector<std::pair<std::uint32_t, int>>;

/// c_A Π_{i∈A} z_i, the binaries ascending.
struct Part {
  Symbols binaries;
  Coefficient coefficient;
};
/// c(z), each set of binaries once.
using Parts = std::vector<Part>;

constexpr std::size_t kSpareTerms = 64, kTermsPerMonomial = 4;
constexpr std::size_t kGroupsInTurn = 16;  ///< so few groups are sooner looked at one by one than sorted

void drop_zeros(Parts& parts) {
  std::erase_if(parts, [](const Part& part) { return part.coefficient.value().is_zero(); });
}

bool is_one_double(const Coefficient& coefficient) {
  return coefficient.summands().size() == 1 && coefficient.summands().front().is_double();
}

/// The largest number of which all are whole multiples, for doubles other than 0: |value| is odd ·
/// 2^exponent.
struct CommonMeasure {
  std::uint64_t odd = 0;
  int exponent = std::numeric_limits<int>::max();

  void take(double value) {
    if (value == 0.0) return;  // a whole multiple of any
    int exponent_of_value = 0;
    const double fraction = std::frexp(std::abs(value), &exponent_of_value);
    auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, std::numeric_limits<double>::digits));
    const int zeros = std::countr_zero(mantissa);
    mantissa >>= zeros;
    odd = std::gcd(odd, mantissa);
    exponent = std::min(exponent, exponent_of_value - std::numeric_limits<double>::digits + zeros);
  }
  [[nodiscard]] double value() const { return std::ldexp(static_cast<double>(odd), exponent); }
};

/// True if every sum of coefficients is 0 or well above what counts as rounding in mti/multilinear/merged_sum.hpp.
bool sums_are_safe(const Parts& parts) {
  CommonMeasure measure;
  double size = 0.0;
  for (const Part& part : parts) {
    const ExactNumber value = part.coefficient.value();
    if (!value.is_double() || !std::isfinite(value.rounded())) return false;
    measure.take(value.rounded());
    size += std::abs(value.rounded());
  }
  const double share = 2.0 * static_cast<double>(parts.size()) * machine_epsilon;
  return measure.value() > 2.0 * share * size;
}

/// Whether one of two numbers may be there to cancel the other: opposite signs, about one size.
bool may_cancel(double a, double b) {
  constexpr double about = 16.0;
  return (a < 0.0) != (b < 0.0) && std::abs(a) <= about * std::abs(b) && std::abs(b) <= about * std::abs(a);
}

/// True if nothing of one coefficient that has to be rounded is there to cancel something of another.
bool coefficients_are_unrelated(const Parts& parts) {
  for (const Part& part : parts) {
    if (is_one_double(part.coefficient)) continue;
    for (const ExactNumber& summand : part.coefficient.summands())
      for (const Part& other : parts) {
        const auto& summands = other.coefficient.summands();
        const bool related = std::any_of(summands.begin(), summands.end(), [&](const ExactNumber& of_other) {
          return may_cancel(summand.rounded(), of_other.rounded());
        });
        if (&other != &part && related) return false;
      }
  }
  return true;
}

bool rounding_is_harmless(const Parts& parts) {
  return parts.size() <= 1 || sums_are_safe(parts) || coefficients_are_unrelated(parts);
}

/// c(z) with one binary fixed.
Parts restricted(const Parts& parts, Symbol binary, bool value) {
  Parts result;
  std::map<Symbols, std::size_t> place;
  for (const Part& part : parts) {
    Symbols rest = part.binaries;
    const bool holds = std::erase(rest, binary) != 0;
    if (holds && !value) continue;
    const auto [found, is_new] = place.try_emplace(rest, result.size());
    if (is_new)
      result.push_back({std::move(rest), part.coefficient});
    else
      result[found->second].coefficient.add(part.coefficient);
  }
  return result;
}

/// The parts with binaries, those that share some, directly or through others, together.
std::vector<Parts> components(const Parts& parts) {
  std::vector<std::pair<Symbols, Parts>> groups;
  for (const Part& part : parts) {
    if (part.binaries.empty()) continue;
    std::pair<Symbols, Parts> joined{part.binaries, {part}};
    const auto shares = [&](const auto& group) {
      return std::any_of(part.binaries.begin(), part.binaries.end(), [&](Symbol binary) {
        return std::find(group.first.begin(), group.first.end(), binary) != group.first.end();
      });
    };
    const auto apart = std::stable_partition(groups.begin(), groups.end(),
                                             [&](const auto& group) { return !shares(group); });
    for (auto group = groups.end(); group != apart;) {
      --group;
      joined.first.insert(joined.first.end(), group->first.begin(), group->first.end());
      joined.second.insert(joined.second.begin(), group->second.begin(), group->second.end());
    }
    groups.erase(apart, groups.end());
    groups.push_back(std::move(joined));
  }
  std::vector<Parts> result;
  for (auto& group : groups) result.push_back(std::move(group.second));
  return result;
}

/// What of the constant part belongs to a component, 1 to G·z − z, which is G·z + (1 − z) with it: what its
/// coefficients cancel; if there is no such summand, what keeps the largest one apart from the others.
Coefficient own_constant(const Parts& component, Coefficient constant) {
  constexpr double far_apart = 16.0;
  Coefficient own;
  ExactNumber apart;
  double largest = 0.0;
  for (const Part& part : component) {
    if (part.binaries.size() != 1 || is_one_double(part.coefficient)) continue;
    double least = std::numeric_limits<double>::infinity();
    for (const ExactNumber& summand : part.coefficient.summands())
      least = std::min(least, std::abs(summand.rounded()));
    for (const ExactNumber& summand : part.coefficient.summands()) {
      const ExactNumber opposite = -summand;
      const auto& known = constant.summands();
      if (std::find(known.begin(), known.end(), opposite) != known.end()) {
        own.add(opposite);
        constant.add(summand);
      } else if (const double size = std::abs(summand.rounded());
                 size > largest && size >= far_apart * least) {
        largest = size;
        apart = opposite;
      }
    }
  }
  if (own.summands().empty()) own.add(apart);
  return own;
}

/// The binary that most of the sums hold that rounding could harm.
Symbol dividing_binary(const Parts& parts) {
  std::map<Symbol, std::size_t> occurrences;
  for (const Part& part : parts)
    for (const Symbol binary : part.binaries)
      occurrences[binary] += is_one_double(part.coefficient) ? 1 : parts.size();
  return std::max_element(occurrences.begin(), occurrences.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// The term with the coefficient as a double, and with what rounding takes from it where that is a part of what was
/// written: of 1e9 + 0.001 the second is left to 4 digits. mti/multilinear/merged_sum.hpp does so with columns.
void append(const Coefficient& coefficient, BasisTerm term, std::vector<BasisTerm>& terms) {
  constexpr double matters = 1e-10;
  const ExactNumber exact = coefficient.value();
  const double rounded = exact.rounded();
  term.coefficient = rounded;
  if (exact.is_double() || !std::isfinite(rounded) || coefficient.summands().size() < 2) {
    terms.push_back(std::move(term));
    return;
  }
  terms.push_back(term);
  const double rest = (exact + -ExactNumber(rounded)).rounded();
  const bool is_lost = std::any_of(
      coefficient.summands().begin(), coefficient.summands().end(),
      [&](const ExactNumber& summand) { return std::abs(rest) > matters * std::abs(summand.rounded()); });
  if (!is_lost) return;
  term.coefficient = rest;
  terms.push_back(std::move(term));
}

/// Writes one c(z) before the powers `common`.
class Division {
 public:
  Division(const std::vector<Power>& common, std::size_t most_terms)
      : common_(common), most_terms_(most_terms) {}

  /// Nothing if there would be too many terms.
  std::optional<std::vector<BasisTerm>> divide(const Parts& parts) {
    write(parts);
    if (terms_.size() > most_terms_) return std::nullopt;
    return std::move(terms_);
  }

 private:
  void write(Parts parts) {
    drop_zeros(parts);
    if (terms_.size() > most_terms_) return;
    if (rounding_is_harmless(parts)) {
      for (const Part& part : parts) write_term(part);
      return;
    }
    std::vector<Parts> independent = components(parts);
    if (independent.size() > 1 && write_independent(parts, std::move(independent))) return;
    const Symbol binary = dividing_binary(parts);
    fixed_.emplace_back(binary, true);
    write(restricted(parts, binary, true));
    fixed_.back().second = false;
    write(restricted(parts, binary, false));
    fixed_.pop_back();
  }

  /// False, with nothing written, where the remaining constant would lose digits.
  bool write_independent(const Parts& parts, std::vector<Parts> independent) {
    Coefficient constant;
    for (const Part& part : parts)
      if (part.binaries.empty()) constant = part.coefficient;
    for (Parts& component : independent) {
      Coefficient own = own_constant(component, constant);
      if (own.summands().empty()) continue;
      constant.add(own, -1.0);
      component.insert(component.begin(), Part{{}, std::move(own)});
    }
    if (constant.summands().size() > 1 && !constant.value().is_double()) return false;
    for (Parts& component : independent) write(std::move(component));
    if (!constant.value().is_zero()) write_term({{}, std::move(constant)});
    return true;
  }

  void write_term(const Part& part) {
    BasisTerm term{0.0, common_, {}};
    for (const Symbol binary : part.binaries) term.powers.push_back({binary, 1});
    for (const auto& [binary, value] : fixed_) {
      if (value)
        term.powers.push_back({binary, 1});
      else
        term.complements.push_back(binary);
    }
    std::sort(term.powers.begin(), term.powers.end(),
              [](const Power& a, const Power& b) { return a.symbol < b.symbol; });
    std::sort(term.complements.begin(), term.complements.end());
    append(part.coefficient, term, terms_);
  }

  const std::vector<Power>& common_;
  std::size_t most_terms_;
  std::vector<std::pair<Symbol, bool>> fixed_;
  std::vector<BasisTerm> terms_;
};

/// c(z) as monomials again, from the terms that were written for it.
Parts expanded(const std::vector<BasisTerm>& terms) {
  Parts result;
  std::map<Symbols, std::size_t> place;
  for (const BasisTerm& term : terms) {
    Symbols always;
    for (const Power& power : term.powers)
      if (power.symbol.idempotent()) always.push_back(power.symbol);
    const std::size_t subsets = std::size_t{1} << term.complements.size();
    for (std::size_t subset = 0; subset < subsets; ++subset) {  // Π (1 − z), multiplied out
      Symbols binaries = always;
      double coefficient = term.coefficient;
      for (std::size_t i = 0; i < term.complements.size(); ++i)
        if ((subset >> i & 1U) != 0) {
          binaries.push_back(term.complements[i]);
          coefficient = -coefficient;
        }
      std::sort(binaries.begin(), binaries.end());
      const auto [found, is_new] = place.try_emplace(binaries, result.size());
      if (is_new) result.push_back({std::move(binaries), {}});
      result[found->second].coefficient.add(Coefficient(coefficient));
    }
  }
  drop_zeros(result);
  return result;
}

/// The terms of c(z), such that reading them again gives them again: rounded, they may be ones that need not
/// be taken apart. Nothing if there would be too many.
std::optional<std::vector<BasisTerm>> terms_of(Parts parts, const std::vector<Power>& common) {
  constexpr int most_rounds = 4;
  const std::size_t most = kSpareTerms + kTermsPerMonomial * parts.size();
  auto terms = Division(common, most).divide(parts);
  for (int round = 0; terms && round < most_rounds; ++round) {
    parts = expanded(*terms);
    auto again = Division(common, most).divide(parts);
    if (!again || *again == *terms) break;
    terms = std::move(again);
  }
  return terms;
}

struct SameSignals {
  std::vector<Power> common;
  std::vector<std::size_t> monomials;
};

/// The monomials of a polynomial by their powers of signals that are not binary.
std::vector<SameSignals> groups_of(const Polynomial& polynomial) {
  std::vector<SameSignals> groups;
  std::map<Code, std::size_t> places;
  const bool few = polynomial.size() <= kGroupsInTurn;
  for (std::size_t i = 0; i < polynomial.size(); ++i) {
    std::vector<Power> common = polynomial.monomials()[i].powers;
    std::erase_if(common, [](const Power& power) { return power.symbol.idempotent(); });
    if (few) {
      const auto known = std::ranges::find(groups, common, &SameSignals::common);
      if (known != groups.end())
        known->monomials.push_back(i);
      else
        groups.push_back({std::move(common), {i}});
      continue;
    }
    Code code;
    for (const Power& power : common) code.emplace_back(power.symbol.code(), power.exponent);
    const auto [found, is_new] = places.try_emplace(std::move(code), groups.size());
    if (is_new) groups.push_back({std::move(common), {}});
    groups[found->second].monomials.push_back(i);
  }
  return groups;
}

}  // namespace

std::vector<BasisTerm> in_binary_basis(const Polynomial& polynomial) {
  const std::vector<Monomial>& monomials = polynomial.monomials();
  std::vector<std::vector<BasisTerm>> at_monomial(monomials.size());
  const bool has_binaries = std::any_of(monomials.begin(), monomials.end(), [](const Monomial& monomial) {
    return std::any_of(monomial.powers.begin(), monomial.powers.end(),
                       [](const Power& power) { return power.symbol.idempotent(); });
  });
  std::vector<char> divided(monomials.size(), 0);
  if (has_binaries)
    for (const SameSignals& group : groups_of(polynomial)) {
      if (group.monomials.size() == 1) continue;  // rounding one coefficient harms no other
      Parts parts;
      for (const std::size_t i : group.monomials) {
        Symbols binaries;
        for (const Power& power : monomials[i].powers)
          if (power.symbol.idempotent()) binaries.push_back(power.symbol);
        parts.push_back({std::move(binaries), monomials[i].coefficient});
      }
      if (rounding_is_harmless(parts)) continue;
      auto terms = terms_of(std::move(parts), group.common);
      if (!terms) continue;
      at_monomial[group.monomials.front()] = std::move(*terms);
      for (const std::size_t i : group.monomials) divided[i] = 1;
    }
  std::vector<BasisTerm> result;
  result.reserve(monomials.size());
  for (std::size_t i = 0; i < monomials.size(); ++i) {
    if (divided[i] == 0)
      append(monomials[i].coefficient, {0.0, monomials[i].powers, {}}, result);
    else
      std::move(at_monomial[i].begin(), at_monomial[i].end(), std::back_inserter(result));
  }
  return result;
}

}  // namespace mti::text
