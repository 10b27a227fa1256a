#pragma once

#include <vector>

#include "io/json/object_reader.hpp"
#include "io/study_plans/study_plan.hpp"

namespace mti::json {

/// The member "keep" of a plan:
///
///     {"final": [s …], "minimum": [s …], "maximum": [s …], "integral": [s …], "average": [s …],
///      "at": {"times": [t …], "signals": [s …]},
///      "event_counts": [e …], "event_times": {e: n, …},
///      "trajectories": [v …]}
///
/// s is the name of a state, an algebraic signal or a binary, or a pattern with * and ?, which stands for all that fit; v may
/// also be an input or der(state); e is reach(constraint), rise(binary), fall(binary) or emit(name), and n says how many times are kept.
/// They become the members `kept` and `trajectories` of the plan. Faults: `unknown-signal`, `unknown-event`, `bad-option`,
/// those of ObjectReader.
void read_kept(const Value& value, const std::string& pointer, const Model& model, StudyPlan& plan,
               std::vector<Fault>& faults);

}  // namespace mti::json
