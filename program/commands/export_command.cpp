#include "fmi/packaging/export_fmu.hpp"
#include "mti/common/fault.hpp"
#include "program/commands/commands.hpp"

namespace mti {

ExitStatus run(const ExportArguments& arguments) {
  for (const std::string& interface : arguments.interfaces) {
    if (interface == "me")
      throw InvalidOption(
          "no-model-exchange", "",
          "--interfaces me: FMUs for Model Exchange are not written; those for Co-Simulation (cs) "
          "do all that models do");
    if (interface != "cs")
      throw InvalidOption("bad-option", "", "--interfaces: expected cs or me, found \"" + interface + "\"");
  }
  fmi::export_fmu(arguments.in, arguments.out, arguments.options, arguments.reach);
  return ExitStatus::done;
}

}  // namespace mti
