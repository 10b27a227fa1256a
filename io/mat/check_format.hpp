#pragma once

#include <string_view>

namespace mti::mat {

/// What all variables of a file may hold together, unpacked: 256 MiB are 16 million entries of a sparse
/// matrix. A few kilobytes can unpack to any number of gigabytes.
inline constexpr std::size_t kMostBytes = std::size_t{256} << 20U;

/// Errors: UnusableFile, id `mat-too-large`.
[[noreturn]] void refuse_size();

/// Looks through all bytes of a MAT file of level 5 before matio does, which reads what a file says of itself
/// without looking whether it is there: sizes of elements within each other, numbers of entries, checksums
/// of compressed elements.
///
/// Errors: UnusableFile, ids `mat-format` where they contradict each other, `mat-content` for variables of
/// kinds that are not looked through (functions, objects, integers of 64 bits).
void check_format(std::string_view bytes);

}  // namespace mti::mat
