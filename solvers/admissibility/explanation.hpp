#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mti/multilinear/row_map.hpp"

namespace mti {

/// The numbers that decide a constraint at an instant: g, Dg, D²g, … with the ε within which each is zero.
struct ExplainedRow {
  std::string constraint;     ///< its name
  std::vector<Ball> numbers;  ///< by order of the derivative; `error` is ε
  int deciding = -1;          ///< the order that settles it; −1: all of them are zero within ε
};

/// A surface that a candidate slides on and z⁻ does not, or in another way, with the values that its binaries blend.
struct ExplainedSurface {
  std::string constraint;                          ///< its name
  std::vector<std::pair<std::string, int>> below,  ///< binaries where it is ≤ 0
      above;                                       ///< and where it is ≥ 0
};

/// A candidate for the mode that follows an instant, and why it was taken or turned down.
struct ExplainedCandidate {
  int step = 0;                                         ///< of the instant, from 1
  std::vector<std::pair<std::string, double>> changed;  ///< binaries that differ from z⁻, with their values
  std::vector<ExplainedSurface> surfaces = {};
  bool accepted = false;
  std::string why;                 ///< in the model's names
  std::vector<ExplainedRow> rows;  ///< what it breaks; of one that was taken, what is on its boundary
};

}  // namespace mti
