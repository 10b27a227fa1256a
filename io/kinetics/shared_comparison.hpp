#pragma once

#include <optional>
#include <string>

#include "io/kinetics/source_writer.hpp"

namespace mti::sbml {

/// A comparison a ⋚ b of two formulas, themselves or by the rules of what they name, that stands in both: it changes where
/// the other one does, at the same instant. "time and 1" for time ≥ 1 beside 1 > time.
[[nodiscard]] std::optional<std::string> shared_comparison(SourceWriter& writer, const Math& one,
                                                           const Math& other);

}  // namespace mti::sbml
