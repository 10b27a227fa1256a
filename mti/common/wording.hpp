#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mti {

/// "1 equation", "2 equations", "0 binaries": what ends in -y has its plural in -ies.
[[nodiscard]] std::string counted(long count, const std::string& noun);
/// The same for a number that is written out because no integer type holds it.
[[nodiscard]] std::string counted(const std::string& number, const std::string& noun);

/// "a, b, c".
[[nodiscard]] std::string joined(const std::vector<std::string>& names);

/// "a, b, c and 4 more": the first `most` names, for messages.
[[nodiscard]] std::string name_list(const std::vector<std::string>& names, std::size_t most);

}  // namespace mti
