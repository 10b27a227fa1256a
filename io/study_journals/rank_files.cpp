#include "io/study_journals/rank_files.hpp"

#include <algorithm>
#include <system_error>

namespace mti {

std::string rank_file_name(std::string_view stem, std::string_view extension, int rank) {
  return std::string(stem) + (rank == 0 ? std::string() : "-" + std::to_string(rank)) +
         std::string(extension);
}

std::vector<std::filesystem::path> rank_files(const std::filesystem::path& directory, std::string_view stem,
                                              std::string_view extension) {
  std::vector<std::filesystem::path> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(stem) || !name.ends_with(extension) || name.size() < stem.size() + extension.size())
      continue;
    const std::string_view rank =
        std::string_view(name).substr(stem.size(), name.size() - stem.size() - extension.size());
    const bool is_rank = rank.empty() || (rank.size() > 1 && rank.front() == '-' &&
                                          rank.find_first_not_of("0123456789", 1) == std::string_view::npos);
    if (is_rank) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace mti
