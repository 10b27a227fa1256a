#include "io/study_journals/team_journals.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <system_error>

#include "io/files/journal_file.hpp"

namespace mti {

std::string team_journal_name(int rank) {
  return rank == 0 ? std::string(study_journal_name) : "journal-" + std::to_string(rank) + ".csv";
}

std::vector<std::filesystem::path> team_journals(const std::filesystem::path& directory) {
  static const std::regex name("journal-[0-9]+\\.csv");
  std::vector<std::filesystem::path> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored))
    if (std::regex_match(entry.path().filename().string(), name)) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

void gather_team_journals(const std::filesystem::path& directory, const StudyPlan& plan,
                          const JournalRows& there, StudyJournal& journal) {
  constexpr std::size_t at_once = 4096;
  for (const std::filesystem::path& path : team_journals(directory)) {
    const JournalFile lock(path, JournalFile::Content::kept);  // nobody writes to it
    std::vector<std::string> rows;
    const auto pass_on = [&] {
      journal.add(rows);
      rows.clear();
    };
    read_journal(path, plan, [&](long run, std::int64_t, std::string_view row) {
      if (there.has(run)) return;
      rows.emplace_back(row);
      if (rows.size() == at_once) pass_on();
    });
    pass_on();
    std::filesystem::remove(path);
  }
}

}  // namespace mti
