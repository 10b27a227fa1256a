#pragma once

#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "solvers/events/event_location.hpp"
#include "solvers/events/output_times.hpp"
#include "solvers/events/zeno.hpp"
#include "solvers/events/zeno_approach.hpp"
#include "solvers/integration/integrator.hpp"
#include "solvers/integration/segment_dae.hpp"
#include "solvers/simulation/absences.hpp"
#include "solvers/simulation/run_budget.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/switching/successor.hpp"

namespace mti {

/// A short decimal form for messages.
[[nodiscard]] std::string number(double value);

/// No rows yet; columns for states, algebraic signals and binaries without the auxiliary ones.
[[nodiscard]] Trajectory empty_trajectory(const Signature& signature);
/// "(z1 = 0, z2 = 1)": the first binaries with their values in v.
[[nodiscard]] std::string mode_text(const Signature& signature, std::span<const double> v);
/// " in mode (z = 1)"; nothing where there are no binaries.
[[nodiscard]] std::string in_mode(const Signature& signature, std::span<const double> v);

/// The weights of sliding binaries lie in [0, 1]; what rounding adds to that is taken off.
void keep_weights_in_range(const ModeSystem& system, std::span<double> v);

/// One run in progress: the event loop between consistent start and outcome.
///
///     pose the successor problem at t₀ with z⁻ = the start values
///     repeat
///       integrate the frozen model of the mode up to the next input breakpoint or the stop time,
///         recording output times, until a boundary is crossed
///       at a crossing or a breakpoint: pose the successor problem there; record the event
///     until the stop time, or an outcome that ends the run
class Simulation {
 public:
  Simulation(const Model& model, const SimulationOptions& options);

  [[nodiscard]] Trajectory run();

 private:
  /// What a mode needs to be integrated; kept for when it comes again.
  struct Segment {
    Segment(const Model& model, const Accuracy& accuracy, const Integrator& integrator,
            const std::shared_ptr<const ModeSystem>& system,
            const std::shared_ptr<const WholeModelKernels>& whole)
        : dae(model, system, accuracy, whole), monitor(model, accuracy, dae, integrator) {}
    SegmentDae dae;
    EventLocation monitor;
  };

  /// Where an instant goes on if a sequence of steps by memory leads nowhere.
  struct WayBack {
    Mode mode;
    std::vector<double> v;
    Event event;
  };
  /// Changes the trajectory where another thread may look at it.
  template <class Change>
  void keep(Change change) {
    const std::lock_guard hold(running_.guard);
    change();
  }
  void run_segments();
  void stand_where_settled();
  /// Poses the successor problem at here_ until the mode repeats itself with pre(z) = z.
  bool enter_mode(EventKind kind);
  bool apply(const Successor& successor, EventKind kind, Event& event);
  bool take(const Successor& successor, Event& event, std::vector<Change>& changed);
  static void add_explanation(Successor& successor, Event& event);
  void record_event(Event event, const Mode& before, const std::vector<double>& left);
  void record_row(double time, int side, const Mode& mode, std::span<const double> v);
  bool apply_reach_laws(Event& event);
  bool note_restart(const Motion& motion, Event& event) const;
  [[nodiscard]] std::string reached_text(const std::vector<int>& constraints) const;
  void complete_jumps(Event& event, std::span<const double> left) const;
  [[nodiscard]] bool is_auxiliary(int row) const;
  void pass_limit(const ZenoDetector::Limit& limit);
  void end_at_limit(const ZenoDetector::Limit& limit, const std::string& why);
  [[nodiscard]] std::vector<int> accumulating_constraints(std::size_t period) const;
  void note_accumulation(const ZenoDetector::Limit& limit, bool followed);
  void start_segment();
  void list_undetermined();
  void warn_of_redundant_rows();
  /// Integrates until something is to be decided; false if the run ended.
  bool integrate();
  bool begin_anew();
  bool arrive(double t);
  bool cross_boundary(const EventLocation::Crossing& crossing, double step_end);
  bool cross_breakpoint();
  [[nodiscard]] bool inputs_jump(double t) const;
  void record_outputs(double up_to, bool including);
  void read_output(double t);
  void read_point(double t, std::vector<double>& v);
  [[nodiscard]] std::shared_ptr<const Vouched> vouched_at(double t);
  [[nodiscard]] std::vector<double> allowed_beyond(double step_end);
  [[nodiscard]] bool out_of_budget();
  void finish(OutcomeKind kind, std::string message);
  [[nodiscard]] std::string mode_text() const;
  /// Binaries and binary inputs whose value or whose sliding changed; v holds their values.
  [[nodiscard]] std::vector<Change> changes(const Mode& before, std::span<const double> v_before,
                                            const Mode& after, std::span<const double> v_after) const;
  void take_inputs(double t);
  Segment& segment(const std::shared_ptr<const ModeSystem>& system);

  const Model& model_;
  const Signature& signature_;
  SimulationOptions options_;
  bool has_reach_laws_, has_change_laws_;
  double t_stop_, rtol_, atol_, interval_;
  Accuracy accuracy_;
  ModeCache cache_;
  SuccessorSearch search_;
  Integrator integrator_;
  std::vector<Slide> gathered_;  ///< surfaces on which switches accumulated last
  ZenoDetector zeno_;
  Approach approach_;
  RunningTrajectory own_;  ///< if the options name no other place
  RunningTrajectory& running_;
  Trajectory& trajectory_;  ///< changed by the holder of its guard only
  OutputTimes outputs_;

  Instant here_;  ///< where the run stands at an event, right limits of inputs
  Mode mode_;
  std::shared_ptr<const ModeSystem> system_;
  std::shared_ptr<Motion> motion_;                  ///< that begins at here_ in mode_
  std::shared_ptr<const WholeModelKernels> whole_;  ///< of large models
  std::unordered_map<const ModeSystem*, std::unique_ptr<Segment>> segments_;
  Segment* segment_ = nullptr;
  double t_breakpoint_ = 0.0;
  double start_ = 0.0;
  double failed_at_ = -std::numeric_limits<double>::infinity();  ///< where the integrator gave up last
  std::vector<double> w_, wp_, point_, rate_;
  RunBudget budget_;
  Absences absences_;
  std::unordered_set<std::size_t> visited_;  ///< hashes of the modes that were entered
  std::unordered_set<int> redundant_;        ///< equations that a warning has named
  bool slid_ = false;                        ///< some segment of the run has slid
  bool stepped_ = false;                     ///< the integrator has made a step in this segment
  bool jumped_ = false;                      ///< states jumped at the instant that was passed last
  bool passed_event_ = false;                ///< an event was recorded since the last crossing
  bool moving_ = false;                      ///< here_.v is older than here_.t
  bool ended_ = false;
};

}  // namespace mti
