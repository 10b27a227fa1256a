#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "mti/derivatives/input_derivative.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/cp_map.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// Derivatives of everything a model is made of with respect to one quantity p, exact but for the rounding of numbers:
///
///     f_p = ∂f/∂p(ẋ, x, u, y, z),    g_p = ∂g/∂p,    h_p of the equations of laws and scenarios,
///     ∂x0/∂p,    ∂y0/∂p,    ∂u/∂p(t),    ∂t_b/∂p
///
/// at fixed v: f_p and g_p are multilinear functions of the same v as f and g, with rows and signals at the same places,
/// and can be frozen, evaluated and differentiated as these. They hold no function columns: arguments of functions are
/// signals, and the parameters in them stand in the equations of these signals.
///
/// p is one of
///
///     R            a parameter; others that are computed from it follow
///     start(x)     the start value of a state, with everything else as it is
///     input(u)     the value of a constant input
///     table(u,k)   the k-th value, k = 1, 2, …, of the table of an input
struct ParameterDerivative {
  std::string name;    ///< as asked for, without blanks
  double value = 0.0;  ///< of p
  double nominal =
      1.0;  ///< of p: that of the signal whose start or value p is; 1 of a parameter, of which none is known
  CpMap f;  ///< ∂f/∂p: equations of the model × columns of its own, signature.size() signals
  CpMap g;  ///< ∂g/∂p
  std::vector<CpMap> laws;  ///< of Model::transitions: ∂/∂p of `equations`, 2·signature.size() signals
  std::vector<CpMap> scenarios;  ///< of Model::scenarios: ∂/∂p of `equations`, with their signals
  std::vector<double> x_start;   ///< n: ∂/∂p of Model::x_start
  std::vector<double>
      y_start;  ///< p: of the guesses that the model declares; of signals that building adds 0
  std::vector<InputDerivative> inputs;  ///< m, in the order of the signature
  /// ∂/∂p of Experiment::start and stop and of Model::sample_time.
  double start_time = 0.0, stop_time = 0.0, sample_time = 0.0;

  /// max(|p|, nominal): derivatives of x by p are measured in nominal(x)/size(). |p| alone is no measure: 1e-14 may be a zero
  /// that was rounded.
  [[nodiscard]] double size() const { return std::max(std::abs(value), nominal); }
};

/// A model with derivatives with respect to some quantities. They belong to this model and to none that is made of it.
///
/// It is the model that build() makes of the source, but where parts that are equal for these values of parameters
/// differ for others: they are one signal (or one binary of a condition) there and two here, a factor p = 1 before
/// an argument of a function makes the argument a signal here, and a^p is exp(p·log a). Solutions are the same.
struct DifferentiatedModel {
  Model model;
  std::vector<ParameterDerivative> derivatives;  ///< in the order asked for
};

/// Builds a model and differentiates it with respect to the quantities `names`, in one pass over its texts: numbers and
/// coefficients carry their derivatives along (forward mode), nothing is differenced.
///
///     (c + c_p ε)(d + d_p ε) = c d + (c_p d + c d_p) ε,    φ(c + c_p ε) = φ(c) + φ'(c) c_p ε,    ε² = 0
///
/// Errors: InvalidModel as of build(). InvalidOption with every quantity that cannot be differentiated with respect to:
/// ids `unknown-derivative` (no such quantity; with a suggestion), `derivative-of-function` (input(u) of an input that is
/// no constant, table(u,k) of one that has no table or no k-th value), `parameter-decides` (it decides what the model is
/// made of: a condition on parameters, a whole exponent, the range of an array, the value of a binary),
/// `not-differentiable` (no finite derivative exists: sqrt(p) at 0, max(p, q) where both are equal). The pointer says
/// where in the model, the message names the quantity.
/// Source: [griewank2008], ch. 3.
[[nodiscard]] DifferentiatedModel build_with_derivatives(const Source& original,
                                                         const std::vector<std::string>& names);

/// What `--set` calls the quantity: "input(u)" is u, others are as they are.
[[nodiscard]] std::string overridden_name(const std::string& quantity);

/// "R, table(u,3)" as {"R", "table(u,3)"}: split at commas outside of parentheses, empty parts left out.
[[nodiscard]] std::vector<std::string> split_derivative_names(const std::string& text);

}  // namespace mti
