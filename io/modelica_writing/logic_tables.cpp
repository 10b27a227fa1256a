#include "io/modelica_writing/logic_tables.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace mti::modelica {
namespace {

constexpr std::size_t most_variables = 10;

bool bit(std::size_t index, std::size_t place) { return ((index >> place) & 1U) != 0; }

/// f(v) = v ? f₁ : f₀ by Shannon's expansion, the constants put in.
std::string expanded(const std::vector<std::string>& variables, const std::vector<char>& table) {
  if (std::ranges::all_of(table, [](char value) { return value == 0; })) return "false";
  if (std::ranges::all_of(table, [](char value) { return value != 0; })) return "true";
  const std::size_t half = table.size() / 2;
  const std::vector<char> off(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(half)),
      on(table.begin() + static_cast<std::ptrdiff_t>(half), table.end());
  std::vector<std::string> rest = variables;
  const std::string last = rest.back();
  rest.pop_back();
  std::string f0 = expanded(rest, off);
  const std::string f1 = expanded(rest, on);
  if (f0 == f1) return f0;
  if (f0 == "false") return f1 == "true" ? last : "(" + last + " and " + f1 + ")";
  if (f1 == "false") return f0 == "true" ? "(not " + last + ")" : "((not " + last + ") and " + f0 + ")";
  if (f1 == "true") return "(" + last + " or " + f0 + ")";
  if (f0 == "true") return "((not " + last + ") or " + f1 + ")";
  return "(" + last + " and " + f1 + " or (not " + last + ") and " + f0 + ")";
}

}  // namespace

std::optional<LogicRow> logic_row(const ParsedRelation& equation, const Kinds& kinds,
                                  ModelicaNotation& notation) {
  LogicRow row;
  row.variables.assign(equation.names.begin(), equation.names.end());
  const std::size_t k = row.variables.size();
  if (k > most_variables) return std::nullopt;
  for (std::size_t index = 0; index < (std::size_t{1} << k); ++index) {
    Assignment assignment;
    for (std::size_t i = 0; i < k; ++i) assignment[row.variables[i]] = bit(index, i);
    const Piece left = notation.number(equation.relation.left, assignment);
    const Piece right = notation.number(equation.relation.right, assignment);
    if (!left.value || !right.value) return std::nullopt;
    row.holds.push_back(*left.value == *right.value ? 1 : 0);
  }
  for (std::size_t i = 0; i < k; ++i) {
    if (!kinds.is_binary(row.variables[i])) continue;
    bool gives = true;
    for (std::size_t index = 0; index < row.holds.size(); ++index)
      if (!bit(index, i)) gives = gives && row.holds[index] != row.holds[index | (std::size_t{1} << i)];
    if (gives) row.outputs.push_back(row.variables[i]);
  }
  return row;
}

std::vector<std::string> matched_outputs(const std::vector<LogicRow>& rows) {
  std::map<std::string, std::size_t> row_of;
  std::vector<char> visited;
  const std::function<bool(std::size_t)> place = [&](std::size_t row) {
    visited[row] = 1;
    for (const std::string& output : rows[row].outputs) {
      const auto taken = row_of.find(output);
      if (taken != row_of.end() && (visited[taken->second] != 0 || !place(taken->second))) continue;
      row_of[output] = row;
      return true;
    }
    return false;
  };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    visited.assign(rows.size(), 0);
    static_cast<void>(place(row));
  }
  std::vector<std::string> outputs(rows.size());
  for (const auto& [output, row] : row_of) outputs[row] = output;
  return outputs;
}

std::string logic_text(const LogicRow& row, const std::string& output) {
  std::vector<std::string> others;
  const std::size_t place =
      static_cast<std::size_t>(std::ranges::find(row.variables, output) - row.variables.begin());
  for (const std::string& variable : row.variables) {
    if (variable == output) continue;
    const bool is_pre = variable.starts_with("pre(");
    others.push_back(is_pre ? "pre(" + identifier(variable.substr(4, variable.size() - 5)) + ")"
                            : identifier(variable));
  }
  std::vector<char> table;
  for (std::size_t index = 0; index < row.holds.size(); ++index)
    if (bit(index, place)) table.push_back(row.holds[index]);
  return expanded(others, table);
}

}  // namespace mti::modelica
