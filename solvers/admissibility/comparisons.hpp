#pragma once

#include <vector>

#include "mti/model/signal_rows.hpp"

namespace mti {

/// A binary that compares, z = [p ≥ 0], and the constraints that say so:
///
///     p·(1 − z) ≤ 0 and −p·z ≤ 0,  or both at once, (1 − 2z)·p ≤ 0 .
///
/// At p = 0 both values are feasible, and it keeps the one that it has.
struct Comparison {
  int binary = 0, while_off = 0, while_on = 0;  ///< by their places among binaries and constraints
};

/// Those of a model, by the form of its constraints, whoever has written them; ascending by binary, each once.
[[nodiscard]] std::vector<Comparison> comparisons_of(const SignalRows& rows);

}  // namespace mti
