#pragma once

#include <span>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/input_at.hpp"
#include "mti/model/model.hpp"

namespace mti {

/// The vectors v of a run, row by row, as far as a trajectory tells them: what it recorded, inputs from their
/// functions of time, copies from their originals, pre(z) = z in continuous time, where no row lies within
/// the sequence of an instant. It is silent on derivatives and on other auxiliary signals.
class ReportRows {
 public:
  /// Of rows that hold these rows of S, of a run from `begin` on. `model` outlives it.
  ReportRows(const Model& model, std::vector<int> rows_of_S, double begin);

  [[nodiscard]] bool knows(int row_of_S) const { return known_[at(row_of_S)] != 0; }
  /// Writes what is known of a row that recorded these values into v, of size signature.size().
  void fill(std::span<const double> recorded, double time, int side, std::span<double> v) const;

 private:
  const Model& model_;
  std::vector<int> rows_of_S_;
  double begin_;
  std::vector<char> known_;
  std::vector<int> original_;  ///< rows of S that have the value of another one
};

}  // namespace mti
