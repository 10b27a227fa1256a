#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mti {

struct EquilibriumArguments;

/// Enters the command `equilibrium` with its options.
void add_equilibrium(CLI::App& app, EquilibriumArguments& arguments, std::vector<std::string>& settings);

}  // namespace mti
