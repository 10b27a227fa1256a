#include "io/study_journals/team_journals.hpp"

#include "io/files/files.hpp"
#include "io/files/journal_file.hpp"
#include "io/study_journals/rank_files.hpp"

namespace mti {

std::string team_journal_name(int rank) { return rank_file_name("journal", ".csv", rank); }

std::vector<std::filesystem::path> team_journals(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> found = rank_files(directory, "journal", ".csv");
  std::erase_if(found, [](const std::filesystem::path& path) {
    return path.filename() == study_journal_name || !begins_with(path, study_journal_mark);
  });
  return found;
}

void gather_team_journals(const std::filesystem::path& directory, const StudyPlan& plan,
                          const JournalRows& there, StudyJournal& journal) {
  constexpr std::size_t at_once = 4096;
  for (const std::filesystem::path& path : team_journals(directory)) {
    const JournalFile lock(path);  // nobody writes to it
    std::vector<std::string> rows;
    const auto pass_on = [&] {
      journal.add(rows);
      rows.clear();
    };
    read_journal(path, plan, [&](long run, std::int64_t place, std::string_view row) {
      if (place < 0 || there.has(run)) return;
      rows.emplace_back(row);
      if (rows.size() == at_once) pass_on();
    });
    pass_on();
    std::filesystem::remove(path);
  }
}

}  // namespace mti
