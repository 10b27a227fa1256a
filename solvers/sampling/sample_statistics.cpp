#include "solvers/sampling/sample_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mti/common/at.hpp"

namespace mti {
namespace {

double mean_of(std::span<const double> sample) {
  return std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size());
}

double squares_about(std::span<const double> sample, double mean) {
  return std::accumulate(sample.begin(), sample.end(), 0.0,
                         [mean](double sum, double y) { return sum + (y - mean) * (y - mean); });
}

/// y = middle + scale·d with |d| of about 1: sums of d and d² lose nothing to a large mean, nor to the range of numbers. The
/// scale is a power of two, so that it rounds nothing.
struct Centred {
  double middle = 0.0, scale = 1.0;
  std::vector<double> d;
};
Centred centred(std::span<const double> sample) {
  const auto [least, greatest] = std::ranges::minmax(sample);
  const double half = 0.5 * greatest - 0.5 * least;  // finite even where the width is not
  Centred result{.middle = 0.5 * least + 0.5 * greatest,
                 .scale = half > 0.0 ? std::ldexp(1.0, std::ilogb(half)) : 1.0,
                 .d = {}};
  for (const double y : sample) result.d.push_back(half > 0.0 ? (y - result.middle) / result.scale : 0.0);
  return result;
}

/// Whether y differ by no more than their last digits: Σ (y_i − ȳ)² ≤ n (ε |y|)², as of what rounding alone makes of one number.
bool is_constant(const Centred& y, double squares, double size) {
  constexpr double unit = 0x1p-52;
  return !(squares > static_cast<double>(y.d.size()) * std::pow(unit * size / y.scale, 2));
}

/// The ends of groups of a sorted x: of equal values, or in a sample of neighbours where these would be too many.
std::vector<std::size_t> group_ends(const std::vector<double>& x, Sample sample) {
  const auto largest_number = static_cast<std::size_t>(std::sqrt(static_cast<double>(x.size())));
  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i <= x.size(); ++i)
    if (i == x.size() || x[i] != x[i - 1]) ends.push_back(i);
  if (sample == Sample::all_combinations || ends.size() <= largest_number || ends.size() * 2 <= x.size())
    return ends;
  ends.clear();
  for (std::size_t b = 1; b <= largest_number; ++b) ends.push_back(b * x.size() / largest_number);
  return ends;
}

/// n_b σ² of means that follow a smooth curve but for errors of variance σ²: second differences have 1 + 4 + 1 of it.
double roughness_of(const std::vector<double>& means, const std::vector<double>& sizes) {
  double sum = 0.0;
  for (std::size_t b = 1; b + 1 < means.size(); ++b) {
    const double difference = means[b - 1] - 2.0 * means[b] + means[b + 1];
    sum += sizes[b] * difference * difference / 6.0;
  }
  return sum / static_cast<double>(means.size() - 2);
}

}  // namespace

SampleMoments moments_of(std::span<const double> sample) {
  SampleMoments moments;
  moments.count = sample.size();
  const Centred y = centred(sample);
  const double mean = mean_of(y.d);
  moments.mean = y.middle + y.scale * mean;
  if (sample.size() > 1)
    moments.deviation =
        y.scale * std::sqrt(squares_about(y.d, mean) / static_cast<double>(sample.size() - 1));
  const auto [least, greatest] = std::ranges::minmax_element(sample);
  moments.minimum = *least;
  moments.maximum = *greatest;
  return moments;
}

double sample_quantile(std::span<const double> sorted, double p) {
  const double h = static_cast<double>(sorted.size() - 1) * p;
  const auto k = static_cast<std::size_t>(std::floor(h));
  if (k + 1 >= sorted.size()) return sorted.back();
  const double part = h - std::floor(h), width = sorted[k + 1] - sorted[k];
  return std::isfinite(width) ? sorted[k] + part * width : (1.0 - part) * sorted[k] + part * sorted[k + 1];
}

double first_order_index(std::span<const double> x, std::span<const double> y, Sample sample) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::less<>(), [&](std::size_t i) { return x[i]; });
  const Centred from_middle = centred(y);
  std::vector<double> sorted_x, sorted_y;
  for (const std::size_t i : order) {
    sorted_x.push_back(x[i]);
    sorted_y.push_back(from_middle.d[i]);
  }
  const std::vector<std::size_t> ends = group_ends(sorted_x, sample);
  if (ends.size() < 2 || (sample != Sample::all_combinations && ends.size() >= x.size())) return 0.0;
  const double mean = mean_of(sorted_y), all = squares_about(sorted_y, mean);
  const auto [least, greatest] = std::ranges::minmax(y);
  if (is_constant(from_middle, all, std::max(std::abs(least), std::abs(greatest)))) return 0.0;
  const auto n = static_cast<double>(x.size());
  double between = 0.0;
  std::vector<double> means, sizes;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    means.push_back(mean_of(std::span(sorted_y).subspan(begin, end - begin)));
    sizes.push_back(static_cast<double>(end - begin));
    between += sizes.back() * (means.back() - mean) * (means.back() - mean);
    begin = end;
  }
  const double explained = between / all, groups = static_cast<double>(ends.size());
  if (sample == Sample::all_combinations) return explained;
  double chance = (1.0 - explained) / (n - groups);
  if (sample == Sample::low_discrepancy && ends.size() > 2)
    chance = std::min(chance, roughness_of(means, sizes) / all);
  return std::max(0.0, explained - (groups - 1.0) * chance);
}

}  // namespace mti
