#include "program/arguments/study_arguments.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <optional>
#include <string_view>

#include "program/arguments/arguments.hpp"
#include "program/arguments/setting_arguments.hpp"

namespace mti {
namespace {

/// "k/N" with whole numbers 1 ≤ k ≤ N.
std::optional<StudyShard> parse_shard(std::string_view text) {
  StudyShard shard;
  const char* const end = text.data() + text.size();
  const auto part = std::from_chars(text.data(), end, shard.part);
  if (part.ec != std::errc() || part.ptr == end || *part.ptr != '/') return std::nullopt;
  const auto parts = std::from_chars(part.ptr + 1, end, shard.parts);
  if (parts.ec != std::errc() || parts.ptr != end || shard.part < 1 || shard.part > shard.parts)
    return std::nullopt;
  return shard;
}

}  // namespace

void add_study(CLI::App& app, StudyArguments& arguments) {
  CLI::App& command = *app.add_subcommand(
      "study", "Run a model many times, on all processors; write runs.csv, study.json and report.html");
  add_required(command, "PLAN", arguments.plan, "Plan of the study, or - for standard input", "FILE");
  command.add_flag_callback(
      "--confine", [&arguments] { arguments.reach = Reach::own_folder; },
      "Refuse models and csv files that do not lie below the folder of the plan");
  command.add_option("-o,--out", arguments.directory, "Directory of the results (default: out)")
      ->type_name("DIR");
  StudyOptions& options = arguments.options;
  CLI::Option* jobs =
      command.add_option("--jobs", options.jobs, "Runs at a time (default: one for each processor)")
          ->check(CLI::Range(1, 4096))
          ->type_name("COUNT");
  CLI::Option* resume = command.add_flag("--resume", options.resume, "Go on with what is in the directory");
  CLI::Option* seconds = command.add_option("--max-seconds", options.max_seconds,
                                            "Stop after so many seconds; --resume goes on from there");
  seconds->type_name("SECONDS");
  CLI::Option* shard = command
                           .add_option_function<std::string>(
                               "--shard",
                               [&options](const std::string& text) {
                                 options.shard = parse_shard(text);
                                 if (!options.shard)
                                   throw CLI::ValidationError(
                                       "--shard", "found \"" + text + "\", expected k/N with 1 <= k <= N");
                               },
                               "Make part k of N of the runs")
                           ->type_name("k/N");
  command
      .add_option("--merge", arguments.parts,
                  "Make no runs: put together those that are in these directories, made with --shard")
      ->type_name("DIR")
      ->excludes(jobs)
      ->excludes(resume)
      ->excludes(seconds)
      ->excludes(shard);
  command.add_flag_callback(
      "--no-report", [&options] { options.page = StudyPage::left_out; }, "Do not write report.html");
  command.add_flag("--quiet", arguments.quiet, "Print errors only");
}

}  // namespace mti
