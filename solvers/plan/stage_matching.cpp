#include "solvers/plan/stage_matching.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace mti {

Matching match_linear_rows_first(const Incidence& pattern, IndexedSpan<PatternRow, int> equations,
                                 IndexedSpan<PatternColumn, int> unknowns, const RowMap& f,
                                 std::span<const Divisor> divisors) {
  Incidence linear(pattern.columns());
  Indexed<PatternRow, PatternRow> linear_rows;
  const auto is_affine = [&](const RowMap::Term& term) { return f.is_affine(term.column); };
  const auto is_function = [&](const RowMap::Term& term) { return f.function_of(term.column) != nullptr; };
  std::vector<PatternColumn> results;
  const auto quotient_of = [&](const RowMap::Term& term) {
    const auto factors = f.factors(term.column);
    for (const Divisor& divisor : divisors)
      if (factors.size() == 2 &&
          std::ranges::find(factors, divisor.signal, &RowMap::Factor::signal) != factors.end() &&
          std::ranges::find(factors, divisor.quotient, &RowMap::Factor::signal) != factors.end())
        return divisor.quotient;
    return -1;
  };
  for (const PatternRow row : pattern.row_indices()) {
    results.clear();
    for (const RowMap::Term& term : f.terms(equations[row]))
      if (const int quotient = divisors.empty() ? -1 : quotient_of(term); quotient >= 0)
        for (const PatternColumn column : pattern.row(row))
          if (unknowns[column] == quotient) results.push_back(column);
    if (results.empty()) continue;
    linear.add_row(results);
    linear_rows.append(row);
  }
  for (const PatternRow row : pattern.row_indices()) {
    const auto terms = f.terms(equations[row]);
    if (std::none_of(terms.begin(), terms.end(), is_function)) continue;
    results.clear();
    for (const PatternColumn column : pattern.row(row))
      for (const RowMap::Term& term : terms)
        if (is_affine(term) && !f.factors(term.column).empty() &&
            f.factors(term.column)[0].signal == unknowns[column])
          results.push_back(column);
    linear.add_row(results);
    linear_rows.append(row);
  }
  for (const PatternRow row : pattern.row_indices()) {
    const auto terms = f.terms(equations[row]);
    if (!std::all_of(terms.begin(), terms.end(), is_affine)) continue;
    linear.add_row(pattern.row(row));
    linear_rows.append(row);
  }
  const Matching first = maximum_matching(linear);
  Matching matching(pattern.rows(), pattern.columns());
  for (const PatternRow row : linear.row_indices())
    if (first.row_match[row].exists()) matching.pair(linear_rows[row], first.row_match[row]);
  // What stands alone counts only for rows that have not been looked at, and after these.
  Incidence alone(pattern.columns());
  for (const PatternRow row : pattern.row_indices()) {
    results.clear();
    const auto stands_alone = [&](PatternColumn column) {
      return std::ranges::any_of(f.terms(equations[row]), [&](const RowMap::Term& term) {
        const auto factors = f.factors(term.column);
        return is_affine(term) && !factors.empty() && factors[0].signal == unknowns[column];
      });
    };
    const auto columns = pattern.row(row);
    if (matching.row_match[row].exists())
      results.assign(columns.begin(), columns.end());
    else
      std::ranges::copy_if(columns, std::back_inserter(results), stands_alone);
    alone.add_row(results);
  }
  grow_to_maximum(alone, matching);
  grow_to_maximum(pattern, matching);
  return matching;
}

}  // namespace mti
