#pragma once

#include <span>
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
  /// What stands at z in each equation is m·p (mti/lifting/binary_steps.hpp), and z stands nowhere else: f is the same with both
  /// values at p = 0, as with those of min, max and abs. A motion on p = 0 would leave the weight θ of z open; none slides there.
  bool is_continuous = false;
};

/// Each of these binaries is one of the continuous comparisons.
[[nodiscard]] bool all_are_continuous(const std::vector<Comparison>& comparisons,
                                      std::span<const int> binaries);

/// Those of a model, by the form of its constraints, whoever has written them; ascending by binary, each once.
[[nodiscard]] std::vector<Comparison> comparisons_of(const SignalRows& rows);

}  // namespace mti
