#pragma once

#include <map>
#include <span>

#include "mti/model/signature.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// Rows "x = a" of laws that are due at one instant, a being known: two that give a state the same value, whatever they are
/// written as, say one thing.
class RepeatedRows {
 public:
  explicit RepeatedRows(const Signature& signature) : signature_(signature) {}

  /// The row says what another one has said. `point` is what laws are read at (x⁺, Y, pre(v)).
  [[nodiscard]] bool repeats(const RowMap& law, int row, std::span<const double> point);
  /// Values of two rows were compared: what is said holds at this point alone.
  [[nodiscard]] bool compared() const noexcept { return compared_; }

 private:
  const Signature& signature_;
  std::map<int, double> values_;  ///< by row of S
  bool compared_ = false;
};

}  // namespace mti
