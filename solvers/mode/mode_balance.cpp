#include "solvers/mode/mode_balance.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"
#include "solvers/structure/disjoint_sets.hpp"
#include "solvers/structure/dulmage_mendelsohn.hpp"

namespace mti {
namespace {

/// The pattern of f against the unknowns; with `given_states` states count only where their slopes occur.
Incidence pattern_of(const FrozenMode& frozen, const Signature& signature, const std::vector<int>& equations,
                     const std::vector<int>& column_of, int columns, bool given_states) {
  Incidence pattern(columns);
  std::vector<int> found;
  for (const int equation : equations) {
    found.clear();
    for (const RowMap::Term& term : frozen.f.terms(equation))
      for (const RowMap::Factor& factor : frozen.f.factors(term.column)) {
        const bool slope = factor.signal < signature.state_row(0);
        const bool state = !slope && factor.signal < signature.input_row(0);
        const int column = column_of[at(slope ? factor.signal + signature.n() : factor.signal)];
        if (column >= 0 && !(state && given_states)) found.push_back(column);
      }
    pattern.add_row(positions<PatternColumn>(found));
  }
  return pattern;
}

/// Rows and columns of a part, split where nothing connects them.
std::vector<ModeBalance::Part> connected(const Incidence& pattern, const std::vector<int>& rows,
                                         const std::vector<int>& columns, const std::vector<int>& equations,
                                         const std::vector<int>& unknowns) {
  const int nodes = pattern.rows() + pattern.columns();
  DisjointSets sets(nodes);
  std::vector<char> inside(at(pattern.columns()), 0);
  for (const int column : columns) inside[at(column)] = 1;
  for (const int row : rows)
    for (const int column : values(pattern.row(PatternRow(row))))
      if (inside[at(column)] != 0) sets.join(row, pattern.rows() + column);
  std::vector<int> place(at(nodes), -1);
  std::vector<ModeBalance::Part> parts;
  const auto part_of = [&](int node) -> ModeBalance::Part& {
    int& index = place[at(sets.of(node))];
    if (index < 0) {
      index = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    return parts[at(index)];
  };
  for (const int column : columns) part_of(pattern.rows() + column).unknowns.push_back(unknowns[at(column)]);
  for (const int row : rows) part_of(row).equations.push_back(equations[at(row)]);
  return parts;
}

}  // namespace

std::string enumerated(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string text;
  const std::size_t shown = names.size() > most ? most - 1 : names.size();
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  if (shown < names.size()) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

ModeBalance balance_of(const Model& model, const FrozenMode& frozen) {
  const Signature& signature = model.signature;
  std::vector<int> equations;
  for (int row = 0; row < static_cast<int>(frozen.equation_form.size()); ++row)
    if (frozen.equation_form[at(row)] != RowForm::vanished) equations.push_back(row);

  std::vector<char> occurs(at(signature.size()), 0);
  const auto mark = [&](const RowMap& map, int row, bool states) {
    for (const RowMap::Term& term : map.terms(row))
      for (const RowMap::Factor& factor : map.factors(term.column)) {
        const bool slope = factor.signal < signature.state_row(0);
        if (states || factor.signal >= signature.input_row(0))
          occurs[at(slope ? factor.signal + signature.n() : factor.signal)] = 1;
      }
  };
  for (const int row : equations) mark(frozen.f, row, true);
  for (const int row : frozen.live_constraints) mark(frozen.g, row, false);
  std::vector<int> column_of(at(signature.size()), -1), unknowns;
  const auto add = [&](int row) {
    if (occurs[at(row)] == 0) return;
    column_of[at(row)] = static_cast<int>(unknowns.size());
    unknowns.push_back(row);
  };
  for (int i = 0; i < signature.n(); ++i) add(signature.state_row(i));
  for (int i = 0; i < signature.p(); ++i) add(signature.algebraic_row(i));

  const int columns = static_cast<int>(unknowns.size());
  Incidence pattern = pattern_of(frozen, signature, equations, column_of, columns, true);
  DulmageMendelsohn parts = dulmage_mendelsohn(pattern);
  if (!parts.over_rows.empty() && !model.is_discrete()) {
    pattern = pattern_of(frozen, signature, equations, column_of, columns, false);
    parts = dulmage_mendelsohn(pattern);
  }
  ModeBalance result;
  result.equations = static_cast<int>(equations.size());
  result.unknowns = columns;
  result.over = connected(pattern, values(parts.over_rows), values(parts.over_columns), equations, unknowns);
  result.under =
      connected(pattern, values(parts.under_rows), values(parts.under_columns), equations, unknowns);
  return result;
}

std::string describe(const ModeBalance& balance, const Model& model) {
  constexpr std::size_t most_parts = 4;
  const auto equation_names = [&](const ModeBalance::Part& part) {
    std::vector<std::string> names;
    for (const int row : part.equations) names.push_back(model.equation_names[at(row)]);
    return enumerated(names);
  };
  const auto unknown_names = [&](const std::vector<int>& rows) {
    std::vector<std::string> names;
    for (const int row : rows) names.push_back(model.signature.row_name(row));
    return enumerated(names);
  };
  std::vector<std::string> sentences;
  std::vector<int> alone;
  for (const ModeBalance::Part& part : balance.under)
    if (part.equations.empty()) alone.insert(alone.end(), part.unknowns.begin(), part.unknowns.end());
  if (!alone.empty()) sentences.push_back("nothing determines " + unknown_names(alone));
  for (const ModeBalance::Part& part : balance.under)
    if (!part.equations.empty())
      sentences.push_back(
          "only " + equation_names(part) +
          (part.equations.size() == 1 ? " is there to determine " : " are there to determine ") +
          unknown_names(part.unknowns));
  for (const ModeBalance::Part& part : balance.over) {
    const auto rows = static_cast<long>(part.equations.size());
    if (part.unknowns.empty())
      sentences.push_back(equation_names(part) + (rows == 1 ? " holds no unknown" : " hold no unknown"));
    else
      sentences.push_back(equation_names(part) + " are " + counted(rows, "equation") + " for only " +
                          counted(static_cast<long>(part.unknowns.size()), "unknown") + ", " +
                          unknown_names(part.unknowns));
  }
  std::string text = counted(balance.equations, "equation") + " for " + counted(balance.unknowns, "unknown");
  for (std::size_t i = 0; i < std::min(sentences.size(), most_parts); ++i)
    text += (i == 0 ? ": " : "; ") + sentences[i];
  if (sentences.size() > most_parts)
    text += "; and " + counted(static_cast<long>(sentences.size() - most_parts), "part") + " more";
  return text;
}

}  // namespace mti
