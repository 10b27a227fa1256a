#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace mti {

/// A name for a file that is not whole yet, beside its place: `.NAME.PROCESS-PLACE-NUMBER`, with the number of the process,
/// where that number counts (the machine since it was started, and its container) and a random number. No two writers of
/// a folder have the same, be they threads, containers or machines that share it.
[[nodiscard]] std::filesystem::path temporary_path(const std::filesystem::path& directory,
                                                   const std::string& name);

/// Removes temporary files of `names` that processes of this place left which are no more. What others are writing,
/// elsewhere too, and other hidden files are not touched.
void remove_leftovers(const std::filesystem::path& directory, std::span<const std::string> names);

/// Removes what this process has begun to write for `path` and has not put there: to be done where it ends in the middle.
void remove_unfinished(const std::filesystem::path& path);

}  // namespace mti
