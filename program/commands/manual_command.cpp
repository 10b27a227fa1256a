#include <vector>

#include "io/files/files.hpp"
#include "program/commands/commands.hpp"
#include "program/help/manual.hpp"

namespace mti {

ExitStatus run(const ManualArguments& arguments) {
  const CommandTree& program = arguments.tree;
  std::vector<std::string> names, pages;
  if (arguments.markdown) {
    names = {program.name + ".md"};
    pages = {manual_markdown(program)};
  } else {
    names = {program.name + ".1"};
    pages = {manual_page(program, program)};
    for (const CommandTree& command : program.commands) {
      names.push_back(program.name + "-" + command.name + ".1");
      pages.push_back(manual_page(program, command));
    }
  }
  std::vector<NamedText> files;
  for (std::size_t i = 0; i < names.size(); ++i) files.push_back({names[i], pages[i]});
  write_files(arguments.directory, files);
  return ExitStatus::done;
}

}  // namespace mti
