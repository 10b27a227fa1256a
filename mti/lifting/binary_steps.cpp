#include "mti/lifting/binary_steps.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// Products of more signals first, then in the order of their signals: an order that multiplication keeps.
struct Leads {
  bool operator()(const std::vector<int>& a, const std::vector<int>& b) const {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  }
};
/// Coefficients of a polynomial by the signals of each product, ascending; of a power, a signal again and again.
using Products = std::map<std::vector<int>, double, Leads>;

/// A row as p + z·q; nothing where it has a function, or a product so long that it is not multiplied out.
struct SplitByBinary {
  Products p, q;
};

void add_product(const Products& product, double factor, Products& sum) {
  if (factor == 0.0) return;
  for (const auto& [signals, coefficient] : product) sum[signals] += factor * coefficient;
}

constexpr double rounding_of_sums = 1e-13;

void drop_cancelled(Products& sum, double size) {
  std::erase_if(sum, [&](const auto& entry) { return std::abs(entry.second) <= rounding_of_sums * size; });
}

/// By the size of its own summands: a small coefficient beside large ones of other products has not cancelled.
void drop_cancelled(Products& sum, const Products& sizes) {
  std::erase_if(sum, [&](const auto& entry) {
    return std::abs(entry.second) <= rounding_of_sums * sizes.at(entry.first);
  });
}

/// What an auxiliary signal is a copy of, by a row y − x = 0.
int original(const SignalRows& rows, int signal) {
  constexpr int longest_chain = 10;
  const Signature& signature = rows.model.signature;
  const auto is_auxiliary = [&](int row) {
    const int y = row - signature.algebraic_row(0);
    return y >= 0 && y < signature.p() && signature.algebraic()[at(y)].auxiliary;
  };
  const auto copied = [&](int equation) -> std::optional<int> {
    const auto terms = rows.f.terms(equation);
    if (terms.size() != 2 || terms[0].Phi + terms[1].Phi != 0.0) return std::nullopt;
    std::optional<int> other;
    for (const RowMap::Term& term : terms) {
      const auto factors = rows.f.factors(term.column);
      if (factors.size() != 1 || factors[0].S != 1.0 || rows.f.function_of(term.column) != nullptr)
        return std::nullopt;
      if (factors[0].signal != signal) other = factors[0].signal;
    }
    return other;
  };
  for (int link = 0; link < longest_chain && is_auxiliary(signal); ++link) {
    const auto equations = rows.f.with(signal);
    const auto one =
        std::ranges::find_if(equations, [&](int equation) { return copied(equation).has_value(); });
    if (one == equations.end()) break;
    signal = *copied(*one);
  }
  return signal;
}

std::optional<SplitByBinary> split_by(const SignalRows& rows, const RowMap& map, int row, int z) {
  constexpr std::size_t most_factors = 10;
  SplitByBinary split, sizes;
  const auto times = [&](const Products& product, double constant, double S, int signal) {
    Products next;
    for (const auto& [signals, coefficient] : product) {
      if (constant != 0.0) next[signals] += constant * coefficient;
      std::vector<int> longer = signals;
      longer.insert(std::ranges::upper_bound(longer, signal), signal);
      next[longer] += S * coefficient;
    }
    return next;
  };
  for (const RowMap::Term& term : map.terms(row)) {
    const auto factors = map.factors(term.column);
    if (factors.size() > most_factors || map.function_of(term.column) != nullptr) return std::nullopt;
    Products product{{{}, term.Phi}}, size{{{}, std::abs(term.Phi)}};
    double at_0 = 1.0, slope = 0.0;  // of the factor of z
    for (const auto& [signal, S] : factors) {
      const double constant = 1.0 - std::abs(S);
      if (signal == z) {
        at_0 = constant, slope = S;
        continue;
      }
      const int known = original(rows, signal);
      product = times(product, constant, S, known);
      size = times(size, constant, std::abs(S), known);
    }
    add_product(product, at_0, split.p);
    add_product(product, slope, split.q);
    add_product(size, at_0, sizes.p);
    add_product(size, std::abs(slope), sizes.q);
  }
  drop_cancelled(split.p, sizes.p);
  drop_cancelled(split.q, sizes.q);
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

/// The quotient a : b of two products, if b is in a.
std::optional<std::vector<int>> quotient(const std::vector<int>& a, const std::vector<int>& b) {
  if (!std::ranges::includes(a, b)) return std::nullopt;
  std::vector<int> rest;
  std::ranges::set_difference(a, b, std::back_inserter(rest));
  return rest;
}

/// q = m·p with a polynomial m: division leaves no remainder.
bool is_multiple(Products q, const Products& p) {
  constexpr int most_terms = 200;
  if (p.empty()) return false;
  double size = 0.0;
  for (const auto& [signals, coefficient] : q) size = std::max(size, std::abs(coefficient));
  for (int term = 0; term < most_terms && !q.empty(); ++term) {
    const auto& [leading, first] = *p.begin();
    const auto rest = quotient(q.begin()->first, leading);
    if (!rest) return false;
    const double factor = q.begin()->second / first;
    for (const auto& [signals, coefficient] : p) {
      std::vector<int> product;
      std::ranges::merge(*rest, signals, std::back_inserter(product));
      q[product] -= factor * coefficient;
    }
    drop_cancelled(q, size);
  }
  return q.empty();
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
    std::vector<Products> rises, falls;  // p of p·(1 − z) <= 0 and of −p·z <= 0, or of (1 − 2z)·p <= 0
    for (const int constraint : rows_.g.with(z)) {
      const auto bound = split_by(rows_, rows_.g, constraint, z);
      if (!bound) continue;
      if (bound->p.empty()) {
        Products p = bound->q;
        for (auto& [signals, coefficient] : p) coefficient = -coefficient;
        falls.push_back(std::move(p));
      } else if (is_ratio(bound->q, bound->p, -1.0)) {
        rises.push_back(bound->p);
      } else if (is_ratio(bound->q, bound->p, -2.0)) {  // both at once
        rises.push_back(bound->p);
        falls.push_back(bound->p);
      }
    }
    for (const Products& p : rises)
      for (const Products& other : falls)
        if (ratio(p, other).value_or(-1.0) > 0.0 && is_multiple(q, p) && is_continuous(p, depth)) return true;
    return false;
  }

 private:
  static bool is_ratio(const Products& a, const Products& b, double expected) {
    constexpr double rounding = 1e-12;
    return std::abs(ratio(a, b).value_or(0.0) - expected) <= rounding;
  }

  [[nodiscard]] bool is_binary(int row) const { return is_binary_row(rows_.model.signature, row); }

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
  const auto row = split_by(rows, rows.f, equation, binary);
  return !row || !Steps(rows).vanishes(row->q, binary);
}

}  // namespace mti
