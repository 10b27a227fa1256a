#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mti::text {

/// The byte is not the first one of a character of UTF-8.
[[nodiscard]] bool continues_character(char byte);

/// The character at `offset` for a message: "'x'", "the end of the text".
[[nodiscard]] std::string found_at(std::string_view text, std::size_t offset);

}  // namespace mti::text
