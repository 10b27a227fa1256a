#include "solvers/linearization/leading.hpp"

#include <algorithm>
#include <string>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "solvers/structure/incidence.hpp"
#include "solvers/structure/matching.hpp"

namespace mti {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

[[noreturn]] void fail(const std::string& why) { throw InvalidModel("no-state-space", "", why); }

std::string names(const std::vector<std::string>& all, const std::vector<int>& which) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(which.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + all[at(which[i])];
  return text + (which.size() > most ? ", …" : "");
}

}  // namespace

Leading::Leading(const Linearization& l) {
  if (l.A.rows() != l.A.cols())
    fail("the mode has " + std::to_string(l.A.rows()) + " equations for " + std::to_string(l.A.cols()) +
         " unknowns");
  Triplets entries, known;
  const auto add = [](Triplets& to, const SparseColumns& from, int first, int last, int shift, double sign) {
    for (int k = first; k < last; ++k)
      for (SparseColumns::InnerIterator entry(from, k); entry; ++entry)
        to.emplace_back(static_cast<int>(entry.row()), k + shift, sign * entry.value());
  };
  const auto rows = static_cast<int>(l.A.rows()), unknowns = static_cast<int>(l.A.cols());
  add(entries, l.E, 0, l.states, 0, 1.0);
  add(entries, l.A, l.states, unknowns, 0, -1.0);
  add(known, l.A, 0, l.states, 0, 1.0);
  add(known, l.B, 0, static_cast<int>(l.B.cols()), l.states, 1.0);
  matrix.resize(rows, unknowns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  right.resize(rows, l.states + l.B.cols());
  right.setFromTriplets(known.begin(), known.end());

  Incidence pattern(unknowns);
  for (int row = 0; row < rows; ++row) {
    std::vector<PatternColumn> columns;
    for (Rows::InnerIterator entry(matrix, row); entry; ++entry) columns.emplace_back(entry.index());
    pattern.add_row(columns);
  }
  const Matching matching = maximum_matching(pattern);
  std::vector<int> free_unknowns;
  for (const PatternColumn column : pattern.column_indices())
    if (!matching.column_match[column].exists()) free_unknowns.push_back(column.value());
  if (!free_unknowns.empty())
    fail("no equation is left that determines the rate or the value of " + names(l.unknowns, free_unknowns) +
         " for given states (index above 1, or undetermined)");
  blocks = block_triangular_form(pattern, matching.row_match);
}

void fail_singular(const Linearization& linearization, const Block& block) {
  fail("the equations " + names(linearization.equations, values(block.rows)) +
       " do not determine the rates and algebraic signals of " +
       names(linearization.unknowns, values(block.columns)) + " (index above 1, or undetermined)");
}

}  // namespace mti
