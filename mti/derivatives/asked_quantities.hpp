#pragma once

#include <string>
#include <vector>

#include "mti/reading/reading.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// A source in which every quantity that is differentiated by is a parameter.
///
/// A start value, the value of an input or of an entry of a table becomes a parameter with that value, which stands in its
/// place: what follows is the same for all kinds.
struct AskedQuantities {
  Source source;
  std::vector<building::Direction> directions;  ///< one for each name, in that order
};

/// `names` as build_with_derivatives takes them. Errors: InvalidOption, ids `unknown-derivative`, `derivative-of-function`,
/// `parameter-decides` (of binaries).
[[nodiscard]] AskedQuantities with_parameters(const Source& source, const std::vector<std::string>& names);

}  // namespace mti
