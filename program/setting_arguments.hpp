#pragma once

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace mti {

/// Enters the option --set.
void add_set(CLI::App& command, std::vector<std::string>& settings);

/// "NAME=VALUE" as a pair; throws CLI::ValidationError.
[[nodiscard]] std::pair<std::string, double> parse_setting(const std::string& text);

}  // namespace mti
