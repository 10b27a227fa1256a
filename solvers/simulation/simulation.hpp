#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solvers/accumulation/accumulations.hpp"
#include "solvers/accumulation/zeno_approach.hpp"
#include "solvers/delays/delay_histories.hpp"
#include "solvers/events/run_snapshot.hpp"
#include "solvers/events/run_state.hpp"
#include "solvers/events/segment_integration.hpp"
#include "solvers/events/way_to_limit.hpp"
#include "solvers/instant/event_instant.hpp"
#include "solvers/motion/domain_end.hpp"
#include "solvers/motion/singular_passage.hpp"
#include "solvers/recording/run_recorder.hpp"
#include "solvers/rest/functions_at_rest.hpp"
#include "solvers/run_limits/run_budget.hpp"
#include "solvers/run_options/output_times.hpp"
#include "solvers/sensitivities/run_sensitivities.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/switching/successor.hpp"

namespace mti {

/// One run in progress: the event loop between consistent start and outcome.
///
///     pose the successor problem at t₀ with z⁻ = the start values
///     repeat
///       integrate the frozen model of the mode up to the next input breakpoint or the stop time,
///         recording output times, until a boundary is crossed
///       at a crossing or a breakpoint: pose the successor problem there; record the event
///     until the stop time, or an outcome that ends the run
///
/// What happens at one instant is EventInstant's, what happens between two of them SegmentIntegration's.
///
/// The loop can be left at any time t and taken up again: it stands within a step then, of which the rest is still to be
/// looked at, so that a run goes on as if it had not been left.
class Simulation {
 public:
  /// All outlive the run. Nothing has happened yet: begin() or resume() comes first.
  Simulation(const Model& model, const SimulationOptions& options, RunRecorder& recorder, RunBudget& budget);
  Simulation(const Simulation&) = delete;  // its state asks it for its past
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation() = default;

  /// The consistent start.
  void begin();
  /// Goes on to `limit`, to the end, or if `to_events` to the first instant at which something happens.
  void advance(double limit, bool to_events);

  /// An advance that is under way ends where all is decided next, before its limit.
  void ask_to_pause() noexcept { pause_asked_ = true; }

  [[nodiscard]] bool ended() const noexcept { return ended_; }
  [[nodiscard]] double stop() const noexcept { return resolved_.stop; }
  [[nodiscard]] double time() const noexcept { return paused_at_.value_or(state_.here.t); }
  [[nodiscard]] const Mode& mode() const noexcept { return state_.mode; }
  /// At time(); right limits.
  [[nodiscard]] std::span<const double> v();
  [[nodiscard]] IntegratorStatistics statistics() const { return segment_.statistics(); }

  /// Constraints whose turns tend to a limit, their coefficients of second order, by which these become shorter, and v.
  struct Turns {
    std::vector<int> constraints = {};
    std::vector<double> curvatures = {};  ///< none where no motion begins
    std::vector<double> v = {};
    std::vector<int> arrived = {};  ///< rows at whose boundary the motion stands, and would leave
  };
  /// At time(), where all is decided.
  [[nodiscard]] Turns turns_ahead();
  /// Of these what has another law of its turns from time() on.
  void forget_turned(const Turns& before);

  /// The model's inputs are others from time() on: what follows is decided when the run goes on.
  void take_new_inputs();
  /// What resume() goes on from. The run itself begins anew here, with which it is the one that is taken up.
  [[nodiscard]] RunSnapshot snapshot();
  /// The same of the last event, where the run has been left on its way from there to a limit.
  [[nodiscard]] std::optional<RunSnapshot> before_limit() const;
  /// No limit is gone on at: switches are met one by one, as long as they can be.
  void follow_each() noexcept { follows_each_ = true; }
  /// With inputs that are new from there on, v of the snapshot are left limits, and what follows is decided when the run
  /// goes on; so it is where the motion cannot begin there as it is.
  void resume(const RunSnapshot& snapshot, bool inputs_are_new);

 private:
  enum class Progress { goes_on, segment_ends, pauses };

