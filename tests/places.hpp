#pragma once

#include <filesystem>

namespace mti::test {

/// Root of the checkout that is tested.
[[nodiscard]] const std::filesystem::path& source_dir();

/// Folder of the programs of the examples.
[[nodiscard]] const std::filesystem::path& examples_dir();

/// The program mti that is tested; empty where it is not built.
[[nodiscard]] const std::filesystem::path& program_file();

/// The run-time library of FMUs; empty where it is not built.
[[nodiscard]] const std::filesystem::path& fmu_library();

/// Published models and reference solutions beside the checkout, not part of it; empty where there are none.
[[nodiscard]] const std::filesystem::path& shared_dir();

}  // namespace mti::test
