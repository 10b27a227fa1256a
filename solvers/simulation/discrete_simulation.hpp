#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "solvers/events/run_snapshot.hpp"
#include "solvers/recording/run_recorder.hpp"
#include "solvers/run_limits/run_budget.hpp"
#include "solvers/run_options/samples.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/switching/successor.hpp"

namespace mti {

/// One run of a model of discrete time.
///
///     t_k = start + k·Ts,   k = 0 … K:  given x_k, u(t_k) and pre z = z_{k−1}, find x_{k+1}, y_k, z_k with
///     f(x_{k+1}, x_k, u, y_k, z_k, pre z) = 0   and   g(…) ≤ 0
///
/// z_{k−1} (at k = 0 the start values) is kept if it is admissible; otherwise the successor problem is posed
/// for values alone (solvers/switching/successor.hpp). Nothing is integrated, so "zero" is what rounding leaves: the
/// accuracy of the run is 1e-12 of the signals, or less if less is asked for. t_K is the last sample up to
/// the stop time.
class DiscreteSimulation {
 public:
  /// All outlive the run.
  DiscreteSimulation(const Model& model, const SimulationOptions& options, RunRecorder& recorder,
                     RunBudget& budget);

  /// All samples up to `limit` that are still to be solved; if `to_events` none after one at which something happens.
  void advance(double limit, bool to_events);

  /// An advance that is under way ends with the present sample.
  void ask_to_pause() noexcept { pause_asked_ = true; }

  [[nodiscard]] bool ended() const noexcept { return ended_; }
  [[nodiscard]] double stop() const noexcept { return time_of(recorded_.last()); }
  /// Of the last sample that was solved.
  [[nodiscard]] double time() const noexcept { return time_of(sample_ > 0 ? sample_ - 1 : 0); }
  [[nodiscard]] const Mode& mode() const noexcept { return mode_; }
  [[nodiscard]] std::span<const double> v() const noexcept { return sample_ > 0 ? last_ : here_.v; }

  /// The model's inputs are others from the next sample on.
  void take_new_inputs() { t_breakpoint_ = -std::numeric_limits<double>::infinity(); }
  [[nodiscard]] RunSnapshot snapshot() const;
  void resume(const RunSnapshot& snapshot);

 private:
  [[nodiscard]] double time_of(long sample) const noexcept;
  void run_samples(double limit, bool to_events);
  void begin_sample();
  void take_inputs();
  bool solve_sample();
  bool stays();
  void take_over(const std::vector<int>& flipped);
  bool is_finite();
  void note_mode();
  [[nodiscard]] std::vector<Change> changes(const std::vector<int>& flipped) const;
  [[nodiscard]] Ending failure(const Successor& successor) const;
  void finish(Ending ending);

  const Model& model_;
  const Signature& signature_;
  ResolvedOptions resolved_;
  RecordedSamples recorded_;
  Accuracy accuracy_;
  ModeCache cache_;
  SuccessorSearch search_;
  RunBudget& budget_;
  RunRecorder& recorder_;

  long sample_ = 0;              ///< k, the one that is solved next
  Instant here_;                 ///< t_k with x_k in place; next(x) and y as they were at the sample before
  Mode mode_;                    ///< z_{k−1} until the sample is solved
  std::vector<double> v_;        ///< the sample that is being solved
  std::vector<double> last_;     ///< the sample that was solved last
  bool inputs_changed_ = false;  ///< some binary input has, at this sample
  std::vector<char> inputs_before_;
  std::shared_ptr<const ModeSystem> system_;
  double t_breakpoint_ = -std::numeric_limits<double>::infinity();
  std::shared_ptr<const ModeSystem> accounted_;  ///< the mode whose absent signals are accounted for
  bool pause_asked_ = false;
  bool ended_ = false;
};

}  // namespace mti
