#pragma once

#include <span>
#include <string>

#include "io/json/writer.hpp"
#include "io/runs/write_explanation.hpp"
#include "mti/model/model.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// The events of a run as events.json and the report have them (docs/events.md), in the model's names:
///
///     [{"time": 1, "kind": "…", "constraints": ["c1"], "changed": {"z": [0, 1]}, "jumps": {"v": [1, -1]},
///       "impulses": {"F": {"weight": w, "order": 1, "lower": […]}}, "candidates_tried": 2,
///       "ties": [{"z": [0, 1]}], "steps": [{"z": [0, 1]}], …}, …]
void write_events(json::Writer& out, const Model& model, const Trajectory& trajectory,
                  WithExplanation explained);
/// One of them.
/// `parameters` are the names of what its time is differentiated by.
void write_event(json::Writer& out, const Model& model, const Event& event, WithExplanation explained,
                 std::span<const std::string> parameters = {});

}  // namespace mti
