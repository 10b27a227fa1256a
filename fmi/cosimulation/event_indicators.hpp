#pragma once

#include <span>

#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/blocks/instant.hpp"

namespace mti::fmi {

/// ε_l − g_l of each constraint g_l ≤ 0: above zero inside and on the boundary, below where the mode has to change.
///
/// ε_l is half of what g_l changes by where states and algebraic signals change by what counts as zero, ½ Σ |∂g/∂v_j| ε_j, and
/// inputs are known exactly: where an importer finds that the indicator has passed zero, g_l still counts as zero, so that a
/// surface on which the motion slides is one, and what is reached is not violated. A row that vanishes in a mode stays at a number above zero.
class EventIndicators {
 public:
  EventIndicators(const Model& model, double rtol, double atol)
      : accuracy_(model, rtol, atol),
        g_(model.g()),
        first_input_(model.signature.input_row(0)),
        first_algebraic_(model.signature.algebraic_row(0)),
        first_binary_(model.signature.binary_row(0)) {}

  /// `v`: one entry per row of S, binaries in place.
  [[nodiscard]] double value(int constraint, std::span<const double> v) const {
    return of_row(g_, constraint, v, first_binary_);
  }
  /// Of a row of a mode's constraints, in which binaries that slide are signals.
  [[nodiscard]] double in_mode(const RowMap& g, int row, std::span<const double> v) const {
    return of_row(g, row, v, static_cast<int>(v.size()));
  }
  /// Of a row that says nothing in the mode.
  [[nodiscard]] double held() const noexcept { return accuracy_.rtol; }

 private:
  [[nodiscard]] double of_row(const RowMap& g, int row, std::span<const double> v, int first_known) const;

  Accuracy accuracy_;
  RowMap g_;
  int first_input_, first_algebraic_, first_binary_;
};

}  // namespace mti::fmi
