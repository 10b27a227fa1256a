#include "program/arguments/page_arguments.hpp"

#include <CLI/CLI.hpp>

#include "program/arguments/arguments.hpp"

namespace mti {

void add_report(CLI::App& app, ReportArguments& arguments) {
  CLI::App& command = *app.add_subcommand("report", "Show the results of two runs in one HTML page");
  command.add_option("DIR_A", arguments.first, "Folder of the results of a run, drawn solid")
      ->required()
      ->type_name("DIR");
  command.add_option("DIR_B", arguments.second, "Folder of the results of another one, drawn dashed")
      ->required()
      ->type_name("DIR");
  command.add_option("--out", arguments.out, "File to write, or - for standard output")
      ->required()
      ->type_name("FILE");
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
  command.add_option("DIR", arguments.directory, "Directory of the pages")->required()->type_name("DIR");
  command.add_flag("--markdown", arguments.markdown, "As one page of Markdown, mti.md");
}

}  // namespace mti
