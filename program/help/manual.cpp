#include "program/help/manual.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace mti {
namespace {

constexpr std::size_t longest_line = 78;  // of a page's source, as style guides of manuals have it

/// A word for troff: hyphens that may be copied, no control character at its beginning.
std::string troff_word(std::string_view word) {
  std::string result = word.starts_with('.') || word.starts_with('\'') ? "\\&" : "";
  for (const char letter : word) {
    if (letter == '\\' || letter == '-') result += '\\';
    result += letter == '\\' ? 'e' : letter;
  }
  return result;
}

/// Words for troff, which fills lines itself: here they end where there is a blank.
std::string troff(std::string_view text) {
  std::string result;
  std::size_t length = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = troff_word(text.substr(begin, end - begin));
    const bool is_full = length > 0 && length + 1 + word.size() > longest_line;
    if (length > 0) result += is_full ? '\n' : ' ';
    length = is_full ? word.size() : length + 1 + word.size();
    result += word;
    begin = end + 1;
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + troff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + troff(text) + "\\fR"; }

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// "One of auto, ida. Needs --all-modes." as far as it applies and the text does not say it.
std::string conditions(const CommandOption& option) {
  std::string text;
  const auto is_named = [&](const std::string& word) { return option.text.find(word) != std::string::npos; };
  if (!std::ranges::all_of(option.choices, is_named)) text += " One of " + joined(option.choices, ", ") + ".";
  if (!option.needs.empty()) text += " Needs " + joined(option.needs, ", ") + ".";
  if (!option.excludes.empty()) text += " Not together with " + joined(option.excludes, ", ") + ".";
  return text;
}

std::string sentence(const std::string& text) {
  return text.empty() || text.back() == '.' ? text : text + ".";
}

std::string title_of(const CommandTree& program, const CommandTree& command) {
  return &program == &command ? program.name : program.name + "-" + command.name;
}

std::string synopsis(const CommandTree& program, const CommandTree& command) {
  std::string line = ".B " + program.name;
  if (&program == &command) return line + "\n.I COMMAND\n.RI [ ARGUMENT \" ...\" ]\n";
  line += " " + troff(command.name) + "\n";
  for (const CommandOption& place : command.places) line += ".I " + troff(place.place) + "\n";
  for (const CommandOption& option : command.options)
    if (option.is_required) line += bold(option.names.back()) + " " + italic(option.value) + "\n";
  return line + ".RI [ OPTION \" ...\" ]\n";
}

std::string option_items(const std::vector<CommandOption>& options) {
  std::string text;
  for (const CommandOption& option : options) {
    std::vector<std::string> names;
    for (const std::string& name : option.names) names.push_back(bold(name));
    if (names.empty()) names.push_back(italic(option.place));
    text += ".TP\n" + joined(names, ", ");
    if (!option.value.empty() && option.place.empty()) text += " " + italic(option.value);
    text += "\n" + troff(sentence(option.text) + conditions(option)) + "\n";
  }
  return text;
}

/// "mti(1), mti-check(1)": the other pages.
std::string other_pages(const CommandTree& program, const CommandTree& command) {
  std::vector<std::string> pages;
  if (&program != &command) return ".BR " + program.name + " (1)\n";
  for (const CommandTree& other : program.commands)
    pages.push_back(".BR " + troff(title_of(program, other)) + " (1)");
  return joined(pages, ",\n") + "\n";
}

std::string markdown_row(const CommandOption& option) {
  std::string name = "`" + joined(option.names, "`, `") + "`";
  if (option.names.empty()) name = "`" + option.place + "`";
  if (!option.value.empty() && option.place.empty()) name += " *" + option.value + "*";
  return "| " + name + " | " + sentence(option.text) + conditions(option) + " |\n";
}

}  // namespace

std::string manual_page(const CommandTree& program, const CommandTree& command) {
  const std::string title = title_of(program, command);
  std::string capitals;
  for (const char letter : title)
    capitals += letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter;
  std::string text = ".\\\" Written by: " + program.name + " manual DIR\n.TH " + troff(capitals) +
                     R"( 1 "" ")" + program.name + " " MTI_VERSION R"(" ")" + program.name + " manual\"\n";
  text += ".SH NAME\n" + troff(title + " - " + command.text) + "\n";
  text += ".SH SYNOPSIS\n" + synopsis(program, command);
  if (!command.commands.empty()) {
    text += ".SH COMMANDS\n";
    for (const CommandTree& one : command.commands)
      text += ".TP\n.BR " + troff(title_of(program, one)) + " (1)\n" + troff(sentence(one.text)) + "\n";
  }
  if (!command.places.empty()) text += ".SH ARGUMENTS\n" + option_items(command.places);
  text += ".SH OPTIONS\n" + option_items(command.options);
  if (!program.footer.empty()) text += ".SH NOTES\n" + troff(program.footer) + "\n";
  return text + ".SH SEE ALSO\n" + other_pages(program, command);
}

std::string manual_markdown(const CommandTree& program) {
  std::string text = "# The commands\n\n" + program.text + "\n\n" + program.footer + "\n";
  for (const CommandTree& command : program.commands) {
    text += "\n## " + program.name + " " + command.name + "\n\n" + sentence(command.text) +
            "\n\n```console\n$ " + program.name + " " + command.name;
    for (const CommandOption& place : command.places) text += " " + place.place;
    text += " [OPTION ...]\n```\n\n| | |\n|---|---|\n";
    for (const CommandOption& place : command.places) text += markdown_row(place);
    for (const CommandOption& option : command.options) text += markdown_row(option);
  }
  return text;
}

}  // namespace mti
