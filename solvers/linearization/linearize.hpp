#pragma once

#include <complex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "solvers/eigenvalues/pencil_eigenvalues.hpp"
#include "solvers/linearization/linearization_points.hpp"
#include "solvers/linearization/state_space.hpp"

namespace mti {

struct LinearizationOptions {
  bool with_eigenvalues = true;
  EigenvalueOptions eigenvalues = {};
  bool state_space = false;  ///< also ẋ = A x + B u; errors as of state_space()
};

/// Descriptor form of a model at a point, in the mode of that point:
///
///     E δẇ = A δw + B δu,    δy = C δw + D δu,    w = (x, y)
///
/// E = [∂f/∂ẋ  0], A = −[∂f/∂x  ∂f/∂y], B = −∂f/∂u; the outputs are the algebraic signals that the model
/// declares (not the auxiliary ones of powers). One row per equation that the mode leaves, and behind them one for each unknown
/// that stands in none of them: it keeps its value, 0 = δy, and δẋ = 0, in discrete time δx(t + Ts) = δx. Where binaries
/// slide, their equivalent values ζ are unknowns behind y, and the surfaces are rows behind f. All entries
/// are exact derivatives (8), none is a difference quotient. Time and memory are linear in the entries of S
/// and Φ, apart from eigenvalues and the state-space form. In discrete time E δw(t + Ts) takes the place of
/// E δẇ, and the eigenvalues are those of the z-plane: stable within the unit circle.
struct Linearization {
  double time = 0.0;
  int side = 0;           ///< −1, 1: left, right limit at an event
  std::vector<double> v;  ///< the point, one entry per row of S
  Mode mode;
  int states = 0;  ///< the first so many unknowns
  SparseColumns E, A, B, C, D;
  std::vector<std::string> equations, unknowns, inputs, outputs;
  double residual = 0.0;                 ///< max |f_j(v)|: 0 to rounding at a consistent point
  std::string residual_equation;         ///< where that is; empty without equations
  std::vector<std::string> on_boundary;  ///< constraints with g = 0 that no equation keeps there
  std::vector<std::string> violated;     ///< constraints with g > 0 beyond them
  /// The finite generalised eigenvalues of (E, A), ascending by real part. Empty when not computed, see
  /// below.
  std::vector<std::complex<double>> eigenvalues;
  std::vector<Eigenvalue> eigenvalue_details;  ///< residual, condition and participation of each
  bool eigenvalues_computed = false;
  std::string eigenvalues_note;  ///< why not: not asked for, not square, singular pencil, too large
  std::optional<StateSpaceForm> state_space = {};  ///< if asked for
};

/// The states that a linearisation says nothing of: der(u) = 0 is all that holds between instants, and laws set them where a
/// binary input changes again and again, as at the ticks of a clock. By their indices, ascending.
[[nodiscard]] std::vector<int> sampled_states(const Model& model);

/// At any point, consistent or not, in its mode.
[[nodiscard]] Linearization linearize(const Model& model, const LinearizationPoint& point,
                                      const LinearizationOptions& options = {});

/// At any point `v` (all of it: ẋ, x, u, y, z, pre z), consistent or not. A binary that is neither 0 nor 1
/// throws InvalidOption (id `not-binary`): the mode of a sliding motion is not known from its values.
[[nodiscard]] Linearization linearize(const Model& model, std::span<const double> v,
                                      const LinearizationOptions& options = {});

/// At the point that the model has reached at `time`, by a run from its start. An outcome other than
/// reached_stop throws NotReached with the run's message.
[[nodiscard]] Linearization linearize(const Model& model, double time,
                                      const LinearizationOptions& options = {});

}  // namespace mti
