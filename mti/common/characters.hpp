#pragma once

namespace mti {

/// ASCII, whatever the locale.
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
/// Names are letters, digits and _; they do not begin with a digit.
[[nodiscard]] constexpr bool begins_name(char c) noexcept { return is_letter(c) || c == '_'; }
[[nodiscard]] constexpr bool continues_name(char c) noexcept { return begins_name(c) || is_digit(c); }

}  // namespace mti
