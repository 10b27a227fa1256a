#include "solvers/mode_sets/cover.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// Bound of the nodes visited while a cover is made, some seconds at most.
constexpr std::size_t most_visits = 20'000'000;

ModeSet held(const ModeSet& set, int variable, bool value) {
  if (set.is_constant() || set.variable() != variable) return set;
  return value ? set.high() : set.low();
}

int top(const ModeSet& a, const ModeSet& b) {
  if (a.is_constant()) return b.variable();
  if (b.is_constant()) return a.variable();
  return std::min(a.variable(), b.variable());
}

ModeSet set_of(const Product& product) {
  ModeSet set = ModeSet::all();
  for (auto literal = product.rbegin(); literal != product.rend(); ++literal) {
    const ModeSet one = ModeSet::where(literal->variable);
    set = literal->negated ? set - one : set & one;
  }
  return set;
}

class CoverSearch {
 public:
  CoverSearch(std::size_t most_products, std::size_t most_steps)
      : most_products_(most_products), steps_left_(most_steps) {}

  /// Adds products under `prefix_` that cover `lower` within `upper`; their union, without the prefix.
  ModeSet cover(const ModeSet& lower, const ModeSet& upper) {
    if (lower.empty() || exceeded_) return ModeSet::none();
    if (steps_left_ == 0 || products_.size() >= most_products_) {
      exceeded_ = true;
      return ModeSet::none();
    }
    --steps_left_;
    if (upper.is_all()) {
      products_.push_back(prefix_);
      return ModeSet::all();
    }
    const int v = top(lower, upper);
    const ModeSet lower0 = held(lower, v, false);
    const ModeSet lower1 = held(lower, v, true);
    const ModeSet upper0 = held(upper, v, false);
    const ModeSet upper1 = held(upper, v, true);
    // What only products with `not v`, only products with `v` can cover, and what is left after them.
    const ModeSet covered0 = with_literal({v, true}, lower0 - upper1, upper0);
    const ModeSet covered1 = with_literal({v, false}, lower1 - upper0, upper1);
    const ModeSet covered = cover((lower0 - covered0) | (lower1 - covered1), upper0 & upper1);
    const ModeSet one = ModeSet::where(v);
    return (covered0 - one) | (covered1 & one) | covered;
  }

  [[nodiscard]] bool exceeded() const { return exceeded_; }
  [[nodiscard]] std::vector<Product> products() && { return std::move(products_); }

 private:
  ModeSet with_literal(Literal literal, const ModeSet& lower, const ModeSet& upper) {
    prefix_.push_back(literal);
    ModeSet covered = cover(lower, upper);
    prefix_.pop_back();
    return covered;
  }

  std::size_t most_products_;
  std::size_t steps_left_;
  bool exceeded_ = false;
  Product prefix_;
  std::vector<Product> products_;
};

/// Union of all products but the one at `left_out`.
ModeSet others(const std::vector<Product>& products, std::size_t left_out) {
  ModeSet sum;
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (i != left_out) sum |= set_of(products[i]);
  }
  return sum;
}

bool leave_out_products(Cover& cover, const ModeSet& care) {
  bool changed = false;
  for (std::size_t i = 0; i < cover.products.size();) {
    ModeSet rest = others(cover.products, i);
    if (((cover.set - rest) & care).empty()) {
      cover.products.erase(cover.products.begin() + static_cast<std::ptrdiff_t>(i));
      cover.set = std::move(rest);
      changed = true;
    } else {
      ++i;
    }
  }
  return changed;
}

bool leave_out_literals(Cover& cover, const ModeSet& care) {
  bool changed = false;
  for (Product& product : cover.products) {
    for (std::size_t i = 0; i < product.size();) {
      Product shorter = product;
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
      const ModeSet expanded = set_of(shorter);
      if (((expanded - cover.set) & care).empty()) {
        product = std::move(shorter);
        cover.set |= expanded;
        changed = true;
      } else {
        ++i;
      }
    }
  }
  return changed;
}

}  // namespace

std::optional<Cover> irredundant_cover(const ModeSet& lower, const ModeSet& upper,
                                       std::size_t most_products) {
  const auto nodes = at(lower.size() + upper.size() + 1);
  CoverSearch search(most_products, most_visits / nodes);
  ModeSet set = search.cover(lower, upper);
  if (search.exceeded()) return std::nullopt;
  Cover cover{.products = std::move(search).products(), .set = std::move(set)};
  std::ranges::sort(cover.products);
  return cover;
}

bool leave_out_redundant(Cover& cover, const ModeSet& care) {
  bool changed = false;
  // A literal less may make another product superfluous, and the other way round.
  while (leave_out_literals(cover, care) || leave_out_products(cover, care)) changed = true;
  if (changed) std::ranges::sort(cover.products);
  return changed;
}

}  // namespace mti
