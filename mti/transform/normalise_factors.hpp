#pragma once

#include "mti/model/model.hpp"

namespace mti {

/// Factors of any size as factors of the normal form, f and g unchanged:
///
///     1 − |S| + S v with |S| > 1  →  S' = sign(a)·S/(|a| + |S|),    Φ' = Φ·sign(a)·(|a| + |S|),
///     a = 1 − |S|,
///
/// for a Model or map that was put together with S outside −1 … 1 (S = 2 for 2v − 1, as models of the MATLAB
/// toolbox hold it). What is normal stays bit for bit; equal columns merge. See docs/theory.md, "Functions".
/// Errors: InvalidModel, id `matrix-size`, where S and Φ have different numbers of columns; id `not-finite`.
[[nodiscard]] CpMap normalise_factors(const SparseColumns& S, const SparseColumns& Phi);
/// The same for f and g of a model, which share S.
[[nodiscard]] Model normalise_factors(const Model& model);

}  // namespace mti
