#include "solvers/admissibility/comparisons.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/lifting/binary_steps.hpp"

namespace mti {
namespace {

/// A product of factors 1 − |a| + a·signal.
using Product = std::vector<std::pair<int, double>>;
using Row = std::map<Product, double>;

/// Coefficients that are sums, or products of normalised factors.
constexpr double as_rounded = 1e-12;

enum class Form { off, on, both };

/// A constraint that is p times 1 − z, z or 1 − 2z.
struct OwnRow {
  Form form;
  Row p;
};

/// q = κ p.
bool is_multiple(const Row& p, const Row& q, double kappa) {
  return !p.empty() && p.size() == q.size() && std::ranges::all_of(p, [&](const auto& entry) {
    const auto other = q.find(entry.first);
    return other != q.end() &&
           std::abs(other->second - kappa * entry.second) <= as_rounded * std::abs(other->second);
  });
}

/// A row R₀ + z·R₁ with R₁ = −R₀, R₀ = 0 or R₁ = −2R₀.
std::optional<OwnRow> own_row(const Row& row, int z) {
  Row constant, slope;
  for (const auto& [product, coefficient] : row) {
    const auto factor = std::ranges::find(product, z, &std::pair<int, double>::first);
    Product rest = product;
    if (factor == product.end()) {
      constant[std::move(rest)] += coefficient;
      continue;
    }
    rest.erase(rest.begin() + (factor - product.begin()));
    const double a = factor->second;
    constant[rest] += coefficient * (1.0 - std::abs(a));
    slope[std::move(rest)] += coefficient * a;
  }
  for (Row* part : {&constant, &slope})
    std::erase_if(*part, [](const auto& entry) { return entry.second == 0.0; });
  if (constant.empty()) return OwnRow{Form::on, std::move(slope)};
  if (is_multiple(constant, slope, -1.0)) return OwnRow{Form::off, std::move(constant)};
  if (is_multiple(constant, slope, -2.0)) return OwnRow{Form::both, std::move(constant)};
  return std::nullopt;
}

/// q = −κ p with κ > 0.
bool is_opposite(const Row& p, const Row& q) {
  const double kappa = p.empty() || q.empty() ? 0.0 : -q.begin()->second / p.begin()->second;
  return kappa > 0.0 && is_multiple(p, q, -kappa);
}

/// The one row, or the one pair of rows, by which z compares.
std::optional<std::pair<int, int>> rows_that_compare(const std::vector<std::pair<int, OwnRow>>& own) {
  std::vector<std::pair<int, int>> found;
  for (const auto& [row, one] : own) {
    if (one.form == Form::both) found.emplace_back(row, row);
    for (const auto& [other_row, other] : own)
      if (one.form == Form::off && other.form == Form::on && is_opposite(one.p, other.p))
        found.emplace_back(row, other_row);
  }
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

Row row_of(const RowMap& g, int constraint) {
  Row row;
  for (const RowMap::Term& term : g.terms(constraint)) {
    Product product;
    for (const RowMap::Factor& factor : g.factors(term.column)) product.emplace_back(factor.signal, factor.S);
    row[std::move(product)] += term.Phi;
  }
  std::erase_if(row, [](const auto& entry) { return entry.second == 0.0; });
  return row;
}

/// Signals of half of the products of a row, or more: R₁ has a product for each of R₀.
std::vector<int> signals_of_half(const Row& row) {
  std::map<int, std::size_t> times;
  for (const auto& [product, coefficient] : row)
    for (const auto& [signal, a] : product) ++times[signal];
  std::vector<int> signals;
  for (const auto& [signal, number] : times)
    if (2 * number >= row.size()) signals.push_back(signal);
  return signals;
}

/// What stands at z in the equations is 0 where z changes, and z stands nowhere else.
bool is_continuous(const SignalRows& rows, const Comparison& comparison) {
  const Signature& signature = rows.model.signature;
  const int z = signature.binary_row(comparison.binary);
  const auto is_own = [&](int row) { return row == comparison.while_off || row == comparison.while_on; };
  const auto is_of_it = [&](const Transition& law) {
    return law.when != Transition::When::reach && law.target == comparison.binary;
  };
  return !signature.find_pre(comparison.binary) && rows.invariants_with[z].empty() &&
         std::ranges::all_of(rows.g.with(z), is_own) &&
         std::ranges::none_of(rows.model.transitions, is_of_it) &&
         std::ranges::none_of(rows.f.with(z), [&](int equation) { return may_step(rows, equation, z); });
}

}  // namespace

bool all_are_continuous(const std::vector<Comparison>& comparisons, std::span<const int> binaries) {
  return std::ranges::all_of(binaries, [&](int binary) {
    const auto one = std::ranges::lower_bound(comparisons, binary, {}, &Comparison::binary);
    return one != comparisons.end() && one->binary == binary && one->is_continuous;
  });
}

std::vector<Comparison> comparisons_of(const SignalRows& rows) {
  const Signature& signature = rows.model.signature;
  std::map<int, std::vector<std::pair<int, OwnRow>>> own;  // by binary
  for (int constraint = 0; constraint < rows.g.rows(); ++constraint) {
    if (rows.g.binaries(constraint).empty()) continue;
    const Row row = row_of(rows.g, constraint);
    for (const int signal : signals_of_half(row)) {
      const int binary = signal - signature.binary_row(0);
      if (binary < 0 || binary >= signature.q()) continue;
      if (auto found = own_row(row, signal)) own[binary].emplace_back(constraint, *std::move(found));
    }
  }
  std::vector<Comparison> comparisons;
  for (const auto& [binary, list] : own)
    if (const auto found = rows_that_compare(list)) {
      comparisons.push_back({binary, found->first, found->second});
      comparisons.back().is_continuous = is_continuous(rows, comparisons.back());
    }
  return comparisons;
}

}  // namespace mti
