#pragma once

namespace CLI {
class App;
}

namespace mti {

struct StudyArguments;

/// Enters the command `study` with its options.
void add_study(CLI::App& app, StudyArguments& arguments);

}  // namespace mti
