#include "mti/lifting/binary_steps.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// Coefficients of a multilinear function by the signals of each product.
using Products = std::map<std::vector<int>, double>;

/// A row as p + z·q; nothing where it has a function, or a product so long that it is not multiplied out.
struct SplitByBinary {
  Products p, q;
};

void add_product(const Products& product, double factor, Products& sum) {
  if (factor == 0.0) return;
  for (const auto& [signals, coefficient] : product) sum[signals] += factor * coefficient;
}

void drop_cancelled(Products& sum, double size) {
  constexpr double rounding = 1e-13;
  std::erase_if(sum, [&](const auto& entry) { return std::abs(entry.second) <= rounding * size; });
}

std::optional<SplitByBinary> split_by(const RowMap& map, int row, int z) {
  constexpr std::size_t most_factors = 10;
  SplitByBinary split;
  double size = 0.0;
  for (const RowMap::Term& term : map.terms(row)) {
    const auto factors = map.factors(term.column);
    if (factors.size() > most_factors || map.function_of(term.column) != nullptr) return std::nullopt;
    Products product{{{}, term.Phi}};
    double at_0 = 1.0, slope = 0.0;  // of the factor of z
    for (const auto& [signal, S] : factors) {
      if (signal == z) {
        at_0 = 1.0 - std::abs(S), slope = S;
        continue;
      }
      Products next;
      for (const auto& [signals, coefficient] : product) {
        if (const double constant = 1.0 - std::abs(S); constant != 0.0)
          next[signals] += constant * coefficient;
        std::vector<int> longer = signals;
        longer.insert(std::ranges::upper_bound(longer, signal), signal);
        next[longer] += S * coefficient;
      }
      product = std::move(next);
    }
    add_product(product, at_0, split.p);
    add_product(product, slope, split.q);
    size = std::max(size, std::abs(term.Phi));
  }
  drop_cancelled(split.p, size);
  drop_cancelled(split.q, size);
  return split;
}

/// λ with a = λ·b; nothing: there is none other than 0.
std::optional<double> ratio(const Products& a, const Products& b) {
  constexpr double rounding = 1e-12;
  if (a.empty() || a.size() != b.size()) return std::nullopt;
  const double lambda = a.begin()->second / b.begin()->second;
  for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j)
    if (i->first != j->first || std::abs(i->second - lambda * j->second) > rounding * std::abs(i->second))
      return std::nullopt;
  return lambda;
}

/// The derivative by a signal.
Products slope_by(const Products& sum, int signal) {
  Products result;
  for (const auto& [signals, coefficient] : sum) {
    const auto own = std::ranges::find(signals, signal);
    if (own == signals.end()) continue;
    std::vector<int> rest(signals.begin(), own);
    rest.insert(rest.end(), own + 1, signals.end());
    result[rest] += coefficient;
  }
  return result;
}

class Steps {
 public:
  explicit Steps(const SignalRows& rows) : rows_(rows) {}

  /// q is 0 wherever z changes.
  [[nodiscard]] bool vanishes(const Products& q, int z, int depth = 0) const {
    constexpr int deepest = 10;
    if (q.empty()) return true;
    if (depth > deepest) return false;
    std::vector<Products> rises, falls;  // p of p·(1 − z) <= 0 and of −p·z <= 0
    for (const int constraint : rows_.g.with(z)) {
      const auto bound = split_by(rows_.g, constraint, z);
      if (!bound) continue;
      if (bound->p.empty()) {
        Products p = bound->q;
        for (auto& [signals, coefficient] : p) coefficient = -coefficient;
        falls.push_back(std::move(p));
      } else if (is_opposite(bound->p, bound->q)) {
        rises.push_back(bound->p);
      }
    }
    for (const Products& p : rises)
      for (const Products& other : falls)
        if (ratio(p, other).value_or(-1.0) > 0.0 && is_multiple(q, p) && is_continuous(p, depth)) return true;
    return false;
  }

 private:
  static bool is_opposite(const Products& a, const Products& b) {
    constexpr double rounding = 1e-12;
    return std::abs(ratio(a, b).value_or(0.0) + 1.0) <= rounding;
  }

  [[nodiscard]] bool is_binary(int row) const { return is_binary_row(rows_.model.signature, row); }

  /// q = m·p with a number m, or with a sum m of products of binaries that are not in p.
  [[nodiscard]] bool is_multiple(const Products& q, const Products& p) const {
    if (ratio(q, p)) return true;
    std::map<std::vector<int>, Products> parts;
    for (const auto& [signals, coefficient] : q) {
      std::vector<int> binaries, others;
      for (const int signal : signals) (is_binary(signal) ? binaries : others).push_back(signal);
      parts[binaries][others] += coefficient;
    }
    return std::ranges::all_of(parts, [&](const auto& part) { return ratio(part.second, p).has_value(); });
  }

  [[nodiscard]] bool is_continuous(const Products& p, int depth) const {
    for (const auto& [signals, coefficient] : p)
      for (const int signal : signals)
        if (is_binary(signal) && !vanishes(slope_by(p, signal), signal, depth + 1)) return false;
    return true;
  }

  const SignalRows& rows_;
};

}  // namespace

bool is_binary_row(const Signature& signature, int row) {
  const int input = row - signature.input_row(0);
  return row >= signature.binary_row(0) ||
         (input >= 0 && input < signature.m() && signature.inputs()[at(input)].binary);
}

bool may_step(const SignalRows& rows, int equation, int binary) {
  const auto row = split_by(rows.f, equation, binary);
  return !row || !Steps(rows).vanishes(row->q, binary);
}

}  // namespace mti
