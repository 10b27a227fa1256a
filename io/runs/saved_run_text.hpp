#pragma once

#include <string>
#include <string_view>

#include "mti/model/model.hpp"
#include "solvers/stepping/saved_run.hpp"

namespace mti {

/// A run that was saved, as CBOR (RFC 8949), in which numbers keep every bit, and a check sum behind it. It holds the names of the signals of `model`, which
/// the model that takes the run up must have too, and neither its equations nor its parameters.
[[nodiscard]] std::string write_saved_run(const Model& model, const SavedRun& saved);

/// What write_saved_run wrote. Errors: UnusableFile, id `bad-saved-run`, if the text is none or of another version of
/// the format, or of a model with other signals.
[[nodiscard]] SavedRun read_saved_run(const Model& model, std::string_view text);

}  // namespace mti
