#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/signal_rows.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// What is left of a row after freezing. A constraint is `implied` where it is a multiple of an equation of the mode: it is
/// zero along every motion, and only rounding would decide its sign.
enum class RowForm : char { vanished, constant, implied, live };

/// Rows of f and g that hold some of the signals in which two modes differ: only these need to be frozen anew.
struct AffectedRows {
  AffectedRows(const SignalRows& rows, std::span<const int> signals)
      : equations(rows.f.with_any(signals)), constraints(rows.g.with_any(signals)) {}

  std::vector<int> equations, constraints;  ///< ascending
};

/// A model frozen in a mode, row by row:
///
///     f(ẋ, x, u, y, ζ) = 0,   g(ẋ, x, u, y, ζ) ≤ 0      with z, pre(z) and binary inputs as numbers
///
/// and which of these rows are fulfilled or broken for any values of the signals. ζ are sliding binaries; without
/// them the rows are the model's, in their order.
struct FrozenMode {
  /// A mode in which nothing slides.
  FrozenMode(const SignalRows& rows, Mode mode);
  /// The same from another such mode: rows other than `affected` are taken over.
  FrozenMode(const SignalRows& rows, Mode mode, const FrozenMode& other, const AffectedRows& affected);
  /// Rows that are frozen already; `sliding` are the binaries that are signals in them (rows of S, ascending).
  FrozenMode(const SignalRows& rows, Mode mode, RowMap f, RowMap g, std::vector<int> sliding);

  /// The same mode with other equations in the place of f.
  [[nodiscard]] FrozenMode with_equations(RowMap equations) const;
  /// Takes a constraint for one that vanishes.
  void drop_constraint(int row);
  /// Of the first `rows` constraints, those that are multiples of equations: for rows that no SignalRows know.
  void find_implied(int rows);
  /// Rows of f that hold a signal, ascending.
  [[nodiscard]] std::vector<int> live_equations() const;
  /// Rows of S of ẋ, y and ζ.
  [[nodiscard]] std::vector<int> unknowns(const Signature& signature) const;

  Mode mode;
  RowMap f, g;
  std::vector<int> sliding = {};  ///< rows of the binaries that are unknowns, ascending
  std::vector<RowForm> equation_form = {}, constraint_form = {};
  std::vector<int> broken_equations = {};    ///< reduced to "non-zero = 0"
  std::vector<int> broken_constraints = {};  ///< reduced to "positive ≤ 0"
  std::vector<int> live_constraints = {};    ///< hold a signal and are not implied: can change along a motion
  std::vector<char> has_unknowns = {};       ///< for every constraint: ẋ, y or ζ occur in it
  bool forbidden = false;                    ///< an invariant of the model is false
  std::vector<Definition> idle = {};         ///< of signals that the mode does without; f has y = 0 for them

  std::vector<int> idle_signals = {};  ///< these signals, ascending

  /// Whether the mode does without this y.
  [[nodiscard]] bool does_without(int signal) const {
    return std::ranges::binary_search(idle_signals, signal);
  }

 private:
  void examine(const Model& model);
  void examine_constraint(int row, const Signature& signature);
  /// Of the rows given, those that are live: whether they are implied.
  template <class EquationsWith>
  void find_implied(const EquationsWith& equations_with, std::span<const int> constraints);
  void leave_out_idle(const SignalRows& rows);
  void list_rows();
};

/// ẋ, y or ζ by its row of S: what a mode's equations determine at given x and u.
[[nodiscard]] bool is_unknown(const Signature& signature, int signal);
/// Whether a row of a frozen map holds signals.
[[nodiscard]] RowForm form_of(const RowMap& map, int row);

}  // namespace mti
