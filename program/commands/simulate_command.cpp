#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "io/files/files.hpp"
#include "io/files/temporary_name.hpp"
#include "io/json/read_times.hpp"
#include "io/model/read_model.hpp"
#include "io/results/result_columns.hpp"
#include "io/results/result_stream.hpp"
#include "io/results/write_results.hpp"
#include "io/runs/checkpoint.hpp"
#include "io/runs/saved_run_text.hpp"
#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "mti/common/wording.hpp"
#include "mti/model/delays.hpp"
#include "mti/transform/scenario_start.hpp"
#include "program/commands/commands.hpp"
#include "program/commands/experiment_faults.hpp"
#include "program/console/messages.hpp"
#include "program/console/progress.hpp"
#include "program/guard/broken_assertions.hpp"
#include "program/guard/checkpointed_run.hpp"
#include "program/guard/command_limit.hpp"
#include "program/guard/guarded_run.hpp"
#include "program/guard/interrupt.hpp"
#include "solvers/multimode/multimode_analysis.hpp"

namespace mti {
namespace {

constexpr const char* mat_file = "results.mat";

/// What watches over a command: signals from its beginning to its end, the limit until the run looks at both itself.
struct Watches {
  InterruptWatch interrupt;
  CommandLimit limit;

  Watches(double seconds, const std::string& file) : limit(seconds, file, interrupt.token()) {}
};

GuardedRun simulate_interruptibly(const Model& model, const std::string& file, SimulationOptions options,
                                  bool quiet, Patience& patience, const RunWork& work) {
  const ResolvedOptions resolved = resolve(model, options);
  Progress progress(resolved.start, resolved.stop, !quiet);
  options.progress = [&progress](double time) { progress.show(time); };
  options.warn = [&](const std::string& warning) {
    if (!quiet) print_faults(file, {{"warning", "", warning}});
  };
  return run_guarded(model, options, patience, work);
}

/// Rows and events as whole columns, which a MAT file holds, kept beside what is written on the way. Where memory does not
/// hold them they are let go, and the run goes on without.
class KeptColumns {
 public:
  void add(const Trajectory& part) {
    if (lost_) return;
    try {
      if (!kept_) kept_.emplace(part.names(), part.rows_of_S(), part.input_rows());
      kept_->append(part);
    } catch (const std::bad_alloc&) {
      kept_.reset();
      lost_ = true;
    }
  }
  /// With the outcome of the whole; nothing if they were let go.
  [[nodiscard]] const Trajectory* complete(const Trajectory& run) {
    if (lost_) return nullptr;
    if (!kept_) kept_.emplace(run.names(), run.rows_of_S(), run.input_rows());
    kept_->outcome = run.outcome;
    return &*kept_;
  }

