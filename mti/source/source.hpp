#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "mti/model/input.hpp"
#include "mti/model/model.hpp"

namespace mti {

/// A number, or an expression of parameters that gives one ("3*a").
using Number = std::variant<double, std::string>;

struct ParameterSource {
  std::string name;
  Number value = 0.0;
};

struct StateSource {
  std::string name;
  Number start = 0.0;
  std::string unit = {};
  Number nominal = 1.0;
  std::string sample = {};  ///< the clock of a sampled state; with a single clock it need not be named
  bool fixed = true;        ///< false: the start value is a guess, and initial equations determine it
};

/// Ticks at offset + k·period, k whole. States with next(x) in an equation change there alone (mti/clocks).
struct ClockSource {
  std::string name;
  Number period = 1.0, offset = 0.0;
  bool is_alone = false;  ///< written as an object in the place of a list: where errors point
};

struct TableSource {
  std::vector<Number> time, value;
  std::optional<Interpolation> interpolation = {};  ///< default: linear, for binary inputs previous
  std::optional<Number> repeat = {};                ///< the period in which the table comes again
  Number start = 0.0;                               ///< of a repeated table: where a period begins
};
struct SineSource {
  Number amplitude = 0.0, frequency = 0.0, phase = 0.0, offset = 0.0;
};
/// Rectangular pulses: `high` in the first `duty` of each period, then `low`. The duty is a number from 0 to 1,
/// an expression of parameters or the name of an input, which is sampled at the beginning of each period.
struct PulseSource {
  enum class Kind { square, pwm };  ///< the word it is written with; `square` has a duty of one half
  Kind kind = Kind::square;
  Number period = 1.0, duty = 0.5, low = 0.0, high = 1.0, start = 0.0;
};
/// From `low` to `high` in the first half of each period, and back in the second.
struct TriangleSource {
  Number period = 1.0, low = 0.0, high = 1.0, start = 0.0;
};
/// The value of another signal of the model `time` ago; `before` where that lies before the run: by default the start value
/// of a state. The past of an input is the input itself, unless `before` is given.
struct DelaySource {
  std::string of;
  Number time = 1.0;
  std::optional<Number> before = {};
};
/// Polynomials in t − time[i], one between two times each: coefficients[i], those of the lowest powers first.
struct PolynomialSource {
  std::vector<double> time;
  std::vector<std::vector<double>> coefficients;
};
struct InputSource {
  std::string name;
  /// A csv column arrives as a table.
  std::variant<Number, TableSource, SineSource, PulseSource, TriangleSource, DelaySource, PolynomialSource>
      form = Number{0.0};
  std::string unit = {};
  Number nominal = 1.0;
  bool binary = false;
};

struct AlgebraicSource {
  std::string name;
  Number start = 0.0;
  std::string unit = {};
  Number nominal = 1.0;
  bool auxiliary = false;
};

struct BinarySource {
  std::string name;
  Number start = 0.0;
  std::string generated = {};  ///< the text of the condition it was made for (Signal::generated)
};

/// An equation "a = b" or a constraint "a <= b", "a >= b". Without a name it gets eq<k> or c<k>, k from 1.
struct RelationSource {
  RelationSource(std::string text_) : text(std::move(text_)) {}  // NOLINT: a bare text is the usual form
  RelationSource(const char* text_) : text(text_) {}             // NOLINT
  RelationSource(std::string name_, std::string text_)
      : text(std::move(text_)), name(std::move(name_)), is_object(true) {}
  std::string text;
  std::string name;
  bool is_object = false;  ///< written as {"name", "text"}: where errors point
};

/// Sparse triplets, 0-based.
struct TripletSource {
  int rows = 0, cols = 0;
  std::vector<int> i, k;
  std::vector<double> v;
};

/// A function row 0 = result − φ(argument) beside matrices: signals by name, x standing for the state and not for ẋ.
struct FunctionSource {
  std::string result, argument;
  std::string function;                 ///< a name of mti/functions/elementary_function.hpp
  std::optional<double> exponent = {};  ///< of "power"
};

/// The matrices form of a model's equations and constraints.
struct MatricesSource {
  TripletSource S, Phi_eq, Phi_ineq;
  std::vector<std::string> equation_names, constraint_names;
  std::vector<std::string> pre;  ///< binaries whose pre(z) has a row after those of z
  bool normalized = true;  ///< false: factors 1 − |S| + S·v with |S| > 1 allowed, normalised on building
  std::vector<FunctionSource> functions = {};
  std::vector<std::string> divisors = {};  ///< signals that a motion must not bring to 0
};

/// An explicit multilinear model  ẋ = F(x, u), y = G(x, u)  in CP form on common columns k = 1..R:
///
///     (F; G)_j(x, u) = Σ_k phi_jk · lambda_k · Π_i a_ik(w_i),    w = (x, u)
///
/// with a_ik(w) = 1 − |U_ik| + U_ik w from the structure matrix U, (n + m) × R (the CPN1 form of the MATLAB
/// MTI toolbox), or with a_ik(w) = U⁽ⁱ⁾_1k + U⁽ⁱ⁾_2k w from factor matrices U⁽ⁱ⁾, 2 × R, of any scale. phi is
/// (n + p) × R. Source: Lichtenberg et al., "Implicit multilinear modeling", at - Automatisierungstechnik 70
/// (2022) 13–30.
struct ExplicitSource {
  std::optional<TripletSource> U;                         ///< this one
  std::vector<std::vector<std::vector<double>>> factors;  ///< or these: [i][0] and [i][1] are rows of U⁽ⁱ⁾
  std::vector<double> lambda;                             ///< empty: ones
  TripletSource phi;
  std::vector<std::string> equation_names;
  bool normalized = true;  ///< false: |U_ik| > 1 is allowed, the factors are taken as they are
};

/// A linear model  E ẋ = A x + B u,  y = C x + D u.  Without E: ẋ = A x + B u.
///
/// A and E are e × n, B is e × m, C is p × n, D is p × m; e = n without E.
struct StateSpaceSource {
  std::optional<TripletSource> E;
  TripletSource A, B, C, D;
  std::vector<std::string> equation_names;  ///< of the e + p equations
};

struct TransitionSource {
  std::string when;  ///< reach(constraint), rise(z), fall(z), risen(z)
  std::vector<std::string> replaces = {};
  std::vector<std::string> equations = {};
  std::string emit = {};  ///< what events say in which the law is applied
};

/// Where `condition` becomes true the states take new values, all from what was before; `emit` is what the event says
/// (mti/whens).
struct WhenSource {
  std::string condition;
  std::vector<std::pair<std::string, Number>> set = {};
  std::string emit = {};
};

/// An initial scenario, for the analysis of all modes and for runs that begin with it (mti/transform/scenario_start.hpp).
struct ScenarioSource {
  std::string name;
  std::string modes = {};  ///< Boolean formula of binaries and binary inputs; empty: all modes
  std::vector<std::string> equations = {};
};

struct ExperimentSource {
  Number start = 0.0, stop = 1.0, rtol = 1e-6, atol = 1e-8;
  std::optional<Number> output_interval = {};
  bool fixed_start = false;
};

/// An expression of parameters that has decided what a source consists of, such as the range of an array: a derivative with
/// respect to a parameter in it would not be that of the model.
struct DecisionSource {
  std::string expression;
  std::string pointer;  ///< where it stands
  std::string what;     ///< what it decides, for messages
};

/// A model as written: what a file or a program says before names are resolved and text is expanded.
///
/// Mirrors the model file (docs/model-format.md) member by member, so that a fault found while building has
/// a JSON pointer: element i of `states` is "/states/i".
struct Source {
  std::string name = {};
  std::string description = {};
  std::optional<Number> sample_time = {};  ///< of discrete time; nothing: continuous time
  std::vector<ParameterSource> parameters = {};
  std::vector<ClockSource> clocks = {};  ///< "sample" in the file
  std::vector<StateSource> states = {};
  std::vector<InputSource> inputs = {};
  std::vector<AlgebraicSource> algebraic = {};
  std::vector<BinarySource> binaries = {};
  std::vector<RelationSource> equations = {};
  std::vector<RelationSource> constraints = {};
  std::optional<MatricesSource> matrices = {};  ///< replaces equations and constraints
  std::vector<std::string> invariants = {};
  std::vector<TransitionSource> transitions = {};
  std::vector<WhenSource> whens = {};  ///< "when" in the file
  ExperimentSource experiment = {};
  std::vector<ScenarioSource> scenarios = {};
  /// Equations that hold where a run begins, for the states that are not `fixed`. Without a name: initial<k>, k from 1.
  std::vector<RelationSource> initial = {};
  /// At most one of these and `matrices`.
  std::optional<ExplicitSource> explicit_form = {};
  std::optional<StateSpaceSource> state_space = {};
  std::vector<DecisionSource> decisions = {};  ///< of whoever made this source; not part of a file
};

}  // namespace mti
