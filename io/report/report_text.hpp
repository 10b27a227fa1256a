#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "mti/common/number.hpp"

namespace mti {

/// Appends [value(0), …, value(count − 1)] as JSON: the shortest texts that read back the same, null for what
/// is not finite, 0 for −0.
template <typename Value>
void append_numbers(std::string& text, std::size_t count, const Value& value) {
  text += '[';
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += ',';
    const double number = value(i) + 0.0;
    if (std::isfinite(number)) {
      text::append_number(text, number);
    } else {
      text += "null";
    }
  }
  text += ']';
}

/// Appends JSON so that it can stand in a <script> element.
inline void append_for_script(std::string& text, std::string_view json) {
  for (const char character : json) {
    if (character == '<') {
      text += "\\u003c";
    } else {
      text += character;
    }
  }
}

}  // namespace mti