 private:
  std::optional<Trajectory> kept_;
  bool lost_ = false;
};

std::string number(double value) { return text::format_number(value, 6); }

void print_summary(const Model& model, const Trajectory& trajectory, const SimulateArguments& arguments) {
  const Outcome& outcome = trajectory.outcome;
  const Statistics& statistics = trajectory.statistics;
  std::string text = (model.name.empty() ? arguments.model : model.name) + ": " + to_string(outcome.kind) +
                     " at t = " + number(outcome.end_time) + "\n";
  text += counted(statistics.events, "event") + ", " + counted(statistics.steps, "step") + ", " +
          counted(static_cast<long>(trajectory.rows_in_all()), "row") + ", " +
          number(statistics.wall_seconds) + " s\n";
  text += "results in " + arguments.directory + "\n";
  print(text);
}

/// All modes for the report, where there are several and the analysis is a matter of a moment; it is kept in
/// `analysis`.
ReportContext reported_modes(const Model& model, OutcomeKind outcome,
                             std::optional<MultimodeAnalysis>& analysis) {
  constexpr int most_equations = 2000;
  constexpr long long most_nodes_here = 2'000'000;  // some tenths of a second
  const auto& inputs = model.signature.inputs();
  if (model.signature.q() == 0 && std::ranges::none_of(inputs, &Signal::binary)) return {};
  const std::string elsewhere = " mti analyze MODEL --all-modes --out DIR shows all modes.";
  if (outcome == OutcomeKind::interrupted || outcome == OutcomeKind::time_budget ||
      outcome == OutcomeKind::out_of_memory)
    return {.left_out = "the run was cut short." + elsewhere};
  if (model.equations() > most_equations)
    return {.left_out =
                "the model has more than " + std::to_string(most_equations) + " equations." + elsewhere};
  try {
    analysis.emplace(analyze_all_modes(model, {}, {}, most_nodes_here));
    return {.analysis = &*analysis};
  } catch (const ModeSetTooLarge& error) {
    return {.left_out = error.what() + ("." + elsewhere)};
  }
}

/// The parameters of the model file with what --set put in their place; none where that would take a second
/// reading of a large model, or of standard input, and none of a MAT file, whose matrices do not hold them.
std::vector<ReportedParameter> reported_parameters(const Model& model, const SimulateArguments& arguments) {
  constexpr std::uintmax_t largest_file = 1'000'000;
  constexpr int most_equations = 5000;
  const std::filesystem::path path = arguments.model;
  std::error_code unknown;
  if (arguments.model == "-" || path.extension() == ".mat" || model.equations() > most_equations ||
      !(std::filesystem::file_size(path, unknown) <= largest_file) || unknown)
    return {};
  std::vector<ReportedParameter> parameters;
  try {
    Source source = read_source_file(path, arguments.reach);
    Settings settings;
    for (const auto& [name, value] : parameter_values(source))
      for (const auto& setting : arguments.settings)
        if (setting.first == name) settings.push_back(setting);
    override_values(source, settings);  // others may depend on these
    for (const auto& [name, value] : parameter_values(source)) {
      const bool set = std::ranges::find(settings, name, &Settings::value_type::first) != settings.end();
      parameters.push_back({name, number(value) + (set ? " (--set)" : "")});
    }
  } catch (const FaultError&) {  // the file has changed since the run began
    return {};
  }
  return parameters;
}

std::string report_page(const Model& model, const Trajectory& trajectory, const SimulateArguments& arguments,
                        ResultStream& results) {
  std::optional<MultimodeAnalysis> analysis;
  ReportContext context = reported_modes(model, trajectory.outcome.kind, analysis);
  context.parameters = reported_parameters(model, arguments);
  return results.report_page(trajectory, context);
}

/// What is made of a run's results may be left in the middle of its making, as the run may be in the middle of its work.
struct Abandoned {
  bool run = false, results = false;
  [[nodiscard]] bool any() const { return run || results; }
};

/// Completes the results. The page of a large model and a MAT file, which holds whole columns, are left out where the run
/// has to end while they are made, and where memory has ended, which they would need again.
ExitStatus write(const Model& model, const Trajectory& trajectory, const SimulateArguments& arguments,
                 ResultStream& results, KeptColumns& columns, Patience& patience, Abandoned& abandoned) {
  const auto in_time = [&](const std::string& file, const std::function<std::string()>& work) {
    std::optional<std::string> made = make_in_time(work, patience);
    if (!made) {
      abandoned.results = true;
      print_faults(arguments.model, {{"warning", "", file + " is left out: there was no time to make it"}});
    }
    return made.value_or(std::string());
  };
  const bool out_of_memory = trajectory.outcome.kind == OutcomeKind::out_of_memory;
  std::string page;
  if (arguments.report && !out_of_memory)
    page = in_time("report.html", [&] { return report_page(model, trajectory, arguments, results); });
  results.finish(trajectory, page);
  if (const Trajectory* const whole = arguments.mat ? columns.complete(trajectory) : nullptr;
      whole != nullptr && !out_of_memory)
    in_time(mat_file, [&] {
      write_mat_results(model, *whole, std::filesystem::path(arguments.directory) / mat_file,
                        arguments.selection);
      return std::string();
    });
  else if (arguments.mat)
    print_faults(arguments.model,
                 {{"warning", "", std::string(mat_file) + " is left out: memory does not hold its columns"}});
  if (!arguments.quiet) print_summary(model, trajectory, arguments);
  const Outcome& outcome = trajectory.outcome;
  const bool done = outcome.kind == OutcomeKind::reached_stop;
  if (!done) print_faults(arguments.model, {{to_string(outcome.kind), "", outcome.message}});
  const ExitStatus status = done ? ExitStatus::done : ExitStatus::ended_early;
  // What was left in the middle still uses what stands here.
  if (abandoned.results) remove_unfinished(std::filesystem::path(arguments.directory) / mat_file);
  if (abandoned.any()) leave_process(static_cast<int>(status));
  return status;
}

/// Refuses options, or the model's own experiment where no option is to blame.
void refuse(const SimulationOptions& options, const Model& model) {
  std::vector<Fault> faults = options.validate(model), own = experiment_faults(model);
  if (faults.empty()) return;
  const bool are_own = std::ranges::all_of(faults, [&](const Fault& fault) {
    return std::ranges::count_if(own, [&](const Fault& other) {
             return other.pointer == fault.pointer && other.message == fault.message;
           }) > 0;
  });
  if (are_own) throw InvalidModel(std::move(own));
  throw InvalidOption(std::move(faults));
}

/// Makes the run and its results. `watches` have looked at the reading, of `inputs`, and counted how long it took.
ExitStatus run_and_write(const Model& model, const SimulateArguments& arguments, const InputFiles& inputs,
                         Watches& watches, const RunWork& work) {
  refuse(arguments.options, model);
  SimulationOptions options = arguments.options;
  options.max_seconds = watches.limit.seconds_left();
  options.stop_token = watches.interrupt.token();
  options.rates = wants_rates(model, arguments.selection);
  watches.limit.results_are_there();  // what comes from here on ends with what it has
  inputs.keep_from(arguments.directory, result_files());
  prepare_directory(arguments.directory, result_files());
  std::optional<ResultStream> results(std::in_place, arguments.directory, model, arguments.options,
                                      arguments.report ? WithReport::yes : WithReport::no,
                                      arguments.selection);
  KeptColumns columns;
  const auto add = [&](const Trajectory& part) {
    results->add(part);
    if (arguments.mat) columns.add(part);
  };
  options.sink = add;
  Patience patience(options.stop_token, options.max_seconds);
  const GuardedRun result =
      simulate_interruptibly(model, arguments.model, options, arguments.quiet, patience, work);
  Abandoned abandoned{result.abandoned, false};
  try {
    // The rest, which the run has not handed on.
    if (result.abandoned) add(result.trajectory);
    const ExitStatus status =
        write(model, result.trajectory, arguments, *results, columns, patience, abandoned);
    print_faults(arguments.model, faults_of_assertions(result.trajectory));
    return status == ExitStatus::done && has_failed_assertion(result.trajectory) ? ExitStatus::ended_early
                                                                                 : status;
  } catch (const FaultError& refused) {
    if (!abandoned.any()) throw;
    print_faults(arguments.model, refused.faults());
  } catch (const std::exception& error) {
    if (!abandoned.any()) throw;
    print_faults(arguments.model, {{"internal-error", "", error.what()}});
  }
  // No exception may leave this frame, which an abandoned thread still uses. Temporary files go with the results; the
  // next run into the directory removes those of a page that is still being made.
  if (!abandoned.results) results.reset();
  leave_process(static_cast<int>(ExitStatus::not_valid));
}

/// What is written on the way, if that is asked for. Whether it can be written is seen now, and not when the run has taken hours.
std::optional<CheckpointPlan> plan_of(const SimulateArguments& arguments, const Source& source) {
  if (!arguments.checkpoint) return std::nullopt;
  const auto place = [](const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path), ignored);
  };
  for (const std::string& name : result_files())
    if (place(*arguments.checkpoint) == place(std::filesystem::path(arguments.directory) / name))
      throw InvalidOption(
          "bad-option", "--checkpoint",
          *arguments.checkpoint + " is a file of the results: the checkpoint would be gone at the end");
  prepare_file(*arguments.checkpoint);
  return CheckpointPlan{*arguments.checkpoint, arguments.every, source};
}

