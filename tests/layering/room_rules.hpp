#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mti {

/// Everything below `root` that breaks the order of the rooms, one line each: "FILE: what" or "ROOM: what".
///
/// Rooms    every source and header of mti/, solvers/ and io/ stands in a room, a folder of the table in
///          room_rules.cpp; an #include names a file of its own room or of a lower one of its layer, and no header
///          includes itself by way of others.
/// Size     no room has more than 2,500 lines.
/// Pairs    a source has a header of its name, or of what its name begins with (simulation.hpp for
///          simulation_events.cpp).
[[nodiscard]] std::vector<std::string> room_violations(const std::filesystem::path& root);

}  // namespace mti
