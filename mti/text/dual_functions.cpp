#include "mti/text/dual_functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "mti/functions/elementary_function.hpp"

namespace mti::text {
namespace {

constexpr double kNoSlope = std::numeric_limits<double>::quiet_NaN();

/// The value with no derivative in each direction that `difference`, which decides between pieces, has.
Dual undecided(double value, const Dual& difference) {
  Dual result(value);
  for (const double slope : difference.slopes) result.slopes.push_back(slope != 0.0 ? kNoSlope : 0.0);
  return result;
}

/// a or b, whichever is the result; where they are equal they must stay so.
Dual selected(const Dual& a, const Dual& b, bool first) {
  const Dual difference = a - b;
  if (difference.value != 0.0 || !difference.varies()) return first ? a : b;
  return (first ? a : b) + undecided(0.0, difference);
}

Dual larger(const Dual& a, const Dual& b) { return selected(a, b, !(a.value < b.value)); }
Dual smaller(const Dual& a, const Dual& b) { return selected(a, b, !(b.value < a.value)); }
Dual negative(const Dual& a) { return Dual(0.0) - a; }

/// The derivatives of `piece` with the value of the function itself.
Dual with_value(double value, Dual piece) { return {value, std::move(piece.slopes)}; }

Dual piecewise(std::string_view name, std::span<const Dual> a) {
  const Dual& x = a[0];
  if (name == "min" || name == "max") {
    Dual result = x;
    for (const Dual& next : a.subspan(1))
      result = name == "max" ? larger(result, next) : smaller(result, next);
    return result;
  }
  if (name == "smooth") return a[1];
  if (name == "abs") return selected(x, negative(x), x.value >= 0.0);
  if (name == "pos") return larger(x, 0.0);
  if (name == "neg") return larger(negative(x), 0.0);
  if (name == "clamp") return x.value < a[1].value ? a[1] : smaller(larger(x, a[1]), a[2]);
  if (name == "deadzone")
    return x.value < a[1].value ? x - a[1] : larger(x - a[2], selected(0.0, x - a[1], true));
  return undecided(0.0, x);  // sign, step
}

}  // namespace

Dual apply_dual(const Function& function, std::span<const Dual> arguments) {
  std::vector<double> values;
  values.reserve(arguments.size());
  for (const Dual& argument : arguments) values.push_back(argument.value);
  const double value = function.value(values);
  if (std::none_of(arguments.begin(), arguments.end(), [](const Dual& a) { return a.varies(); }))
    return value;
  if (function.kind == Function::Kind::condition)
    return with_value(value, piecewise(function.name, arguments));
  if (function.kind == Function::Kind::number) {
    Dual result(value);
    for (const Dual& argument : arguments) result = result + undecided(0.0, argument);
    return result;
  }
  if (function.name == "atan2") {
    const double square = values[0] * values[0] + values[1] * values[1];
    return with_value(value,
                      arguments[0] * Dual(values[1] / square) - arguments[1] * Dual(values[0] / square));
  }
  const auto phi = mti::find_function(function.name);
  return chained(value, phi ? phi->slope(values[0]) : kNoSlope, arguments[0]);
}

}  // namespace mti::text
