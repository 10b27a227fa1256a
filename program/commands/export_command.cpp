#include "fmi/packaging/export_fmu.hpp"
#include "mti/common/fault.hpp"
#include "program/commands/commands.hpp"

namespace mti {

ExitStatus run(const ExportArguments& arguments) {
  fmi::ExportOptions options = arguments.options;
  options.co_simulation = options.model_exchange = false;
  for (const std::string& interface : arguments.interfaces) {
    if (interface != "cs" && interface != "me")
      throw InvalidOption("bad-option", "", "--interfaces: expected cs or me, found \"" + interface + "\"");
    (interface == "me" ? options.model_exchange : options.co_simulation) = true;
  }
  fmi::export_fmu(arguments.in, arguments.out, options, arguments.reach);
  return ExitStatus::done;
}

}  // namespace mti
