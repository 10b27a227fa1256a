#pragma once

#include <span>

#include "solvers/motion/motion.hpp"

namespace mti {

/// Why a mode that can follow need not be the one that does.
enum class Doubt {
  none,
  open,      ///< no order of some row is clear, and it is open by far more than its signals' tolerances
  let_pass,  ///< some row is above zero by more than these, and counts as zero by its own error alone
};

/// Σ_j |∂g/∂v_j| ε_j over continuous signals: what their tolerances leave open about a row at v.
[[nodiscard]] double tolerance_of_row(const RowMap& g, int row, std::span<const double> v,
                                      const Signature& signature, const Accuracy& accuracy);

/// Of a row of g that counts as inside, within twice its error of zero; it `is_open` where no order of it is clear. A row counts as
/// zero where the mode leaves its signals open, be it by 10⁹ A where a diode shorts a source. Above zero it is by more than their
/// tolerances, and what the motion that ends does within the uncertainty of time, explain.
[[nodiscard]] Doubt doubt_of(const Signature& signature, Motion& motion, int row, double time_uncertainty,
                             bool is_open);

}  // namespace mti
