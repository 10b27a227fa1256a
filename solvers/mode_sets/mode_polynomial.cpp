#include "solvers/mode_sets/mode_polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

using BinaryFactor = ModePolynomial::Factor;
enum class Question { nonzero, positive };

/// The products that terms end in, each kept once: a product is a factor and the rest of it.
class Products {
 public:
  static constexpr int one = 0;

  int of(std::span<const BinaryFactor> factors) {
    int product = one;
    for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor) product = with(*factor, product);
    return product;
  }
  [[nodiscard]] const BinaryFactor& factor(int product) const { return nodes_[at(product)].first; }
  [[nodiscard]] int rest(int product) const { return nodes_[at(product)].second; }
  /// Least and largest value.
  [[nodiscard]] std::pair<double, double> range(int product) const { return ranges_[at(product)]; }

 private:
  int with(const BinaryFactor& factor, int rest) {
    const auto [found, is_new] = known_.try_emplace({factor, rest}, static_cast<int>(nodes_.size()));
    if (is_new) {
      nodes_.emplace_back(factor, rest);
      const auto [low, high] = ranges_[at(rest)];
      const auto products = {factor.at_0 * low, factor.at_0 * high, factor.at_1 * low, factor.at_1 * high};
      ranges_.emplace_back(std::min(products), std::max(products));
    }
    return found->second;
  }

  std::vector<std::pair<BinaryFactor, int>> nodes_{{BinaryFactor{}, one}};
  std::vector<std::pair<double, double>> ranges_{{1.0, 1.0}};
  std::map<std::pair<BinaryFactor, int>, int> known_;
};

/// A sum whose first variables have values: coefficient · product, one for each product, ascending.
struct Partial {
  int product;
  double sum, size;  ///< sum of what came together, and of its absolute values
  int count;         ///< of terms that came together
  friend auto operator<=>(const Partial&, const Partial&) = default;
};
using Sum = std::vector<Partial>;

double rounding(double size, int count) { return count > 1 ? 2.0 * count * machine_epsilon * size : 0.0; }

class Decision {
 public:
  Decision(const Products& products, Question question) : products_(products), question_(question) {}

  ModeSet decide(const Sum& sum) {
    if (const auto certain = without_looking(sum)) return *certain;
    const auto known = known_.find(sum);
    if (known != known_.end()) return known->second;
    check_budget();
    kept_ += sum.size();
    if (known_.size() >= most_sums || kept_ >= most_parts)
      throw ModeSetTooLarge("a coefficient depends on too many binaries: more than " +
                            std::to_string(most_sums) + " different partial sums, or " +
                            std::to_string(most_parts) + " parts of them");
    int variable = std::numeric_limits<int>::max();
    for (const Partial& part : sum)
      if (part.product != Products::one)
        variable = std::min(variable, products_.factor(part.product).variable);
    const ModeSet one = ModeSet::where(variable);
    ModeSet set = (decide(with(sum, variable, false)) - one) | (decide(with(sum, variable, true)) & one);
    known_.emplace(sum, set);
    return set;
  }

 private:
  static constexpr std::size_t most_sums = 200'000, most_parts = 4'000'000;

  /// The answer where bounds or a single product give it.
  [[nodiscard]] std::optional<ModeSet> without_looking(const Sum& sum) const {
    if (sum.empty()) return ModeSet::none();
    double low = 0.0, high = 0.0, size = 0.0;
    int count = 0;
    for (const Partial& part : sum) {
      const auto [least, largest] = products_.range(part.product);
      low += std::min(part.sum * least, part.sum * largest);
      high += std::max(part.sum * least, part.sum * largest);
      size += part.size * std::max(std::abs(least), std::abs(largest));
      count += part.count;
    }
    const double bound = rounding(size, count);
    if (low > bound) return ModeSet::all();
    if (high < -bound) return question_ == Question::nonzero ? ModeSet::all() : ModeSet::none();
    if (high <= 0.0 && question_ == Question::positive) return ModeSet::none();
    if (sum.size() == 1 && sum.front().product == Products::one) {
      const double value = sum.front().sum;
      const double limit = rounding(sum.front().size, sum.front().count);
      const bool yes = question_ == Question::nonzero ? std::abs(value) > limit : value > limit;
      return yes ? ModeSet::all() : ModeSet::none();
    }
    return std::nullopt;
  }

