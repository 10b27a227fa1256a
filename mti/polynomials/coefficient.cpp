#include "mti/polynomials/coefficient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/rounding.hpp"
#include "mti/common/written_number.hpp"

namespace mti::text {
namespace {

/// More summands are added up, so that the work on a coefficient has a limit.
constexpr std::size_t kMostSummands = 64;

double size_of(const ExactNumber& number) { return std::abs(number.rounded()); }

}  // namespace

void Coefficient::add(const ExactNumber& summand) {
  if (summand.is_zero()) return;
  if (!has_only_ && summands_.empty()) {
    only_ = summand;
    has_only_ = true;
    return;
  }
  const ExactNumber opposite = -summand;
  if (has_only_) {
    has_only_ = false;
    if (only_ == opposite) return;
    summands_.push_back(only_);
  }
  const auto found = std::find(summands_.begin(), summands_.end(), opposite);
  if (found != summands_.end()) {
    summands_.erase(found);
    return;
  }
  summands_.push_back(summand);
  if (summands_.size() <= kMostSummands) return;
  summands_ = {value()};
  if (summands_.front().is_zero()) summands_.clear();
}

void Coefficient::add(const Coefficient& other, double factor) {
  for (const ExactNumber& summand : other.summands()) add(factor == 1.0 ? summand : summand * factor);
}

void Coefficient::scale(double factor) {
  for (ExactNumber& summand : own_summands()) summand = summand * factor;
}

void Coefficient::divide(double divisor) {
  for (ExactNumber& summand : own_summands()) summand = summand.rounded() / divisor;
}

Coefficient operator*(const Coefficient& a, const Coefficient& b) {
  Coefficient result;
  for (const ExactNumber& left : a.summands())
    for (const ExactNumber& right : b.summands()) result.add(left * right);
  return result;
}

ExactNumber Coefficient::value() const {
  if (has_only_) return only_;
  if (summands_.empty()) return 0.0;
  if (summands_.size() == 1) return summands_.front();
  std::vector<std::pair<double, const ExactNumber*>> ordered;
  ordered.reserve(summands_.size());
  for (const ExactNumber& summand : summands_) ordered.emplace_back(size_of(summand), &summand);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  ExactNumber sum;
  double rounding = 0.0;
  std::size_t count = 0;
  for (const auto& [size, summand] : ordered) {
    sum = sum + *summand;
    if (!summand->is_double() || !is_written_exactly(size)) rounding += 4.0 * machine_epsilon * size;
    ++count;
    if (!sum.is_zero()) continue;
    rounding = 0.0;
    count = 0;
  }
  return count > 1 && size_of(sum) <= rounding && std::isfinite(rounding) ? ExactNumber() : sum;
}

}  // namespace mti::text
