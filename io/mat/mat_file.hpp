#pragma once

#include <filesystem>

#include "io/mat/value.hpp"

namespace mti::mat {

/// Writes a MAT file of level 5 (what MATLAB's and Octave's -v7 is), compressed, whole or not at all.
/// Errors: UnusableFile, id `file-unwritable`.
void write_variables(const Variables& variables, const std::filesystem::path& path);

/// Reads every variable of a MAT file of level 5, numbers of any type as doubles.
/// Errors: UnusableFile, ids `file-unreadable`, `mat-format` (not such a file, or cut short), `mat-content`
/// (a variable of a kind that no model has; the pointer is "/" and its name).
[[nodiscard]] Variables read_variables(const std::filesystem::path& path);

}  // namespace mti::mat
