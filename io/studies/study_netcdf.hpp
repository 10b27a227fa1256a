#pragma once

#include <filesystem>
#include <optional>

#include "io/studies/study_results.hpp"
#include "io/study_journals/study_journal.hpp"
#include "io/study_journals/trajectory_journal.hpp"

namespace mti {

inline constexpr const char* study_netcdf_name = "runs.nc";

/// Writes runs.nc, a file of NetCDF-4, in the order of runs; it appears whole or not at all:
///
///     run   one entry for each run that is there: run, the factors, outcome, end_time, events, the kept quantities, and row_count
///     row   the rows of all runs, one run after the other: time, side, and one variable for each signal
///
/// Signals are those of the model of the plan and of all runs, whose models may differ; those that a run does not have are NaN in
/// its rows. row_count says how many of the rows belong to each run (contiguous ragged array of the CF conventions). What a run has not come to is
/// NaN. A factor whose name is that of a signal, too, is factor.NAME; a signal whose name the file needs is signal.NAME. Memory: one
/// run at a time.
/// Errors: UnusableFile, ids `file-unwritable`, `file-unreadable`.
void write_study_netcdf(const std::filesystem::path& directory, const StudyPlan& plan, JournalRows& rows,
                        TrajectoryRecords& records, const std::optional<StudyShard>& shard);

/// Whether it could be written: to be asked before any run is made. Errors: those of write_study_netcdf().
void try_study_netcdf(const std::filesystem::path& directory, const StudyPlan& plan);

}  // namespace mti
