#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/boolean.hpp"
#include "mti/model/input.hpp"
#include "mti/model/signature.hpp"
#include "mti/multilinear/cp_map.hpp"

namespace mti {

/// A law that holds only at an instant (docs/restarts.md, "Transition laws").
///
/// Its equations are multilinear in v and in the left limits pre(s): the rows of `equations.S()` are those
/// of v followed by one row pre(s) for every entry of v.
struct Transition {
  /// risen: behind the change to 1 instead of with it. The change follows without the law; then the law is applied to what it
  /// has left, and the successor problem is posed anew, at the same instant.
  enum class When { reach, rise, fall, risen };
  When when = When::reach;
  int target = -1;            ///< reach: constraint index; others: binary index
  std::vector<int> replaces;  ///< equations put out of force
  CpMap equations;
  std::vector<std::string> equation_texts;
  std::vector<int> assigned;  ///< for each equation "s = …" with a state s: its index; −1 for others
  std::string emit = {};      ///< what events say in which the law is applied
};

/// Whether a law belongs to the restart of modes with that change. Others have moved x⁻ before modes are judged.
[[nodiscard]] inline bool is_of_change(const Transition& law) {
  return law.when == Transition::When::rise || law.when == Transition::When::fall;
}

/// An initial scenario: what is to hold at the start beside f, in some modes.
///
///     h(v, v̂) = 0    where the formula `modes` holds,    v̂_c = v_copied[c]
///
/// A power is written with copies, x² = x·x̂, which are no signals of the model: rows of `equations.S()` are
/// those of v, then one for each copy. A run solves the one that `is_initial` where it begins
/// (solvers/initialization), and no other; the analysis of all modes looks at each. Source: Benveniste, Caillaud,
/// Malandain, Thibault, Electronics 11 (2022) 17, ch. 7.
struct Scenario {
  std::string name;
  BooleanFormula modes;     ///< without steps: all modes
  CpMap equations;          ///< h
  std::vector<int> copied;  ///< row N + c of S is the copy of row copied[c]; N entries of v
  std::vector<std::string> equation_texts;
  bool is_initial = false;                       ///< it holds where a run begins: `initial` of the model file
  std::vector<std::string> equation_names = {};  ///< of `initial`; the others have texts only

  /// The row of v that a row of S stands for.
  [[nodiscard]] int original(int row) const {
    const int own = equations.signals() - static_cast<int>(copied.size());
    return row < own ? row : copied[at(row - own)];
  }
};

/// A row 0 = v_result − φ(v_argument) of f, as it is written: how messages and files name it. Its column of S is in
/// Model::functions.
struct FunctionText {
  int equation = 0;  ///< row of Φ_eq
  int result = 0;    ///< row of S
  int argument = 0;  ///< row of S
  std::string text;  ///< "sqrt(2*g*h)"
};

/// A signal that something is divided by, q·b − a = 0: a motion that reaches b = 0 has left the domain of q.
struct Divisor {
  int signal = 0;     ///< row of S
  std::string text;   ///< as written
  int quotient = -1;  ///< row of S of q, where that is known
};

/// Defaults of a run, as the model file states them.
struct Experiment {
  double start = 0.0;
  double stop = 1.0;
  double rtol = 1e-6;
  double atol = 1e-8;
  std::optional<double> output_interval;  ///< default: (stop − start)/500
  bool fixed_start = false;               ///< start values count time up to `start`: runs begin at no other
};

/// An input that was made of another: u(t) = of(t − delay), at any time. The other, if it is set anew, does not move it.
struct MovedInput {
  std::string name, of;
  double delay = 0.0;
};

/// A binary z = [p ≥ 0] that a condition has made: constraints p·(1 − z) ≤ 0 and −p·z ≤ 0, and its value where a run begins
/// at p = 0 with nothing to move it from there.
struct SignBinary {
  int binary = 0, while_off = 0, while_on = 0;  ///< by their places among binaries and constraints
  bool starts_on = false;

  friend bool operator==(const SignBinary&, const SignBinary&) = default;
};

/// A hybrid implicit multilinear model
///
///     f(ẋ, x, u, y, z) = 0,    g(ẋ, x, u, y, z) ≤ 0,    z ∈ {0,1}^q                        (2)–(4)
///
/// with function rows 0 = v_r − φ(v_a) among f (docs/theory.md, "Functions of signals"): their columns φ(v_a) are listed
/// in `functions`, and a model without any is multilinear. f and g share the columns of S. Const once built (mti/build/build.hpp makes one from a Source).
///
/// With a sample time Ts the model is one of discrete time: rows of ẋ stand for next(x) = x(t + Ts), and
///
///     f(x⁺, x, u, y, z) = 0,    g(x⁺, x, u, y, z) ≤ 0    at t = start + k·Ts, k = 0, 1, …
struct Model {
  std::string name;
  std::string description;
  double sample_time = 0.0;  ///< Ts > 0; 0: continuous time
  Signature signature;
  SparseColumns S;                           ///< signature.size() × R
  SparseColumns Phi_eq;                      ///< equations × R
  SparseColumns Phi_ineq;                    ///< constraints × R
  std::vector<FunctionColumn> functions;     ///< columns that are functions of their signal; only in Φ_eq
  std::vector<FunctionText> function_texts;  ///< one for each
  std::vector<Divisor> divisors;
  std::vector<std::string> equation_names;
  std::vector<std::string> constraint_names;
  std::vector<Input> inputs;  ///< in the order of the signature
  std::vector<MovedInput> moved_inputs = {};
  std::vector<double> x_start;  ///< start values, n: fixed, or guesses where the start is free
  std::vector<double> y_start;  ///< guesses, p
  std::vector<char> z_start;    ///< z⁻ of the initialisation, q
  std::vector<SignBinary> sign_binaries = {};
  std::vector<char> x_free = {};  ///< 1 where the start of a state is free; n entries, or none: all are fixed
  std::vector<BooleanFormula> invariants;
  std::vector<Transition> transitions;
  std::vector<Scenario> scenarios;
  Experiment experiment;

  /// The equations that hold where a run begins, beside f; null: there are none.
  [[nodiscard]] const Scenario* initial() const noexcept {
    for (const Scenario& scenario : scenarios)
      if (scenario.is_initial) return &scenario;
    return nullptr;
  }
  [[nodiscard]] bool has_free_start(int state) const noexcept {
    return at(state) < x_free.size() && x_free[at(state)] != 0;
  }
  /// Start values alone do not say where a run begins: equations are solved for the free ones.
  [[nodiscard]] bool solves_start() const noexcept {
    for (const char free : x_free)
      if (free != 0) return true;
    return initial() != nullptr;
  }
  /// From here on start values are what they are: nothing is free, and no initial equations are left.
  void fix_start() {
    x_free.clear();
    std::erase_if(scenarios, [](const Scenario& scenario) { return scenario.is_initial; });
  }
  [[nodiscard]] bool is_discrete() const noexcept { return sample_time > 0.0; }
  [[nodiscard]] int equations() const noexcept { return static_cast<int>(Phi_eq.rows()); }
  [[nodiscard]] int constraints() const noexcept { return static_cast<int>(Phi_ineq.rows()); }
  [[nodiscard]] int columns() const noexcept { return static_cast<int>(S.cols()); }
  [[nodiscard]] CpMap f() const { return {S, Phi_eq, functions}; }
  [[nodiscard]] CpMap g() const { return {S, Phi_ineq, functions}; }
  [[nodiscard]] bool is_multilinear() const noexcept { return functions.empty(); }
};

}  // namespace mti
