#include "program/arguments/arguments.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <map>

#include "mti/source/declarations.hpp"
#include "program/arguments/equilibrium_arguments.hpp"
#include "program/arguments/export_arguments.hpp"
#include "program/arguments/fit_arguments.hpp"
#include "program/arguments/identify_arguments.hpp"
#include "program/arguments/linearize_arguments.hpp"
#include "program/arguments/multilinear_arguments.hpp"
#include "program/arguments/orbit_arguments.hpp"
#include "program/arguments/page_arguments.hpp"
#include "program/arguments/setting_arguments.hpp"
#include "program/arguments/study_arguments.hpp"

namespace mti {
namespace {

/// What becomes of a run.
void add_results(CLI::App& command, SimulateArguments& arguments) {
  CLI::Option* checkpoint = command.add_option("--checkpoint", arguments.checkpoint,
                                               "Write now and then a file from which mti resume goes on");
  checkpoint->type_name("FILE");
  add_duration(command, "--every", arguments.every,
               "Seconds from one checkpoint to the next, or 500ms, 60s, 5min, 1h (default: 60s)")
      ->needs(checkpoint);
  command.add_flag_callback(
      "--no-report", [&arguments] { arguments.report = false; }, "Do not write report.html");
  static const std::map<std::string, RowFile> row_files = {
      {"csv", RowFile::csv}, {"nc", RowFile::netcdf}, {"mat", RowFile::mat}};
  command
      .add_option_function<std::string>(
          "--format",
          [&arguments](const std::string& name) { arguments.selection.file = row_files.at(name); },
          "Rows as trajectory.csv (default), trajectory.nc of NetCDF-4, or trajectory.mat as Modelica's "
          "tools write it")
      ->check(CLI::IsMember(row_files))
      ->type_name("NAME");
  command
      .add_option("--signals", arguments.selection.signals,
                  "Columns of these rows: names, with * and ?, such as x*,tank?.T,der(*)")
      ->delimiter(',')
      ->type_name("NAMES");
  command.add_flag_callback(
      "--no-event-rows", [&arguments] { arguments.selection.event_rows = false; },
      "Write rows at output times only");
  command.add_flag("--mat", arguments.mat, "Also write results.mat for MATLAB, Octave and SciPy");
  command
      .add_option("-o,--out", arguments.directory,
                  "Directory of the results (default: " + arguments.directory + ")")
      ->type_name("DIR");
  command.add_flag("--quiet", arguments.quiet, "Print errors only");
}

void add_simulate(CLI::App& app, SimulateArguments& arguments, std::vector<std::string>& settings) {
  using enum IntegratorChoice;
  static const std::map<std::string, IntegratorChoice> integrators = {
      {"auto", automatic}, {"series", series}, {"flow", flow}, {"ida", ida}};
  static const std::map<std::string, LinearSolver> linear_solvers = {
      {"auto", LinearSolver::automatic}, {"dense", LinearSolver::dense}, {"klu", LinearSolver::klu}};
  CLI::App& command = *app.add_subcommand(
      "simulate", "Run a model; write trajectory.csv, events.json, summary.json and report.html");
  add_model(command, arguments.model, arguments.reach);
  SimulationOptions& options = arguments.options;
  command.add_option("--start", options.start, "Start time (default: the model's experiment)")
      ->type_name("TIME");
  command.add_option("--stop", options.stop, "Stop time")->type_name("TIME");
  command.add_option("--rtol", options.rtol, "Relative tolerance")->type_name("NUMBER");
  command.add_option("--atol", options.atol, "Absolute tolerance, in units of each signal's nominal value")
      ->type_name("NUMBER");
  command.add_option("--output-interval", options.output_interval, "Distance of output times")
      ->type_name("TIME");
  command
      .add_option("--output-times", arguments.output_times,
                  "Output times from a file, one in each line or in the column time of a csv file")
      ->type_name("FILE");
  add_set(command, settings);
  command.add_option("--scenario", arguments.scenario, "Begin as this scenario of the model says")
      ->type_name("NAME");
  command.add_option("--max-seconds", options.max_seconds, "End the run after so many seconds")
      ->type_name("SECONDS");
  command
      .add_option("--max-events", options.max_events, "End the run after so many events (default: 1000000)")
      ->type_name("COUNT");
  command
      .add_option_function<std::string>(
          "--integrator", [&options](const std::string& name) { options.integrator = integrators.at(name); },
          "auto (default), series, flow or ida")
      ->check(CLI::IsMember(integrators))
      ->type_name("NAME");
  command
      .add_option_function<std::string>(
          "--linear-solver",
          [&options](const std::string& name) { options.linear_solver = linear_solvers.at(name); },
          "auto (default), dense or klu")
      ->check(CLI::IsMember(linear_solvers))
      ->type_name("NAME");
  command.add_flag_callback(
      "--no-sliding", [&options] { options.sliding = false; },
      "End the run where only sliding on a surface could follow");
  command.add_option("--sensitivity", arguments.sensitivities, "Also write derivatives, sensitivity.csv")
      ->type_name("p1,start(x),...");
  command.add_flag("--explain", options.explain,
                   "Tell of every candidate at every event why it was taken or turned down");
  add_results(command, arguments);
  command.get_option("--output-times")->excludes("--checkpoint")->excludes("--output-interval");
}

void add_resume(CLI::App& app, SimulateArguments& arguments) {
  CLI::App& command = *app.add_subcommand(
      "resume",
      "Go on with a run from its checkpoint (simulate --checkpoint); write the results from there on");
  add_required(command, "CHECKPOINT", arguments.model, "What --checkpoint has written", "FILE");
  command.add_option("--max-seconds", arguments.options.max_seconds, "End the run after so many seconds")
      ->type_name("SECONDS");
  add_results(command, arguments);
}

void add_check(CLI::App& app, CheckArguments& arguments) {
  CLI::App& command = *app.add_subcommand("check", "Say everything that is wrong with a model");
  add_model(command, arguments.model, arguments.reach);
  add_max_seconds(command, arguments.max_seconds);
  command.add_flag("--json", arguments.json, "Print JSON");
}

void add_analyze(CLI::App& app, AnalyzeArguments& arguments) {
  CLI::App& command = *app.add_subcommand("analyze", "Show the structure of a model, or of one of its modes");
  add_model(command, arguments.model, arguments.reach);
  CLI::Option* mode =
      command
          .add_option("--mode", arguments.mode,
                      "The model frozen in one mode; binaries not named have their start values")
          ->type_name("z1=1,z2=0,...");
  CLI::Option* all_modes =
      command.add_flag("--all-modes", arguments.all_modes, "All modes at once, as formulas of the binaries")
          ->excludes(mode);
  command
      .add_option("--from", arguments.before, "With --all-modes: of mode changes only those from these modes")
      ->type_name("FORMULA")
      ->needs(all_modes);
  command.add_option("--to", arguments.after, "With --all-modes: of mode changes only those to these modes")
      ->type_name("FORMULA")
      ->needs(all_modes);
  command.add_option("-o,--out", arguments.directory, "With --all-modes: also write report.html there")
      ->type_name("DIR")
      ->needs(all_modes);
  add_max_seconds(command, arguments.max_seconds);
  command.add_flag("--json", arguments.json, "Print JSON");
}

void add_convert(CLI::App& app, ConvertArguments& arguments) {
  static const std::map<std::string, ConvertArguments::Form> forms = {
      {"equations", ConvertArguments::Form::equations}, {"matrices", ConvertArguments::Form::matrices}};
  static const std::map<std::string, DifferenceMethod> methods = {
      {"forward-euler", DifferenceMethod::forward_euler},
      {"trapezoidal", DifferenceMethod::trapezoidal},
      {"backward-euler", DifferenceMethod::backward_euler}};
  CLI::App& command = *app.add_subcommand(
      "convert", "Write a model as equations or as matrices; reduce it, scale it, make it discrete");
  add_required(command, "IN", arguments.in, "Model file (.json, .mat or .xml), or - for standard input",
               "FILE");
  add_required(command, "OUT", arguments.out, "File to write (.json or .mat), or - for standard output",
               "FILE");
  command
      .add_option_function<std::string>(
          "--to", [&arguments](const std::string& form) { arguments.form = forms.at(form); },
          "equations or matrices (default: the form IN has not; where the model is changed the form it has)")
      ->check(CLI::IsMember(forms));
  add_confine(command, arguments.reach);
  command.add_flag("--force", arguments.force,
                   "Write over IN where OUT is the same file: its parameters become numbers");
  add_multilinear(command, arguments);
  CLI::Option* reduce =
      command.add_flag("--reduce", arguments.reduce,
                       "Merge equal columns and rows, eliminate aliases and explicit algebraic signals; say "
                       "what the eliminated signals are equal to");
  command
      .add_option("--keep", arguments.keep, "With --reduce: an algebraic signal that stays; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->needs(reduce);
  command
      .add_option("--growth", arguments.most_new_columns,
                  "With --reduce: columns that one substitution may add at most (default: 0)")
      ->type_name("NUMBER")
      ->check(check_not_negative)
      ->needs(reduce);
  command
      .add_option("--rank", arguments.rank_tolerance,
                  "Write f and g with fewer columns, changed by at most TOLERANCE times their norm")
      ->type_name("TOLERANCE")
      ->check(check_part);
  command.add_flag("--scale", arguments.scale, "Give every signal in units of its nominal value");
  CLI::Option* sample_time = command
                                 .add_option("--sample-time", arguments.sample_time,
                                             "Make a continuous model one of discrete time; needs --method")
                                 ->check(check_positive)
                                 ->type_name("TIME");
  CLI::Option* continuous = command
                                .add_flag("--continuous", arguments.continuous,
                                          "Make a model of discrete time a continuous one; needs --method")
                                ->excludes(sample_time);
  CLI::Option* method =
      command
          .add_option_function<std::string>(
              "--method", [&arguments](const std::string& name) { arguments.method = methods.at(name); },
              "forward-euler, trapezoidal or backward-euler; needs --sample-time or --continuous")
          ->check(CLI::IsMember(methods));
  sample_time->needs(method);
  continuous->needs(method);
  CLI::Option* reduced_index =
      command.add_flag("--reduced-index", arguments.reduced_index,
                       "With one structure of index 0 in all modes, as other tools need it; parameters stay");
  for (const char* other : {"--to", "--reduce", "--rank", "--scale", "--method", "--multilinear"})
    reduced_index->excludes(command.get_option(other));
}

void add_print(CLI::App& app, PrintArguments& arguments) {
  CLI::App& command = *app.add_subcommand("print", "Print the equations of a model, in whatever form it is");
  add_model(command, arguments.model, arguments.reach);
  auto* const latex = command.add_flag("--latex", arguments.latex, "As LaTeX, for a document with amsmath");
  auto* const modelica =
      command.add_flag("--modelica", arguments.modelica, "As flat Modelica, whole, with its parameters")
          ->excludes(latex);
  command
      .add_flag("--reduced-index", arguments.reduced_index,
                "With --modelica: with one structure of index 0 in all modes, as other tools need it")
      ->needs(modelica);
  command
      .add_flag("--expanded", arguments.expanded,
                "The multilinear form that is simulated, with the copies that powers need")
      ->excludes(latex)
      ->excludes(modelica);
  command.add_option("--digits", arguments.digits, "Significant digits of numbers (default: 12)")
      ->excludes(modelica)
      ->type_name("NUMBER")
      ->check(CLI::Range(1, 17));
  command.add_option("--width", arguments.width, "Characters of a line (default: 100)")
      ->excludes(modelica)
      ->type_name("NUMBER")
      ->check(CLI::Range(1, 1000000));
}

/// The names of all options of a command, as they are typed: "--stop".
std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// An empty value, such as of a variable that a script has not set, is none: no name of a file, and no number that would not
/// have been given. A list, "z1=1,z2=0,...", may be empty.
void refuse_empty_values(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({}))
    for (CLI::Option* option : command->get_options()) {
      const std::string type = option->get_type_name();
      const bool is_list = type.ends_with("...");
      if (is_list || option->get_items_expected_max() == 0) continue;  // or takes none
      option->check(CLI::Validator(
          [expected = type.substr(0, type.find(':'))](const std::string& value) {
            return value.empty() ? "expected a " + expected + ", found ''" : "";
          },
          ""));
    }
}

/// What to say of the first word that means nothing, with the name that is closest to it; nothing if all do.
std::optional<std::string> unknown_word(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = nullptr;
  std::vector<std::string> commands;
  for (const CLI::App* one : app.get_subcommands({})) {
    commands.push_back(one->get_name());
    if (argc > 1 && one->get_name() == argv[1]) command = one;
  }
  const bool is_option = argc > 1 && std::string_view(argv[1]).starts_with('-');
  if (command == nullptr && argc > 1 && !is_option)
    return "there is no command " + std::string(argv[1]) + did_you_mean(argv[1], commands);
  const std::vector<std::string> options = options_of(command == nullptr ? app : *command);
  for (int i = command == nullptr ? 1 : 2; i < argc; ++i) {
    const std::string_view word = argv[i];
    const std::string name(word.substr(0, word.find('=')));
    if (word == "--") break;
    if (!word.starts_with("--") || std::ranges::find(options, name) != options.end()) continue;
    return (command == nullptr ? "mti" : command->get_name()) + " has no option " + name +
           did_you_mean(name, options);
  }
  return std::nullopt;
}

}  // namespace

std::variant<Arguments, ExitStatus> parse_arguments(int argc, char** argv) {
  CLI::App app("Simulates and analyses hybrid implicit multilinear models.", "mti");
  app.set_version_flag("--version", "mti " MTI_VERSION);
  app.require_subcommand(1);
  app.footer("Exit status: 0 done, 1 wrong usage, 2 model or file not valid, 3 the run ended early.");
  SimulateArguments simulate;
  ResumeArguments resume;
  CheckArguments check;
  AnalyzeArguments analyze;
  LinearizeArguments linearize;
  EquilibriumArguments equilibrium;
  ConvertArguments convert;
  ExportArguments fmu;
  PrintArguments print;
  ReportArguments report;
  StudyArguments study;
  FitArguments fit;
  IdentifyArguments identify;
  OrbitArguments orbit;
  CompletionArguments completion;
  ManualArguments manual;
  std::vector<std::string> settings;  // of simulate, linearize or orbit
  add_simulate(app, simulate, settings);
  add_resume(app, resume.run);
  add_check(app, check);
  add_analyze(app, analyze);
  add_linearize(app, linearize, settings);
  add_equilibrium(app, equilibrium, settings);
  add_convert(app, convert);
  add_export(app, fmu);
  add_print(app, print);
  add_report(app, report);
  add_study(app, study);
  add_fit(app, fit);
  add_identify(app, identify);
  add_orbit(app, orbit, settings);
  add_completion(app, completion);
  add_manual(app, manual);
  refuse_empty_values(app);
  try {
    app.parse(argc, argv);
    if (convert.method && !convert.sample_time && !convert.continuous)
      throw CLI::RequiresError("--method", "--sample-time or --continuous");
    require_approximate(app, convert);
    for (const std::string& setting : settings) simulate.settings.push_back(parse_setting(setting));
    linearize.settings = equilibrium.settings = orbit.settings = simulate.settings;
    completion.tree = manual.tree = command_tree(app);
  } catch (const CLI::ParseError& error) {
    if (const auto unknown = error.get_exit_code() == 0 ? std::nullopt : unknown_word(app, argc, argv)) {
      std::cerr << *unknown << "\nRun with --help for more information.\n";
      return ExitStatus::wrong_usage;
    }
    return app.exit(error, std::cout, std::cerr) == 0 ? ExitStatus::done : ExitStatus::wrong_usage;
  }
  std::optional<Arguments> result;
  const auto take = [&](const char* name, auto& arguments) {
    if (app.got_subcommand(name)) result.emplace(std::move(arguments));
  };
  take("simulate", simulate), take("resume", resume), take("check", check), take("analyze", analyze);
  take("linearize", linearize), take("equilibrium", equilibrium), take("orbit", orbit);
  take("convert", convert), take("export", fmu), take("print", print);
  take("report", report), take("study", study), take("fit", fit), take("identify", identify);
  take("completion", completion), take("manual", manual);
  return std::move(*result);
}

}  // namespace mti
