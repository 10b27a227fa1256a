#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace mti::test {

/// The files in the format of a model in these folders of the checkout, or below, sorted. Programs of tests make their lists
/// at each start: callers keep theirs.
[[nodiscard]] std::vector<std::filesystem::path> model_documents(
    const std::vector<std::string_view>& folders);

}  // namespace mti::test
