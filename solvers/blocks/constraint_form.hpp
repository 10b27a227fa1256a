#pragma once

#include <map>
#include <optional>

#include "mti/model/signature.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// A constraint that is affine in states and inputs, c + Σ w_i v_i, as the frozen rows of different modes write it.
class ConstraintForm {
 public:
  /// Nothing if the row is anything else. `g` is frozen in the mode.
  [[nodiscard]] static std::optional<ConstraintForm> of(const RowMap& g, int row, const Signature& signature);
  /// α with this = α·other to the last bit, so that a value of the other is one of this; nothing if there is none.
  [[nodiscard]] std::optional<double> ratio_to(const ConstraintForm& other) const;

 private:
  static constexpr int of_constant = -1;
  std::map<int, double> weights_;  ///< by signal; none of them 0
};

}  // namespace mti
