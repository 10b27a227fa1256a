#include "mti/multilinear/row_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/functions/function_series.hpp"

namespace mti {
namespace {

Ball multiply(const Ball& a, const Ball& b) {
  const double value = a.value * b.value;
  return {value, std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error +
                     machine_epsilon * std::abs(value)};
}

/// Coefficient k of the factor 1 − |S| + S v.
Ball factor_coefficient(const RowMap::Factor& factor, const TaylorSeries& series, int k) {
  const Ball& v = series.at(factor.signal, k);
  return {(k == 0 ? 1.0 - std::abs(factor.S) : 0.0) + factor.S * v.value, std::abs(factor.S) * v.error};
}

/// sum + Phi·part, its rounding included.
void add(Ball& sum, double Phi, const Ball& part) {
  sum.value += Phi * part.value;
  sum.error += std::abs(Phi) * (part.error + 2.0 * machine_epsilon * std::abs(part.value));
}

/// Orders 1 … k are 0: so they are of all functions of it, be φ' or φ'' infinite there.
bool is_number(int signal, const TaylorSeries& series, int k) {
  for (int order = 1; order <= k; ++order)
    if (series.at(signal, order).value != 0.0 || series.at(signal, order).error != 0.0) return false;
  return true;
}

/// Coefficients 0 … k of a signal.
std::vector<double> coefficients_of(int signal, const TaylorSeries& series, int k) {
  std::vector<double> a;
  for (int order = 0; order <= k; ++order) a.push_back(series.at(signal, order).value);
  return a;
}

}  // namespace

double factorial(int k) {
  double product = 1.0;
  for (int i = 2; i <= k; ++i) product *= i;
  return product;
}

RowMap::RowMap(const CpMap& map) : functions_(map.functions()) {
  factors_.reserve(at(map.S().nonZeros()));
  terms_.resize(at(map.Phi().nonZeros()));
  term_start_.assign(at(map.rows()) + 1, 0);
  for (int k = 0; k < map.columns(); ++k) {
    for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor)
      factors_.push_back({static_cast<int>(factor.row()), factor.value()});
    factor_start_.push_back(static_cast<int>(factors_.size()));
    for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
      ++term_start_[at(weight.row()) + 1];
  }
  for (std::size_t row = 1; row < term_start_.size(); ++row) term_start_[row] += term_start_[row - 1];
  std::vector<int> next(term_start_.begin(), term_start_.end() - 1);
  for (int k = 0; k < map.columns(); ++k)
    for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
      terms_[at(next[at(weight.row())]++)] = {k, weight.value()};
}

void RowMap::Builder::reserve(const RowMap& like) {
  map_.term_start_.reserve(like.term_start_.size());
  map_.factor_start_.reserve(like.factor_start_.size() + 16);
  map_.terms_.reserve(like.terms_.size() + 16);
  map_.factors_.reserve(like.factors_.size() + 16);
}

void RowMap::Builder::begin_row() { map_.term_start_.push_back(map_.term_start_.back()); }

void RowMap::Builder::add_term(double Phi, std::span<const Factor> factors, const ElementaryFunction* phi) {
  if (phi != nullptr) map_.functions_.push_back({static_cast<int>(map_.factor_start_.size()) - 1, *phi});
  map_.terms_.push_back({static_cast<int>(map_.factor_start_.size()) - 1, Phi});
  ++map_.term_start_.back();
  map_.factors_.insert(map_.factors_.end(), factors.begin(), factors.end());
  map_.factor_start_.push_back(static_cast<int>(map_.factors_.size()));
}

