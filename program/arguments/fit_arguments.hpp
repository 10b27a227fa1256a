#pragma once

namespace CLI {
class App;
}

namespace mti {

struct FitArguments;

/// Enters the command `fit` with its options.
void add_fit(CLI::App& app, FitArguments& arguments);

}  // namespace mti
