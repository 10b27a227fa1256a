#include "solvers/mode/surface.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/freeze.hpp"
#include "mti/multilinear/cp_rows.hpp"

namespace mti {
namespace {

constexpr double same_number = 1e-12;
constexpr std::size_t most_binaries_of_a_row = 10;

using Column = std::vector<std::pair<int, double>>;

/// The terms of a row with their factors ascending by signal, sorted.
std::vector<std::pair<Column, double>> sorted_terms(const RowMap& map, int row) {
  std::vector<std::pair<Column, double>> terms;
  for (const RowMap::Term& term : map.terms(row)) {
    Column column;
    for (const RowMap::Factor& factor : map.factors(term.column))
      column.emplace_back(factor.signal, factor.S);
    std::sort(column.begin(), column.end());
    terms.emplace_back(std::move(column), term.Phi);
  }
  std::sort(terms.begin(), terms.end());
  return terms;
}

bool same_column(const Column& a, const Column& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& left, const auto& right) {
    return left.first == right.first && std::abs(left.second - right.second) <= same_number;
  });
}

/// The rows of `sliding` that occur in row `row` of the map.
std::vector<int> sliding_signals(const RowMap& map, int row, std::span<const int> sliding) {
  std::vector<int> found;
  for (const RowMap::Term& term : map.terms(row))
    for (const RowMap::Factor& factor : map.factors(term.column))
      if (std::find(sliding.begin(), sliding.end(), factor.signal) != sliding.end() &&
          std::find(found.begin(), found.end(), factor.signal) == found.end())
        found.push_back(factor.signal);
  return found;
}

/// The gradient of a row in units of `scale`, by signal.
std::map<int, double> scaled_gradient(const RowMap& map, int row, std::span<const double> v,
                                      std::span<const double> scale) {
  std::map<int, double> gradient;
  map.gradient(row, v, [&](int signal, double slope) { gradient[signal] += slope * scale[at(signal)]; });
  return gradient;
}

bool share_a_signal(const RowMap& a, int row_of_a, const RowMap& b, int row_of_b) {
  const auto occurs_in_b = [&](int signal) {
    for (const RowMap::Term& term : b.terms(row_of_b))
      for (const RowMap::Factor& factor : b.factors(term.column))
        if (factor.signal == signal) return true;
    return false;
  };
  for (const RowMap::Term& term : a.terms(row_of_a))
    for (const RowMap::Factor& factor : a.factors(term.column))
      if (occurs_in_b(factor.signal)) return true;
  return false;
}

double dot(const std::map<int, double>& a, const std::map<int, double>& b) {
  double sum = 0.0;
  for (const auto& [signal, slope] : a)
    if (const auto found = b.find(signal); found != b.end()) sum += slope * found->second;
  return sum;
}

/// Moves v along the row's gradient until it vanishes; false if that does not come about.
bool project(const RowMap& map, int row, std::vector<double>& v, std::span<const double> scale) {
  constexpr int most_steps = 20;
  for (int step = 0; step < most_steps; ++step) {
    const double value = map.value(row, v);
    if (std::abs(value) <= same_number * map.magnitude(row, v)) return true;
    const std::map<int, double> gradient = scaled_gradient(map, row, v, scale);
    const double square = dot(gradient, gradient);
    if (!(square > 0.0) || !std::isfinite(square)) return false;
    for (const auto& [signal, slope] : gradient) v[at(signal)] -= value / square * slope * scale[at(signal)];
  }
  return false;
}

}  // namespace

