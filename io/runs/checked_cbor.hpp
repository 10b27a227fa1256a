#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace mti {

/// A value as CBOR (RFC 8949), in which numbers keep every bit, and a check sum behind it: what is read from a damaged
/// text may fit and be wrong.
[[nodiscard]] std::string write_checked_cbor(const nlohmann::json& value);

/// The value again. Errors: UnusableFile, id `bad-saved-run`, if the text is none or is damaged; `what` was expected.
[[nodiscard]] nlohmann::json read_checked_cbor(std::string_view text, std::string_view what);

}  // namespace mti
