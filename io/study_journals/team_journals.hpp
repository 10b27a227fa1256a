#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/study_journals/study_journal.hpp"

namespace mti {

/// Name of the journal of a process in a folder that a team writes to: that of the study for rank 0.
[[nodiscard]] std::string team_journal_name(int rank);

/// The journals in a folder that processes of a team have left there, but for that of rank 0; no files of others.
[[nodiscard]] std::vector<std::filesystem::path> team_journals(const std::filesystem::path& directory);

/// Moves the rows of these journals into that of the study, `there` being what it has. A row is in one of the files
/// at any time.
/// Errors: UnusableFile, ids `study-changed`, `file-unwritable` (a process is still writing to one).
void gather_team_journals(const std::filesystem::path& directory, const StudyPlan& plan,
                          const JournalRows& there, StudyJournal& journal);

}  // namespace mti
