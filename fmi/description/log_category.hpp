#pragma once

#include <array>
#include <string_view>

namespace mti::fmi {

/// What an FMU can tell of, by the names of the standards.
struct LogCategory {
  std::string_view name, description;
};
inline constexpr std::array<LogCategory, 4> log_categories = {{
    {"logEvents", "Every event: time, kind, what changes"},
    {"logStatusWarning", "Calls that are answered, with something to be known"},
    {"logStatusDiscard", "Runs that end early, with the reason"},
    {"logStatusError", "Calls that are refused, with the reason"},
}};

}  // namespace mti::fmi
