#include "io/json/utf8.hpp"

namespace mti {
namespace {

/// Length of the well-formed sequence that begins at `i`, 0 if there is none.
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
  };
  const auto continues = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  if (first < 0xC2U) return 0;
  if (first < 0xE0U) return continues(1) ? 2 : 0;
  if (first < 0xF0U) {
    const bool overlong = first == 0xE0U && byte(1) < 0xA0U;
    const bool surrogate = first == 0xEDU && byte(1) >= 0xA0U;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  const bool overlong = first == 0xF0U && byte(1) < 0x90U;
  const bool too_large = first > 0xF4U || (first == 0xF4U && byte(1) >= 0x90U);
  return continues(1) && continues(2) && continues(3) && !overlong && !too_large ? 4 : 0;
}

}  // namespace

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

}  // namespace mti
