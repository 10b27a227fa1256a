#include <iomanip>
#include <sstream>
#include <string>

#include "io/exchange.hpp"
#include "io/read_model.hpp"
#include "io/write_model.hpp"
#include "mti/build.hpp"
#include "mti/reduction/cp_rank.hpp"
#include "mti/text/print.hpp"
#include "mti/transform/reduce.hpp"
#include "mti/transform/scale_signals.hpp"
#include "program/commands.hpp"
#include "program/messages.hpp"

namespace mti {
namespace {

std::string sizes_of(const Model& model) {
  return std::to_string(model.equations()) + " equations, " + std::to_string(model.constraints()) +
         " constraints, " + std::to_string(model.columns()) + " columns";
}

/// What a reduction did: sizes, and the eliminated signals in the order in which they can be computed.
std::string report_of(const Model& before, const Transformed& reduced) {
  std::string text = sizes_of(before) + " -> " + sizes_of(reduced.model) + "\n";
  for (const std::string& signal : eliminated_signals(reduced.recovery)) text += signal + "\n";
  return text;
}

std::string short_number(double value) {
  std::ostringstream text;
  text << std::setprecision(2) << value;
  return text.str();
}

/// As asked for; else the other writing of a model that is converted and nothing more.
ConvertArguments::Form form_of(const Source& source, const ConvertArguments& arguments) {
  using Form = ConvertArguments::Form;
  const bool has_matrices = source.matrices || source.explicit_form || source.state_space;
  const bool stays =
      arguments.reduce || arguments.rank_tolerance || arguments.scale || is_mat_file(arguments.in);
  return arguments.form.value_or(has_matrices == stays ? Form::matrices : Form::equations);
}

}  // namespace

ExitStatus run(const ConvertArguments& arguments) {
  const bool from_mat = is_mat_file(arguments.in);
  SourceAndModel in = read_source_and_model(arguments.in);
  std::string report;
  if (arguments.reduce) {
    Transformed reduced =
        reduce(in.model, {.keep = arguments.keep, .most_new_columns = arguments.most_new_columns});
    report = report_of(in.model, reduced);
    in.model = std::move(reduced.model);
  }
  if (arguments.rank_tolerance) {
    ModelRankReduction reduced = reduce_rank(in.model, {.tolerance = *arguments.rank_tolerance});
    report += "rank " + std::to_string(reduced.columns_before) + " -> " +
              std::to_string(reduced.model.columns()) + ", relative error " +
              short_number(reduced.relative_error) + "\n";
    in.model = std::move(reduced.model);
  }
  if (arguments.scale) in.model = scale_signals(in.model, nominal_scaling(in.model)).model;
  if (is_mat_file(arguments.out)) {
    write_mat_model(in.model, parameter_values(in.source), arguments.out);
  } else {
    const bool as_equations = form_of(in.source, arguments) == ConvertArguments::Form::equations;
    Source out = as_equations ? to_equations(in.model) : to_matrices(in.model);
    if (from_mat) out.parameters = in.source.parameters;
    write_model(out, arguments.out);
  }
  if (arguments.out != "-") print(report);
  return ExitStatus::done;
}

}  // namespace mti
