#include <string>
#include <vector>

#include "program/help/completion.hpp"

namespace mti {
namespace {

/// A word of bash in double quotes, of names and choices only.
std::string quoted_word(const std::string& word) { return '"' + word + '"'; }

std::string spaced(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::string bash_answer(const CommandOption& option) {
  if (!option.choices.empty()) return "_mti_words " + quoted_word(spaced(option.choices));
  if (option.value == "DIR") return "_mti_files -d";
  if (option.value == "FILE") return "_mti_files -f";
  return ":";  // a number or a text: nothing to offer
}

std::vector<std::string> all_names(const std::vector<CommandOption>& options) {
  std::vector<std::string> names;
  for (const CommandOption& option : options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// `"simulate --out" | "simulate -o"`: a pattern of the options that something follows.
std::string bash_pattern(const CommandTree& command, const CommandOption& option) {
  std::string pattern;
  for (const std::string& name : option.names)
    pattern += (pattern.empty() ? "" : " | ") + quoted_word(command.name + " " + name);
  return pattern;
}

}  // namespace

std::string bash_completion(const CommandTree& program) {
  std::string answers, followed, options, places;
  std::vector<std::string> commands;
  for (const CommandTree& command : program.commands) {
    commands.push_back(command.name);
    for (const CommandOption& option : command.options) {
      if (option.value.empty()) continue;
      const std::string pattern = bash_pattern(command, option);
      answers += "    " + pattern + ") " + bash_answer(option) + "; return ;;\n";
      followed += " | " + pattern;
    }
    options +=
        "      " + command.name + ") _mti_words " + quoted_word(spaced(all_names(command.options))) + " ;;\n";
    for (std::size_t i = 0; i < command.places.size(); ++i)
      places += "    " + quoted_word(command.name + " " + std::to_string(i)) + ") " +
                bash_answer(command.places[i]) + " ;;\n";
  }
  return "# Completion of " + program.name + " in bash; written by: " + program.name + " completion bash\n" +
         R"(
_mti_words() {
  local one
  for one in $1; do [[ $one == "$word"* ]] && COMPREPLY+=("$one"); done
}

# compgen's own lists, one name a line: names with spaces stay whole.
_mti_files() {
  local one
  compopt -o filenames 2>/dev/null
  while IFS= read -r one; do COMPREPLY+=("$one"); done < <(compgen "$1" -- "$word")
}

_mti() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} place=0 i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    if [[ $word == -* ]]; then _mti_words )" +
         quoted_word(spaced(all_names(program.options))) + "; else _mti_words " +
         quoted_word(spaced(commands)) +
         R"(; fi
    return
  fi
  # Bash takes --out=DIR for three words.
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case "$command $before" in
)" + answers +
         R"(  esac
  if [[ $word == -* ]]; then
    case $command in
)" + options +
         R"(    esac
    return
  fi
  # Arguments by their place: how many stand before this one.
  for ((i = 2; i < COMP_CWORD; ++i)); do
    case ${COMP_WORDS[i]} in
      - | [!-=]*)
        case "$command ${COMP_WORDS[i - 1]}" in
          *" =")" +
         followed +
         R"() ;;
          *) ((++place)) ;;
        esac ;;
    esac
  done
  case "$command $place" in
)" + places +
         R"(  esac
}

complete -F _mti )" +
         program.name + "\n";
}

}  // namespace mti
