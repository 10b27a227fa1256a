#pragma once

#include <string>

#include "mti/source/source.hpp"

namespace mti {

/// The parameter `p.is_whole`, which can be computed for whole values of the parameter p alone:
///
///     1/(if r <= p and r >= p then 1 else 0),    r = (p + M) − M,    M = 3·2⁵¹
///
/// The sum is rounded to a whole number, for with |p| < 2⁵¹ it lies between 2⁵² and 2⁵³, where doubles are 1 apart. Other
/// values end building by `division-by-zero` at its name.
[[nodiscard]] inline ParameterSource whole_number_premise(const std::string& parameter) {
  const std::string rounded = "((" + parameter + " + 6755399441055744) - 6755399441055744)";
  return {parameter + ".is_whole", "1/(if " + rounded + " <= " + parameter + " and " + rounded +
                                       " >= " + parameter + " then 1 else 0)"};
}

}  // namespace mti
