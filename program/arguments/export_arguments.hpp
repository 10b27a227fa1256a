#pragma once

namespace CLI {
class App;
}

namespace mti {

struct ExportArguments;

/// Enters the command `export` with its options.
void add_export(CLI::App& app, ExportArguments& arguments);

}  // namespace mti
