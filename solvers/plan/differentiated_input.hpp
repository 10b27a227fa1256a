#pragma once

#include <span>

#include "mti/common/at.hpp"
#include "mti/model/input.hpp"

namespace mti {

/// The order-th derivative of an input, order ≥ 1, where equations of a mode hold it
/// (solvers/plan/recombination.hpp). A mode's i-th has the row after the model's: size + i, both in S and in what
/// v and a series hold there.
struct DifferentiatedInput {
  int input = 0;
  int order = 1;

  friend bool operator==(const DifferentiatedInput&, const DifferentiatedInput&) = default;

  /// d^k/dt^k of it at t.
  [[nodiscard]] double value(double t, std::span<const InputPiece> pieces, int k = 0) const {
    return pieces[at(input)].derivative(t, order + k);
  }
};

}  // namespace mti
