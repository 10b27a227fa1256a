#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <system_error>

#include "io/files/files.hpp"
#include "io/mat/exchange.hpp"
#include "io/model/read_model.hpp"
#include "io/model/write_model.hpp"
#include "io/modelica/read_modelica.hpp"
#include "io/modelica_writing/write_modelica.hpp"
#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "mti/common/wording.hpp"
#include "mti/lifting/interpolate_functions.hpp"
#include "mti/lifting/lift_functions.hpp"
#include "mti/printing/print.hpp"
#include "mti/reduction/cp_rank.hpp"
#include "mti/transform/discretise.hpp"
#include "mti/transform/reduce.hpp"
#include "mti/transform/scale_signals.hpp"
#include "program/commands/commands.hpp"
#include "program/console/messages.hpp"
#include "program/guard/command_limit.hpp"
#include "program/guard/interrupt.hpp"
#include "solvers/linearization/linearization_points.hpp"
#include "solvers/multimode/jumping_states.hpp"
#include "solvers/reduced_index/reduced_index.hpp"

namespace mti {
namespace {

std::string sizes_of(const Model& model) {
  return counted(model.equations(), "equation") + ", " + counted(model.constraints(), "constraint") + ", " +
         counted(model.columns(), "column");
}

/// What a reduction did: sizes, and the eliminated signals in the order in which they can be computed.
std::string report_of(const Model& before, const Transformed& reduced) {
  std::string text = sizes_of(before) + " -> " + sizes_of(reduced.model) + "\n";
  for (const std::string& signal : eliminated_signals(reduced.recovery)) text += signal + "\n";
  return text;
}

bool changes(const ConvertArguments& arguments) {
  return arguments.multilinear || arguments.method || arguments.reduce || arguments.rank_tolerance ||
         arguments.scale;
}

/// "5 functions -> 5 states, 3 constraints more"
std::string growth_of(const Model& before, const Model& after) {
  std::vector<std::string> more;
  const auto add = [&more](long count, const char* noun) {
    if (count > 0) more.push_back(counted(count, noun));
  };
  add(after.signature.n() - before.signature.n(), "state");
  add(after.signature.p() - before.signature.p(), "algebraic signal");
  add(after.signature.q() - before.signature.q(), "binary");
  add(after.constraints() - before.constraints(), "constraint");
  return counted(static_cast<long>(before.functions.size()), "function") + " -> " +
         (more.empty() ? "nothing" : joined(more)) + " more";
}

/// As asked for; else the other writing of a model that is converted and nothing more.
ConvertArguments::Form form_of(const Source& source, const ConvertArguments& arguments) {
  using Form = ConvertArguments::Form;
  const bool has_matrices = source.matrices || source.explicit_form || source.state_space;
  const bool stays = changes(arguments) || is_mat_file(arguments.in);
  return arguments.form.value_or(has_matrices == stays ? Form::matrices : Form::equations);
}

/// Of discrete time if it is continuous, or the other way round; from the consistent point where it starts.
Model in_other_time(const Model& model, const ConvertArguments& arguments) {
  if (arguments.continuous != model.is_discrete())  // nothing to start from: let it say so
    return arguments.continuous ? make_continuous(model, *arguments.method, {})
                                : discretise(model, *arguments.sample_time, *arguments.method, {});
  if (!model.transitions.empty()) return discretise(model, *arguments.sample_time, *arguments.method, {});
  const std::vector<double> start = start_of_run(model);
  return arguments.continuous ? make_continuous(model, *arguments.method, start)
                              : discretise(model, *arguments.sample_time, *arguments.method, start);
}

/// Functions of signals as multilinear equations; exact ones begin where the run does.
std::string make_multilinear(Model& model, const ConvertArguments& arguments) {
  if (model.is_multilinear() && model.divisors.empty()) return {};
  const Model before = model;
  if (arguments.multilinear == ConvertArguments::Multilinear::exact) {
    model = lift_functions(model, start_of_run(model), jumping_states(model));
    return growth_of(before, model) + "\n";
  }
  InterpolatedModel made = interpolate_functions(model, arguments.interpolation);
  std::string report;
  for (const InterpolatedFunction& function : made.functions)
    report += function.text + ": " + counted(function.lines, "line") + " from " +
              text::format_number(function.range.low, 6) + " to " +
              text::format_number(function.range.high, 6) + ", largest error " +
              text::format_number(function.error, 2) + " at " +
              counted(arguments.interpolation.random_points, "random argument") + "\n";
  model = std::move(made.model);
  return report + growth_of(before, model) + ", " + counted(model.columns(), "column") + ", " +
         std::to_string(made.columns_before) + " before equal ones were merged\n";
}

/// What is asked for, in this order; returns what there is to say about it.
std::string change(Model& model, const ConvertArguments& arguments) {
  std::string report;
  if (arguments.multilinear) report = make_multilinear(model, arguments);
  if (arguments.method) model = in_other_time(model, arguments);
  if (arguments.reduce) {
    Transformed reduced =
        reduce(model, {.keep = arguments.keep, .most_new_columns = arguments.most_new_columns});
    report += report_of(model, reduced);
    model = std::move(reduced.model);
  }
  // What changes by little is a matter of units.
  if (arguments.scale) model = scale_signals(model, nominal_scaling(model)).model;
  if (arguments.rank_tolerance) {
    ModelRankReduction reduced = reduce_rank(model, {.tolerance = *arguments.rank_tolerance});
    report += "rank " + std::to_string(reduced.columns_before) + " -> " +
              std::to_string(reduced.model.columns()) + ", relative error " +
              text::format_number(reduced.relative_error, 2) + "\n";
    model = std::move(reduced.model);
  }
  return report;
}

/// What is written can be read: an elimination may leave no equation, or one that says 1 = 0 of a model whose own rows
/// contradict each other. Errors: InvalidModel with what is wrong with it.
void require_model(const Source& reduced) {
  try {
    static_cast<void>(build(reduced));
  } catch (const InvalidModel& refused) {
    std::vector<Fault> faults = refused.faults();
    for (Fault& fault : faults) fault.message = "after --reduce: " + fault.message + "; nothing is written";
    throw InvalidModel(std::move(faults));
  }
}

/// By such an ending the file would be read as what it is not.
void require_ending_of_model(const std::filesystem::path& out) {
  std::string ending = out.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* other : {".xml", ".sbml", ".csv", ".nc", ".fmu", ".m", ".html"})
    if (ending == other)
      throw InvalidOption("bad-option", "",
                          "OUT: found " + out.string() + "; models are written as .json, .mat and .mo files");
}

/// A model file is more than the f and g that are written: to write over it, or over what it reads, loses the rest.
void keep_inputs(const ConvertArguments& arguments, const SourceAndModel& in, const InputFiles& inputs) {
  if (arguments.force) return;
  if (arguments.in == "-" || arguments.out == "-" || !are_one_file(arguments.in, arguments.out))
    return inputs.keep_from(arguments.out);
  const auto parameters = static_cast<long>(in.source.parameters.size());
  const std::string numbers = parameters == 0 ? ""
                                              : counted(parameters, "parameter") + " would become " +
                                                    (parameters == 1 ? "a number" : "numbers") + "; ";
  throw InvalidOption(
      "output-is-input", "",
      "OUT is the file IN: " + numbers +
          "equations, components and csv inputs would lose the form they are written in; give "
          "another name, or --force to write over it");
}

/// Standard output, or a pipe or device: what it takes is gone, and it may take no more.
bool takes_pieces(const std::string& out) {
  std::error_code unknown;
  const auto status = std::filesystem::status(out, unknown);
  return out == "-" || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status));
}

