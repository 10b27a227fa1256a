// The part of Conditions that decides signs: max, min, abs, pos, neg, sign, step, clamp, deadzone, hysteresis.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/conditions/conditions.hpp"
#include "mti/conditions/truth.hpp"
#include "mti/text/multiply_out.hpp"

namespace mti::conditions {
namespace {

/// A polynomial by its monomials other than the constant one scaled to a leading coefficient of 1. It is not scaled
/// where a quotient leaves the range of doubles: of 1e-200 u + c w only "infinite" would be left of c. One that holds
/// binaries is scaled only where no quotient is rounded, since its coefficients may cancel each other.
struct Scaled {
  text::PolynomialKey key;
  bool negative = false;  ///< the leading coefficient was below 0
};

using AtZero = GeneratedBinary::AtZero;

AtZero opposite(AtZero at_zero) {
  if (at_zero == AtZero::on) return AtZero::off;
  return at_zero == AtZero::off ? AtZero::on : at_zero;
}

AtZero joined(AtZero a, AtZero b) {
  if (a == AtZero::any || a == b) return b;
  return b == AtZero::any ? a : AtZero::differs;
}

bool holds_binaries(const text::Polynomial& p) {
  return std::ranges::any_of(p.monomials(), [](const text::Monomial& monomial) {
    return std::ranges::any_of(monomial.powers,
                               [](const text::Power& power) { return power.symbol.idempotent(); });
  });
}

/// The derivatives of p/c, c the coefficient of `leading`, `factor` its value: a factor that depends on a parameter
/// changes nothing.
text::PolynomialKey scaled_tangents(const text::Polynomial& p,
                                    const std::vector<std::pair<std::uint32_t, int>>& leading,
                                    double factor) {
  Dual leading_coefficient(factor);
  for (std::size_t d = 0; d < p.tangents(); ++d) {
    double slope = 0.0;
    for (const auto& [powers, coefficient] : text::key_of_value(p.tangent(d)))
      if (powers == leading) slope += coefficient;
    leading_coefficient.slopes.push_back(slope);
  }
  text::Polynomial quotient = p;
  quotient.divide(leading_coefficient);
  text::PolynomialKey key;
  text::append_tangents(quotient, key);
  return key;
}

Scaled scaled(const text::Polynomial& p) {
  Scaled result{text::key_of_value(p)};
  // The constant comes first in a key: a relation is known by its signals.
  auto leading = std::find_if(result.key.begin(), result.key.end(),
                              [](const auto& entry) { return !entry.first.empty(); });
  if (leading == result.key.end()) leading = result.key.begin();
  const std::vector<std::pair<std::uint32_t, int>> leading_powers = leading->first;
  for (auto next = leading; next != result.key.end() && next->first == leading_powers; ++next)
    if (std::abs(next->second) > std::abs(leading->second)) leading = next;
  double factor = leading->second;
  result.negative = factor < 0.0;
  const bool has_binaries = holds_binaries(p);
  bool is_scaled = std::ranges::all_of(result.key, [&](const auto& entry) {
    const double quotient = entry.second / factor;
    return std::isnormal(quotient) && (!has_binaries || std::fma(quotient, factor, -entry.second) == 0.0);
  });
  text::PolynomialKey tangents;
  if (is_scaled && p.varies()) {
    tangents = scaled_tangents(p, leading_powers, factor);
    is_scaled = std::ranges::all_of(tangents, [](const auto& entry) { return std::isfinite(entry.second); });
  }
  if (!is_scaled) {
    factor = result.negative ? -1.0 : 1.0;
    text::Polynomial same = p;
    same.scale(factor);
    tangents.clear();
    text::append_tangents(same, tangents);
  }
  for (auto& [powers, coefficient] : result.key) coefficient /= factor;
  std::sort(result.key.begin(), result.key.end());
  result.key.insert(result.key.end(), tangents.begin(), tangents.end());
  return result;
}

}  // namespace

text::Polynomial Conditions::sign_binary(Expansion& place, const Polynomial& p, const Title& title,
                                         AtZero at_zero, const Node& node) {
  for (const text::Monomial& monomial : p.monomials())
    if (std::isnan(monomial.coefficient.value().rounded()))
      return place.failed()
                 ? p
                 : place.fail("not-finite", node, "a condition on a value that is not a finite number");
  const auto constant = p.constant_value();
  if (constant && place.is_decided(p, node, "a condition")) return p;
  if (constant)
    return Polynomial::constant(*constant > 0.0 || (*constant == 0.0 && at_zero != AtZero::off) ? 1.0 : 0.0);
  if (binaries_of(p)) return counted(place, p, title, at_zero, node);
  Scaled form = scaled(p);
  if (at_zero != AtZero::any && apart_at_zero_.contains(title.text)) {
    const bool is_on = (form.negative ? opposite(at_zero) : at_zero) == AtZero::on;
    constexpr int no_exponent = -2;
    form.key.push_back({{{0U, no_exponent}}, is_on ? 1.0 : 0.0});
  }
  const auto found = by_sign_.find(form.key);
  if (found != by_sign_.end()) {
    const auto& [binary, negative] = found->second;
    const bool same = negative == form.negative;
    GeneratedBinary& known = made_.binaries[at(binary.index() - declared_)];
    known.at_zero = joined(known.at_zero, same ? at_zero : opposite(at_zero));
    known.starts_on = known.at_zero == AtZero::on;
    if (at_zero != AtZero::any) known.texts.push_back(title.text);
    const Polynomial z = Polynomial::variable(binary);
    return same ? z : complement(z);
  }
  const Polynomial argument = apart(place, p);
  Polynomial opposite = argument;
  opposite.scale(-1.0);
  const text::Symbol binary = add({.name = names_.make(place, title.word, title.numbered_word),
                                   .text = title.text,
                                   .while_off = argument,
                                   .while_on = std::move(opposite),
                                   .at_zero = at_zero,
                                   .texts = {title.text},
                                   .starts_on = at_zero == AtZero::on});
  by_sign_.emplace(std::move(form.key), std::pair(binary, form.negative));
  return Polynomial::variable(binary);
}

/// A relation of binaries alone, "a + b + c >= 2": what it is at equality counts, and no constraint could tell.
text::Polynomial Conditions::counted(Expansion& place, const Polynomial& p, const Title& title,
                                     AtZero at_zero, const Node& node) {
  const auto binaries = *binaries_of(p);
  if (binaries.size() > kMostTabulated)
    return place.fail("too-many-terms", node,
                      "a comparison of " + std::to_string(binaries.size()) + " binaries; up to " +
                          std::to_string(kMostTabulated) +
                          " can be compared at once: name parts of their sum as algebraic signals");
  std::vector<double> values;
  for (unsigned assignment = 0; assignment < 1U << binaries.size(); ++assignment) {
    const double value = value_at(p, binaries, assignment);
    if (value == 0.0 && may_leave_zero(p, binaries, assignment) && place.is_decided(p, node, "a condition"))
      return p;
    values.push_back(value > 0.0 || (value == 0.0 && at_zero != AtZero::off) ? 1.0 : 0.0);
  }
  return logic_binary(place, interpolated(binaries, std::move(values)), title);
}

/// max and min of two and more.
text::Polynomial Conditions::extreme(Expansion& place, const Node& node, bool largest) {
  const char* word = largest ? "max" : "min";
  Polynomial result = operand(place, node.operands[0]);
  std::string text = text::slice(place.text(), node.operands[0]);
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    const Polynomial next = operand(place, node.operands[i]);
    if (place.failed()) return result;
    const std::string next_text = text::slice(place.text(), node.operands[i]);
    result = bounded(place, std::move(result));
    const Polynomial z = sign_binary(place, difference(result, next), {word, word, text + " > " + next_text},
                                     AtZero::any, node.operands[i]);
    result = largest ? selected(place, z, result, next, node) : selected(place, z, next, result, node);
    text = std::string(word) + "(" + text + ", " + next_text + ")";
  }
  return result;
}

