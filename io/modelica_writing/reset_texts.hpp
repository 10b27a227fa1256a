#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/modelica_writing/relations.hpp"

namespace mti::modelica {

struct Reset {
  std::string text;  ///< a when-equation with its lines
  const ParsedRelation* constraint =
      nullptr;  ///< what it says by itself: `reach` of a constraint without binaries
};

/// Errors: InvalidModel, id `modelica-unwritable`, for laws of binaries that the initialisation changes: they hold at the start.
void require_quiet_start(const Source& source);

/// In Modelica nothing becomes true at the start. The states that laws of `reach` have set where a run begins, with the values
/// that they have from then on: they are to begin with these. Laws of constraints that hold there set none.
[[nodiscard]] std::map<std::string, double> starts_behind_laws(const Source& source);

/// A law as `when … then reinit(s, …); end when;`. Errors: InvalidModel, id `modelica-unwritable`, for laws that are
/// equations between right limits or leave impulses to others.
[[nodiscard]] Reset reset_of(const Source& source, std::size_t index,
                             const std::vector<std::unique_ptr<ParsedRelation>>& constraints,
                             const Kinds& kinds, ModelicaNotation& notation);

}  // namespace mti::modelica