/// What is written, where that is no MAT file.
std::string text_of(const SourceAndModel& in, const ConvertArguments& arguments) {
  if (arguments.reduced_index) {
    const Source reduced = reduced_index(in.source);
    return is_modelica_file(arguments.out) ? to_modelica(reduced, in.source) : to_json(reduced);
  }
  if (is_modelica_file(arguments.out))
    return to_modelica(changes(arguments) ? to_equations(in.model) : in.source);
  if (is_modelica_file(arguments.in) && !changes(arguments) && !arguments.form)
    return to_json(in.source);  // as it is written, with its parameters
  const bool as_equations = form_of(in.source, arguments) == ConvertArguments::Form::equations;
  Source out = as_equations ? to_equations(in.model) : to_matrices(in.model);
  if (is_mat_file(arguments.in)) out.parameters = in.source.parameters;
  if (arguments.reduce) require_model(out);
  return to_json(out);
}

}  // namespace

ExitStatus run(const ConvertArguments& arguments) {
  const InterruptWatch interrupt;
  CommandLimit limit(arguments.in, interrupt.token());
  InputFiles inputs;
  SourceAndModel in = read_source_and_model(arguments.in, arguments.reach, &inputs);
  keep_inputs(arguments, in, inputs);
  require_ending_of_model(arguments.out);
  const std::string report = change(in.model, arguments);
  if (is_mat_file(arguments.out)) {
    if (arguments.reduced_index)
      throw InvalidOption(
          "bad-option", "",
          "--reduced-index writes equations with conditions, and OUT is a MAT file; expected a "
          "name that ends in .json or .mo");
    if (arguments.reduce) require_model(to_matrices(in.model));
    limit.results_are_written(arguments.out);
    write_mat_model(in.model, parameter_values(in.source), arguments.out);
  } else {
    const std::string text = text_of(in, arguments);
    if (takes_pieces(arguments.out))
      limit.results_are_printed();
    else
      limit.results_are_written(arguments.out);
    write_file(arguments.out, text);
  }
  limit.results_are_there();
  if (is_mat_file(arguments.out))
    for (const std::string& warning : mat_warnings(in.model))
      print_faults(arguments.out, {{"warning", "", warning}});
  if (arguments.out != "-") print(report);
  return ExitStatus::done;
}

}  // namespace mti
