#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mti {

/// "journal-3.csv" of rank 3 of a team, "journal.csv" of rank 0: each process has files of its own.
[[nodiscard]] std::string rank_file_name(std::string_view stem, std::string_view extension, int rank);

/// The files in a folder that are called so for some rank, that of rank 0 among them, in the order of their names.
[[nodiscard]] std::vector<std::filesystem::path> rank_files(const std::filesystem::path& directory,
                                                            std::string_view stem,
                                                            std::string_view extension);

}  // namespace mti
