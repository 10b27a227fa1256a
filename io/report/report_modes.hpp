#pragma once

#include <string>

#include "mti/model/model.hpp"
#include "solvers/multimode/multimode_analysis.hpp"

namespace mti {

/// The structure of all modes as the scripts of a report read it, a JSON object:
///
///     {"binaries": [name], "binaries_in_order": [binary, as the model declares them], "all", "considered",
///     "regular", "singular": numbers of modes, as texts,
///      "considered_where": [text], "singular_where": text,
///      "diagrams": [[binary, set where it is 0, set where it is 1]],
///      "factors": [set], "regular_set", "singular_set": set,
///      "classes": [{where, modes, index, differentiation_index, degrees_of_freedom, set}],
///      "blocks": [{equations: [name], signals: [name], where, set, missing: set}],
///      "edges": [{from, to: blocks, where, set, missing: set}],
///      "lists": [{title, rows: [[what, where, set or null]], left_out}],
///      "classes_left_out", "graph_left_out", "filter_left_out": null or why there is none}
///
/// A set of modes is a number: 0 no mode, 1 all, k + 2 that of diagrams[k], whose parts come before it.
/// "factors" share no binaries; their intersection is the modes considered. The other sets hold considered
/// modes only, so that one has a mode with given values of binaries if both it and every factor has. Those of
/// classes, blocks and edges hold regular modes; "missing" are the regular modes in which a block, or an edge
/// between blocks that are, is not there.
///
/// Limits: no blocks and edges beyond 300 blocks or 1500 edges; no sets at all, and no blocks and edges,
/// beyond 100 000 nodes in the diagrams together; 200 rows of a list. {"left_out": why} where the diagrams of
/// the process outgrow their limit.
[[nodiscard]] std::string report_modes(const Model& model, const MultimodeAnalysis& analysis);

}  // namespace mti
