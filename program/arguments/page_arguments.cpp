#include "program/arguments/page_arguments.hpp"

#include <CLI/CLI.hpp>

#include "program/arguments/arguments.hpp"
#include "program/arguments/setting_arguments.hpp"

namespace mti {

void add_report(CLI::App& app, ReportArguments& arguments) {
  CLI::App& command = *app.add_subcommand("report", "Show the results of two runs in one HTML page");
  add_required(command, "DIR_A", arguments.first, "Folder of the results of a run, drawn solid", "DIR");
  add_required(command, "DIR_B", arguments.second, "Folder of the results of another one, drawn dashed",
               "DIR");
  add_required(command, "-o,--out", arguments.out, "File to write, or - for standard output", "FILE");
}

void add_completion(CLI::App& app, CompletionArguments& arguments) {
  CLI::App& command =
      *app.add_subcommand("completion", "Print what completes commands, options and files in a shell");
  command.add_option("SHELL", arguments.shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

void add_manual(CLI::App& app, ManualArguments& arguments) {
  CLI::App& command = *app.add_subcommand("manual", "Write the manual pages, one for each command");
  add_required(command, "DIR", arguments.directory, "Directory of the pages", "DIR");
  command.add_flag("--markdown", arguments.markdown, "As one page of Markdown, mti.md");
}

}  // namespace mti
