#include "solvers/surfaces/surface.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/scattered.hpp"
#include "mti/model/freeze.hpp"
#include "mti/multilinear/cp_rows.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/surfaces/joined_rows.hpp"

namespace mti {
namespace {

constexpr double same_number = 1e-12;
constexpr std::size_t most_binaries_of_a_row = 10;

/// Kind and exponent of the function that a column is, −1 and 0 of a product; its factors.
using Column = std::tuple<int, double, std::vector<std::pair<int, double>>>;

/// The terms of a row with their factors ascending by signal, sorted.
std::vector<std::pair<Column, double>> sorted_terms(const RowMap& map, int row) {
  std::vector<std::pair<Column, double>> terms;
  for (const RowMap::Term& term : map.terms(row)) {
    const ElementaryFunction* const phi = map.function_of(term.column);
    std::vector<std::pair<int, double>> factors;
    for (const RowMap::Factor& factor : map.factors(term.column))
      factors.emplace_back(factor.signal, factor.S);
    std::sort(factors.begin(), factors.end());
    terms.emplace_back(Column{phi != nullptr ? static_cast<int>(phi->kind) : -1,
                              phi != nullptr ? phi->exponent : 0.0, std::move(factors)},
                       term.Phi);
  }
  std::sort(terms.begin(), terms.end());
  return terms;
}

bool same_column(const Column& a, const Column& b) {
  const auto& [kind_of_a, exponent_of_a, factors_of_a] = a;
  const auto& [kind_of_b, exponent_of_b, factors_of_b] = b;
  return kind_of_a == kind_of_b && exponent_of_a == exponent_of_b &&
         std::equal(factors_of_a.begin(), factors_of_a.end(), factors_of_b.begin(), factors_of_b.end(),
                    [](const auto& left, const auto& right) {
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

/// The signals of two rows that relations eliminate, by free ones.
using Eliminated = std::map<int, AffineForm>;

Eliminated eliminated_signals(const AffineRelations& relations, const RowMap& map, int row) {
  Eliminated eliminated;
  if (relations.empty()) return eliminated;
  for (const RowMap::Term& term : map.terms(row))
    for (const RowMap::Factor& factor : map.factors(term.column))
      if (!relations.is_free(factor.signal))
        eliminated.try_emplace(factor.signal, relations.form_of(factor.signal));
  return eliminated;
}

/// Makes v fulfil the relations, by its free signals.
void follow_relations(const Eliminated& eliminated, std::vector<double>& v) {
  for (const auto& [signal, form] : eliminated) {
    double value = form.constant;
    for (const auto& [free, slope] : form.slopes) value += slope * v[at(free)];
    v[at(signal)] = value;
  }
}

/// The free signals that a row depends on.
std::set<int> free_signals(const RowMap& map, int row, const Eliminated& eliminated) {
  std::set<int> free;
  for (const int signal : signals_of(map, row))
    if (const auto found = eliminated.find(signal); found == eliminated.end())
      free.insert(signal);
    else
      for (const auto& [other, slope] : found->second.slopes) free.insert(other);
  return free;
}

/// The gradient of a row in units of `scale`, by free signal: ∂s/∂v_j + Σ_p ∂s/∂v_p k_pj over eliminated ones.
std::map<int, double> scaled_gradient(const RowMap& map, int row, std::span<const double> v,
                                      std::span<const double> scale, const Eliminated& eliminated) {
  std::map<int, double> gradient, magnitude;
  const auto add = [&](int signal, double slope) {
    gradient[signal] += slope * scale[at(signal)];
    magnitude[signal] += std::abs(slope * scale[at(signal)]);
  };
  map.gradient(row, v, [&](int signal, double slope) {
    const auto found = eliminated.find(signal);
    if (found == eliminated.end()) {
      add(signal, slope);
      return;
    }
    for (const auto& [free, factor] : found->second.slopes) add(free, slope * factor);
  });
  if (!eliminated.empty())
    std::erase_if(gradient, [&](const auto& entry) {
      return std::abs(entry.second) <= same_number * magnitude[entry.first];
    });
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
bool project(const RowMap& map, int row, std::vector<double>& v, std::span<const double> scale,
             const Eliminated& eliminated) {
  constexpr int most_steps = 20;
  for (int step = 0; step < most_steps; ++step) {
    const double value = map.value(row, v);
    const std::map<int, double> gradient = scaled_gradient(map, row, v, scale, eliminated);
    const double square = dot(gradient, gradient);
    if (std::abs(value) <= same_number * (map.magnitude(row, v) + std::sqrt(square))) return true;
    if (!(square > 0.0) || !std::isfinite(square)) return false;
    for (const auto& [signal, slope] : gradient) v[at(signal)] -= value / square * slope * scale[at(signal)];
    follow_relations(eliminated, v);
  }
  return false;
}

}  // namespace

int orientation(const RowMap& a, int row_of_a, const RowMap& b, int row_of_b, std::span<const double> v,
                std::span<const double> scale, const AffineRelations& relations,
                std::span<const double> v_of_b) {
  Eliminated eliminated = eliminated_signals(relations, a, row_of_a);
  eliminated.merge(eliminated_signals(relations, b, row_of_b));
  if (eliminated.empty() && !share_a_signal(a, row_of_a, b, row_of_b)) return 0;
  if (v_of_b.empty())
    if (const auto ratio = ratio_of_rows(a, row_of_a, b, row_of_b)) return *ratio > 0.0 ? 1 : -1;
  // Of signals that b alone holds too, and where slopes are zero: x is not x + w².
  std::set<int> free = free_signals(a, row_of_a, eliminated);
  free.merge(free_signals(b, row_of_b, eliminated));
  constexpr int points = 4;
  constexpr double far = 0.05, parallel = 1e-8, vanishes = 1e-9;
  int sign = 0;
  for (int point = 0; point < points; ++point) {
    std::vector<double> near(v.begin(), v.end());
    follow_relations(eliminated, near);
    if (point > 0)  // steps without pattern, the same in every run
      for (const int signal : free) near[at(signal)] += far * scale[at(signal)] * scattered(point, signal);
    follow_relations(eliminated, near);
    if (!project(a, row_of_a, near, scale, eliminated)) return 0;
    const auto of_a = scaled_gradient(a, row_of_a, near, scale, eliminated);
    if (!v_of_b.empty()) {
      for (std::size_t j = 0; j < near.size(); ++j) near[j] += v_of_b[j] - v[j];
      follow_relations(eliminated, near);
    }
    const auto of_b = scaled_gradient(b, row_of_b, near, scale, eliminated);
    const double length = std::sqrt(dot(of_b, of_b));
    // A row without a constant part is of no size where it vanishes: what a step of `scale` changes is its measure.
    if (std::abs(b.value(row_of_b, near)) > vanishes * b.magnitude(row_of_b, near) + same_number * length)
      return 0;
    const double cosine = dot(of_a, of_b) / (std::sqrt(dot(of_a, of_a)) * length);
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

HeldSurfaces::HeldSurfaces(const RowMap& f, int first, int number, const AffineRelations& relations,
                           JoiningEquations equations, std::vector<double> sizes)
    : f_(f), first_(first), number_(number), sizes_(std::move(sizes)), equations_(std::move(equations)) {
  const int signals = static_cast<int>(sizes_.size());
  constexpr int points = 6;
  Eliminated eliminated;
  check_budget();
  for (int signal = 0; signal < signals; ++signal)
    if (!relations.is_free(signal)) eliminated.emplace(signal, relations.form_of(signal));
  for (int point = 0; point < points && !eliminated.empty(); ++point) {
    std::vector<double> v(at(signals));
    for (int signal = 0; signal < signals; ++signal)
      v[at(signal)] = sizes_[at(signal)] * (1.0 + 0.5 * scattered(point, signal));
    follow_relations(eliminated, v);
    points_.push_back(std::move(v));
  }
  for (int s = 0; s < number; ++s) samples_.push_back(sample(f, first + s));
}

HeldSurfaces::Sample HeldSurfaces::sample(const RowMap& map, int row) const {
  Sample sample;
  for (const std::vector<double>& v : points_) {
    sample.values.push_back(map.value(row, v));
    sample.magnitudes.push_back(map.magnitude(row, v));
  }
  return sample;
}

/// a = r·b within rounding at every point, and neither is zero. Multilinear rows that are no multiples of each other
/// on the relations differ at nearly all points.
bool HeldSurfaces::are_multiples(const Sample& a, const Sample& b) {
  if (a.values.empty()) return false;
  const double ratio = a.values[0] / b.values[0];
  if (!std::isfinite(ratio)) return false;
  for (std::size_t k = 0; k < a.values.size(); ++k)
    if (!(std::abs(a.values[k]) > same_number * a.magnitudes[k]) ||
        std::abs(a.values[k] - ratio * b.values[k]) >
            same_number * (a.magnitudes[k] + std::abs(ratio) * b.magnitudes[k]))
      return false;
  return true;
}

bool HeldSurfaces::contain(const CpMap& g, int row, std::span<const int> sliding) const {
  const CpMap alone = select_rows(g, std::span(&row, 1));
  const std::vector<int> binaries = sliding_signals(RowMap(alone), 0, sliding);
  if (binaries.size() > most_binaries_of_a_row) return false;
  for (unsigned vertex = 0; vertex < 1U << binaries.size(); ++vertex) {
    std::vector<FixedSignal> fixed;
    for (std::size_t i = 0; i < binaries.size(); ++i)
      fixed.push_back({binaries[i], (vertex >> i & 1U) != 0 ? 1.0 : 0.0});
    const RowMap at_vertex(freeze(alone, fixed));
    bool vanishes = at_vertex.terms(0).empty();
    for (int s = 0; s < number_ && !vanishes; ++s)
      vanishes = ratio_of_rows(at_vertex, 0, f_, first_ + s).has_value();
    if (!vanishes && !points_.empty()) {
      const Sample own = sample(at_vertex, 0);
      vanishes =
          std::ranges::any_of(samples_, [&](const Sample& surface) { return are_multiples(own, surface); });
    }
    vanishes = vanishes || vanishes_with(equations_, {&at_vertex, 0}, first_, first_ + number_, sizes_);
    if (!vanishes) return false;
  }
  return true;
}

}  // namespace mti
