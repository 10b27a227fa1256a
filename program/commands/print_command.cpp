#include "io/model/read_model.hpp"
#include "io/modelica_writing/write_modelica.hpp"
#include "mti/common/at.hpp"
#include "mti/printing/readable.hpp"
#include "program/commands/commands.hpp"
#include "program/console/messages.hpp"

namespace mti {

ExitStatus run(const PrintArguments& arguments) {
  if (arguments.modelica) {
    print(to_modelica(read_source_file(arguments.model, arguments.reach)));
    return ExitStatus::done;
  }
  const Model model = read_model(arguments.model, {}, arguments.reach);
  const ReadableStyle style{
      .digits = arguments.digits, .width = at(arguments.width), .expanded = arguments.expanded};
  print(arguments.latex ? print_latex(model, style) : print_text(model, style));
  return ExitStatus::done;
}

}  // namespace mti
