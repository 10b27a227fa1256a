#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mti/model/assertions.hpp"
#include "mti/model/mode.hpp"
#include "mti/model/signature.hpp"
#include "solvers/admissibility/explanation.hpp"
#include "solvers/integration/dense_output.hpp"
#include "solvers/trajectory/sensitivity_table.hpp"

namespace mti {

/// How a run ended.
enum class OutcomeKind {
  reached_stop,
  left_domain,  ///< the end of the domain of a function, or a divisor of 0, is reached
  dead_end,     ///< no admissible motion continues the run
  zeno,         ///< infinitely many switches accumulate
  no_consistent_start,
  refused_restart,  ///< what comes next would depend on how the model is written
  refused_law,      ///< a transition law leaves signals undetermined, or contradicts
  cycle,            ///< the changes of one instant repeat
  solver_failure,
  candidate_limit,
  event_limit,
  time_budget,
  interrupted,
  out_of_memory,
};
[[nodiscard]] std::string to_string(OutcomeKind kind);

struct Outcome {
  OutcomeKind kind = OutcomeKind::reached_stop;
  std::string message = {};  ///< in the model's names
  double end_time = 0.0;
  std::vector<ExplainedCandidate> explanation = {};  ///< of the last instant, if it was asked for
};

enum class EventKind { initial, switch_mode, law, slide_begin, slide_end, zeno, input };
[[nodiscard]] std::string to_string(EventKind kind);  ///< as in events.json: "switch" for switch_mode

/// A binary or binary input that changed: row of S, value before and after.
struct Change {
  int row = -1;
  double before = 0.0, after = 0.0;
};

struct Impulse {
  int row = -1;
  double weight = 0.0, order = 1.0;
};

/// One instant at which the mode changed.
struct Event {
  double time = 0.0;
  EventKind kind = EventKind::switch_mode;
  std::vector<int> constraints = {};  ///< those that arrived
  std::vector<Change> changed = {};
  std::vector<Change> jumps = {};         ///< states that jumped: row of x, before, after
  std::vector<Impulse> impulses = {};     ///< by row, the highest order first
  std::vector<int> left = {};             ///< rows of x and y that are absent from here on
  std::vector<int> returned = {};         ///< those that were absent before
  std::vector<std::string> emitted = {};  ///< Transition::emit of laws that were applied
  long candidates_tried = 0;
  std::vector<std::vector<Change>> ties = {};        ///< other admissible changes of the same distance
  std::vector<std::vector<Change>> steps = {};       ///< the instant's sequence, where there is more than one
  std::vector<ExplainedCandidate> explanation = {};  ///< every candidate, if it was asked for
  /// ∂time/∂p by parameter of SensitivityTable, if there are any; NaN where it does not exist.
  std::vector<double> sensitivity = {};
  std::vector<UndefinedSensitivity> undefined = {};  ///< derivatives that do not exist from here on
};

/// Switches that accumulate: t_k → t_∞ while the intervals between them shrink geometrically.
struct Accumulation {
  double time = 0.0;         ///< t_∞
  double ratio = 0.0;        ///< of the intervals of one period of the pattern and of the period before it
  double uncertainty = 0.0;  ///< of t_∞: how far its estimates differ where they are steadiest
  bool followed = false;     ///< a motion begins at t_∞
  std::vector<int> constraints = {};  ///< those that are met again and again
};

/// A mode of a run and when it was first entered.
struct VisitedMode {
  double time = 0.0;
  Mode mode;
};

/// A time in which a signal occurred in no equation of the modes: it kept its value.
struct Absence {
  int row = -1;  ///< of S: of x or y
  double from = 0.0, to = 0.0;
};

/// An assertion of the model and when it was first broken.
struct BrokenAssertion {
  Assertion assertion;
  double time = 0.0;
};

struct Statistics {
  long steps = 0;
  long series_steps = 0;  ///< of these, those of power series
  long flow_steps = 0;    ///< and those of exact flows; the others are IDA's
  long residual_evaluations = 0, jacobian_evaluations = 0, error_test_failures = 0;
  long events = 0, candidates = 0, modes_visited = 0;
  double wall_seconds = 0.0;
};

/// Everything a run produced: rows of (time, side, states, algebraic signals, binaries) and of the inputs beside them, events,
/// statistics, outcome.
///
/// side is 0 at an output time; an event has two rows of the same time, -1 (left limits) and 1 (right
/// limits). A run that hands its rows and events on (SimulationOptions::sink) does not keep them here.
class Trajectory {
 public:
  Trajectory() = default;
  /// `rows_of_S` selects the recorded entries of v, in the order of the columns; `input_rows` those of the inputs u.
  Trajectory(std::vector<std::string> names, std::vector<int> rows_of_S, std::vector<int> input_rows = {})
      : names_(std::move(names)), rows_of_S_(std::move(rows_of_S)), input_rows_(std::move(input_rows)) {}

