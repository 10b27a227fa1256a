#include <string>

#include "io/files.hpp"
#include "io/read_model.hpp"
#include "io/write_model.hpp"
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

}  // namespace

ExitStatus run(const ConvertArguments& arguments) {
  using Form = ConvertArguments::Form;
  const std::filesystem::path directory =
      arguments.in == "-" ? std::filesystem::path() : std::filesystem::path(arguments.in).parent_path();
  const std::string text = read_file(arguments.in);
  Model model = read_model_text(text, directory);
  const bool has_matrices = read_source(text, directory).matrices.has_value();
  const bool stays = arguments.reduce || arguments.scale;
  const Form form = arguments.form.value_or(has_matrices == stays ? Form::matrices : Form::equations);
  std::string report;
  if (arguments.reduce) {
    Transformed reduced =
        reduce(model, {.keep = arguments.keep, .most_new_columns = arguments.most_new_columns});
    report = report_of(model, reduced);
    model = std::move(reduced.model);
  }
  if (arguments.scale) model = scale_signals(model, nominal_scaling(model)).model;
  write_model(form == Form::equations ? to_equations(model) : to_matrices(model), arguments.out);
  if (arguments.out != "-") print(report);
  return ExitStatus::done;
}

}  // namespace mti
