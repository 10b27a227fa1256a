#include "mti/common/number.hpp"

#include <array>
#include <charconv>

namespace mti::text {

std::string format_number(double value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

}  // namespace mti::text
