#pragma once

#include <string>
#include <vector>

#include "mti/model.hpp"

namespace mti {

/// A row of (f, g) or an unknown of (ẋ, y, z) in the structure of a model.
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

/// Structure of the successor problem: known are x, u, t (and pre z); unknown are ẋ, y, z. Spec 2, "Reducing 2^q".
struct Structure {
  std::vector<SubSet> sub_sets;
  std::string combinations_all;      ///< 2^q, exact
  std::string combinations_reduced;  ///< Σ 2^binaries over the sub-problems that hold binaries, exact
};

[[nodiscard]] Structure analyze_structure(const Model& model);

/// The incidence matrix permuted to block lower triangular form as text, pattern (28) of the paper.
[[nodiscard]] std::string block_triangular_picture(const Model& model, const Structure& structure);

}  // namespace mti