/// The model as the run begins with it.
Model started(Model model, const SimulateArguments& arguments) {
  return arguments.scenario ? with_scenario(std::move(model), *arguments.scenario) : std::move(model);
}

/// A run with derivatives by what is asked for.
ExitStatus run_differentiated(const SimulateArguments& arguments, Watches& watches) {
  if (arguments.checkpoint)
    throw InvalidOption("bad-option", "--sensitivity", "a run with --checkpoint is not differentiated");
  const std::vector<std::string> names = split_derivative_names(*arguments.sensitivities);
  if (names.empty())
    throw InvalidOption("bad-option", "--sensitivity", "expected parameters or start values, found none");
  InputFiles inputs;
  DifferentiatedModel differentiated =
      read_model_with_derivatives(arguments.model, names, arguments.settings, arguments.reach, &inputs);
  if (arguments.scenario) differentiated = with_scenario(std::move(differentiated), *arguments.scenario);
  SimulateArguments with_derivatives = arguments;
  with_derivatives.options.sensitivities = std::move(differentiated.derivatives);
  return run_and_write(differentiated.model, with_derivatives, inputs, watches, simulate);
}

/// A run of which all is known that is to be.
ExitStatus run_with(const SimulateArguments& arguments, Watches& watches) {
  if (arguments.sensitivities) return run_differentiated(arguments, watches);
  InputFiles inputs;
  if (!arguments.checkpoint) {
    const Model model =
        started(read_model(arguments.model, arguments.settings, arguments.reach, &inputs), arguments);
    return run_and_write(model, arguments, inputs, watches, simulate);
  }
  Source source = read_source_file(arguments.model, arguments.reach, &inputs);
  inputs.keep_from(*arguments.checkpoint);
  override_values(source, arguments.settings);
  const std::optional<CheckpointPlan> plan = plan_of(arguments, source);
  const Model built = started(build(source), arguments);
  require_no_delayed_signals(built, "checkpoints");
  return run_and_write(built, arguments, inputs, watches,
                       [&](const Model& model, const SimulationOptions& options) {
                         return run_with_checkpoints(model, options, std::nullopt, plan);
                       });
}

}  // namespace

ExitStatus run(const SimulateArguments& arguments) {
  Watches watches(arguments.options.max_seconds, arguments.model);
  SimulateArguments complete = arguments;
  if (!arguments.output_times.empty()) complete.options.output_times = read_times(arguments.output_times);
  return run_with(complete, watches);
}

ExitStatus run(const ResumeArguments& arguments) {
  SimulateArguments resumed = arguments.run;
  Watches watches(resumed.options.max_seconds, resumed.model);
  const Checkpoint checkpoint = read_checkpoint(read_file(resumed.model));
  const double max_seconds = resumed.options.max_seconds;
  resumed.options = checkpoint.options;
  resumed.options.max_seconds = max_seconds;
  const std::optional<CheckpointPlan> plan = plan_of(resumed, checkpoint.source);
  const Model model = build(checkpoint.source);
  const SavedRun saved = read_saved_run(model, checkpoint.run);
  InputFiles inputs;  // a further checkpoint may take the place of this one, which it makes superfluous
  inputs.add(resumed.model);
  return run_and_write(model, resumed, inputs, watches,
                       [&](const Model& same, const SimulationOptions& options) {
                         return run_with_checkpoints(same, options, saved, plan);
                       });
}

}  // namespace mti
