#include "mti/polynomials/exact_number.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"

namespace mti::text {
namespace {

using Limbs = std::vector<std::uint32_t>;
constexpr int kBits = 32;

/// Σ limb_i 2^(32 i) · 2^places
Limbs shifted(const Limbs& limbs, int places) {
  const auto whole = at(places / kBits);
  const int part = places % kBits;
  Limbs result(whole, 0);
  std::uint64_t carry = 0;
  for (const std::uint32_t limb : limbs) {
    carry |= static_cast<std::uint64_t>(limb) << part;
    result.push_back(static_cast<std::uint32_t>(carry));
    carry >>= kBits;
  }
  result.push_back(static_cast<std::uint32_t>(carry));
  return result;
}

std::strong_ordering compare(const Limbs& a, const Limbs& b) {
  const std::size_t size = std::max(a.size(), b.size());
  for (std::size_t i = size; i-- > 0;) {
    const std::uint32_t left = i < a.size() ? a[i] : 0, right = i < b.size() ? b[i] : 0;
    if (left != right) return left <=> right;
  }
  return std::strong_ordering::equal;
}

Limbs sum(const Limbs& a, const Limbs& b) {
  Limbs result;
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()) || carry != 0; ++i) {
    carry += (i < a.size() ? std::uint64_t{a[i]} : 0) + (i < b.size() ? std::uint64_t{b[i]} : 0);
    result.push_back(static_cast<std::uint32_t>(carry));
    carry >>= kBits;
  }
  return result;
}

/// a − b for a ≥ b
Limbs difference(const Limbs& a, const Limbs& b) {
  Limbs result;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t taken = (i < b.size() ? std::uint64_t{b[i]} : 0) + borrow;
    borrow = taken > a[i] ? 1 : 0;
    result.push_back(static_cast<std::uint32_t>(a[i] - taken));
  }
  return result;
}

Limbs product(const Limbs& a, const Limbs& b) {
  Limbs result(a.size() + b.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      carry += result[i + j] + std::uint64_t{a[i]} * b[j];
      result[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= kBits;
    }
    result[i + b.size()] = static_cast<std::uint32_t>(carry);
  }
  return result;
}

/// Bits of the number, the first not 0.
int length(const Limbs& limbs) {
  return limbs.empty() ? 0 : kBits * static_cast<int>(limbs.size()) - std::countl_zero(limbs.back());
}

/// Its `count` ≤ 64 highest bits; `rest` tells whether a lower one is set.
std::uint64_t highest(const Limbs& limbs, int count, bool& rest) {
  std::uint64_t bits = 0;
  const int last = std::max(length(limbs) - count, 0);
  const std::size_t lowest = at(last / kBits);
  for (std::size_t i = limbs.size(); i > lowest + 1; --i) bits = bits << kBits | limbs[i - 1];
  rest = false;
  if (limbs.empty()) return bits;
  const int below = last % kBits;
  bits = bits << (kBits - below) | limbs[lowest] >> below;
  rest = (limbs[lowest] & ((std::uint32_t{1} << below) - 1U)) != 0 ||
         std::any_of(limbs.begin(), limbs.begin() + static_cast<std::ptrdiff_t>(lowest),
                     [](std::uint32_t limb) { return limb != 0; });
  return bits;
}

}  // namespace

ExactNumber::ExactNumber(Limbs limbs, int exponent, bool negative)
    : limbs_(std::move(limbs)), exponent_(exponent), negative_(negative) {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  const auto first = std::find_if(limbs_.begin(), limbs_.end(), [](std::uint32_t limb) { return limb != 0; });
  exponent_ += kBits * static_cast<int>(first - limbs_.begin());
  limbs_.erase(limbs_.begin(), first);
  if (limbs_.empty()) {
    exponent_ = 0;
    negative_ = false;
    return;
  }
  if (const int zeros = std::countr_zero(limbs_.front()); zeros > 0) {
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      const std::uint64_t next = i + 1 < limbs_.size() ? limbs_[i + 1] : 0;
      limbs_[i] = static_cast<std::uint32_t>((next << kBits | limbs_[i]) >> zeros);
    }
    if (limbs_.back() == 0) limbs_.pop_back();
    exponent_ += zeros;
  }
  using Double = std::numeric_limits<double>;
  const int bits = length(limbs_);
  if (bits > Double::digits || exponent_ + bits > Double::max_exponent ||
      exponent_ < Double::min_exponent - Double::digits)
    return;
  value_ = rounded_limbs();
  limbs_.clear();
  exponent_ = 0;
  negative_ = false;
}

