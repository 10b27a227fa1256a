#pragma once

#include <string>

#include "mti/model/differentiate.hpp"
#include "mti/model/model.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// Row `row` of a CP map as text, e.g. "2*x1*z1 - 3*x2*(0.5 + 0.5*z1)"; numbers round-trip.
[[nodiscard]] std::string row_to_text(const CpMap& map, int row, const Signature& signature);

/// The same of a differentiated map, e.g. "x*der(y, 2) + 2*der(x)*der(y)"; a copy is written as what it
/// copies.
[[nodiscard]] std::string row_to_text(const DifferentiatedMap& map, int row, const Signature& signature);

/// The model written as equations: parameters are numbers, powers are the auxiliary signals they became (in
/// scenarios they are products).
/// build(to_equations(m)) has the same f, g, names and start values as m.
[[nodiscard]] Source to_equations(const Model& model);

/// The model written as matrices; build(to_matrices(m)) has bit for bit the same S and Φ.
[[nodiscard]] Source to_matrices(const Model& model);

}  // namespace mti
