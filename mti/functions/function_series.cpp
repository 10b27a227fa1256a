#include "mti/functions/function_series.hpp"

#include <algorithm>

namespace mti {
namespace {

using Kind = ElementaryFunction::Kind;

/// How the slope goes on.
struct SlopeRule {
  enum class Form { of_result, integral_of_result, square_of_result, power_of_base, gaussian, sign };
  Form form = Form::of_result;
  double sign = 1.0;      ///< of the integral, or of the square
  double exponent = 0.0;  ///< q of the power
  /// w = constant + factor·a²; factor 0: w = a.
  double constant = 0.0, factor = 0.0;
};

SlopeRule rule_of(const ElementaryFunction& phi) {
  using Form = SlopeRule::Form;
  switch (phi.kind) {
    case Kind::sin:
    case Kind::cos:
      return {Form::integral_of_result, -1.0};
    case Kind::sinh:
    case Kind::cosh:
      return {Form::integral_of_result, 1.0};
    case Kind::tan:
      return {Form::square_of_result, 1.0};
    case Kind::tanh:
      return {Form::square_of_result, -1.0};
    case Kind::exp:
      return {Form::of_result};
    case Kind::log:
      return {Form::power_of_base, 1.0, -1.0};
    case Kind::sqrt:
      return {Form::power_of_base, 1.0, -0.5};
    case Kind::cbrt:
      return {Form::power_of_base, 1.0, -2.0 / 3.0};
    case Kind::power:
      return {Form::power_of_base, 1.0, phi.exponent - 1.0};
    case Kind::atan:
      return {Form::power_of_base, 1.0, -1.0, 1.0, 1.0};
    case Kind::atanh:
      return {Form::power_of_base, 1.0, -1.0, 1.0, -1.0};
    case Kind::asin:
    case Kind::acos:
      return {Form::power_of_base, 1.0, -0.5, 1.0, -1.0};
    case Kind::asinh:
      return {Form::power_of_base, 1.0, -0.5, 1.0, 1.0};
    case Kind::acosh:
      return {Form::power_of_base, 1.0, -0.5, -1.0, 1.0};
    case Kind::erf:
      return {Form::gaussian, 1.0, 0.0, 0.0, 1.0};
    case Kind::abs:
      return {Form::sign};
  }
  return {};
}

/// constant + factor·a², the difference of squares without cancellation.
double base_value(const SlopeRule& rule, double a) {
  if (rule.constant * rule.factor < 0.0) return rule.constant * (1.0 - a) * (1.0 + a);
  return rule.constant + rule.factor * a * a;
}

/// Σ_{j=1}^{k−1} a_j b_{k−j}
double inner_product(const double* a, const double* b, int k) {
  double sum = 0.0;
  for (int j = 1; j < k; ++j) sum += a[j] * b[k - j];
  return sum;
}

/// (1/k) Σ_{j=1}^{k−1} j a_j b_{k−j}, of ∫ b a'
double inner_integral(const double* a, const double* b, int k) {
  double sum = 0.0;
  for (int j = 1; j < k; ++j) sum += j * a[j] * b[k - j];
  return sum / k;
}

}  // namespace

FunctionSeries::Interior FunctionSeries::interior(const ElementaryFunction& phi, int k) const {
  using Form = SlopeRule::Form;
  const SlopeRule rule = rule_of(phi);
  const double* const base = rule.factor == 0.0 ? a : w;
  Interior sum{.r = inner_integral(a, s, k)};
  if (rule.factor != 0.0) sum.w = rule.factor * inner_product(a, a, k);
  switch (rule.form) {
    case Form::of_result:
    case Form::sign:
      break;
    case Form::integral_of_result:
      sum.s = rule.sign * inner_integral(a, r, k);
      break;
    case Form::square_of_result:
      sum.s = rule.sign * inner_product(r, r, k);
      break;
    case Form::power_of_base:
      for (int j = 1; j < k; ++j) sum.s += (rule.exponent * j - (k - j)) * base[j] * s[k - j];
      sum.s /= k * base[0];
      break;
    case Form::gaussian:
      sum.s = -inner_integral(w, s, k);
      break;
  }
  return sum;
}

void FunctionSeries::finish(const ElementaryFunction& phi, int k, const Interior& interior) const {
  using Form = SlopeRule::Form;
  const SlopeRule rule = rule_of(phi);
  if (k == 0) {
    r[0] = phi.value(a[0]);
    s[0] = phi.slope(a[0]);
    if (rule.factor != 0.0) w[0] = base_value(rule, a[0]);
    return;
  }
  const double* const base = rule.factor == 0.0 ? a : w;
  r[k] = interior.r + s[0] * a[k];
  if (rule.factor != 0.0) w[k] = interior.w + 2.0 * rule.factor * a[0] * a[k];
  switch (rule.form) {
    case Form::of_result:
      s[k] = r[k];
      break;
    case Form::integral_of_result:
      s[k] = interior.s + rule.sign * r[0] * a[k];
      break;
    case Form::square_of_result:
      s[k] = interior.s + 2.0 * rule.sign * r[0] * r[k];
      break;
    case Form::power_of_base:
      s[k] = interior.s + rule.exponent * base[k] * s[0] / base[0];
      break;
    case Form::gaussian:
      s[k] = interior.s - w[k] * s[0];
      break;
    case Form::sign:
      // Where a begins at 0, its first coefficient tells the sign that it is about to have.
      if (std::all_of(a, a + k, [](double lower) { return lower == 0.0; })) s[0] = a[k] < 0.0 ? -1.0 : 1.0;
      s[k] = 0.0;
      r[k] = s[0] * a[k];
      break;
  }
}

FunctionExpansion expand(const ElementaryFunction& phi, std::span<const double> a) {
  FunctionExpansion made{std::vector<double>(a.size()), std::vector<double>(a.size())};
  std::vector<double> w(a.size());
  const FunctionSeries series{a.data(), made.r.data(), made.s.data(), w.data()};
  for (int k = 0; k < static_cast<int>(a.size()); ++k)
    series.finish(phi, k, k == 0 ? FunctionSeries::Interior{} : series.interior(phi, k));
  return made;
}

}  // namespace mti
