#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace mti {

/// Types that two files define with one name in one namespace: to the linker they are one, and what templates make of them,
/// such as std::optional<T>, is made once for both.
void check_type_names(const std::filesystem::path& root, const std::set<std::string>& files,
                      std::vector<std::string>& violations);

}  // namespace mti