ExactNumber ExactNumber::in_limbs() const {
  if (!limbs_.empty() || value_ == 0.0) return *this;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value_), &exponent);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, std::numeric_limits<double>::digits));
  ExactNumber result;
  result.limbs_ = {static_cast<std::uint32_t>(mantissa), static_cast<std::uint32_t>(mantissa >> kBits)};
  result.exponent_ = exponent - std::numeric_limits<double>::digits;
  result.negative_ = value_ < 0.0;
  return result;
}

double ExactNumber::rounded_limbs() const {
  using Double = std::numeric_limits<double>;
  const int bits = length(limbs_);
  if (exponent_ + bits > Double::max_exponent) return negative_ ? -Double::infinity() : Double::infinity();
  // A double below the least normal one has fewer bits.
  const int lowest = Double::min_exponent - Double::digits;
  const int kept = std::min({Double::digits, bits, exponent_ + bits - lowest});
  if (kept < 0) return negative_ ? -0.0 : 0.0;
  bool rest = false;
  const std::uint64_t with_next = highest(limbs_, std::min(kept + 1, bits), rest);
  std::uint64_t mantissa = with_next;
  if (bits > kept) {
    mantissa = with_next >> 1U;
    if ((with_next & 1U) != 0 && (rest || (mantissa & 1U) != 0)) ++mantissa;
  }
  const double size = std::ldexp(static_cast<double>(mantissa), exponent_ + bits - kept);
  return negative_ ? -size : size;
}

ExactNumber ExactNumber::operator-() const {
  if (limbs_.empty()) return -value_;
  ExactNumber result = *this;
  result.negative_ = !negative_;
  return result;
}

ExactNumber operator+(const ExactNumber& a, const ExactNumber& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  if (a.is_double() && b.is_double()) {
    const double sum = a.value_ + b.value_, part = sum - a.value_;
    const double rest = (a.value_ - (sum - part)) + (b.value_ - part);
    if (rest == 0.0 || std::isnan(rest)) {
      const bool overflows = std::isfinite(a.value_) && std::isfinite(b.value_) && !std::isfinite(sum);
      if (!overflows) return sum;
    }
  }
  if (!std::isfinite(a.value_) || !std::isfinite(b.value_)) return a.rounded() + b.rounded();
  const ExactNumber left = a.in_limbs(), right = b.in_limbs();
  const int exponent = std::min(left.exponent_, right.exponent_);
  const Limbs x = shifted(left.limbs_, left.exponent_ - exponent);
  const Limbs y = shifted(right.limbs_, right.exponent_ - exponent);
  if (left.negative_ == right.negative_) return {sum(x, y), exponent, left.negative_};
  return compare(x, y) >= 0 ? ExactNumber(difference(x, y), exponent, left.negative_)
                            : ExactNumber(difference(y, x), exponent, right.negative_);
}

ExactNumber operator*(const ExactNumber& a, const ExactNumber& b) {
  if (!std::isfinite(a.value_) || !std::isfinite(b.value_)) return a.rounded() * b.rounded();
  if (a.is_zero() || b.is_zero()) return 0.0;
  if (a.is_double() && b.is_double()) {
    const double product = a.value_ * b.value_;
    // Above this the rounding error of the product is a double, too.
    constexpr double least = 1e-280;
    if (std::abs(product) > least && std::isfinite(product) && std::fma(a.value_, b.value_, -product) == 0.0)
      return product;
  }
  const ExactNumber left = a.in_limbs(), right = b.in_limbs();
  return {product(left.limbs_, right.limbs_), left.exponent_ + right.exponent_,
          left.negative_ != right.negative_};
}

}  // namespace mti::text