  void work(const std::function<void()>& part);
  [[nodiscard]] bool find_start();
  void run_segments(double limit, bool to_events);
  [[nodiscard]] std::vector<int> rows_arrived_at() const;
  void decide_inputs();
  void start_segment();
  /// Integrates until something is to be decided, or `limit` is reached.
  Progress integrate(double limit);
  Progress pause(double limit);
  void leave_step();
  [[nodiscard]] RunSnapshot as_it_stands() const;
  [[nodiscard]] bool begins_here();
  [[nodiscard]] bool stands_still(double t);
  void fail_step(const StepResult& step);
  [[nodiscard]] bool goes_on_from_end_of_domain();
  [[nodiscard]] bool enters_domain();
  [[nodiscard]] bool switches_at_end();
  [[nodiscard]] bool comes_to_rest(Rest how, bool admissibly = false);
  [[nodiscard]] bool begins_at_rest();
  [[nodiscard]] bool rests_at(double t);
  [[nodiscard]] bool gets_away_from_end();
  void end_rest(double t);
  [[nodiscard]] bool crosses_end_of_domain();
  [[nodiscard]] bool jump_off(const Motion& motion, double part = 0.1);
  bool begins_beyond(const Motion& motion);
  [[nodiscard]] std::optional<DomainEnd> pole_in_step(double end);
  void go_up_to(const DomainEnd& pole);
  std::optional<Ending> pose_with_ties(const std::vector<char>& z, const RunState& arrived,
                                       std::optional<EventInstant>& instant);
  [[nodiscard]] double beside_pole() const;
  [[nodiscard]] std::optional<DomainEnd> pole_at_event(const std::shared_ptr<const ModeSystem>& before,
                                                       const std::vector<double>& left) const;
  /// The ending where the motion has come to the end of the domain of a function, or to a divisor of 0.
  [[nodiscard]] std::optional<Ending> end_of_domain() const;
  [[nodiscard]] Ending ending_at(const DomainEnd& end) const;
  [[nodiscard]] bool dead_end_is_of_a_domain();
  [[nodiscard]] bool restart_segment();
  void reach_goal(double t);
  void reach_stop(double t);
  [[nodiscard]] bool cross_boundary(const EventLocation::Crossing& crossing, double step_end);
  [[nodiscard]] bool crosses_within_errors(const RunState& arrived);
  void cross_breakpoint(double t);
  [[nodiscard]] bool inputs_jump(double t) const;
  [[nodiscard]] bool switches_here() const;
  void take_inputs(double t);
  void stand_at(double t, double read_at, double time_uncertainty);

  /// Poses the successor problem at the present instant; false if the run has ended.
  bool enter_mode(EventKind kind);
  [[nodiscard]] std::optional<Ending> pose(EventKind kind, std::optional<EventInstant>& instant);
  [[nodiscard]] bool poses_at_rest(EventKind kind, const Ending& ending, const RunState& arrived,
                                   std::optional<EventInstant>& instant);
  void end_at_instant(Ending ending, EventKind kind);
  [[nodiscard]] std::vector<int> rows_of_changes(const Event& event) const;
  void record_event(Event event, const EventInstant& instant);
  void record_outputs(double up_to, bool including);
  void record_outputs_here(double up_to);
  [[nodiscard]] std::span<const double> derivatives_at(double t);
  void advance_derivatives(double t);
  [[nodiscard]] MotionAt dense_unknowns() const;
  void finish_derivatives();
  void begin_past();
  [[nodiscard]] bool keeps_past() const;
  void add_past(double begin, double end, int degree,
                const std::function<std::span<const double>(double t)>& v);
  void keep_dense(double up_to);
  void keep_line_from(double begin, std::span<const double> v);
  [[nodiscard]] std::optional<WayToLimit> way_to_limit(const Accumulations::Found& every);
  void pass_limit(const WayToLimit& way);
  [[nodiscard]] bool goes_ahead();
  [[nodiscard]] bool goes_on(int state, const Accumulations::Found& found);
  [[nodiscard]] std::vector<int> tending_ahead();
  [[nodiscard]] Turns turns_of(std::vector<int> constraints, const Instant& instant, const Mode& mode) const;
  [[nodiscard]] std::vector<double> curvatures_of(std::span<const int> constraints, const Instant& instant,
                                                  const Mode& mode) const;
  [[nodiscard]] std::vector<int> states_with(int constraint) const;
  void forget_turned_by(const Event& event, const Mode& before, const std::vector<double>& left);
  [[nodiscard]] std::optional<Accumulations::Found> told_apart(Accumulations::Found found) const;
  [[nodiscard]] Accumulations::Found without_bystanders(const Accumulations::Found& found);
  [[nodiscard]] std::optional<Approach::Point> limit_of_states(const Accumulations::Found& found,
                                                               double time);
  [[nodiscard]] bool leads_on(const Accumulations::Found& found, const Approach::Point& point);
  [[nodiscard]] bool meets_others_before(double time, const Accumulations::Found& found,
                                         const Approach::Point& point);
  [[nodiscard]] bool crosses_others_before(const Accumulations::Found& found, const Approach::Point& point,
                                           std::span<const double> v);
  void warn_of_near_limits(const Accumulations::Found& found);
  void warn_of_endless(const Accumulations::Found& found);
  [[nodiscard]] std::vector<double> values_on(const WayToLimit& way, double t) const;
  [[nodiscard]] std::vector<double> with_equations(double t, std::vector<double> v) const;
  void record_outputs_on(const WayToLimit& way);
  void keep_dense_on(const WayToLimit& way, double up_to);
  void end_at_limit(const Accumulations::Found& found, const std::string& why);
  void note_accumulation(const Accumulations::Found& found, bool followed);
  [[nodiscard]] bool out_of_budget();
  void warn_of_rows_left_out();
  void finish(Ending ending);

