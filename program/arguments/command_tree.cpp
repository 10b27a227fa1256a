#include "program/arguments/command_tree.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

namespace mti {
namespace {

std::vector<std::string> typed_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

/// The longest names, in the order of the command: sets of CLI11 are ordered by address.
std::vector<std::string> names_of(const CLI::App& app, const std::set<CLI::Option*>& some) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    if (std::ranges::any_of(some, [&](const CLI::Option* one) { return one == option; }))
      names.push_back(typed_names(*option).back());
  return names;
}

/// CLI11 writes "NAME:{auto,ida}" where only some words are taken, "NUMBER:POSITIVE" where a condition holds.
void split_type(const std::string& type, CommandOption& result) {
  const std::size_t colon = type.find(':');
  result.value = type.substr(0, colon);
  if (colon == std::string::npos || type[colon + 1] != '{') return;
  std::istringstream words(type.substr(colon + 2, type.size() - colon - 3));
  for (std::string word; std::getline(words, word, ',');) result.choices.push_back(word);
}

CommandOption option_of(const CLI::App& app, const CLI::Option& option) {
  CommandOption result{.names = typed_names(option),
                       .text = option.get_description(),
                       .is_required = option.get_required(),
                       .may_repeat = option.get_expected_max() > 1,
                       .needs = names_of(app, option.get_needs()),
                       .excludes = names_of(app, option.get_excludes())};
  if (result.names.empty()) result.place = option.get_name(true);
  if (option.get_items_expected_max() > 0) split_type(option.get_type_name(), result);
  return result;
}

}  // namespace

CommandTree command_tree(const CLI::App& app) {
  CommandTree tree{.name = app.get_name(), .text = app.get_description(), .footer = app.get_footer()};
  for (const CLI::Option* option : app.get_options()) {
    CommandOption one = option_of(app, *option);
    (one.names.empty() ? tree.places : tree.options).push_back(std::move(one));
  }
  for (const CLI::App* command : app.get_subcommands({})) tree.commands.push_back(command_tree(*command));
  return tree;
}

}  // namespace mti
