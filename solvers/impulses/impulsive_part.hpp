#pragma once

#include "mti/multilinear/row_map.hpp"

namespace mti {

/// δ-part of a signal, weight·δ^order: order 1 is a Dirac impulse, 2 its derivative, a fraction the order of
/// magnitude by which it grows with 1/h in an implicit Euler step of length h → 0.
struct ImpulsivePart {
  int row = -1;  ///< of S: y, or x whose derivative is absent
  Ball weight;
  double order = 1.0;
};

}  // namespace mti
