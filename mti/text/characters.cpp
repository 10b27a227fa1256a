#include "mti/text/characters.hpp"

namespace mti::text {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::string found_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the text";
  const auto byte = static_cast<unsigned char>(text[offset]);
  if (byte < 0x20U || byte == 0x7FU) return "the control character " + std::to_string(byte);
  std::size_t end = offset + 1;
  while (end < text.size() && continues_character(text[end])) ++end;
  return "'" + std::string(text.substr(offset, end - offset)) + "'";
}

}  // namespace mti::text
