#include "solvers/mode_sets/mode_polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/multilinear/merged_sum.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

using BinaryFactor = ModePolynomial::Factor;
enum class Question { nonzero, positive };

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::abs(std::frexp(value, &exponent)) == 0.5;
}

/// Multiplying by it rounds nothing.
bool is_exact(double value) { return value == 0.0 || is_power_of_two(value); }
bool is_exact(const BinaryFactor& factor) { return is_exact(factor.at_0) && is_exact(factor.at_1); }

/// The products of factors that are left of terms when some variables have values, each kept once. Freezing
/// multiplies from the first factor to the last; a factor that has its value before an earlier one stays in
/// its place as a constant, unless multiplying by it rounds nothing.
class Products {
 public:
  static constexpr int one = 0;
  /// scale · product
  struct Scaled {
    double scale = 1.0;
    int product = one;
  };

  Products() { enter({}); }

  Scaled of(const std::vector<BinaryFactor>& factors) {
    Scaled result;
    std::vector<BinaryFactor> left;
    for (const BinaryFactor& factor : factors) {
      const double value = factor.at_0;
      const bool is_number = factor.variable == constant;
      if (is_number && is_exact(value))
        result.scale *= value;
      else if (is_number && left.size() == 1 && left.front().variable == constant)
        left.front().at_0 = left.front().at_1 = left.front().at_0 * value;
      else
        left.push_back(factor);
    }
    if (result.scale == 0.0) return {0.0, one};
    if (left.size() == 1 && left.front().variable == constant) {
      result.scale *= left.front().at_0;
      left.clear();
    }
    result.product = enter(std::move(left));
    return result;
  }
  /// What is left of a product when its least variable has this value.
  Scaled with_least(int product, bool value) {
    const auto place = std::pair{product, value};
    if (const auto found = fixed_.find(place); found != fixed_.end()) return found->second;
    std::vector<BinaryFactor> factors = *nodes_[at(product)].factors;
    for (BinaryFactor& factor : factors)
      if (factor.variable == nodes_[at(product)].least) {
        const double fixed = value ? factor.at_1 : factor.at_0;
        factor = {constant, fixed, fixed};
      }
    return fixed_.emplace(place, of(factors)).first->second;
  }
  [[nodiscard]] int least_variable(int product) const { return nodes_[at(product)].least; }
  /// Least and largest value.
  [[nodiscard]] std::pair<double, double> range(int product) const {
    return {nodes_[at(product)].low, nodes_[at(product)].high};
  }

 private:
  static constexpr int constant = -1;
  struct Node {
    const std::vector<BinaryFactor>* factors = nullptr;
    int least = std::numeric_limits<int>::max();
    double low = 1.0, high = 1.0;
  };

  int enter(std::vector<BinaryFactor> factors) {
    const auto [found, is_new] = known_.try_emplace(std::move(factors), static_cast<int>(nodes_.size()));
    if (!is_new) return found->second;
    Node node;
    node.factors = &found->first;
    for (const BinaryFactor& factor : found->first) {
      if (factor.variable != constant) node.least = std::min(node.least, factor.variable);
      const auto products = {factor.at_0 * node.low, factor.at_0 * node.high, factor.at_1 * node.low,
                             factor.at_1 * node.high};
      node.low = std::min(products);
      node.high = std::max(products);
    }
    nodes_.push_back(node);
    return found->second;
  }

  std::vector<Node> nodes_;
  std::map<std::vector<BinaryFactor>, int> known_;
  std::map<std::pair<int, bool>, Scaled> fixed_;
};

/// `count` terms value · product of a sum whose first variables have values.
struct Partial {
  int product;
  double value;
  int count;
  friend auto operator<=>(const Partial&, const Partial&) = default;
};
using Sum = std::vector<Partial>;  ///< ascending

/// Numbers that are multiples of one unit up to rounding, k_i u, so few of them that merged_sum() finds zero
/// iff Σ k_i = 0. The integers can be added, and sums of different terms come together.
struct Multiples {
  bool found = false;
  double unit = 1.0;
};

/// `least` and `most` bound what each term can become: |c_t| times the least and largest values of factors.
Multiples common_unit(const std::vector<double>& least, double most) {
  const double smallest = most * 4.0 * static_cast<double>(least.size()) * machine_epsilon;
  double unit = 0.0;
  for (const double term : least) {
    double a = term, b = unit;  // Euclid's algorithm, where what is below the smallest unit is rounding
    while (b > smallest) {
      const double rest = std::abs(std::remainder(a, b));
      a = std::exchange(b, rest);
    }
    unit = a;
  }
  if (!(unit > smallest) || !std::isfinite(most)) return {};
  const double first = *std::min_element(least.begin(), least.end());
  unit = first / std::round(first / unit);
  if (!std::isfinite(unit)) return {};  // it is below what counts
  for (const double term : least)
    if (!(std::abs(std::fma(-std::round(term / unit), unit, term)) <= 2.0 * machine_epsilon * term))
      return {};
  return {unit > smallest, unit};
}

