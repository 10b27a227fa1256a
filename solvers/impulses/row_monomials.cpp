#include "solvers/impulses/row_monomials.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

Ball product_of_balls(const Ball& a, const Ball& b) {
  return {a.value * b.value, std::abs(a.value) * b.error + a.error * (std::abs(b.value) + b.error)};
}

class RowExpansion {
 public:
  RowExpansion(const std::vector<char>& unknown, const std::function<Ball(const RowMap::Factor&)>& value,
               std::size_t most)
      : unknown_(unknown), value_(value), most_(most) {}

  /// False if there are too many.
  bool add(const Ball& coefficient, std::span<const RowMap::Factor> factors, std::vector<int> product) {
    if (factors.empty()) {
      check_budget();
      std::sort(product.begin(), product.end());
      Ball& sum = found_[std::move(product)];
      sum.value += coefficient.value;
      sum.error += coefficient.error;
      return found_.size() <= most_;
    }
    const RowMap::Factor& factor = factors.front();
    const auto rest = factors.subspan(1);
    if (unknown_[at(factor.signal)] == 0)
      return add(product_of_balls(coefficient, value_(factor)), rest, std::move(product));
    // Of most factors, ±v, there is no constant: their number does not count.
    if (const double constant = 1.0 - std::abs(factor.S); constant != 0.0)
      if (!add(product_of_balls(coefficient, {constant, 0.0}), rest, product)) return false;
    product.push_back(factor.signal);
    return add(product_of_balls(coefficient, {factor.S, 0.0}), rest, std::move(product));
  }

  [[nodiscard]] Monomials take() {
    std::erase_if(found_, [](const auto& one) { return one.second.value == 0.0 && one.second.error == 0.0; });
    return std::move(found_);
  }

 private:
  const std::vector<char>& unknown_;
  const std::function<Ball(const RowMap::Factor&)>& value_;
  std::size_t most_;
  Monomials found_;
};

}  // namespace

std::optional<Monomials> monomials_of(const RowMap& f, int row, const std::vector<char>& unknown,
                                      const std::function<Ball(const RowMap::Factor&)>& value,
                                      std::size_t most) {
  RowExpansion expansion(unknown, value, most);
  for (const RowMap::Term& term : f.terms(row))
    if (!expansion.add({term.Phi, 0.0}, f.factors(term.column), {})) return std::nullopt;
  return expansion.take();
}

}  // namespace mti
