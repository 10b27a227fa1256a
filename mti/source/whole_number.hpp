#pragma once

#include <string>

#include "mti/source/source.hpp"

namespace mti {

/// The parameter `p.is_whole`, which can be computed for whole values of the parameter p alone:
///
///     log(1 − (1e153·(r − p))²),    r = (p + M) − M,    M = 3·2⁵¹
///
/// The sum is rounded to a whole number, for with |p| < 2⁵¹ it lies between 2⁵² and 2⁵³, where doubles are 1 apart. So r − p is 0,
/// or at least 1e-153 unless |p| is below that, and at most 1/2, so that the square does not overflow. Other values end building
/// by `not-finite` at its name. It is no condition: the model keeps its derivatives with respect to p.
[[nodiscard]] inline ParameterSource whole_number_premise(const std::string& parameter) {
  return {parameter + ".is_whole", "log(1 - (1e153*(((" + parameter +
                                       " + 6755399441055744) - 6755399441055744) - " + parameter + "))^2)"};
}

/// The same of multiples of 1/q, as decimal fractions are up to rounding: log(1 − (10⁶(r − q·p))²).
[[nodiscard]] inline ParameterSource whole_multiple_premise(const std::string& parameter, int q) {
  const std::string multiple = "(" + std::to_string(q) + "*" + parameter + ")";
  return {parameter + ".is_whole",
          "log(1 - (1e6*(((" + multiple + " + 6755399441055744) - 6755399441055744) - " + multiple + "))^2)"};
}

/// The parameter `p.is_boolean`, which can be computed for p = 0 and p = 1 alone: log(1 − (1e153·p(1 − p))²).
[[nodiscard]] inline ParameterSource boolean_premise(const std::string& parameter) {
  return {parameter + ".is_boolean", "log(1 - (1e153*(" + parameter + "*(1 - " + parameter + ")))^2)"};
}

}  // namespace mti
