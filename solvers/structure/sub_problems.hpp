#pragma once

#include <string>
#include <vector>

#include "mti/model/model.hpp"

namespace mti {

/// Unknowns that are found together, and the rows that decide or check them. All lists are ascending.
struct SubProblem {
  std::vector<int> equations;    ///< indices of f
  std::vector<int> constraints;  ///< indices of g
  std::vector<int> unknowns;     ///< rows of S: ẋ, y, z
  int binaries = 0;              ///< how many of the unknowns are binaries: 2^binaries combinations
};

/// Sub-problems that share unknowns, in the order in which they can be solved.
struct SubSet {
  std::vector<SubProblem> sub_problems;
};

/// Structure of the successor problem: known are x, u, t (and pre z); unknown are ẋ, y, z.
///
/// Every unknown is in exactly one sub-problem, and so is every row that contains an unknown. Sub-sets stand
/// in the order of their first unknown. Source: the paper, chapter 4; docs/theory.md, "Structure".
struct Structure {
  std::vector<SubSet> sub_sets;
  std::string combinations_all;      ///< 2^q, exact
  std::string combinations_reduced;  ///< Σ 2^binaries over the sub-problems that hold binaries, exact

  std::vector<int> unmatched_equations;    ///< indices of f left over: they check and determine nothing
  std::vector<int> unmatched_unknowns;     ///< rows of S of ẋ, y for which no equation is left
  std::vector<int> unmatched_binaries;     ///< rows of S of z that join the first block that contains them
  std::vector<int> equations_of_knowns;    ///< indices of f without unknowns; in no sub-problem
  std::vector<int> constraints_of_knowns;  ///< indices of g without unknowns; in no sub-problem
};

/// Splits the successor problem into parts that are solved in series, near-linear in the size of S and Φ.
///
/// The matching pairs ẋ and y with equations; binaries with equations left over; the binaries still free with
/// constraints that contain them (partners may change on the way, what is matched stays matched). A binary
/// free even then, like any unknown left over, joins the first sub-problem that contains it. A row left over
/// is checked in the first sub-problem after which all its unknowns are known. Any model will do: square or
/// not, singular or not; what could not be matched is listed.
[[nodiscard]] Structure analyze_structure(const Model& model);

/// The incidence matrix permuted to block lower triangular form as text, pattern (28) of the paper.
///
/// One picture per sub-set: rows of (f, g) by name on the left, unknowns on top, the rows and unknowns of a
/// sub-problem in brackets; x: contained, dot: not contained, blank: not yet known when the row is used. A
/// sub-set with more than `largest` unknowns is described in one line.
[[nodiscard]] std::string block_triangular_picture(const Model& model, const Structure& structure,
                                                   int largest = 60);

}  // namespace mti
