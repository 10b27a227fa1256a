#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mti/boolean.hpp"
#include "mti/cp_map.hpp"
#include "mti/input.hpp"
#include "mti/signature.hpp"

namespace mti {

/// A law that holds only at an instant (spec 3, "Transition laws").
///
/// Its equations are multilinear in v and in the left limits pre(s): the rows of `equations.S()` are those
/// of v followed by one row pre(s) for every entry of v.
struct Transition {
  enum class When { reach, rise, fall };
  When when = When::reach;
  int target = -1;            ///< reach: constraint index; rise, fall: binary index
  std::vector<int> replaces;  ///< equations put out of force
  CpMap equations;
  std::vector<std::string> equation_texts;
  std::vector<int> assigned;  ///< for each equation "s = …" with a state s: its index; −1 for others
};

/// Defaults of a run, as the model file states them.
struct Experiment {
  double start = 0.0;
  double stop = 1.0;
  double rtol = 1e-6;
  double atol = 1e-8;
  std::optional<double> output_interval;  ///< default: (stop − start)/500
};

/// A hybrid implicit multilinear model
///
///     f(ẋ, x, u, y, z) = 0,    g(ẋ, x, u, y, z) ≤ 0,    z ∈ {0,1}^q                        (2)–(4)
///
/// f and g share the columns of S. Const once built (mti/build.hpp makes one from a Source).
struct Model {
  std::string name;
  std::string description;
  Signature signature;
  SparseColumns S;         ///< signature.size() × R
  SparseColumns Phi_eq;    ///< equations × R
  SparseColumns Phi_ineq;  ///< constraints × R
  std::vector<std::string> equation_names;
  std::vector<std::string> constraint_names;
  std::vector<Input> inputs;    ///< in the order of the signature
  std::vector<double> x_start;  ///< fixed start values, n
  std::vector<double> y_start;  ///< guesses, p
  std::vector<char> z_start;    ///< z⁻ of the initialisation, q
  std::vector<BooleanFormula> invariants;
  std::vector<Transition> transitions;
  Experiment experiment;

  [[nodiscard]] int equations() const noexcept { return static_cast<int>(Phi_eq.rows()); }
  [[nodiscard]] int constraints() const noexcept { return static_cast<int>(Phi_ineq.rows()); }
  [[nodiscard]] int columns() const noexcept { return static_cast<int>(S.cols()); }
  [[nodiscard]] CpMap f() const { return {S, Phi_eq}; }
  [[nodiscard]] CpMap g() const { return {S, Phi_ineq}; }
};

}  // namespace mti
