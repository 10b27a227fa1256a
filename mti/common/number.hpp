#pragma once

#include <string>

namespace mti::text {

/// The shortest decimal text that reads back as exactly this double.
[[nodiscard]] std::string format_number(double value);

}  // namespace mti::text
