#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace mti {

/// Position of the first byte that is not part of a well-formed UTF-8 sequence; nothing if there is none.
/// Overlong forms, surrogates and code points above U+10FFFF are ill-formed (RFC 3629).
[[nodiscard]] std::optional<std::size_t> first_invalid_utf8(std::string_view text);

/// The text behind a leading byte order mark, if it has one.
[[nodiscard]] std::string_view without_byte_order_mark(std::string_view text);

}  // namespace mti
