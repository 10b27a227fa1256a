#include "mti/functions/function_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace mti {
namespace {

using Kind = ElementaryFunction::Kind;

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// The distance of a from ±i, where asinh and atan are singular.
double from_unit_poles(double a) { return std::hypot(1.0, a); }

double finite_or_unbounded(double value) {
  if (std::isfinite(value)) return value;
  return unbounded;
}

}  // namespace

ValueRange range_of(std::span<const double> values) {
  const auto [low, high] = std::ranges::minmax_element(values);
  return {*low, *high};
}

double spread_of(const ElementaryFunction& phi, ValueRange a) {
  const double ends = finite_or_unbounded(std::abs(phi.value(a.high) - phi.value(a.low)));
  const bool holds_zero = a.low < 0.0 && a.high > 0.0;
  switch (phi.kind) {
    case Kind::sin:
    case Kind::cos:
      return std::min(2.0, a.width());
    case Kind::cosh:
      return holds_zero ? finite_or_unbounded(std::cosh(std::max(-a.low, a.high)) - 1.0) : ends;
    case Kind::abs:
      return holds_zero ? std::max(-a.low, a.high) : ends;
    case Kind::tan:
      // Within a branch: no more than 1 apart, and on one side of a pole, where tan would fall.
      if (a.width() <= 1.0 && phi.value(a.high) >= phi.value(a.low)) return ends;
      return unbounded;
    case Kind::power:
      if (holds_zero) return unbounded;
      return ends;
    default:  // monotone
      return ends;
  }
}

double spread_of_quotient(ValueRange n, ValueRange d) {
  if (!(d.low > 0.0) && !(d.high < 0.0)) return unbounded;
  return finite_or_unbounded(
      range_of(std::array{n.low / d.low, n.low / d.high, n.high / d.low, n.high / d.high}).width());
}

bool is_resolved(const ElementaryFunction* phi, ValueRange a) {
  constexpr double part = 0.5;
  if (!(a.low > 0.0) && !(a.high < 0.0) &&
      (phi == nullptr || phi->kind == Kind::power || phi->kind == Kind::cbrt))
    return a.width() == 0.0;
  if (phi != nullptr && phi->kind == Kind::abs) return !(a.low < 0.0 && a.high > 0.0);  // it is ±a
  if (phi == nullptr) return a.width() <= part * std::min(std::abs(a.low), std::abs(a.high));
  const double margin = std::min(phi->margin(a.low), phi->margin(a.high));
  const bool scales = phi->kind == Kind::power || phi->kind == Kind::cbrt || phi->kind == Kind::sqrt ||
                      phi->kind == Kind::log || phi->kind == Kind::acosh;
  if (phi->kind == Kind::asinh || phi->kind == Kind::atan)
    return a.width() <= part * std::min(from_unit_poles(a.low), from_unit_poles(a.high));
  return a.width() <= part * (scales ? margin : std::min(margin, 1.0));
}

double bound_on_disc(const ElementaryFunction& phi, double a, double radius) {
  // The nearest singularity of a power is 0, that of tanh ±πi/2, that of atan ±i.
  const bool far_from_zero = a > 0.0 && radius <= 0.5 * a;
  switch (phi.kind) {
    case Kind::exp:
      return std::exp(a + radius);
    case Kind::sin:
    case Kind::cos:
      return std::exp(radius);
    case Kind::sinh:
    case Kind::cosh:
      return std::exp(std::abs(a) + radius);
    case Kind::sqrt:
    case Kind::cbrt:
    case Kind::power: {
      const double p = phi.kind == Kind::sqrt ? 0.5 : phi.kind == Kind::cbrt ? 1.0 / 3.0 : phi.exponent;
      return far_from_zero ? std::pow(p < 0.0 ? a - radius : a + radius, p) : unbounded;
    }
    case Kind::abs:
      return radius < std::abs(a) ? std::abs(a) + radius : unbounded;  // ±a on a disc without 0
    case Kind::log:
      return far_from_zero ? std::abs(std::log(a)) + 1.0 : unbounded;  // log 2 < 1
    case Kind::tanh:
      return radius <= 1.0 ? 2.0 : unbounded;  // |tanh(x + iy)| ≤ max(1, tan|y|), tan 1 < 2
    // Half of the way to the poles, h = |a ± i|, the slopes 1/√(1 + z²) and 1/(1 + z²) are no more than 2/h and 4/h².
    case Kind::asinh:
      return radius <= 0.5 * from_unit_poles(a) ? std::asinh(std::abs(a)) + 1.0 : unbounded;
    case Kind::atan:
      return radius <= 0.5 * from_unit_poles(a) ? 4.0 : unbounded;  // π/2 + 2/h
    case Kind::acosh:
      return radius <= 0.5 * (a - 1.0) ? std::acosh(a) + 1.0 : unbounded;  // |z² − 1| ≥ radius·(radius + 2)
    case Kind::erf:
      return radius <= 1.0 ? 5.0 : unbounded;  // |erf(x + iy) − erf(x)| ≤ (2/√π)·y·e^(y²) < 3.1
    default:
      return unbounded;
  }
}

}  // namespace mti