  const Model& model_;
  const Signature& signature_;
  ResolvedOptions resolved_;
  Accuracy accuracy_;
  ModeCache cache_;
  SuccessorSearch search_;
  SegmentIntegration segment_;
  PassedPoles poles_;
  SingularPassage singular_;
  bool has_ends_at_zero_;
  std::optional<DomainEnd> pole_ahead_;  ///< that the segment has been found to pass
  RunBudget& budget_;
  RunRecorder& recorder_;
  EventTools tools_;

  OutputTimes outputs_;
  DelayHistories delays_;
  std::size_t events_before_ = 0;  ///< recorded where the last segment began
  Accumulations accumulations_;
  Approach approach_;
  std::vector<Slide> gathered_;  ///< surfaces on which switches accumulated last

  std::optional<RunSensitivities> sensitivities_;  ///< if they are asked for

  RunState state_;
  double t_breakpoint_ = std::numeric_limits<double>::infinity();
  double inputs_until_ = -std::numeric_limits<double>::infinity();  ///< see RunSnapshot
  double failed_at_ = -std::numeric_limits<double>::infinity();     ///< where the integrator gave up last
  int failures_here_ = 0;  ///< one after the other that got the run nowhere
  /// Where the motion last asked for another mode at the end of a domain, and where it last entered one.
  double domain_left_at_ = std::numeric_limits<double>::quiet_NaN();
  double jumped_off_at_ = -std::numeric_limits<double>::infinity();
  int jumps_in_a_row_ = 0;         ///< with hardly any way between them
  int tiny_steps_ = 0;             ///< one after the other
  double dense_to_ = 0.0;          ///< the dense output of the present segment is kept up to here
  double event_resolution_ = 0.0;  ///< of the time of the present event
  double limit_ = std::numeric_limits<double>::infinity();  ///< where the run is to pause
  bool to_events_ = false;                                  ///< at the next event, too
  /// The step whose crossings are being looked at, one after the other.
  struct Step {
    double end = 0.0;
    std::optional<EventLocation::Crossing> crossing = {};  ///< found, but not decided yet
    bool has_none = false;                                 ///< there are no others up to its end
    bool ends_rest = false;                                ///< of some function, at its end
  };
  std::optional<Step> step_;
  std::optional<double> paused_at_;  ///< within the step, or on the way
  std::optional<WayToLimit> ahead_;  ///< to a limit beyond the end of the advance, or behind its event
  std::vector<double> on_way_;       ///< v there
  bool moving_ = false;              ///< v of the state is older than its t
  bool between_ = true;              ///< no segment has begun at the state
  bool follows_each_ = false;
  bool new_inputs_ = false;  ///< from the present time on, and nothing follows from them yet
  bool pause_asked_ = false;
  bool ended_ = false;
  bool has_begun_at_rest_ = false;  ///< or has tried to
};

}  // namespace mti
