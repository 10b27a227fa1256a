#include "solvers/admissibility/comparisons.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// A product of factors 1 − |a| + a·signal.
using Product = std::vector<std::pair<int, double>>;
using Row = std::map<Product, double>;

constexpr double as_rounded = 1e-12;

enum class Form { off, on, both };

/// A constraint as its form in z times p.
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

std::vector<Row> rows_of(const Model& model) {
  std::vector<Row> rows(at(model.constraints()));
  for (int column = 0; column < model.Phi_ineq.cols(); ++column) {
    Product product;
    for (SparseColumns::InnerIterator factor(model.S, column); factor; ++factor)
      product.emplace_back(static_cast<int>(factor.row()), factor.value());
    for (SparseColumns::InnerIterator entry(model.Phi_ineq, column); entry; ++entry)
      rows[at(static_cast<int>(entry.row()))][product] += entry.value();
  }
  for (Row& row : rows) std::erase_if(row, [](const auto& entry) { return entry.second == 0.0; });
  return rows;
}

}  // namespace

std::vector<Comparison> comparisons_of(const Model& model) {
  const Signature& signature = model.signature;
  const std::vector<Row> rows = rows_of(model);
  std::map<int, std::vector<std::pair<int, OwnRow>>> own;  // by binary
  for (int row = 0; row < model.constraints(); ++row) {
    std::set<int> held;
    for (const auto& [product, coefficient] : rows[at(row)])
      for (const auto& [signal, a] : product)
        if (signal >= signature.binary_row(0) && signal < signature.binary_row(0) + signature.q())
          held.insert(signal);
    for (const int signal : held)
      if (auto found = own_row(rows[at(row)], signal))
        own[signal - signature.binary_row(0)].emplace_back(row, *std::move(found));
  }
  std::vector<Comparison> comparisons;
  for (const auto& [binary, list] : own)
    if (const auto found = rows_that_compare(list))
      comparisons.push_back({binary, found->first, found->second});
  return comparisons;
}

}  // namespace mti
