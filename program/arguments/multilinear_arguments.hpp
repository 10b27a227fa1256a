#pragma once

#include "program/arguments/arguments.hpp"

namespace CLI {
class App;
}

namespace mti {

/// --multilinear exact, or approximate with --tolerance and --range NAME=LOW:HIGH.
void add_multilinear(CLI::App& command, ConvertArguments& arguments);

/// Throws CLI::RequiresError where an option of the approximate form is given without it.
void require_approximate(const CLI::App& app, const ConvertArguments& arguments);

}  // namespace mti
