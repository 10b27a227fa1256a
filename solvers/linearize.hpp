#pragma once

#include <complex>
#include <span>
#include <string>
#include <vector>

#include "mti/model.hpp"
#include "solvers/trajectory.hpp"

namespace mti {

/// Descriptor form of a model at a point, in the mode of that point:
///
///     E δẇ = A δw + B δu,    δy = C δw + D δu,    w = (x, y)
///
/// E = [∂f/∂ẋ  0], A = −[∂f/∂x  ∂f/∂y], B = −∂f/∂u; the outputs are the algebraic signals that the model
/// declares (not the auxiliary ones of powers). One row per equation that the mode leaves. All entries are
/// exact derivatives (8), none is a difference quotient.
struct Linearization {
  double time = 0.0;
  std::vector<double> v;  ///< the point, one entry per row of S
  SparseColumns E, A, B, C, D;
  std::vector<std::string> equations, unknowns, inputs, outputs;
  /// The finite generalised eigenvalues of (E, A), ascending by real part. Empty when not computed, see
  /// below.
  std::vector<std::complex<double>> eigenvalues;
  bool eigenvalues_computed = false;
  std::string eigenvalues_note;  ///< why not: not square, singular pencil, too large
};

/// At the consistent point `v` (all of it: ẋ, x, u, y, z, pre z).
[[nodiscard]] Linearization linearize(const Model& model, std::span<const double> v);

/// At the point that the model has reached at `time`, by a run from its start. An outcome other than
/// reached_stop throws InvalidModel (id `not-reached`) with the run's message.
[[nodiscard]] Linearization linearize(const Model& model, double time);

}  // namespace mti
