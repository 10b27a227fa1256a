#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mti {

/// Everything below `root` that breaks the order of the source tree, one line each: "FILE:LINE: what".
///
/// Layers   mti/ ← solvers/ ← io/ ← program/, python/: an #include names a file of its own layer or of one before
///          it, written from the root; program/ and python/ do not use each other.
/// Outside  each library is included only where the table in rules.cpp allows it; public headers show the
///          C++ standard library and Eigen and nothing else.
/// Length   no .hpp or .cpp file has more than 400 lines; this holds for tests/, bench/ and examples/ as
/// well.
[[nodiscard]] std::vector<std::string> layering_violations(const std::filesystem::path& root);

}  // namespace mti
