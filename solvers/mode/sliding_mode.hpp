#pragma once

#include <span>
#include <string>
#include <vector>

#include "mti/model/freeze.hpp"
#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "solvers/logic/outputs.hpp"
#include "solvers/mode/frozen_mode.hpp"

namespace mti {

/// A frozen mode in which binaries slide on surfaces: columns as SurfaceColumns makes them, and with
/// θ = ±(ζ₀ − below₀) of every surface the rows
///
///     f of the model          without relations of binaries alone, which hold on the sides
///     s = 0                   of every surface, or θ = its value where that is pinned
///     ζ_i = below_i + θ·(above_i − below_i)      of the binaries after the first of a surface
///     ζ − (its equation) = 0  of every blended output
///
///     g of the model,   −θ ≤ 0 and θ − 1 ≤ 0 of every surface
///
/// A constraint that is at every side a multiple of some surface stays zero on it, and counts as vanished.
///
/// With the binaries of some surfaces held at given `values` nothing is asked of these: f has no row for them, and g has
/// the s of all surfaces in the place of bounds. This is what pressing on a surface is judged in.
struct SlidingMode {
  SlidingMode(const SignalRows& rows, const Outputs& outputs, const Mode& mode,
              std::span<const FixedSignal> values = {});

  FrozenModel maps;        ///< f and g as maps
  FrozenMode frozen;       ///< the same row by row
  bool entangled = false;  ///< a product joins more surfaces than can be expanded
  bool held = false;       ///< values were given

 private:
  struct Rows;
  SlidingMode(const SignalRows& rows, const Mode& mode, Rows sliding);
};

/// Row of g, or of what a mode adds to it, in the model's names: a bound of θ is named by its surface.
[[nodiscard]] const std::string& constraint_name(const Model& model, const Mode& mode, int row);
/// Row of f, or of what a mode adds to it.
[[nodiscard]] std::string equation_name(const Model& model, const Mode& mode, int row);
/// The constraint itself, or the one whose surface a bound of θ belongs to.
[[nodiscard]] int constraint_index(const Model& model, const Mode& mode, int row);

}  // namespace mti
