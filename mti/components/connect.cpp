#include "mti/components/connect.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "mti/components/rename.hpp"
#include "mti/source/declarations.hpp"

namespace mti {
namespace {

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\n\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::unordered_set<std::string> names_of_binaries(const Source& system) {
  std::unordered_set<std::string> names;
  for (const BinarySource& binary : system.binaries) names.insert(binary.name);
  for (const InputSource& input : system.inputs)
    if (input.binary) names.insert(input.name);
  return names;
}

/// Follows name for name to the end; nothing on a circle.
std::string end_of_chain(const std::string& name, const NameMap& next) {
  std::string last = name;
  for (std::size_t steps = 0; steps <= next.size(); ++steps) {
    const auto found = next.find(last);
    if (found == next.end()) return last;
    last = found->second;
  }
  return "";
}

/// The item of a connection as an operand: with parentheses where it holds an `if`, a comparison or one of the
/// words of conditions, which what comes next would become a piece of.
std::string as_operand(const std::string& text) {
  const std::string item = trimmed(text);
  constexpr std::array<std::string_view, 4> words = {"if", "and", "or", "not"};
  const auto of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  bool loose = item.find_first_of("<>") != std::string::npos;
  for (std::size_t begin = 0; begin < item.size() && !loose;) {
    std::size_t end = begin;
    while (end < item.size() && of_name(item[end])) ++end;
    const std::string_view word = std::string_view(item).substr(begin, end - begin);
    loose = std::find(words.begin(), words.end(), word) != words.end();
    begin = std::max(end, begin + 1);
  }
  return loose ? "(" + item + ")" : item;
}

}  // namespace

void equate(Source& system, const std::vector<std::string>& expressions, const std::string& name) {
  for (std::size_t i = 1; i < expressions.size(); ++i)
    system.equations.emplace_back(expressions.size() == 2 ? name : name + "_" + std::to_string(i),
                                  as_operand(expressions[0]) + " = " + as_operand(expressions[i]));
}

void balance(Source& system, const std::vector<std::string>& expressions, const std::string& name) {
  std::string sum;
  for (const std::string& expression : expressions) {
    const std::string term = as_operand(expression);
    if (!sum.empty()) sum += term.starts_with('-') ? " " : " + ";
    sum += term;
  }
  system.equations.emplace_back(name, sum + " = 0");
}

Driven drive(Source& system, const std::vector<Drive>& drives) {
  Driven result;
  std::unordered_map<std::string, std::size_t> inputs;
  for (std::size_t i = 0; i < system.inputs.size(); ++i) inputs.emplace(system.inputs[i].name, i);
  const std::unordered_set<std::string> binaries = names_of_binaries(system);
  std::vector<char> taken(system.inputs.size(), 0);
  std::unordered_map<std::size_t, std::size_t> drive_of;  // of binary inputs
  NameMap aliases;
  const auto fail = [&](std::size_t drive, std::string id, std::string message) {
    result.faults.push_back({drive, std::move(id), std::move(message)});
  };
  for (std::size_t k = 0; k < drives.size(); ++k) {
    const std::string input = trimmed(drives[k].input), expression = trimmed(drives[k].expression);
    const auto found = inputs.find(input);
    if (found == inputs.end()) {
      constexpr std::size_t most_suggestions = 10;  // each compares with all inputs
      std::vector<std::string> names;
      if (result.faults.size() < most_suggestions)
        for (const InputSource& each : system.inputs) names.push_back(each.name);
      fail(k, "unknown-input", "there is no input " + input + did_you_mean(input, names));
      continue;
    }
    const std::size_t i = found->second;
    if (taken[i] != 0) {
      fail(k, "input-driven-twice", "the input " + input + " already follows another expression");
      continue;
    }
    taken[i] = 1;
    InputSource& source = system.inputs[i];
    if (source.binary) {
      if (!binaries.contains(expression))
        fail(k, "not-a-binary",
             "the binary input " + input + " can follow a binary or another binary input only, found " +
                 expression);
      aliases.emplace(input, expression);
      drive_of.emplace(k, i);
      continue;
    }
    const auto* value = std::get_if<Number>(&source.form);
    system.algebraic.push_back({.name = source.name,
                                .start = value != nullptr ? *value : Number(0.0),
                                .unit = source.unit,
                                .nominal = source.nominal});
    system.equations.emplace_back(drives[k].name, input + " = " + expression);
    result.algebraic.push_back(i);
    result.equations.push_back(k);
  }
  for (auto& [name, other] : aliases) other = end_of_chain(other, aliases);
  for (const auto& [k, i] : drive_of)
    if (aliases.at(system.inputs[i].name).empty())
      fail(k, "not-a-binary", "the binary input " + system.inputs[i].name + " follows itself");
  for (std::size_t i = 0; i < system.inputs.size(); ++i)
    if (taken[i] == 0) result.kept.push_back(i);
  std::vector<InputSource> kept;
  for (const std::size_t i : result.kept) kept.push_back(std::move(system.inputs[i]));
  system.inputs = std::move(kept);
  if (result.faults.empty()) substitute_names(system, aliases);
  return result;
}

}  // namespace mti
