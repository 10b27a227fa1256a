#pragma once

#include <string>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "solvers/mode_sets/mode_space.hpp"
#include "solvers/multimode/conditional_graph.hpp"
#include "solvers/multimode/multimode_offsets.hpp"
#include "solvers/multimode/symbolic_incidence.hpp"
#include "solvers/structure/mode_structure.hpp"

namespace mti {

/// The structure of all modes of a model at once; what analyze_mode (solvers/structure/mode_structure.hpp) says of one
/// mode is said of every mode here, as functions of the binaries held as decision diagrams.
///
/// Equations are rows of f, signals all x, then all y. What the members say of modes that are not considered
/// (ModeSpace) is meaningless; c, d and the leading system say nothing of singular modes.
/// Cost: follows the binaries that meet in one place, not the number of modes. Errors: ModeSetTooLarge, also
/// when more than `nodes` nodes of diagrams have been looked at.
struct AllModes {
  explicit AllModes(const Model& model, long long nodes = most_nodes) : AllModes(of(model, nodes)) {}

  ModeSpace space;
  SymbolicIncidence incidence;
  MultimodeParts parts;
  MultimodeOffsets offsets;
  ConditionalGraph graph;

  [[nodiscard]] bool is_considered(const Mode& mode) const;
  /// The structure of one mode, read off: equal to analyze_mode(model, mode).
  [[nodiscard]] ModeStructure structure_of(const Model& model, const Mode& mode) const;

 private:
  AllModes(ModeSpace space_, SymbolicIncidence incidence_, MultimodeParts parts_, MultimodeOffsets offsets_,
           ConditionalGraph graph_);
  [[nodiscard]] static AllModes of(const Model& model, long long nodes);
};

}  // namespace mti
