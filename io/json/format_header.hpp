#pragma once

#include <string_view>

#include "io/json/object_reader.hpp"

namespace mti::json {

/// The head of a document, {"format": "mti-model", "version": 1}: what its other members mean. False where it is another one.
/// Faults: `unknown-format`, `unknown-version`, `missing-key`, `wrong-type`.
[[nodiscard]] bool read_format(ObjectReader& document, std::string_view format, double version);

}  // namespace mti::json
