#pragma once

#include <vector>

#include "mti/input.hpp"
#include "mti/model.hpp"

namespace mti {

/// What counts as zero: ε_j = rtol·|v_j| + atol·nominal_j (spec 2, "Numerics that decide right and wrong").
struct Accuracy {
  double rtol = 1e-6;
  std::vector<double> absolute;  ///< atol·nominal for every row of S; a sliding binary has nominal 1

  Accuracy(const Model& model, double rtol, double atol);
  [[nodiscard]] double of(int row, double value) const {
    return rtol * (value < 0.0 ? -value : value) + absolute[static_cast<std::size_t>(row)];
  }
};

/// An instant: time, the pieces that the inputs follow from here on, and the state.
struct Instant {
  double t = 0.0;
  double time_uncertainty = 0.0;    ///< of t itself, where a boundary's crossing defines it
  std::vector<InputPiece> pieces;   ///< one per input
  std::vector<double> v;            ///< x⁻ in place; ẋ and y are guesses (their last values)
  std::vector<double> guess;        ///< a second guess for ẋ and y (the model's start values)
  bool has_past = false;            ///< ẋ and y are left limits, not mere guesses
  std::vector<char> z_before = {};  ///< of the mode that ends here, for laws of rising and falling binaries
};

}  // namespace mti
