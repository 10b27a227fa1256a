#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "io/files/input_files.hpp"

namespace mti {

/// The results of a run as its folder has them.
struct ResultFolder {
  std::string name;        ///< as a page calls the run
  std::string trajectory;  ///< text of trajectory.csv
  std::string events;      ///< of events.json
  std::string summary;     ///< of summary.json
  std::string path;        ///< for messages
};

/// Reads the results that `mti simulate` left in a folder; the files are noted in `inputs`, if that is given. Errors: UnusableFile, id `no-results`, where there
/// are none.
[[nodiscard]] ResultFolder read_result_folder(const std::filesystem::path& directory,
                                              InputFiles* inputs = nullptr);

/// Writes two runs as one page, as write_report() does one: signals, lanes, events, phase plot, statistics.
/// Signals are joined by name; those of the second run are dashed. Binaries are what an event changed, and
/// the last columns as long as they hold nothing but 0 and 1.
/// Errors: UnusableFile, id `no-results`, where a file is not as mti writes it.
void write_comparison(std::ostream& out, ResultFolder first, ResultFolder second);

}  // namespace mti
