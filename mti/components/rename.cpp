#include "mti/components/rename.hpp"

#include <cstddef>

#include "mti/common/characters.hpp"
#include "mti/source/declarations.hpp"

namespace mti {
namespace {

/// The end of the name that begins at `begin`: identifiers joined by dots.
std::size_t end_of_name(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && (continues_name(text[end]) ||
                               (text[end] == '.' && end + 1 < text.size() && begins_name(text[end + 1]))))
    ++end;
  return end;
}

/// The end of the number that begins at `begin`; its exponent is no name.
std::size_t end_of_number(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
  if (end == text.size() || (text[end] != 'e' && text[end] != 'E')) return end;
  std::size_t exponent = end + 1;
  if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
  if (exponent == text.size() || !is_digit(text[exponent])) return end;
  while (exponent < text.size() && is_digit(text[exponent])) ++exponent;
  return exponent;
}

/// Whether the next character that is no blank opens the arguments of a function.
bool is_called(std::string_view text, std::size_t end) {
  const std::size_t next = text.find_first_not_of(" \t\n\r", end);
  return next != std::string_view::npos && text[next] == '(';
}

/// Whether "initial" is a word of the language, as the grammar has it: where a digit follows.
bool is_initial(std::string_view text, std::string_view name, std::size_t end) {
  const std::size_t next = text.find_first_not_of(" \t\n\r", end);
  return name == "initial" && next != std::string_view::npos && is_digit(text[next]);
}

}  // namespace

std::string rewrite_names(std::string_view text,
                          const std::function<void(std::string_view, std::string&)>& write) {
  std::string result;
  result.reserve(2 * text.size());
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (begins_name(text[i])) {
      end = end_of_name(text, i);
      const std::string_view name = text.substr(i, end - i);
      if (is_reserved(name) || is_called(text, end) || is_initial(text, name, end)) {
        result += name;
      } else {
        write(name, result);
      }
    } else {
      if (is_digit(text[i]) || text[i] == '.') end = end_of_number(text, i);
      result += text.substr(i, end - i);
    }
    i = end;
  }
  return result;
}

std::string with_prefix(std::string_view text, std::string_view prefix) {
  if (prefix.empty()) return std::string(text);
  return rewrite_names(text, [prefix](std::string_view name, std::string& result) {
    result += prefix;
    result += name;
  });
}

Number number_with_prefix(const Number& number, std::string_view prefix) {
  if (const auto* text = std::get_if<std::string>(&number)) return with_prefix(*text, prefix);
  return number;
}

void substitute_names(Source& source, const NameMap& names) {
  if (names.empty()) return;
  const auto rewrite = [&](std::string& text) {
    text = rewrite_names(text, [&](std::string_view name, std::string& result) {
      const auto found = names.find(std::string(name));
      result += found == names.end() ? name : std::string_view(found->second);
    });
  };
  for (RelationSource& relation : source.equations) rewrite(relation.text);
  for (RelationSource& relation : source.constraints) rewrite(relation.text);
  for (RelationSource& relation : source.initial) rewrite(relation.text);
  for (std::string& formula : source.invariants) rewrite(formula);
  for (TransitionSource& transition : source.transitions) {
    rewrite(transition.when);
    for (std::string& equation : transition.equations) rewrite(equation);
  }
  for (ScenarioSource& scenario : source.scenarios) {
    rewrite(scenario.modes);
    for (std::string& equation : scenario.equations) rewrite(equation);
  }
}

}  // namespace mti
