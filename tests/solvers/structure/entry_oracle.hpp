#pragma once

#include <Eigen/Dense>

#include <optional>
#include <vector>

#include "solvers/structure/mode_structure.hpp"
#include "tests/solvers/random_linear_model.hpp"
#include "tests/solvers/wong_sequences.hpp"

namespace mti::test {

/// A mode of a linear model in numbers. The number 1 is a last signal, with derivative zero, so that b jumps
/// like a coefficient.
struct LinearMode {
  RandomLinearModel::Numbers numbers;
  WongForm form;             ///< of the signals and the number 1
  Eigen::MatrixXd velocity;  ///< v̇ = velocity · v on consistent v
  Eigen::MatrixXd leading;   ///< ∂(rows differentiated c_i times)/∂(d_j-th derivatives of the signals)
  ModeStructure structure;
};

/// The mode if it is regular, in structure and in numbers, with as many degrees of freedom in both, and ranks
/// and conditions leave no doubt; else nothing.
[[nodiscard]] std::optional<LinearMode> linear_mode(const RandomLinearModel& random, const Model& model,
                                                    unsigned bits);

/// What becomes of values that are consistent in z when z' is entered, by Wong sequences.
///
/// Rows that z' differentiates twice or more are met at the entry, by the event that was waited for: of the
/// values consistent in z only those are taken with which row i and its derivatives up to the (c_i − 2)-th
/// hold.
struct LinearEntry {
  enum class Size { zero, doubtful, some };
  std::vector<Size> jumps;      ///< of each signal: Δv for some such values
  std::vector<Size> impulses;   ///< of each signal: weight of δ
  std::vector<Size> residuals;  ///< of each row with c_i > 0: its (c_i − 1)-th derivative before, else zero
  Size higher = Size::zero;     ///< weights of δ', δ'', …
  int dimension = 0;            ///< of the values taken
};
[[nodiscard]] LinearEntry linear_entry(const LinearMode& before, const LinearMode& after);

}  // namespace mti::test
