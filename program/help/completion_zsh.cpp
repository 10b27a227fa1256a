#include <string>
#include <string_view>

#include "program/help/completion.hpp"

namespace mti {
namespace {

/// A text within a specification of _arguments, which stands in single quotes.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '\'') {
      result += "'\\''";
      continue;
    }
    if (std::string_view(R"([]:\)").find(letter) != std::string_view::npos) result += '\\';
    result += letter;
  }
  return result;
}

/// ":TIME: " or ":DIR:_directories": what follows and how it is completed.
std::string zsh_value(const CommandOption& option) {
  std::string words;
  for (const std::string& choice : option.choices) words += (words.empty() ? "" : " ") + choice;
  const std::string action = !words.empty()           ? "(" + words + ")"
                             : option.value == "DIR"  ? "_directories"
                             : option.value == "FILE" ? "_files"
                                                      : " ";
  return ":" + zsh_text(option.place.empty() ? option.value : option.place) + ":" + action;
}

std::string zsh_option(const CommandOption& option) {
  std::string excluded, lines;
  for (const std::string& name : option.excludes) excluded += (excluded.empty() ? "" : " ") + name;
  if (!option.may_repeat)
    for (const std::string& name : option.names) excluded += (excluded.empty() ? "" : " ") + name;
  for (const std::string& name : option.names) {
    const bool takes_sign = !option.value.empty() && name.starts_with("--");
    lines += " \\\n        '" + (option.may_repeat ? std::string("*") : "(" + excluded + ")") + name +
             (takes_sign ? "=" : "") + "[" + zsh_text(option.text) + "]" +
             (option.value.empty() ? "" : zsh_value(option)) + "'";
  }
  return lines;
}

std::string zsh_arguments(const CommandTree& command) {
  std::string lines = "      _arguments -s";
  for (const CommandOption& option : command.options) lines += zsh_option(option);
  for (std::size_t i = 0; i < command.places.size(); ++i)
    lines += " \\\n        '" + std::to_string(i + 1) + zsh_value(command.places[i]) + "'";
  return lines + "\n";
}

}  // namespace

std::string zsh_completion(const CommandTree& program) {
  std::string names, cases, options;
  for (const CommandTree& command : program.commands) {
    names += "      '" + command.name + ":" + zsh_text(command.text) + "'\n";
    cases += "    " + command.name + ")\n" + zsh_arguments(command) + "      ;;\n";
  }
  for (const CommandOption& option : program.options) options += zsh_option(option);
  return "#compdef " + program.name + "\n# Completion of " + program.name +
         " in zsh; written by: " + program.name + " completion zsh\n" + R"(
_mti() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C)" +
         options + R"( \
        '1:command:->command' '*::argument:->arguments'
  if [[ $state == command ]]; then
    local -a commands=(
)" + names +
         R"(    )
    _describe -t commands command commands
  elif [[ $state == arguments ]]; then
    curcontext=${curcontext%:*}-$line[1]:
    case $line[1] in
)" + cases +
         R"(    esac
  fi
}

# Read by source, this registers itself; as a file _mti on fpath, it is called.
if [[ $funcstack[1] == _mti ]]; then _mti "$@"; else compdef _mti )" +
         program.name + "; fi\n";
}

}  // namespace mti
