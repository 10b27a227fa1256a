#pragma once

#include <span>
#include <string>

#include "mti/model/model.hpp"

namespace mti {

/// A model without function rows that moves as `model` does: every 0 = r − φ(a) becomes multilinear equations of r, of the
/// rate a' of the argument, and of auxiliary signals that begin where they belong.
///
///     sin, cos        s' = c·a',  c' = −s·a'                  exp          r' = r·a'
///     sinh, cosh      s' = c·a',  c² − s² = 1                 log          a·r' = a'                      a ≥ 0
///     tan             r' = (1 + r²)·a'                        erf          e·r' = (2/√π)·a',  e' = 2a·e·a'
///     tanh            c·r = s of sinh and cosh
///     asin, acos      w·r' = ±a',  w² = 1 − a²,  w ≥ 0        asinh        w·r' = a',  w² = a² + 1
///     acosh           w·r' = a',   w² = a² − 1,  w ≥ 0        atan, atanh  (1 ± a²)·r' = a'         atanh: a² ≤ 1
///     sqrt, cbrt      r² = a, r ≥ 0;  r³ = a                  a^(m/k)      s^k = a,  r = s^m,  k ≤ 4, |m| ≤ 8
///     a^p             a·r' = p·r·a',  a ≥ 0                   abs of smooth(…): abs as a condition, with its event
///
/// Roots and such powers stay algebraic, and their arguments may jump. All others are integrals of a', so a has to be continuous
/// (mti/lifting/continuity.hpp). a' is the derivative of a state, 1 for the time, and for algebraic signals an auxiliary
/// signal a.rate, given by the derivative of the equation of a. Where no equation gives a by such signals, a becomes a state,
/// or a state is tied to it if it is an input: the solver differentiates. A power is written with copies, as everywhere. Ends of domains are constraints; a watched divisor that is continuous keeps its sign by one too.
///
/// `start`: a consistent point at the start time, one entry per row of S; auxiliary states begin with the values of their
/// functions there, and the start of every state is fixed there, so initial equations are gone. `jumps`: for each state why
/// it may jump, or an empty text. A model without functions and divisors is returned as it is.
/// Source: [kerner1981]; [savageau1987].
///
/// Errors: InvalidModel, id `argument-may-jump`, for every function whose argument may jump; `outside-domain` where a
/// function has no finite value at the start; InvalidOption, id `matrix-size`, of `start` and `jumps`.
[[nodiscard]] Model lift_functions(const Model& model, std::span<const double> start,
                                   std::span<const std::string> jumps);

}  // namespace mti
