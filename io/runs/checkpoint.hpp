#pragma once

#include <string>
#include <string_view>

#include "mti/source/source.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {

/// Everything that a run goes on from: its model, what it was asked for, and where it stands.
struct Checkpoint {
  Source source;              ///< with what was set in place of its values
  SimulationOptions options;  ///< what can be written down of them: times, tolerances, limits, choices
  std::string run;            ///< as write_saved_run has written it
};

/// A checkpoint as text: CBOR with a check sum, the model in it as a model file (io/model/write_model.hpp).
[[nodiscard]] std::string write_checkpoint(const Checkpoint& checkpoint);

/// Errors: UnusableFile, id `bad-saved-run`, if the text is none; InvalidModel of its model.
[[nodiscard]] Checkpoint read_checkpoint(std::string_view text);

}  // namespace mti
