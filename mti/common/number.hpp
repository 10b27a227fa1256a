#pragma once

#include <string>

namespace mti::text {

/// The shortest decimal text that reads back as exactly this double.
[[nodiscard]] std::string format_number(double value);
/// The same at the end of `text`.
void append_number(std::string& text, double value);

/// At most `digits` significant digits, without trailing zeros, as "%.*g" of printf.
[[nodiscard]] std::string format_number(double value, int digits);

}  // namespace mti::text
