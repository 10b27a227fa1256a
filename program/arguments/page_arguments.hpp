#pragma once

namespace CLI {
class App;
}

namespace mti {

struct ReportArguments;
struct CompletionArguments;
struct ManualArguments;

/// Enter the commands that make pages and scripts, with their options.
void add_report(CLI::App& app, ReportArguments& arguments);
void add_completion(CLI::App& app, CompletionArguments& arguments);
void add_manual(CLI::App& app, ManualArguments& arguments);

}  // namespace mti
