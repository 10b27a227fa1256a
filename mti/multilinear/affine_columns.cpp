#include "mti/multilinear/affine_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "mti/common/fault.hpp"
#include "mti/common/rounding.hpp"

namespace mti {
namespace {

constexpr std::size_t kMostDivided = 10;  ///< 2^10 columns
/// S and scale are rounded twice each, so that what comes back is off by at most 4 eps if 1 − |S| ≥ 1/2.
constexpr double kHeld = 4.0 * machine_epsilon;
constexpr double kBearable = 1024.0 * machine_epsilon;

/// |found − wanted|/|wanted|; a number or its loss is infinite where it has no digit left.
double loss(double found, double wanted) {
  if (found == wanted) return 0.0;
  const double lost = std::abs(found - wanted) / std::abs(wanted);
  return std::isnan(lost) ? std::numeric_limits<double>::infinity() : lost;
}

struct Divided {
  AffineFactor factor;
  NormalisedFactor whole;
  bool binary = false;
  double lost = 0.0;
};

Divided examined(const AffineFactor& factor, bool binary) {
  const auto& [signal, a, b] = factor;
  Divided result{factor, normalise(a, b), binary, 0.0};
  const auto& [S, scale] = result.whole;
  const double constant = 1.0 - std::abs(S);
  result.lost = std::max(loss(scale * constant, a), loss(scale * S, b));
  if (result.binary) result.lost = std::max(result.lost, loss(scale * (constant + S), a + b));
  return result;
}

void multiply(ScaledColumn& column, int signal, double scale, double S) {
  column.scale.times(scale);
  if (S != 0.0) column.factors.emplace_back(signal, S);
}

}  // namespace

void WideProduct::times(double factor) {
  int exponent = 0;
  mantissa_ *= std::frexp(factor, &exponent);
  exponent_ += exponent;
  if (!std::isfinite(mantissa_)) return;
  mantissa_ = std::frexp(mantissa_, &exponent);
  exponent_ += exponent;
}

void WideProduct::times(const WideProduct& factor) {
  times(factor.mantissa_);
  exponent_ += factor.exponent_;
}

double WideProduct::value() const { return std::ldexp(mantissa_, exponent_); }

std::optional<std::vector<ScaledColumn>> columns_of_product(std::span<const AffineFactor> factors,
                                                            std::span<const int> binaries) {
  std::vector<ScaledColumn> columns(1);
  std::vector<Divided> losing;
  for (const AffineFactor& factor : factors) {
    const Divided next = examined(factor, std::ranges::binary_search(binaries, factor.signal));
    if (next.lost <= kHeld)
      multiply(columns[0], factor.signal, next.whole.scale, next.whole.S);
    else
      losing.push_back(next);
  }
  std::ranges::stable_sort(losing, [](const Divided& x, const Divided& y) { return x.lost > y.lost; });
  for (std::size_t i = 0; i < losing.size(); ++i) {
    const auto& [signal, a, b] = losing[i].factor;
    if (i >= kMostDivided) {
      if (!(losing[i].lost <= kBearable)) return std::nullopt;
      for (ScaledColumn& column : columns) multiply(column, signal, losing[i].whole.scale, losing[i].whole.S);
      continue;
    }
    std::vector<ScaledColumn> second = columns;
    for (ScaledColumn& column : columns)
      if (losing[i].binary) {
        multiply(column, signal, 2.0, -0.5);
        column.scale.times(a);
      } else {
        multiply(column, signal, a, 0.0);
      }
    for (ScaledColumn& column : second) multiply(column, signal, losing[i].binary ? a + b : b, 1.0);
    columns.insert(columns.end(), second.begin(), second.end());
  }
  return columns;
}

std::vector<ScaledColumn> required_columns(std::span<const AffineFactor> factors) {
  std::optional<std::vector<ScaledColumn>> columns = columns_of_product(factors);
  if (!columns)
    throw InvalidModel("too-many-terms", "",
                       "a column has more than " + std::to_string(kMostDivided) +
                           " factors a + b*v with |b| much larger than |a|: multiplied out they are too many "
                           "columns; name parts of it as algebraic signals");
  return std::move(*columns);
}

bool fits_one_column(const AffineFactor& factor, bool binary, double share) {
  return examined(factor, binary).lost <= share;
}

}  // namespace mti
