#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/input.hpp"
#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/blocks/constraint_form.hpp"
#include "solvers/blocks/input_pieces.hpp"

namespace mti {

/// What counts as zero: ε_j = rtol·|v_j| + atol·nominal_j (docs/theory.md, "What is zero").
struct Accuracy {
  double rtol = 1e-6;
  double resolution = 0.0;  ///< δ: what relaxes within this time counts as quasi-steady; 0: nothing does
  std::vector<double> absolute;  ///< atol·nominal for every row of S; a sliding binary has nominal 1

  Accuracy(const Model& model, double rtol, double atol);
  /// What is met within this time is met at the same instant: a speed that varies by a·τ is taken from its time on to less than rtol of
  /// a·T.
  [[nodiscard]] double same_instant() const { return 0.1 * resolution; }
  /// By how much an event, or a limit of events, may be early or late.
  [[nodiscard]] double asked_of_times() const { return 10.0 * resolution; }
  [[nodiscard]] double of(int row, double value) const {
    return rtol * (value < 0.0 ? -value : value) + absolute[mti::at(row)];
  }
  /// ε of an input that moves at this rate: it is known exactly, and no threshold of it is met more than δ early or late,
  ///
  ///     ε_u = min(rtol·|u| + atol·nominal, |u̇|·δ) + rounding
  ///
  /// A clock or a pressure may be large against what it changes by. One that stands still counts as any other signal.
  [[nodiscard]] double of_input(int row, double value, double rate) const;
};

/// What the integrator knows at the end of a step about the unknowns ẋ, y of the mode it has integrated.
///
/// A signal that has passed the error test of every step is known to about its tolerance, however much ε of
/// the states would leave open about it at fixed x: while diode current i = G·s is carried for G = 1e-12, the
/// voltage s = i/G follows from i only to ε_i/G. States may be known better than to their ε, too: order 0 of x.
struct Vouched {
  std::optional<Mode> mode;  ///< none where inputs jump: no mode goes on as it was
  /// By order and row of S; infinite error: not known. None: nothing is known but constraints.
  std::vector<std::vector<Ball>> coefficients;
  /// Of constraints that are known better than their signals, by row of g: their coefficients by order, and what they are.
  struct OwnConstraint {
    std::vector<Ball> coefficients;
    std::optional<ConstraintForm> form;
  };
  std::map<int, OwnConstraint> constraints = {};
  bool states_are_exact = false;  ///< they have all their digits, and so do the constraints

  /// Order k of signal `row`.
  [[nodiscard]] Ball at(int row, int k) const {
    return mti::at(k) < coefficients.size() ? coefficients[mti::at(k)][mti::at(row)]
                                            : Ball{0.0, std::numeric_limits<double>::infinity()};
  }
  /// Order k of the constraint in row `row` of g.
  [[nodiscard]] Ball constraint(int row, int k) const {
    const auto found = constraints.find(row);
    return found != constraints.end() && mti::at(k) < found->second.coefficients.size()
               ? found->second.coefficients[mti::at(k)]
               : Ball{0.0, std::numeric_limits<double>::infinity()};
  }
  /// The value of a row of another mode that is one of the constraints, or a multiple of it, x and u being continuous.
  [[nodiscard]] Ball value_of(const ConstraintForm& form) const;
};

/// What has a law where it becomes true, and a constraint that is broken as it does, or as it becomes false and may become true anew.
struct WaitedFor {
  bool becomes_true = false, becomes_false = false;
};

/// An instant: time, the pieces that the inputs follow from here on, and the state.
struct Instant {
  double t = 0.0;
  double time_uncertainty = 0.0;  ///< of t itself, where a boundary's crossing defines it
  InputPieces pieces;             ///< one per input
  std::vector<double> v;          ///< x⁻ in place; ẋ and y are guesses (their last values)
  std::vector<double> guess;      ///< a second guess for ẋ and y (the model's start values)
  bool has_past = false;          ///< ẋ and y are left limits, not mere guesses
  double grace = 0.0;             ///< a row that falls inside within it has never been outside
  bool ends_domain = false;       ///< a function ends here, with which no motion goes on that stays
  bool accumulates = false;       ///< switches accumulate here, so that motions come back to their surfaces
  /// A constraint that is near is met here if it comes to zero within this, one with a law and one without.
  double same_instant = 0.0, asked_of_times = std::numeric_limits<double>::infinity();
  /// When a constraint was met last. Null: none has been.
  std::shared_ptr<const std::function<double(int constraint)>> last_met = {};
  std::vector<int> answered =
      {};  ///< rows whose law has been applied here, and that have been reached ever since
  /// By constraint: what becomes true or false where it is broken has a law. Null: none has.
  std::shared_ptr<const std::vector<WaitedFor>> waited_for = {};
  std::vector<int> arrived =
      {};  ///< rows at whose boundary the motion up to here has arrived, whatever inputs do from here on
  std::vector<char> z_before = {};  ///< of the mode that ends here, for laws of rising and falling binaries
  std::shared_ptr<const Vouched> vouched = {};  ///< where a step ends here, with x continuous
};

/// Of one of the model's constraints; of bounds of weights nothing.
[[nodiscard]] inline WaitedFor waited_for(const Model& model, const Instant& instant, int constraint) {
  return instant.waited_for && constraint < model.constraints() ? (*instant.waited_for)[at(constraint)]
                                                                : WaitedFor{};
}

}  // namespace mti