/// abs, pos, neg, sign, step: one binary. Where binaries decide a, it is 0 for more than an instant: step is [a > 0], and sign
/// [a > 0] + [a >= 0] − 1 there.
text::Polynomial Conditions::of_sign(Expansion& place, const Node& node) {
  Polynomial a = operand(place, node.operands[0]);
  if (place.failed()) return a;
  const bool step = node.name == "step", sign = node.name == "sign";
  const bool counts = !a.constant_value() && binaries_of(a);
  const Title title{step ? "on" : node.name, step ? "step" : node.name,
                    text::slice(place.text(), node.operands[0]) + " > 0"};
  if (sign) {
    if (a.constant_value() == 0.0) return Polynomial::constant(0.0);
    Polynomial result;
    if (counts || apart_at_zero_.contains(title.text)) {
      result = sign_binary(place, a, title, AtZero::on, node);
      result.add(sign_binary(place, a, title, AtZero::off, node), 1.0);
    } else {
      result = sign_binary(place, a, title, AtZero::differs, node);
      result.scale(2.0);
    }
    return difference(result, Polynomial::constant(1.0));
  }
  Polynomial z = sign_binary(place, a, title, step ? AtZero::off : AtZero::any, node);
  if (step) return z;
  Polynomial negative = a;
  negative.scale(-1.0);
  const Polynomial nothing = Polynomial::constant(0.0);
  if (node.name == "abs") return selected(place, z, a, negative, node);
  return node.name == "pos" ? selected(place, z, a, nothing, node)
                            : selected(place, z, nothing, negative, node);
}

