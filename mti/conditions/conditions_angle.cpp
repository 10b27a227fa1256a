// The part of Conditions that expands atan2(b, a), the angle of the point (a, b). With σ = ±1 the sign of a and τ = ±1
// that of b, q is the tangent of the angle between the point and the diagonal of its quadrant:
//
//     (σa + τb)·q = σb − τa,        atan2(b, a) = (2 − σ)·τ·π/4 + atan(q)
//
// The divisor is |a| + |b|, and |q| <= 1. Over the axis a = 0, and over b = 0 where a > 0, the value is continuous; over
// b = 0 where a < 0 it jumps by 2π. The sign of a number is known: of a number c ≠ 0
//
//     atan2(b, c) = atan(b/c), c > 0,  or  τ·π + atan(b/c), c < 0;        atan2(c, a) = ±π/2 − atan(a/c)
//
// and atan2(b, c) = τ·π/2 − atan(c/b) for c = 0, which has a derivative by c;
// of binaries alone the values of std::atan2 are tabulated.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/conditions/conditions.hpp"
#include "mti/conditions/truth.hpp"
#include "mti/text/multiply_out.hpp"

namespace mti::conditions {
namespace {

using text::Expansion;
using text::Node;
using text::Polynomial;
using text::Symbol;

constexpr ElementaryFunction arctangent{ElementaryFunction::Kind::atan};

/// 1/c of a number
Polynomial inverse(const Polynomial& number) {
  Polynomial result = Polynomial::constant(1.0);
  result.divide(number);
  return result;
}

/// The symbols of two polynomials of binaries; nothing if they hold anything else, or too many.
std::optional<std::vector<Symbol>> binaries_of(const Polynomial& a, const Polynomial& b) {
  auto symbols = conditions::binaries_of(a);
  const auto others = conditions::binaries_of(b);
  if (!symbols || !others) return std::nullopt;
  symbols->insert(symbols->end(), others->begin(), others->end());
  std::ranges::sort(*symbols);
  symbols->erase(std::unique(symbols->begin(), symbols->end()), symbols->end());
  if (symbols->size() > kMostTabulated) return std::nullopt;
  return symbols;
}

/// atan2 at each assignment, and along direction d the table of (a·b_d − b·a_d)/(a² + b²).
Polynomial tabulated(const Polynomial& b, const Polynomial& a, const std::vector<Symbol>& binaries) {
  const unsigned assignments = 1U << binaries.size();
  const auto table = [&](auto value) {
    std::vector<double> values;
    for (unsigned assignment = 0; assignment < assignments; ++assignment)
      values.push_back(
          value(assignment, value_at(b, binaries, assignment), value_at(a, binaries, assignment)));
    return interpolated(binaries, std::move(values));
  };
  Polynomial result = table([](unsigned, double y, double x) { return std::atan2(y, x); });
  for (std::size_t d = 0; d < std::max(a.tangents(), b.tangents()); ++d) {
    const Polynomial &of_b = b.tangent(d), &of_a = a.tangent(d);
    if (of_a.is_zero() && of_b.is_zero()) continue;
    result.set_tangent(
        d, table([&](unsigned assignment, double y, double x) {
          return (x * value_at(of_b, binaries, assignment) - y * value_at(of_a, binaries, assignment)) /
                 (x * x + y * y);
        }));
  }
  return result;
}

}  // namespace

Polynomial Conditions::sign(Expansion& place, const Polynomial& p, const char* word, const Node& node) {
  const Polynomial z =
      sign_binary(place, p, {word, word, text::slice(place.text(), node) + " > 0"}, AtZero::on, node);
  // The angle at its cut is that of std::atan2(+0, a): π.
  if (const auto literal = literal_of(z);
      literal && !literal->negated && literal->binary.index() >= declared_)
    made_.binaries[at(literal->binary.index() - declared_)].starts_on = true;
  Polynomial result = z;
  result.scale(2.0);
  return difference(result, Polynomial::constant(1.0));
}

Polynomial Conditions::angle(Expansion& place, const Polynomial& b, const Polynomial& a, const Node& node) {
  const Node &of_b = node.operands[0], &of_a = node.operands[1];
  const std::string text = text::slice(place.text(), node);
  if (const auto binaries = binaries_of(a, b)) return place.differentiable(tabulated(b, a, *binaries), node);
  const double number_b = b.constant_value().value_or(0.0), number_a = a.constant_value().value_or(0.0);
  if (number_b != 0.0) {
    const Polynomial turned =
        elementary_.apply(place, arctangent, place.times(a, inverse(b), node), node, text);
    return difference(Polynomial::constant(std::copysign(0.5 * std::numbers::pi, number_b)), turned);
  }
  if (smooth_ > 0 && !(number_a > 0.0)) return not_in_smooth(place, node);
  if (number_a != 0.0) {
    Polynomial result = elementary_.apply(place, arctangent, place.times(b, inverse(a), node), node, text);
    if (number_a < 0.0) place.add(result, sign(place, b, "upper", of_b), std::numbers::pi, node);
    return result;
  }
  const std::string text_b = text::slice(place.text(), of_b), text_a = text::slice(place.text(), of_a);
  if (a.constant_value()) {  // it is 0
    const Polynomial tau = sign(place, b, "upper", of_b);
    Polynomial q = elementary_.divide(place, a, b, node, text_b + " of " + text);
    if (place.failed()) return q;
    Polynomial result = elementary_.apply(place, arctangent, q, node, text);
    result.scale(-1.0);
    place.add(result, tau, 0.5 * std::numbers::pi, node);
    return result;
  }
  const Polynomial y = bounded(place, b), x = bounded(place, a);
  const Polynomial sigma = sign(place, x, "right", of_a), tau = sign(place, y, "upper", of_b);
  if (place.failed()) return b;
  Polynomial divisor = place.times(sigma, x, node), dividend = place.times(sigma, y, node);
  place.add(divisor, place.times(tau, y, node), 1.0, node);
  place.add(dividend, place.times(tau, x, node), -1.0, node);
  divisor.drop_cancelled();
  dividend.drop_cancelled();
  Polynomial q =
      elementary_.divide(place, dividend, divisor, node, "|" + text_a + "| + |" + text_b + "| of " + text);
  if (place.failed()) return q;
  Polynomial result = elementary_.apply(place, arctangent, q, node, text);
  place.add(result, place.times(difference(Polynomial::constant(2.0), sigma), tau, node),
            0.25 * std::numbers::pi, node);
  result.drop_cancelled();
  return result;
}

}  // namespace mti::conditions