void RowMap::Builder::add_rows(const RowMap& map, int first, int last) {
  if (first == last) return;
  if (!map.has_own_columns(first, last)) {
    for (int row = first; row < last; ++row) {
      begin_row();
      for (const Term& term : map.terms(row))
        add_term(term.Phi, map.factors(term.column), map.function_of(term.column));
    }
    return;
  }
  const int term_begin = map.term_start_[at(first)];
  const int term_end = map.term_start_[at(last)];
  const int factor_begin = map.factor_start_[at(term_begin)];
  const int factor_end = map.factor_start_[at(term_end)];
  const int terms_before = static_cast<int>(map_.terms_.size()) - term_begin;
  const int factors_before = static_cast<int>(map_.factors_.size()) - factor_begin;
  for (int row = first; row < last; ++row)
    map_.term_start_.push_back(map.term_start_[at(row) + 1] + terms_before);
  for (auto function = std::ranges::lower_bound(map.functions_, term_begin, {}, &FunctionColumn::column);
       function != map.functions_.end() && function->column < term_end; ++function)
    map_.functions_.push_back({function->column + terms_before, function->phi});
  for (int term = term_begin; term < term_end; ++term) {
    map_.terms_.push_back({term + terms_before, map.terms_[at(term)].Phi});
    map_.factor_start_.push_back(map.factor_start_[at(term) + 1] + factors_before);
  }
  map_.factors_.insert(map_.factors_.end(), map.factors_.begin() + factor_begin,
                       map.factors_.begin() + factor_end);
}

bool RowMap::has_own_columns(int first, int last) const {
  if (factor_start_.size() != terms_.size() + 1) return false;
  for (int term = term_start_[at(first)]; term < term_start_[at(last)]; ++term)
    if (terms_[at(term)].column != term) return false;
  return true;
}

RowMap RowMap::Builder::build() { return std::move(map_); }

double RowMap::value(int row, std::span<const double> v) const {
  double sum = 0.0;
  for (const Term& term : terms(row)) {
    double product = term.Phi;
    if (const ElementaryFunction* const phi = function_of(term.column))
      product *= phi->value(v[at(factors(term.column)[0].signal)]);
    else
      for (const Factor& factor : factors(term.column)) product *= factor_value(factor, v);
    sum += product;
  }
  return sum;
}

double RowMap::magnitude(int row, std::span<const double> v) const {
  double sum = 0.0;
  for (const Term& term : terms(row)) {
    double product = term.Phi;
    if (const ElementaryFunction* const phi = function_of(term.column)) {
      // An argument is a number with its own rounding, as a factor is.
      const double a = v[at(factors(term.column)[0].signal)], through = phi->slope(a) * a;
      product *= std::abs(phi->value(a)) + (std::isfinite(through) ? std::abs(through) : 0.0);
    } else {
      for (const Factor& factor : factors(term.column)) product *= factor_value(factor, v);
    }
    sum += std::abs(product);
  }
  return sum;
}

double RowMap::product_without(const Term& term, std::size_t left_out, const TaylorSeries& series,
                               int k) const {
  const std::span<const Factor> factors_of_term = factors(term.column);
  if (k == 0) {
    double product = 1.0;
    for (std::size_t i = 0; i < factors_of_term.size(); ++i)
      if (i != left_out) product *= factor_coefficient(factors_of_term[i], series, 0).value;
    return product;
  }
  std::vector<double> product(at(k) + 1, 0.0);
  product[0] = 1.0;
  for (std::size_t i = 0; i < factors_of_term.size(); ++i) {
    if (i == left_out) continue;
    for (int order = k; order >= 0; --order) {  // highest first, so that it can be done in place
      double sum = 0.0;
      for (int l = 0; l <= order; ++l)
        sum += product[at(l)] * factor_coefficient(factors_of_term[i], series, order - l).value;
      product[at(order)] = sum;
    }
  }
  return product[at(k)];
}

Ball RowMap::coefficient(int row, const TaylorSeries& series, int k) const {
  if (k == 0) return value_and_error(row, series);
  return k == 1 ? first_coefficient(row, series) : general_coefficient(row, series, k);
}

/// The error of coefficient k is Σ_j |s_{k−j}| ε_j, for ∂r_k/∂a_j is coefficient k − j of φ'(a).
Ball RowMap::function_coefficient(const ElementaryFunction& phi, int signal, const TaylorSeries& series,
                                  int k) {
  constexpr double operations = 4.0;
  const Ball& value = series.at(signal, 0);
  if (k == 0) {
    const double r = phi.value(value.value);
    return {r, phi.error(value.value, value.error) + operations * machine_epsilon * std::abs(r)};
  }
  if (is_number(signal, series, k)) return {};
  const FunctionExpansion expansion = expand(phi, coefficients_of(signal, series, k));
  Ball sum{expansion.r[at(k)], 0.0};
  for (int order = 0; order <= k; ++order) {
    const Ball& a = series.at(signal, order);
    const double off = a.error + operations * machine_epsilon * std::abs(a.value);
    if (off > 0.0) sum.error += std::abs(expansion.s[at(k - order)]) * off;
  }
  return sum;
}

