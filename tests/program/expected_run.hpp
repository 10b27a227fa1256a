#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mti::test {

/// Where a run of the program differs from what NAME.expect.json says of it; empty if nowhere.
///
///     {"run": {"stop": 3, "rtol": 1e-8, "atol": 1e-10},   options of simulate; more by their names, "_" for
///     "-"
///      "outcome": "reached_stop", "accept_outcomes": [...],
///      "events": [{"time": 1, "kind": "switch", "changed": {"z": 1}}],  kind and changed where they are said
///      "events_complete": true,                           no others, the start apart
///      "samples": [{"time": 3, "values": {"x": 0}}],      right limits
///      "end_time": 1,                                     within the tolerance of times
///      "zeno": {"time": 8.58, "tolerance": 1e-6},         an event or outcome of this kind, then
///      "tolerances": {"time": 1e-6, "abs": 1e-6, "rel": 1e-6}}
///
/// A sample s is met by v with |v − s| ≤ abs + rel·|s|. Samples behind the end of a run whose outcome is
/// accepted are not asked for. Times never decrease, whatever is expected.
[[nodiscard]] std::vector<std::string> differences(const std::filesystem::path& model,
                                                   const nlohmann::json& expectation);

}  // namespace mti::test
