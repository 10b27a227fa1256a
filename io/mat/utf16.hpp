#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mti::mat {

/// Text as MATLAB keeps it. What is not UTF-8 or not UTF-16 becomes U+FFFD.
[[nodiscard]] std::vector<std::uint16_t> to_utf16(std::string_view utf8);
[[nodiscard]] std::string to_utf8(const std::vector<std::uint16_t>& utf16);

}  // namespace mti::mat