  [[nodiscard]] Sum with(const Sum& sum, int variable, bool value) const {
    Sum next;
    for (const Partial& part : sum) {
      Partial moved = part;
      if (part.product != Products::one && products_.factor(part.product).variable == variable) {
        const BinaryFactor& factor = products_.factor(part.product);
        const double scale = value ? factor.at_1 : factor.at_0;
        if (scale == 0.0) continue;
        moved = {products_.rest(part.product), part.sum * scale, part.size * std::abs(scale), part.count};
      }
      next.push_back(moved);
    }
    std::sort(next.begin(), next.end());
    std::size_t kept = 0;
    for (std::size_t i = 1; i < next.size(); ++i) {
      if (next[i].product == next[kept].product) {
        next[kept].sum += next[i].sum;
        next[kept].size += next[i].size;
        next[kept].count += next[i].count;
      } else {
        next[++kept] = next[i];
      }
    }
    if (!next.empty()) next.resize(kept + 1);
    return next;
  }

  const Products& products_;
  Question question_;
  std::map<Sum, ModeSet> known_;
  std::size_t kept_ = 0;  ///< parts of known sums
};

/// Where the product is not zero: its factors are not.
ModeSet nonzero_product(std::span<const BinaryFactor> factors) {
  ModeSet set = ModeSet::all();
  for (const BinaryFactor& factor : factors) {
    if (factor.at_0 == 0.0) set &= ModeSet::where(factor.variable);
    if (factor.at_1 == 0.0) set -= ModeSet::where(factor.variable);
  }
  return set;
}

/// Factors that are not negative: what a product of them is worth has the sign of its coefficient.
bool without_sign(std::span<const BinaryFactor> factors) {
  return std::ranges::all_of(
      factors, [](const BinaryFactor& factor) { return factor.at_0 >= 0.0 && factor.at_1 >= 0.0; });
}

template <class Terms>
ModeSet answer(const Terms& terms, Question question) {
  // Nothing cancels where all terms have one sign, and any number of binaries may come together.
  if (std::ranges::all_of(terms, [](const auto& term) { return without_sign(term.factors); })) {
    const bool none_negative =
        std::ranges::all_of(terms, [](const auto& term) { return term.coefficient > 0.0; });
    const bool none_positive =
        std::ranges::all_of(terms, [](const auto& term) { return term.coefficient < 0.0; });
    if (none_positive && question == Question::positive) return ModeSet::none();
    if (none_negative || none_positive) {
      ModeSet set;
      for (const auto& term : terms) set |= nonzero_product(term.factors);
      return set;
    }
  }
  Products products;
  std::map<int, Partial> parts;
  for (const auto& term : terms) {
    const int product = products.of(term.factors);
    Partial& part = parts.try_emplace(product, Partial{product, 0.0, 0.0, 0}).first->second;
    part.sum += term.coefficient;
    part.size += std::abs(term.coefficient);
    ++part.count;
  }
  Sum sum;
  for (const auto& [product, part] : parts) sum.push_back(part);
  return Decision(products, question).decide(sum);
}

}  // namespace

void ModePolynomial::add(double coefficient, std::vector<Factor> factors) {
  std::sort(factors.begin(), factors.end());
  std::size_t kept = 0;
  for (std::size_t i = 1; i < factors.size(); ++i) {
    if (factors[i].variable == factors[kept].variable) {
      factors[kept].at_0 *= factors[i].at_0;
      factors[kept].at_1 *= factors[i].at_1;
    } else {
      factors[++kept] = factors[i];
    }
  }
  if (!factors.empty()) factors.resize(kept + 1);
  if (coefficient != 0.0) terms_.push_back({coefficient, std::move(factors)});
}

ModeSet ModePolynomial::nonzero() const {
  return terms_.size() == 1 ? nonzero_product(terms_.front().factors) : answer(terms_, Question::nonzero);
}

ModeSet ModePolynomial::positive() const { return answer(terms_, Question::positive); }

}  // namespace mti
