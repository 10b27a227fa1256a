#pragma once

#include "io/modelica_writing/at_once.hpp"
#include "io/modelica_writing/relations.hpp"
#include "mti/source/source.hpp"

namespace mti::modelica {

/// In Modelica a signal follows the equations of the new mode at once, and states what `reinit` gives them an event iteration
/// later: in between the signal has a value that it has neither before nor behind the instant. A condition without memory is
/// right again behind it; one that is remembered, or that a law waits for, has acted on it.
///
/// Errors: InvalidModel, id `modelica-unwritable`, for hysteresis and when-equations that look at such a signal. Latches, of which
/// it depends on numbers whether they do, are returned.
[[nodiscard]] std::vector<std::string> require_settled_memories(
    const Source& source, const std::vector<std::unique_ptr<ParsedRelation>>& equations,
    const Decisions& decisions, const AtOnce& at_once, const Kinds& kinds);

}  // namespace mti::modelica
