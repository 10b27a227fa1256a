#include "mti/common/number.hpp"

#include <array>
#include <charconv>

namespace mti::text {

std::string format_number(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

void append_number(std::string& text, double value) {
  std::array<char, 32> buffer{};
  text.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
}

std::string format_number(double value, int digits) {
  std::array<char, 64> buffer{};
  char* const end = buffer.data() + buffer.size();
  return {buffer.data(), std::to_chars(buffer.data(), end, value, std::chars_format::general, digits).ptr};
}

}  // namespace mti::text
