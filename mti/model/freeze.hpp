#pragma once

#include <span>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/cp_map.hpp"

namespace mti {

/// A signal that is held at a value.
struct FixedSignal {
  int row = 0;
  double value = 0.0;
};

/// The map with some signals fixed: their factors become numbers in Φ, columns with a zero factor vanish,
/// columns that have become equal merge. The rows and signals keep their places. Exact up to rounding.
[[nodiscard]] CpMap freeze(const CpMap& map, std::span<const FixedSignal> fixed);

/// What a mode fixes: the values of z, pre(z) and binary inputs by their rows of S. Sliding binaries are not
/// fixed.
[[nodiscard]] std::vector<FixedSignal> fixed_signals(const Signature& signature, const Mode& mode);

/// Writes what a mode fixes into v; the entries of sliding binaries stay.
void write_mode(const Signature& signature, const Mode& mode, std::span<double> v);

/// A model in one mode: an ordinary multilinear DAE f(ẋ, x, u, y) = 0 with g(ẋ, x, u, y) ≤ 0.
///
/// Structure, solution and restart are always those of a frozen model (docs/theory.md). What the mode does without has the
/// equation y = 0 (mti/model/idle_definitions.hpp).
struct FrozenModel {
  CpMap f;
  CpMap g;
};
[[nodiscard]] FrozenModel freeze(const Model& model, const Mode& mode);

}  // namespace mti