int orientation(const RowMap& a, int row_of_a, const RowMap& b, int row_of_b, std::span<const double> v,
                std::span<const double> scale) {
  if (!share_a_signal(a, row_of_a, b, row_of_b)) return 0;
  if (const auto ratio = ratio_of_rows(a, row_of_a, b, row_of_b)) return *ratio > 0.0 ? 1 : -1;
  constexpr int points = 4;
  constexpr double far = 0.05, parallel = 1e-8, vanishes = 1e-9;
  int sign = 0;
  for (int point = 0; point < points; ++point) {
    std::vector<double> near(v.begin(), v.end());
    if (point > 0)  // steps without pattern, the same in every run
      for (const auto& [signal, slope] : scaled_gradient(a, row_of_a, v, scale))
        near[at(signal)] += far * scale[at(signal)] * std::sin(7.3 * point + 2.9 * signal);
    if (!project(a, row_of_a, near, scale)) return 0;
    if (std::abs(b.value(row_of_b, near)) > vanishes * b.magnitude(row_of_b, near)) return 0;
    const auto of_a = scaled_gradient(a, row_of_a, near, scale),
               of_b = scaled_gradient(b, row_of_b, near, scale);
    const double cosine = dot(of_a, of_b) / std::sqrt(dot(of_a, of_a) * dot(of_b, of_b));
    if (!(std::abs(cosine) >= 1.0 - parallel)) return 0;
    const int here = cosine > 0.0 ? 1 : -1;
    if (sign != 0 && here != sign) return 0;
    sign = here;
  }
  return sign;
}

std::optional<double> ratio_of_rows(const RowMap& a, int row_of_a, const RowMap& b, int row_of_b) {
  const auto terms_a = sorted_terms(a, row_of_a), terms_b = sorted_terms(b, row_of_b);
  if (terms_a.empty() || terms_a.size() != terms_b.size()) return std::nullopt;
  const double ratio = terms_a[0].second / terms_b[0].second;
  for (std::size_t k = 0; k < terms_a.size(); ++k)
    if (!same_column(terms_a[k].first, terms_b[k].first) ||
        std::abs(terms_a[k].second - ratio * terms_b[k].second) > same_number * std::abs(terms_a[k].second))
      return std::nullopt;
  return ratio;
}

bool is_relation_of(const RowMap& map, int row, std::span<const int> sliding) {
  for (const RowMap::Term& term : map.terms(row))
    for (const RowMap::Factor& factor : map.factors(term.column))
      if (std::find(sliding.begin(), sliding.end(), factor.signal) == sliding.end()) return false;
  return true;
}

bool relation_holds_on_sides(const RowMap& map, int row) {
  std::vector<int> weights;
  int signals = 0;
  for (const RowMap::Term& term : map.terms(row))
    for (const RowMap::Factor& factor : map.factors(term.column)) {
      signals = std::max(signals, factor.signal + 1);
      if (std::find(weights.begin(), weights.end(), factor.signal) == weights.end())
        weights.push_back(factor.signal);
    }
  if (weights.size() > most_binaries_of_a_row) return false;
  std::vector<double> v(at(signals), 0.0);
  for (unsigned vertex = 0; vertex < 1U << weights.size(); ++vertex) {
    for (std::size_t i = 0; i < weights.size(); ++i) v[at(weights[i])] = (vertex >> i & 1U) != 0 ? 1.0 : 0.0;
    if (std::abs(map.value(row, v)) > same_number * map.magnitude(row, v)) return false;
  }
  return true;
}

bool lies_on_surfaces(const CpMap& g, int row, std::span<const int> sliding, const RowMap& surfaces,
                      int first_surface, int number_of_surfaces) {
  const CpMap alone = select_rows(g, std::span(&row, 1));
  const std::vector<int> binaries = sliding_signals(RowMap(alone), 0, sliding);
  if (binaries.size() > most_binaries_of_a_row) return false;
  for (unsigned vertex = 0; vertex < 1U << binaries.size(); ++vertex) {
    std::vector<FixedSignal> fixed;
    for (std::size_t i = 0; i < binaries.size(); ++i)
      fixed.push_back({binaries[i], (vertex >> i & 1U) != 0 ? 1.0 : 0.0});
    const RowMap at_vertex(freeze(alone, fixed));
    bool vanishes = at_vertex.terms(0).empty();
    for (int s = 0; s < number_of_surfaces && !vanishes; ++s)
      vanishes = ratio_of_rows(at_vertex, 0, surfaces, first_surface + s).has_value();
    if (!vanishes) return false;
  }
  return true;
}

}  // namespace mti
