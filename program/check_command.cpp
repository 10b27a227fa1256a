#include "io/read_model.hpp"
#include "program/commands.hpp"
#include "program/messages.hpp"

namespace mti {

ExitStatus run(const CheckArguments& arguments) {
  const Model model = read_model(arguments.model);
  print((model.name.empty() ? arguments.model : model.name) + ": valid, " +
        std::to_string(model.equations()) + " equations, " + std::to_string(model.constraints()) +
        " constraints, " + std::to_string(model.signature.q()) + " binaries\n");
  return ExitStatus::done;
}

}  // namespace mti