/// clamp and deadzone: below the lower limit, above the upper one, or between them.
text::Polynomial Conditions::limited(Expansion& place, const Node& node) {
  const bool clamp = node.name == "clamp";
  Polynomial a = operand(place, node.operands[0]);
  const Polynomial low = operand(place, node.operands[1]), high = operand(place, node.operands[2]);
  if (place.failed()) return a;
  const auto text_of = [&](int i) {
    return text::slice(place.text(), node.operands[static_cast<std::size_t>(i)]);
  };
  const auto width = difference(high, low).constant_value();
  if (width && *width < 0.0)
    return place.fail("bad-limits", node.operands[1],
                      "the lower limit " + text_of(1) + " lies above the upper limit " + text_of(2));
  const bool is_narrow = width && *width == 0.0;
  if (is_narrow &&
      place.is_decided(difference(high, low), node, "whether there is anything between the limits"))
    return a;
  if (is_narrow) return clamp ? low : difference(a, low);
  const Polynomial below = sign_binary(place, difference(low, a),
                                       {"low", "low", text_of(0) + " < " + text_of(1)}, AtZero::any, node);
  const Polynomial above = sign_binary(place, difference(a, high),
                                       {"high", "high", text_of(0) + " > " + text_of(2)}, AtZero::any, node);
  const Polynomial under = difference(low, a), over = difference(high, a);
  // Limits that move may cross: the lower one counts then, and both conditions may hold.
  if (width) exclude(below, above);
  const Polynomial upper = width ? above : place.times(above, complement(below), node);
  Polynomial result = clamp ? a : Polynomial::constant(0.0);
  const double sign = clamp ? 1.0 : -1.0;
  place.add(result, place.times(below, under, node), sign, node);
  place.add(result, place.times(upper, over, node), sign, node);
  result.drop_cancelled();
  return result;
}

text::Polynomial Conditions::hysteresis(Expansion& place, const Node& node) {
  Polynomial a = operand(place, node.operands[0]);
  const Polynomial low = operand(place, node.operands[1]), high = operand(place, node.operands[2]);
  bool initial = false;
  if (node.operands.size() == 4) {
    const Node& given = node.operands[3];
    const bool is_initial = given.kind == Node::Kind::initial &&
                            (given.operands[0].number == 0.0 || given.operands[0].number == 1.0);
    if (!is_initial)
      return place.fail("wrong-arguments", given,
                        "expected initial 0 or initial 1, found " + text::slice(place.text(), given));
    initial = given.operands[0].number == 1.0;
  }
  if (place.failed()) return a;
  const auto width = difference(high, low).constant_value();
  if (width && *width < 0.0)
    return place.fail("bad-limits", node.operands[1],
                      "the lower limit " + text::slice(place.text(), node.operands[1]) +
                          " lies above the upper limit " + text::slice(place.text(), node.operands[2]));
  const Polynomial rise = difference(a, high), fall = difference(low, a);
  const bool is_constant = rise.constant_value() && fall.constant_value();
  if (is_constant &&
      (place.is_decided(rise, node, "a hysteresis") || place.is_decided(fall, node, "a hysteresis")))
    return a;
  if (width && *width == 0.0 &&
      place.is_decided(difference(high, low), node, "whether there is anything between the limits"))
    return a;
  if (is_constant)
    return Polynomial::constant(*rise.constant_value() > 0.0 || (initial && !(*fall.constant_value() > 0.0)));
  const auto [found, is_new] =
      by_limits_.try_emplace(std::tuple(text::key_of(rise), text::key_of(fall), initial), text::Symbol());
  if (is_new) {
    const Polynomial off = apart(place, rise);
    // With limits a fixed width apart, a − high is the one signal of both rows: low − a = −width − (a − high).
    const bool is_one = width && holds_memory(rise);
    const Polynomial on = is_one ? difference(Polynomial::chained(-*width, 1.0, difference(low, high)), off)
                                 : apart(place, fall);
    found->second = add({.name = names_.make(place, "on", "hysteresis"),
                         .text = text::slice(place.text(), node),
                         .while_off = off,
                         .while_on = on,
                         .initial = initial});
  }
  return Polynomial::variable(found->second);
}

}  // namespace mti::conditions
