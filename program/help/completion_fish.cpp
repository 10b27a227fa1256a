#include <string>
#include <string_view>

#include "program/help/completion.hpp"

namespace mti {
namespace {

/// A text in single quotes of fish.
std::string fish_text(std::string_view text) {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + "'";
}

/// How what follows is completed: -f nothing, -F files.
std::string fish_value(const CommandOption& option) {
  std::string words;
  for (const std::string& choice : option.choices) words += (words.empty() ? "" : " ") + choice;
  if (!words.empty()) return " -f -a " + fish_text(words);
  if (option.value == "DIR") return " -f -a '(__fish_complete_directories (commandline -ct))'";
  return option.value == "FILE" ? " -F" : " -f";
}

std::string fish_option(const CommandOption& option) {
  std::string line;
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value.empty()) line += " -r" + fish_value(option);
  return line + " -d " + fish_text(option.text) + "\n";
}

}  // namespace

std::string fish_completion(const CommandTree& program) {
  const std::string complete = "complete -c " + program.name;
  std::string text = "# Completion of " + program.name + " in fish; written by: " + program.name +
                     " completion fish\n" + complete + " -f\n";
  for (const CommandOption& option : program.options)
    text += complete + " -n __fish_use_subcommand" + fish_option(option);
  for (const CommandTree& command : program.commands) {
    text +=
        complete + " -n __fish_use_subcommand -a " + command.name + " -d " + fish_text(command.text) + "\n";
    const std::string within = complete + " -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const CommandOption& option : command.options) text += within + fish_option(option);
    // Fish does not count places: each offers what it takes.
    for (const CommandOption& place : command.places) text += within + fish_value(place) + "\n";
  }
  return text;
}

}  // namespace mti