double RowMap::slope_coefficient(const ElementaryFunction& phi, int signal, const TaylorSeries& series,
                                 int k) {
  if (k > 0 && is_number(signal, series, k)) return 0.0;
  return expand(phi, coefficients_of(signal, series, k)).s[at(k)];
}

Ball RowMap::value_and_error(int row, const TaylorSeries& series) const {
  Ball sum;
  for (const Term& term : terms(row)) {
    if (const ElementaryFunction* const phi = function_of(term.column)) {
      add(sum, term.Phi, function_coefficient(*phi, factors(term.column)[0].signal, series, 0));
      continue;
    }
    Ball product{1.0, 0.0};
    for (const Factor& factor : factors(term.column))
      product = multiply(product, factor_coefficient(factor, series, 0));
    sum.value += term.Phi * product.value;
    sum.error += std::abs(term.Phi) * (product.error + 2.0 * machine_epsilon * std::abs(product.value));
  }
  return sum;
}

/// The product rule inside each column: (P, P') ← (P a, P' a + P a').
Ball RowMap::first_coefficient(int row, const TaylorSeries& series) const {
  Ball sum;
  for (const Term& term : terms(row)) {
    if (const ElementaryFunction* const phi = function_of(term.column)) {
      add(sum, term.Phi, function_coefficient(*phi, factors(term.column)[0].signal, series, 1));
      continue;
    }
    Ball product{1.0, 0.0}, slope;
    for (const Factor& factor : factors(term.column)) {
      const Ball value = factor_coefficient(factor, series, 0);
      const Ball kept = multiply(slope, value);
      const Ball added = multiply(product, factor_coefficient(factor, series, 1));
      slope = {kept.value + added.value, kept.error + added.error};
      product = multiply(product, value);
    }
    sum.value += term.Phi * slope.value;
    sum.error += std::abs(term.Phi) * (slope.error + 2.0 * machine_epsilon * std::abs(slope.value));
  }
  return sum;
}

Ball RowMap::general_coefficient(int row, const TaylorSeries& series, int k) const {
  Ball sum;
  constexpr int orders_on_stack = 8;
  std::array<Ball, orders_on_stack> small;
  std::vector<Ball> large(k < orders_on_stack ? 0U : at(k) + 1);
  const std::span<Ball> product =
      k < orders_on_stack ? std::span<Ball>(small).first(at(k) + 1) : std::span<Ball>(large);
  for (const Term& term : terms(row)) {
    const std::span<const Factor> factors_of_term = factors(term.column);
    if (const ElementaryFunction* const phi = function_of(term.column)) {
      add(sum, term.Phi, function_coefficient(*phi, factors_of_term[0].signal, series, k));
      continue;
    }
    if (factors_of_term.empty()) {
      if (k == 0) sum.value += term.Phi;
      continue;
    }
    // Factors that are numbers are one; where none varies, no coefficient is left.
    Ball number{1.0, 0.0};
    bool varies = false;
    for (const Factor& factor : factors_of_term) {
      if (k > 0 && is_number(factor.signal, series, k)) {
        number = multiply(number, factor_coefficient(factor, series, 0));
        continue;
      }
      if (!std::exchange(varies, true)) {
        for (int order = 0; order <= k; ++order)
          product[at(order)] = factor_coefficient(factor, series, order);
        continue;
      }
      // Cauchy product, highest order first, so that it can be done in place.
      for (int order = k; order >= 0; --order) {
        Ball coefficient;
        for (int l = 0; l <= order; ++l) {
          const Ball part = multiply(product[at(l)], factor_coefficient(factor, series, order - l));
          coefficient.value += part.value;
          coefficient.error += part.error;
        }
        product[at(order)] = coefficient;
      }
    }
    if (!varies) continue;
    const Ball last = multiply(number, product[at(k)]);
    sum.value += term.Phi * last.value;
    sum.error += std::abs(term.Phi) * (last.error + 2.0 * machine_epsilon * std::abs(last.value));
  }
  return sum;
}

}  // namespace mti
