#include "solvers/mode_sets/formula.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/mode_sets/cover.hpp"
#include "solvers/mode_sets/independent_factors.hpp"

namespace mti {
namespace {

/// A cover or its complement.
struct Factor {
  Cover cover;
  bool negated = false;

  [[nodiscard]] ModeSet set() const { return negated ? !cover.set : cover.set; }
};

/// Conjunction of factors; all modes where there are none.
using Factors = std::vector<Factor>;

/// Literals, then negations: what is compared to find the shorter formula.
using Length = std::pair<std::size_t, std::size_t>;

Length length(const Factors& factors) {
  Length sum{0, 0};
  for (const Factor& factor : factors) {
    if (factor.negated) ++sum.second;
    for (const Product& product : factor.cover.products) {
      sum.first += product.size();
      sum.second += at(std::ranges::count(product, true, &Literal::negated));
    }
  }
  return sum;
}

std::size_t number_of_products(const Factors& factors) {
  std::size_t sum = 0;
  for (const Factor& factor : factors) sum += factor.cover.products.size();
  return sum;
}

/// The shorter of two formulas, the first if they are equally long.
std::optional<Factors> shorter(std::optional<Factors> a, std::optional<Factors> b) {
  if (!a || (b && length(*b) < length(*a))) return b;
  return a;
}

/// A sum of products between `lower` and `upper`, or a negated one.
std::optional<Factors> single_factor(const ModeSet& lower, const ModeSet& upper, std::size_t most_products) {
  const auto factors = [](std::optional<Cover> cover, bool negated) -> std::optional<Factors> {
    if (!cover) return std::nullopt;
    return Factors{{.cover = std::move(*cover), .negated = negated}};
  };
  return shorter(factors(irredundant_cover(lower, upper, most_products), false),
                 factors(irredundant_cover(!upper, !lower, most_products), true));
}

/// `set` seen through `variables` alone: where some value of the others is in it.
ModeSet projection(const ModeSet& set, const std::vector<int>& variables) {
  std::vector<int> foreign;
  std::ranges::set_difference(set.support(), variables, std::back_inserter(foreign));
  return set.exists(foreign);
}

/// Calls `change(i, matters)` for each part: where `care` and all other parts hold, as they are by then, seen
/// through the variables of part i. It returns the new set of the part.
template <class Change>
void change_one_by_one(const std::vector<ModeSet>& parts, const ModeSet& care, Change change) {
  std::vector<ModeSet> later(parts.size() + 1, ModeSet::all());
  for (std::size_t i = parts.size(); i-- > 0;) later[i] = parts[i] & later[i + 1];
  ModeSet earlier = care;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    earlier &= change(i, projection(earlier & later[i + 1], parts[i].support()));
  }
}

/// Leaves out what is superfluous beside the other factors. Whether there was anything.
bool leave_out_redundant(Factors& factors, const ModeSet& care) {
  std::vector<ModeSet> parts;
  for (const Factor& factor : factors) parts.push_back(factor.set());
  bool changed = false;
  change_one_by_one(parts, care, [&](std::size_t i, const ModeSet& matters) {
    changed |= leave_out_redundant(factors[i].cover, matters);
    return factors[i].set();
  });
  return changed;
}

/// `set`, which is right inside `care`, as a product of independent factors. Nothing if it is none.
std::optional<Factors> several_factors(const ModeSet& set, const ModeSet& care, std::size_t most_products) {
  const std::vector<ModeSet> parts = independent_factors(set, most_products);
  if (parts.size() < 2) return std::nullopt;
  Factors factors;
  bool possible = true;
  change_one_by_one(parts, care, [&](std::size_t i, const ModeSet& matters) {
    if (!possible) return ModeSet::none();
    auto factor = single_factor(parts[i] & matters, parts[i] | !matters, most_products);
    possible = factor.has_value();
    if (!possible) return ModeSet::none();
    factors.push_back(std::move(factor->front()));
    possible = number_of_products(factors) <= most_products;
    return factors.back().set();
  });
  if (!possible) return std::nullopt;
  // Where `care` couples them, a later factor may have made something of an earlier one superfluous.
  while (leave_out_redundant(factors, care)) {
  }
  std::erase_if(factors, [](const Factor& factor) { return factor.set().is_all(); });
  return factors;
}

std::string text_of(const Literal& literal, const VariableName& name) {
  return (literal.negated ? "not " : "") + name(literal.variable);
}

std::string text_of(const std::vector<Product>& sum, const VariableName& name) {
  std::string text;
  for (const Product& product : sum) {
    if (!text.empty()) text += " or ";
    for (std::size_t i = 0; i < product.size(); ++i) {
      text += (i == 0 ? "" : " and ") + text_of(product[i], name);
    }
  }
  return text;
}

std::string text_of(const Factors& factors, const VariableName& name) {
  std::string text;
  for (const Factor& factor : factors) {
    const std::vector<Product>& products = factor.cover.products;
    const bool parentheses = factor.negated || (products.size() > 1 && factors.size() > 1);
    std::string sum = text_of(products, name);
    if (parentheses) sum = "(" + sum + ")";
    if (!text.empty()) text += " and ";
    if (factor.negated) text += "not ";
    text += sum;
  }
  return text;
}

/// "not (a)" is "not a", and "not (not a)" is "a".
void resolve_negations(Factors& factors) {
  for (Factor& factor : factors) {
    std::vector<Product>& products = factor.cover.products;
    if (!factor.negated || products.size() != 1 || products.front().size() != 1) continue;
    products.front().front().negated = !products.front().front().negated;
    factor = {.cover = {.products = products, .set = !factor.cover.set}, .negated = false};
  }
}

}  // namespace

std::string formula(const ModeSet& set, const ModeSet& care, const VariableName& name,
                    std::size_t most_products) {
  if (care.empty()) return "true";
  const ModeSet small = set.within(care);
  if (small.is_all()) return "true";
  if (small.empty()) return "false";

  // Only variables of the set are used: others matter as far as they restrict these.
  const ModeSet seen = projection(care, small.support());
  const ModeSet lower = small & seen;
  std::optional<Factors> best = single_factor(lower, small | !seen, most_products);
  // No formula is shorter than one that names every variable once, without a negation.
  if (!best || length(*best) > Length(small.support().size(), 0)) {
    best = shorter(best, several_factors(small, seen, most_products));
    if (lower != small) best = shorter(best, several_factors(lower, seen, most_products));
  }
  if (!best) return "<diagram of " + std::to_string(small.size()) + " nodes>";
  resolve_negations(*best);
  return text_of(*best, name);
}

}  // namespace mti
