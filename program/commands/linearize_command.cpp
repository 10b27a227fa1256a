#include <algorithm>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "io/analysis/mode_text.hpp"
#include "io/analysis/write_linearization.hpp"
#include "io/files/files.hpp"
#include "io/model/read_model.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/common/wording.hpp"
#include "program/commands/commands.hpp"
#include "program/console/complex_text.hpp"
#include "program/console/messages.hpp"
#include "program/guard/command_limit.hpp"
#include "program/guard/interrupt.hpp"
#include "solvers/linearization/linearize.hpp"

namespace mti {
namespace {

/// Throws what is wrong with the options, for this model.
void check(const LinearizeArguments& arguments, const Model& model) {
  std::vector<Fault> faults;
  if (std::ranges::any_of(arguments.times, [&](double t) { return t < model.experiment.start; }))
    faults.push_back({"bad-option", "/experiment/start", "--at lies before the start time"});
  if (!parse_complex(arguments.near))
    faults.push_back({"bad-option", "",
                      "--near: found \"" + arguments.near + "\", expected a number such as -1 or 0.5+2i"});
  if (!faults.empty()) throw InvalidOption(std::move(faults));
}

std::vector<LinearizationPoint> points(const LinearizeArguments& arguments, const Model& model,
                                       std::stop_token stop) {
  const bool by_run = !arguments.times.empty() || arguments.events || !arguments.mode;
  std::vector<double> times = arguments.times;
  if (times.empty() && !arguments.events) times = {model.experiment.start};
  std::vector<LinearizationPoint> result;
  if (by_run)
    result = points_of_run(
        model, {.times = std::move(times), .events = arguments.events, .stop_token = std::move(stop)});
  if (!arguments.mode) return result;
  const Mode mode = parse_mode(model, *arguments.mode);
  if (!by_run) result.push_back(start_point(model, mode));
  for (LinearizationPoint& point : result) {
    point = in_mode(model, std::move(point), mode);
    if (!arguments.as_given) point = consistent_point(model, std::move(point));
  }
  return result;
}

LinearizationOptions options_of(const LinearizeArguments& arguments) {
  LinearizationOptions options;
  options.with_eigenvalues = arguments.count != 0;
  options.eigenvalues.count = arguments.count;
  options.eigenvalues.near = *parse_complex(arguments.near);
  options.eigenvalues.participation = arguments.participation;
  options.state_space = arguments.state_space;
  return options;
}

void warn(const std::string& file, const Linearization& linearization) {
  for (const std::string& name : linearization.on_boundary)
    print_faults(
        file, {{"warning", "",
                "at t = " + text::format_number(linearization.time, 6) + " the point lies on the boundary " +
                    name + " = 0: the linearisation holds on one side of it"}});
}

void warn_of_sampled_states(const std::string& file, const Model& model) {
  const std::vector<int> sampled = sampled_states(model);
  if (sampled.empty() || model.is_discrete()) return;
  constexpr std::size_t most_names = 6;
  std::vector<std::string> names;
  for (const int state : sampled) names.push_back(model.signature.states()[at(state)].name);
  print_faults(
      file, {{"warning", "",
              "sampled: " + name_list(names, most_names) +
                  "; the linearisation is that of the motion between two ticks, in which they stand still: "
                  "each has an eigenvalue 0 that says nothing of the sampled system"}});
}

}  // namespace

ExitStatus run(const LinearizeArguments& arguments) {
  const InterruptWatch interrupt;
  CommandLimit limit(arguments.max_seconds, arguments.model, interrupt.token());
  InputFiles inputs;
  const Model model = read_model(arguments.model, arguments.settings, arguments.reach, &inputs);
  limit.reading_is_done();
  check(arguments, model);
  if (arguments.directory) inputs.keep_from(linearization_files(*arguments.directory));
  if (arguments.directory) prepare_directory(*arguments.directory);
  const LinearizationOptions options = options_of(arguments);
  warn_of_sampled_states(arguments.model, model);
  std::vector<Linearization> results;
  for (const LinearizationPoint& point : points(arguments, model, interrupt.token())) {
    results.push_back(linearize(model, point, options));
    warn(arguments.model, results.back());
  }
  std::string text;
  if (arguments.json)
    text = results.size() == 1 ? linearization_json(model, results.front())
                               : linearizations_json(model, results);
  else
    for (std::size_t i = 0; i < results.size(); ++i)
      text += (i == 0 ? "" : "\n") + linearization_text(model, results[i]);
  limit.results_are_there();
  if (arguments.directory) write_linearizations(*arguments.directory, model, results);
  print(text);
  return ExitStatus::done;
}

}  // namespace mti
