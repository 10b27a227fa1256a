#include "solvers/structure/sigma_method.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "solvers/budget/check_budget.hpp"
#include "solvers/structure/dulmage_mendelsohn.hpp"
#include "solvers/structure/matching.hpp"

namespace mti {
namespace {

/// The entries where d_j − c_i = σ_ij.
Incidence equality_pattern(const SigmaMatrix& sigma, const Offsets& offsets) {
  Incidence result(sigma.pattern.columns());
  std::vector<PatternColumn> tight;
  for (const PatternRow i : sigma.pattern.row_indices()) {
    tight.clear();
    const auto columns = sigma.pattern.row(i);
    for (std::size_t e = 0; e < columns.size(); ++e)
      if (offsets.d[columns[e]] - offsets.c[i] == sigma.order[i][e]) tight.push_back(columns[e]);
    result.add_row(tight);
  }
  return result;
}

/// How far the rows of `part` can be differentiated before one of them meets a column outside it.
int least_slack(const SigmaMatrix& sigma, const Offsets& offsets, const OverDeterminedPart& part) {
  Indexed<PatternColumn, char> inside(sigma.pattern.columns(), 0);
  for (const PatternColumn j : part.columns) inside[j] = 1;
  int slack = std::numeric_limits<int>::max();
  for (const PatternRow i : part.rows) {
    const auto columns = sigma.pattern.row(i);
    for (std::size_t e = 0; e < columns.size(); ++e)
      if (inside[columns[e]] == 0)
        slack = std::min(slack, offsets.d[columns[e]] - offsets.c[i] - sigma.order[i][e]);
  }
  return slack;
}

}  // namespace

int Offsets::degrees_of_freedom() const {
  return std::accumulate(d.begin(), d.end(), 0) - std::accumulate(c.begin(), c.end(), 0);
}

int Offsets::largest_c() const { return c.empty() ? 0 : *std::max_element(c.begin(), c.end()); }

Offsets smallest_offsets(const SigmaMatrix& sigma) {
  const int equations = sigma.pattern.rows(), signals = sigma.pattern.columns();
  Offsets offsets{Indexed<PatternRow, int>(equations, 0), Indexed<PatternColumn, int>(signals, 0), {}};
  for (const PatternRow i : sigma.pattern.row_indices()) {
    const auto columns = sigma.pattern.row(i);
    for (std::size_t e = 0; e < columns.size(); ++e)
      offsets.d[columns[e]] = std::max(offsets.d[columns[e]], sigma.order[i][e]);
  }

  Matching matching(equations, signals);
  for (;;) {
    check_budget();
    const Incidence tight = equality_pattern(sigma, offsets);
    grow_to_maximum(tight, matching);
    const OverDeterminedPart part = over_determined_part(tight, matching);
    if (part.rows.empty()) {
      offsets.blocks = block_triangular_form(tight, matching.row_match);
      return offsets;
    }
    // More equations than signals: in every solution all of them are differentiated further. The matching
    // stays within the pattern of equality, for partners rise together.
    const int step = least_slack(sigma, offsets, part);
    for (const PatternRow i : part.rows) offsets.c[i] += step;
    for (const PatternColumn j : part.columns) offsets.d[j] += step;
  }
}

}  // namespace mti
