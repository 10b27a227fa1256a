#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mti {

struct OrbitArguments;

/// Enters the command `orbit` with its options. `settings` are the texts of --set.
void add_orbit(CLI::App& app, OrbitArguments& arguments, std::vector<std::string>& settings);

}  // namespace mti
