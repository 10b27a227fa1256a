#pragma once

#include <string>
#include <vector>

#include "program/arguments/arguments.hpp"

namespace CLI {
class App;
}

namespace mti {

void add_linearize(CLI::App& app, LinearizeArguments& arguments, std::vector<std::string>& settings);

}  // namespace mti