  /// Where memory ends it throws std::bad_alloc, and the rows so far are as they were. `derivatives` as in
  /// SensitivityTable::row; none: they are not known.
  void append(double time, int side, std::span<const double> v, std::span<const double> derivatives = {});
  /// The rows and events of a part of the same run, without derivatives. Where memory ends it throws std::bad_alloc.
  void append(const Trajectory& part);
  /// Takes the last row away.
  void remove_last();
  /// Rows and events have been handed on: they are counted, and kept no longer.
  void let_go();

  [[nodiscard]] std::size_t size() const noexcept { return time_.size(); }
  /// With those that were handed on.
  [[nodiscard]] std::size_t rows_in_all() const noexcept { return rows_let_go_ + size(); }
  [[nodiscard]] std::size_t events_in_all() const noexcept { return events_let_go_ + events.size(); }
  /// Values in all rows that are infinite or no number.
  [[nodiscard]] long non_finite_values() const noexcept { return non_finite_; }
  [[nodiscard]] std::size_t columns() const noexcept { return names_.size(); }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] const std::vector<int>& rows_of_S() const noexcept { return rows_of_S_; }
  [[nodiscard]] double time(std::size_t row) const { return time_.at(row); }
  [[nodiscard]] int side(std::size_t row) const { return side_.at(row); }
  /// The times and the sides of all rows, and their values, row after row; valid until rows are added or taken away.
  [[nodiscard]] std::span<const double> times() const noexcept { return time_; }
  [[nodiscard]] std::span<const std::int8_t> sides() const noexcept { return side_; }
  [[nodiscard]] std::span<const double> values() const noexcept { return values_; }
  /// Throws std::out_of_range if there is no such row or column.
  [[nodiscard]] double value(std::size_t row, std::size_t column) const {
    if (row >= size() || column >= columns()) refuse(row, column);
    return values_[row * names_.size() + column];
  }
  /// Throws std::out_of_range if there is no such row.
  [[nodiscard]] std::span<const double> row(std::size_t row) const {
    if (row >= size()) refuse(row, 0);
    return {values_.data() + row * names_.size(), names_.size()};
  }
  [[nodiscard]] std::size_t inputs() const noexcept { return input_rows_.size(); }
  [[nodiscard]] const std::vector<int>& input_rows() const noexcept { return input_rows_; }
  /// Inputs at all rows, row after row, as `values`.
  [[nodiscard]] std::span<const double> input_values() const noexcept { return inputs_; }
  /// u_i as the row was found with it; throws std::out_of_range if there is no such row or input.
  [[nodiscard]] double input(std::size_t row, std::size_t i) const {
    if (row >= size() || i >= inputs()) refuse(row, i);
    return inputs_[row * inputs() + i];
  }
  /// Column of a signal by name; throws std::out_of_range if it is not recorded.
  [[nodiscard]] std::size_t column(const std::string& name) const;

  /// A recorded signal at any time of a run that was asked for it (SimulationOptions::dense), between rows as at them:
  /// the value of the integrator's polynomial, whose error is that of the run. Where signals jump, the limit from the
  /// given side; the left one at the start is what the model gives. Throws std::out_of_range where the run does not reach,
  /// if there is no such column, and if the run has kept nothing of the kind.
  [[nodiscard]] double at(double t, std::size_t column, Side side = Side::right) const {
    return dense.value(t, column, side);
  }
  /// All of them, in the order of the columns.
  [[nodiscard]] std::vector<double> at(double t, Side side = Side::right) const;

  static constexpr std::size_t most_modes = 200;

  DenseOutput dense;
  /// Derivatives by parameters, if they were asked for (SimulationOptions::sensitivities).
  SensitivityTable sensitivities;

  std::vector<Event> events;                ///< as the rows: without those that were handed on
  std::vector<Accumulation> accumulations;  ///< of events, in the order of their limits
  std::vector<VisitedMode> modes;           ///< in the order of their first visits, at most the first 200
  Statistics statistics;
  Outcome outcome;
  std::vector<std::string> warnings;  ///< what was told before the run, if it was asked for
  /// Rows of x and y that some mode of the run did not determine: they kept their last value.
  std::vector<int> undetermined;
  std::vector<BrokenAssertion> broken_assertions;  ///< in the order of their times; they do not end a run
  std::vector<Absence> absences;                   ///< in the order in which they end
  std::vector<double> end_point;  ///< all of v where the run ended (right limits), one entry per row of S

 private:
  [[noreturn]] void refuse(std::size_t row, std::size_t column) const;

  std::vector<std::string> names_;
  std::vector<int> rows_of_S_, input_rows_;
  std::vector<double> time_;
  std::vector<std::int8_t> side_;
  std::vector<double> values_, inputs_;
  std::size_t rows_let_go_ = 0, events_let_go_ = 0;
  long non_finite_ = 0;
};

}  // namespace mti
