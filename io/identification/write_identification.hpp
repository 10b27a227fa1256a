#pragma once

#include <string>

#include "solvers/identification/identification.hpp"

namespace mti {

/// What was found, for people: sizes, ranks with their errors, how well each output is told, what the samples leave open.
[[nodiscard]] std::string identification_text(const IdentificationData& data, const Identification& found,
                                              bool discrete);

/// The same as a JSON object, "mti-identification" version 1 (docs/identification.md).
[[nodiscard]] std::string identification_json(const IdentificationData& data, const Identification& found,
                                              bool discrete);

}  // namespace mti
