#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "solvers/events/event_location.hpp"
#include "solvers/events/run_state.hpp"
#include "solvers/flow/smooth_integrator.hpp"
#include "solvers/integration/segment_dae.hpp"
#include "solvers/series/integrator_choice.hpp"

namespace mti {

/// Integrates the segments of a run, one after the other: the smooth sections of constant mode between two events.
///
/// What is read at a time t lies within the last step, on the integrator's dense output.
class SegmentIntegration {
 public:
  /// Of a run to t_stop. `model` and `accuracy` outlive it.
  SegmentIntegration(const Model& model, const Accuracy& accuracy, double t_stop, IntegratorChoice choice,
                     LinearSolver linear_solver);

  /// A segment begins with the motion of `state`.
  void start(const RunState& state);
  /// One step, never past t_goal.
  [[nodiscard]] StepResult step(double t_goal);
  /// The segment has a step from which it can be read.
  [[nodiscard]] bool has_stepped() const noexcept { return stepped_; }
  /// The first crossing of a boundary that was not yet seen, up to t.
  [[nodiscard]] std::optional<EventLocation::Crossing> next_crossing(double t);
  /// The mode goes on after a crossing of `constraint`, with this motion. True if the constraint has been outside of its
  /// tolerance for longer than the accuracy of time explains; see EventLocation::accept.
  bool accept(Motion& motion, int constraint);
  /// See EventLocation.
  [[nodiscard]] std::optional<EventLocation::Undecided> undecided() { return segment_->monitor.undecided(); }
  /// The segment should begin anew at t, with v of `state` read there: the choice of what is integrated has become
  /// ill-conditioned, or series have met a stiff mode, which is the exact flow's or IDA's from then on.
  [[nodiscard]] bool should_begin_anew(double t, RunState& state);
  /// After a failed step: leaves the mode to another engine, series to the exact flow or IDA, the exact flow to IDA.
  /// False if IDA has it, or no other may be used.
  [[nodiscard]] bool change_engine();

  /// v at t, in the mode of `state`.
  void read(double t, const RunState& state, std::vector<double>& v);
  /// What a row of the trajectory holds at t; the rates ẋ, which are in none, only if asked for.
  [[nodiscard]] const std::vector<double>& output(double t, const ModeSystem& system, bool with_rates);
  /// w and ẇ at t for any unknowns of the mode, where all derivatives can be read; else those of the segment.
  void unknowns_at(const SegmentUnknowns& unknowns, double t, std::vector<double>& w,
                   std::vector<double>& wp) const {
    w.resize(at(unknowns.size()));
    wp.resize(w.size());
    integrator_.interpolate(t, 0, unknowns, w);
    integrator_.interpolate(t, 1, unknowns, wp);
  }
  [[nodiscard]] bool reads_all_derivatives() const noexcept {
    return integrator_.engine() != SmoothIntegrator::Engine::ida;
  }
  /// The degree of the polynomial that the last step is read from.
  [[nodiscard]] int degree() const { return integrator_.degree(); }
  /// What is known at t, where `state` stands now; null where that is nothing.
  [[nodiscard]] std::shared_ptr<const Vouched> vouched_at(double t, const RunState& state);
  /// The same where rates of inputs jump and their values do not: of constraints alone, their values.
  [[nodiscard]] std::shared_ptr<const Vouched> vouched_values_at(double t, const RunState& state) const;
  /// The same where inputs jump: of states that have all their digits, their values.
  [[nodiscard]] std::shared_ptr<const Vouched> vouched_states_at(double t, const RunState& state) const;
  /// What the last step, which ends at `step_end`, may be off in each state at t beyond ε at v: a state that passes through
  /// zero is known there to no more than the tolerance of where it came from, and than the rounding of its way.
  [[nodiscard]] std::vector<double> allowed_beyond(double t, double step_end, std::span<const double> v);

  /// What all steps of the run up to here have added to the errors of signals, as a part of ε, at most 1. Steps of series
  /// add what they leave out (truncation_of), one of IDA all of ε.
  [[nodiscard]] double accumulated_error() const noexcept { return std::min(1.0, accumulated_error_); }

