#include "solvers/integration/dense_output.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "mti/common/at.hpp"
#include "mti/common/barycentric.hpp"
#include "mti/common/number.hpp"
#include "mti/common/rounding.hpp"

namespace mti {
namespace {

/// Times closer than this part of them are one to the integrator.
constexpr double same_time = 1e-13;

/// The weights of v_0 … v_n in ∫ p dt over a stretch of length 2 (Clenshaw and Curtis 1960, 10.1007/BF01386223):
/// w_j = c_j/n (1 − Σ_{k=1}^{n/2} b_k cos(2πkj/n)/(4k² − 1)), c = 1 at the ends, else 2; b = 1 for k = n/2, else 2.
std::vector<double> integration_weights(std::size_t n) {
  std::vector<double> weights(n + 1);
  const auto degree = static_cast<double>(n);
  for (std::size_t j = 0; j <= n; ++j) {
    double sum = 1.0;
    for (std::size_t k = 1; 2 * k <= n; ++k) {
      const double angle = 2.0 * std::numbers::pi * static_cast<double>(k * j % n) / degree;
      sum -= (2 * k == n ? 1.0 : 2.0) * std::cos(angle) / (4.0 * static_cast<double>(k * k) - 1.0);
    }
    weights[j] = (j == 0 || j == n ? 1.0 : 2.0) * sum / degree;
  }
  return weights;
}

/// The largest value of `sign` times a polynomial from a to b, where it has one maximum there. Half of its digits tell its place, and
/// all of them its height.
double greatest_between(double a, double b, double sign, double begin, double end,
                        std::span<const double> v) {
  const auto below = [&](double part) { return -sign * interpolated(a + part * (b - a), begin, end, v); };
  constexpr int digits_of_place = std::numeric_limits<double>::digits / 2;
  std::uintmax_t most_iterations = 100;
  return -boost::math::tools::brent_find_minima(below, 0.0, 1.0, digits_of_place, most_iterations).second;
}

}  // namespace

void DenseOutput::append_column(std::span<const double> values) {
  starts_.push_back(values_.size());
  const bool constant = std::ranges::all_of(values, [&](double value) { return value == values.front(); });
  values_.insert(values_.end(), values.begin(), constant ? values.begin() + 1 : values.end());
}

void DenseOutput::add(double begin, double end, int n, std::span<const int> rows,
                      const std::function<std::span<const double>(double t)>& v) {
  const std::size_t count = at(std::max(n, 1)) + 1;
  std::vector<double> values(rows.size() * count);  // by column
  for (std::size_t j = 0; j < count; ++j) {
    const std::span<const double> point = v(interpolation_node(begin, end, j, count - 1));
    for (std::size_t c = 0; c < rows.size(); ++c) values[c * count + j] = point[at(rows[c])] + 0.0;
  }
  // What ends where this begins, but for rounding, ends there: it is what lies to the left.
  if (!empty() && begin - stretches_.back().end <= same_time * std::abs(begin)) stretches_.back().end = begin;
  const Stretch stretch{begin, end, starts_.size(), rows.size()};
  for (std::size_t c = 0; c < rows.size(); ++c) append_column(std::span(values).subspan(c * count, count));
  starts_.push_back(values_.size());
  stretches_.push_back(stretch);
}

void DenseOutput::add(double time, std::span<const int> rows, std::span<const double> v) {
  const Stretch stretch{time, time, starts_.size(), rows.size()};
  for (const int row : rows) {
    const double value = v[at(row)] + 0.0;
    append_column({&value, 1});
  }
  starts_.push_back(values_.size());
  stretches_.push_back(stretch);
}

/// From the left that which ends at t or later first, from the right that which begins at t or before last.
const DenseOutput::Stretch& DenseOutput::stretch_at(double t, Side side) const {
  if (side == Side::left) return *std::ranges::lower_bound(stretches_, t, {}, &Stretch::end);
  return *(std::ranges::upper_bound(stretches_, t, {}, &Stretch::begin) - 1);
}

double DenseOutput::value(double t, std::size_t column, Side side) const {
  if (empty()) throw std::out_of_range("the run has kept no dense output");
  // 3·0.1 is 0.3 to who asks.
  constexpr double roundings = 8.0 * machine_epsilon;
  if (const double reach = roundings * std::max(std::abs(begin()), std::abs(end()));
      t >= begin() - reach && t <= end() + reach)
    t = std::clamp(t, begin(), end());
  if (!(t >= begin() && t <= end()))
    throw std::out_of_range("t = " + text::format_number(t, 9) + " lies outside of the run, from " +
                            text::format_number(begin(), 9) + " to " + text::format_number(end(), 9));
  const Stretch& stretch = stretch_at(t, side);
  const std::span<const double> v = values_of(stretch, column);
  if (std::max(t - stretch.end, stretch.begin - t) > same_time * std::abs(t))
    throw std::out_of_range("t = " + text::format_number(t, 9) + " was not kept: the run ended early");
  // Between two stretches lies no more than times can tell apart.
  return interpolated(std::clamp(t, stretch.begin, stretch.end), stretch.begin, stretch.end, v);
}

std::span<const double> DenseOutput::values_of(const Stretch& stretch, std::size_t column) const {
  if (column >= stretch.columns)
    throw std::out_of_range("column " + std::to_string(column) + " of " + std::to_string(stretch.columns));
  const std::size_t start = starts_[stretch.first + column], next = starts_[stretch.first + column + 1];
  return std::span(values_).subspan(start, next - start);
}

double DenseOutput::integral(std::size_t column) const {
  std::map<std::size_t, std::vector<double>> weights;  // by degree
  double sum = 0.0;
  for (const Stretch& stretch : stretches_) {
    const std::span<const double> v = values_of(stretch, column);
    double mean = v.front();
    if (v.size() > 1) {
      std::vector<double>& w = weights[v.size() - 1];
      if (w.empty()) w = integration_weights(v.size() - 1);
      mean = 0.5 * std::inner_product(v.begin(), v.end(), w.begin(), 0.0);
    }
    sum += mean * (stretch.end - stretch.begin);
  }
  return sum;
}

double DenseOutput::greatest(std::size_t column, double sign) const {
  double result = -std::numeric_limits<double>::infinity();
  for (const Stretch& stretch : stretches_)
    for (const double value : values_of(stretch, column)) result = std::max(result, sign * value);
  // Between two of its points a polynomial hardly rises above the larger one by more than they differ.
  for (const Stretch& stretch : stretches_) {
    const std::span<const double> v = values_of(stretch, column);
    const std::size_t n = v.size() - 1;
    if (n < 2) continue;
    const auto less = [sign](double a, double b) { return sign * a < sign * b; };
    const auto j = static_cast<std::size_t>(std::ranges::max_element(v, less) - v.begin());
    const std::size_t before = j > 0 ? j - 1 : 0, after = std::min(j + 1, n);
    const double rise = std::max(std::abs(v[j] - v[before]), std::abs(v[j] - v[after]));
    if (sign * v[j] + rise <= result) continue;
    const auto node = [&](std::size_t k) { return interpolation_node(stretch.begin, stretch.end, k, n); };
    result =
        std::max(result, greatest_between(node(before), node(after), sign, stretch.begin, stretch.end, v));
  }
  return result;
}

}  // namespace mti