class Decision {
 public:
  Decision(Products& products, Question question, bool integers)
      : products_(products), question_(question), integers_(integers) {}

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
    for (const Partial& part : sum) variable = std::min(variable, products_.least_variable(part.product));
    const ModeSet one = ModeSet::where(variable);
    ModeSet set = (decide(with(sum, variable, false)) - one) | (decide(with(sum, variable, true)) & one);
    known_.emplace(sum, set);
    return set;
  }

  /// Brings together what may be added.
  [[nodiscard]] Sum merged(Sum sum) const {
    std::sort(sum.begin(), sum.end());
    Sum result;
    for (const Partial& part : sum) {
      if (integers_ && !result.empty() && result.back().product == part.product)
        result.back().value += part.value;
      else if (!result.empty() && result.back().product == part.product && result.back().value == part.value)
        result.back().count += part.count;
      else
        result.push_back(part);
    }
    if (integers_) std::erase_if(result, [](const Partial& part) { return part.value == 0.0; });
    return result;
  }

 private:
  static constexpr std::size_t most_sums = 200'000, most_parts = 4'000'000;

  [[nodiscard]] static ModeSet all_or_none(bool all) { return all ? ModeSet::all() : ModeSet::none(); }

  /// The answer where bounds give it, or nothing depends on variables.
  [[nodiscard]] std::optional<ModeSet> without_looking(const Sum& sum) const {
    if (sum.empty()) return ModeSet::none();
    double low = 0.0, high = 0.0, size = 0.0, count = 0.0;
    bool open = false, may_be_positive = false;
    for (const Partial& part : sum) {
      const auto [least, largest] = products_.range(part.product);
      const double times = part.count;
      const auto [lower, upper] = std::minmax({times * part.value * least, times * part.value * largest});
      low += lower;
      high += upper;
      size += std::max(std::abs(lower), std::abs(upper));
      count += times;
      open = open || part.product != Products::one;
      may_be_positive = may_be_positive || upper > 0.0;
    }
    // Twice what merged_sum() allows at most, for the rounding in these bounds.
    const double bound = integers_ ? 0.0 : 4.0 * count * machine_epsilon * size;
    if (low > bound) return ModeSet::all();
    if (high < -bound) return all_or_none(question_ == Question::nonzero);
    if (!may_be_positive && question_ == Question::positive) return ModeSet::none();
    if (open) return std::nullopt;
    const double value = integers_ ? low : frozen(sum);
    return all_or_none(question_ == Question::nonzero ? value != 0.0 : value > 0.0);
  }

  /// As freezing has it.
  [[nodiscard]] static double frozen(const Sum& sum) {
    std::vector<double> terms;
    for (const Partial& part : sum) terms.insert(terms.end(), at(part.count), part.value);
    return merged_sum(terms);
  }

  [[nodiscard]] Sum with(const Sum& sum, int variable, bool value) {
    Sum next;
    for (const Partial& part : sum) {
      if (products_.least_variable(part.product) != variable) {
        next.push_back(part);
        continue;
      }
      const Products::Scaled left = products_.with_least(part.product, value);
      if (left.scale != 0.0) next.push_back({left.product, part.value * left.scale, part.count});
    }
    return merged(std::move(next));
  }

  Products& products_;
  Question question_;
  bool integers_;  ///< values are integers, and add up exactly
  std::map<Sum, ModeSet> known_;
  std::size_t kept_ = 0;  ///< parts of known sums
};

/// The least value other than 0 that factors, each a power of two, can give a product.
double least_product(std::span<const BinaryFactor> factors) {
  double product = 1.0;
  for (const BinaryFactor& factor : factors) {
    const double at_0 = std::abs(factor.at_0), at_1 = std::abs(factor.at_1);
    if (at_0 == 0.0 && at_1 == 0.0) continue;
    product *= at_0 == 0.0 || at_1 == 0.0 ? std::max(at_0, at_1) : std::min(at_0, at_1);
  }
  return product;
}

/// Such that what the term becomes is an integer.
double in_units(double coefficient, std::span<const BinaryFactor> factors, double unit) {
  const double least = least_product(factors);
  return std::round(coefficient * least / unit) / least;
}

/// The unit of all that the terms can become.
template <class Terms>
Multiples unit_of(const Terms& terms) {
  std::vector<double> all_least;
  double most = 0.0;
  for (const auto& term : terms) {
    double largest = std::abs(term.coefficient);
    for (const BinaryFactor& factor : term.factors) {
      if (!is_exact(factor)) return {};
      largest *= std::max({std::abs(factor.at_0), std::abs(factor.at_1), 1.0});
    }
    all_least.push_back(std::abs(term.coefficient) * least_product(term.factors));
    most += largest;
  }
  return common_unit(all_least, most);
}

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
  const Multiples multiples = unit_of(terms);
  Decision decision(products, question, multiples.found);
  Sum sum;
  for (const auto& term : terms) {
    const Products::Scaled product = products.of(term.factors);
    const double coefficient =
        multiples.found ? in_units(term.coefficient, term.factors, multiples.unit) : term.coefficient;
    sum.push_back({product.product, coefficient, 1});
  }
  return decision.decide(decision.merged(std::move(sum)));
}

}  // namespace

void ModePolynomial::add(double coefficient, std::vector<Factor> factors) {
  if (coefficient == 0.0) return;
  // In another order, products would round in another way.
  if (!std::ranges::all_of(factors, [](const Factor& factor) { return is_exact(factor); })) {
    terms_.push_back({coefficient, std::move(factors)});
    return;
  }
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
  terms_.push_back({coefficient, std::move(factors)});
}

ModeSet ModePolynomial::nonzero() const {
  return terms_.size() == 1 ? nonzero_product(terms_.front().factors) : answer(terms_, Question::nonzero);
}

ModeSet ModePolynomial::positive() const { return answer(terms_, Question::positive); }

}  // namespace mti
