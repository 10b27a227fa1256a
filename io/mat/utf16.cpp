#include "io/mat/utf16.hpp"

namespace mti::mat {
namespace {

constexpr std::uint32_t replacement = 0xFFFD;

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// The code point at `at`, which moves behind it.
std::uint32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0x80U) return first;
  const int more = first >= 0xF0U && first < 0xF8U ? 3 : first >= 0xE0U ? 2 : first >= 0xC2U ? 1 : 0;
  if (more == 0 || first >= 0xF8U) return replacement;
  std::uint32_t code = first & (0x3FU >> static_cast<unsigned>(more));
  for (int i = 0; i < more; ++i) {
    if (at >= text.size() || !is_continuation(text[at])) return replacement;
    code = (code << 6U) | (static_cast<unsigned char>(text[at++]) & 0x3FU);
  }
  return code > 0x10FFFFU ? replacement : code;
}

void append_code_point(std::uint32_t code, std::string& text) {
  const auto append = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80U) return append(code);
  if (code < 0x800U) {
    append(0xC0U | (code >> 6U));
  } else if (code < 0x10000U) {
    append(0xE0U | (code >> 12U));
    append(0x80U | ((code >> 6U) & 0x3FU));
  } else {
    append(0xF0U | (code >> 18U));
    append(0x80U | ((code >> 12U) & 0x3FU));
    append(0x80U | ((code >> 6U) & 0x3FU));
  }
  append(0x80U | (code & 0x3FU));
}

}  // namespace

std::vector<std::uint16_t> to_utf16(std::string_view utf8) {
  std::vector<std::uint16_t> result;
  for (std::size_t at = 0; at < utf8.size();) {
    std::uint32_t code = next_code_point(utf8, at);
    if (code >= 0x10000U) {
      code -= 0x10000U;
      result.push_back(static_cast<std::uint16_t>(0xD800U | (code >> 10U)));
      code = 0xDC00U | (code & 0x3FFU);
    }
    result.push_back(static_cast<std::uint16_t>(code));
  }
  return result;
}

std::string to_utf8(const std::vector<std::uint16_t>& utf16) {
  std::string result;
  for (std::size_t at = 0; at < utf16.size(); ++at) {
    std::uint32_t code = utf16[at];
    const bool is_high = code >= 0xD800U && code < 0xDC00U;
    const bool is_low = code >= 0xDC00U && code < 0xE000U;
    if (is_high && at + 1 < utf16.size() && utf16[at + 1] >= 0xDC00U && utf16[at + 1] < 0xE000U) {
      code = 0x10000U + ((code & 0x3FFU) << 10U) + (utf16[++at] & 0x3FFU);
    } else if (is_high || is_low) {
      code = replacement;
    }
    append_code_point(code, result);
  }
  return result;
}

}  // namespace mti::mat
