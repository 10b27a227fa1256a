#include <string>

#include "io/model/read_model.hpp"
#include "io/modelica_writing/write_modelica.hpp"
#include "mti/common/at.hpp"
#include "mti/printing/readable.hpp"
#include "program/commands/commands.hpp"
#include "program/console/messages.hpp"
#include "program/guard/command_limit.hpp"
#include "program/guard/interrupt.hpp"
#include "solvers/reduced_index/reduced_index.hpp"

namespace mti {

namespace {

std::string text_of(const PrintArguments& arguments) {
  if (arguments.modelica) {
    const Source source = read_source_file(arguments.model, arguments.reach);
    return arguments.reduced_index ? to_modelica(reduced_index(source), source) : to_modelica(source);
  }
  const Model model = read_model(arguments.model, {}, arguments.reach);
  const ReadableStyle style{
      .digits = arguments.digits, .width = at(arguments.width), .expanded = arguments.expanded};
  return arguments.latex ? print_latex(model, style) : print_text(model, style);
}

}  // namespace

ExitStatus run(const PrintArguments& arguments) {
  const InterruptWatch interrupt;
  CommandLimit limit(arguments.model, interrupt.token());
  const std::string text = text_of(arguments);
  limit.results_are_printed();
  print(text);
  return ExitStatus::done;
}

}  // namespace mti