  [[nodiscard]] bool has_slid() const noexcept { return slid_; }
  [[nodiscard]] long ida_steps() const noexcept { return ida_steps_; }
  /// A run is taken up of which this is known.
  void take_up(bool slid, double accumulated_error, long ida_steps) {
    slid_ = slid;
    accumulated_error_ = accumulated_error;
    ida_steps_ = ida_steps;
    stepped_ = false;  // what has been integrated has led elsewhere
  }

  [[nodiscard]] IntegratorStatistics statistics() const { return integrator_.statistics(); }
  /// Makes room where memory has ended; nothing can be read or integrated any more.
  void release();

 private:
  /// What a mode needs to be integrated; kept for when it comes again.
  struct Segment {
    Segment(const Model& model, const Accuracy& accuracy, const SmoothIntegrator& integrator,
            const std::shared_ptr<const ModeSystem>& system,
            const std::shared_ptr<const WholeModelKernels>& whole)
        : dae(model, system, accuracy, whole), monitor(model, accuracy, dae, integrator) {}
    SegmentDae dae;
    EventLocation monitor;
    std::unique_ptr<SeriesSegment> series = {};  ///< where series integrate the mode
    std::unique_ptr<FlowMode> flow = {};         ///< where the exact flow does
    bool is_stiff = false;                       ///< series have been given up
    bool is_not_stiff_at_once = false;           ///< by its eigenvalues
    bool has_no_flow = false;                    ///< the mode is not affine, or the flow has been given up
    long ida_steps = 0;                          ///< in this mode
  };
  Segment& segment(const std::shared_ptr<const ModeSystem>& system);
  [[nodiscard]] double caution(const ModeSystem& system) const;
  [[nodiscard]] std::optional<ExactState> arrived(const RunState& state) const;
  [[nodiscard]] bool start_flow(const RunState& state, bool left_a_flow, bool is_continuous);
  void look_back_at_flow(double now);
  [[nodiscard]] bool flow_pays() const;
  bool make_flow(const RunState& state);
  [[nodiscard]] bool crawls(double t, const RunState& state);
  [[nodiscard]] bool is_held_by_relaxation(double t, const RunState& state);
  [[nodiscard]] bool may_have_relaxed_since();
  [[nodiscard]] bool has_relaxed(double t, std::span<const double> v);
  void bound_flows();
  [[nodiscard]] bool start_series(const RunState& state);
  void start_ida(const RunState& state);
  void account_for_restart(const Instant& here);
  [[nodiscard]] bool vouches() const;
  [[nodiscard]] std::map<int, Vouched::OwnConstraint> constraints_at(double t, const RunState& state,
                                                                     int orders) const;

  const Model& model_;
  const Signature& signature_;
  const Accuracy& accuracy_;
  double t_stop_;
  IntegratorChoice choice_;
  SmoothIntegrator integrator_;
  std::shared_ptr<const WholeModelKernels> whole_;  ///< of large models
  std::unordered_map<const ModeSystem*, std::unique_ptr<Segment>> segments_;
  Segment* segment_ = nullptr;  ///< the present one
  bool keeps_differences_together_ =
      false;                     ///< in the next segment of IDA, up to where it looks for them again
  bool has_joined_ = false;      ///< in the present segment of IDA
  bool slid_ = false;            ///< some segment of the run has slid
  long series_steps_ = 0;        ///< in the present segment
  long steps_of_segment_ = 0;    ///< of IDA
  double step_looked_at_ = 0.0;  ///< the length of that by which small differences were looked for last
  double begun_at_ = 0.0;        ///< the present segment
  long idle_flows_ = 0;          ///< segments up to here, without another between them, that needed no flow
  bool stepped_ = false;
  /// Given up, and read until the next segment begins.
  std::unique_ptr<SeriesSegment> retired_series_;
  std::unique_ptr<FlowMode> retired_flow_;
  long flow_entries_ = 0;  ///< of the matrices M of all modes that the exact flow has
  std::vector<double> w_, wp_, point_, rate_, series_values_;
  long ida_steps_ = 0;    ///< in the present mode, since it was entered
  double caution_ = 1.0;  ///< that IDA goes on with
  /// Impacts under a law follow each other ever faster and multiply what the first one is off: then all of ε.
  double accumulated_error_;
  bool has_delays_;           ///< of the model
  std::vector<double> left_;  ///< v where the last segment has ended
  double left_at_ = 0.0;      ///< when
};

}  // namespace mti
