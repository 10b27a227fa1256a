#include "io/runs/checked_cbor.hpp"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "mti/common/check_sum.hpp"
#include "mti/common/fault.hpp"

namespace mti {
namespace {

/// The check sum as eight bytes.
constexpr std::size_t check_bytes = 8;
std::string check_of(std::string_view text) {
  const std::uint64_t hash = check_sum(text);
  std::string bytes;
  for (std::size_t i = 0; i < check_bytes; ++i) bytes += static_cast<char>((hash >> (8 * i)) & 0xffU);
  return bytes;
}

}  // namespace

std::string write_checked_cbor(const nlohmann::json& value) {
  const std::vector<std::uint8_t> bytes = nlohmann::json::to_cbor(value);
  const std::string text(bytes.begin(), bytes.end());
  return text + check_of(text);
}

nlohmann::json read_checked_cbor(std::string_view text, std::string_view what) {
  const auto refuse = [&] {
    throw UnusableFile("bad-saved-run", "", "expected " + std::string(what) + ", undamaged");
  };
  const std::size_t length = text.size() < check_bytes ? 0 : text.size() - check_bytes;
  const std::string_view body = text.substr(0, length);
  if (check_of(body) != text.substr(length)) refuse();
  try {
    return nlohmann::json::from_cbor(body.begin(), body.end());
  } catch (const nlohmann::json::exception&) {
    refuse();
  }
  return {};
}

}  // namespace mti
