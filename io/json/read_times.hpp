#pragma once

#include <filesystem>
#include <vector>

namespace mti {

/// Times from a text file: one number in each line, empty lines and those that begin with # being skipped; or, where the first
/// line is a header of names, the column `time` of a csv file. Errors: UnusableFile, with the ids of
/// read_csv_column().
[[nodiscard]] std::vector<double> read_times(const std::filesystem::path& file);

}  // namespace mti
