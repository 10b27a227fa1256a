#pragma once

#include <string_view>

namespace mti {

/// The pattern stands for the name: * for any text, ? for any one character.
[[nodiscard]] bool fits(std::string_view name, std::string_view pattern);

}  // namespace mti
