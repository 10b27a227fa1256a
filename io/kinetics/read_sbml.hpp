#pragma once

#include <filesystem>
#include <string>

#include "mti/source/source.hpp"

namespace mti {

/// Whether a path names a file of SBML, by its ending .xml or .sbml.
[[nodiscard]] bool is_sbml_file(const std::filesystem::path& path);

/// Reads SBML (core of levels 2 and 3) as equations; docs/sbml.md says what they are and what is refused.
/// Errors: InvalidModel with everything that was found, ids `sbml-…`, the pointer being "/" and the id of the element;
/// UnusableFile, ids `file-unreadable`.
[[nodiscard]] Source read_sbml_text(const std::string& text);
[[nodiscard]] Source read_sbml_source(const std::filesystem::path& path);

}  // namespace mti
