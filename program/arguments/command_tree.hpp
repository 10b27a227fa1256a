#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mti {

/// An option, or an argument that is known by its place, as --help tells of it.
struct CommandOption {
  std::vector<std::string> names = {};    ///< "-h", "--help"; none: known by its place
  std::string value = {};                 ///< what is to be given: "DIR", "TIME"; empty: nothing, a flag
  std::vector<std::string> choices = {};  ///< the words that are taken, where there are only these
  std::string place = {};                 ///< "MODEL" of what is known by its place
  std::string text = {};
  bool is_required = false;
  bool may_repeat = false;
  std::vector<std::string> needs = {}, excludes = {};  ///< names of other options
};

/// The program's commands and options: what completion and manual pages are written from, so that they say
/// what the program does.
struct CommandTree {
  std::string name = {}, text = {}, footer = {};
  std::vector<CommandOption> options = {}, places = {};
  std::vector<CommandTree> commands = {};
};

[[nodiscard]] CommandTree command_tree(const CLI::App& app);

}  // namespace mti
