#pragma once

#include <filesystem>
#include <string>

#include "mti/source/source.hpp"

namespace mti {

/// The text of a model file that reads back as `source`: read_source(to_json(s)) says the same as s, numbers
/// bit for bit. A csv input arrives in a Source as a table and is written as one, an explicit or state space form as the
/// equations that it stands for. Errors: those of build() where such a form has faults.
[[nodiscard]] std::string to_json(const Source& source);

/// Writes to_json(source) to a file, whole or not at all; "-" is standard output.
/// Errors: UnusableFile, id `file-unwritable`.
void write_model(const Source& source, const std::filesystem::path& path);

}  // namespace mti
