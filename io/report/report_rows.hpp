#pragma once

#include <span>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/model.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// The vectors v of a run, row by row, as far as a trajectory tells them: what it recorded, copies from their originals, pre(z) = z in continuous time, where no row lies within
/// the sequence of an instant. It is silent on derivatives and on other auxiliary signals.
class ReportRows {
 public:
  /// Of rows like those of `like`.
  ReportRows(const Model& model, const Trajectory& like);

  [[nodiscard]] bool knows(int row_of_S) const { return known_[at(row_of_S)] != 0; }
  /// Writes what is known of a row of `part` into v, of size signature.size().
  void fill(const Trajectory& part, std::size_t row, std::span<double> v) const;

 private:
  std::vector<int> rows_of_S_, input_rows_;
  std::vector<char> known_;
  std::vector<int> original_;  ///< rows of S that have the value of another one
};

}  // namespace mti
