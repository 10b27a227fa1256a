#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mti {

/// "a, b, c and 4 more": the first `most` names, for messages.
[[nodiscard]] std::string name_list(const std::vector<std::string>& names, std::size_t most);

}  // namespace mti
