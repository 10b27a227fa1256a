#pragma once

namespace CLI {
class App;
}

namespace mti {

struct IdentifyArguments;

/// Enters the command `identify` with its options.
void add_identify(CLI::App& app, IdentifyArguments& arguments);

}  // namespace mti
