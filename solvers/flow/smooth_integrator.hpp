#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "solvers/flow/flow_integrator.hpp"
#include "solvers/integration/integrator.hpp"
#include "solvers/integration/segment_unknowns.hpp"
#include "solvers/series/series_integrator.hpp"

namespace mti {

/// What series keep of a mode.
struct SeriesSegment {
  SeriesSegment(std::shared_ptr<const SeriesProgram> of_mode, const Accuracy& accuracy)
      : program(std::move(of_mode)), coefficients(*program, accuracy) {}
  SeriesSegment(const SeriesSegment&) = delete;
  SeriesSegment& operator=(const SeriesSegment&) = delete;
  ~SeriesSegment() = default;

  std::shared_ptr<const SeriesProgram> program;
  SeriesCoefficients coefficients;
};

/// What integrates the smooth segments of a run: power series, the exact flow, or IDA. One of them at a time has the
/// segment.
///
/// To the event loop all are steps and a dense output of the unknowns w, as Integrator promises them.
class SmoothIntegrator {
 public:
  enum class Engine { ida, series, flow };

  SmoothIntegrator(const Accuracy& accuracy, LinearSolver linear_solver)
      : ida_(accuracy.rtol, linear_solver), series_(accuracy), flow_(accuracy) {}

  /// The flow's segment ends at t, within its last step, and the next one begins there with all digits of the same states.
  void leave(double t) { flow_.leave(t); }
  /// The next segment begins with `state`, if that is known.
  void arrive(std::optional<ExactState> state) { flow_.arrive(std::move(state)); }
  /// A segment for IDA; see Integrator::start. `unknowns` are those of the system.
  void start(const DaeSystem& system, const SegmentUnknowns& unknowns, double t, std::span<const double> w,
             std::span<const double> wp, double first_step);
  /// A segment for series; see SeriesIntegrator::start. False, with nothing started, if the equations of the mode
  /// cannot be solved there. All but v, `values` and `pieces` must outlive the segment.
  [[nodiscard]] bool start(SeriesSegment& segment, const SegmentUnknowns& unknowns, double t,
                           std::span<const double> v, std::span<const double> values,
                           const InputPieces& pieces);
  /// The same for the exact flow of an affine mode.
  [[nodiscard]] bool start(FlowMode& mode, const SegmentUnknowns& unknowns, double t,
                           std::span<const double> v, const std::vector<InputPiece>& pieces);

  [[nodiscard]] Engine engine() const noexcept { return engine_; }
  [[nodiscard]] bool uses_series() const noexcept { return engine_ == Engine::series; }
  [[nodiscard]] StepResult step(double t_stop);
  /// d^k w/dt^k at t within the last step.
  void interpolate(double t, int k, std::span<double> result) const;
  /// The same for other unknowns of the mode.
  void interpolate(double t, int k, const SegmentUnknowns& unknowns, std::span<double> result) const;
  /// A live constraint of the mode along the last step, which series made.
  [[nodiscard]] StepPolynomial constraint(std::size_t index) const { return series_.constraint(index); }
  /// Samples of the dense output that are no farther apart show each of its turns: an eighth of a step of the exact flow,
  /// a polynomial of degree 16; IDA resolves the motion by its steps.
  [[nodiscard]] double resolved_length() const;
  /// What a live constraint of the mode does not exceed in the last step; infinite where nothing is known.
  [[nodiscard]] double constraint_bound(std::size_t index) const;
  /// What the last step has added to the error of the unknowns, in units of ε: all of it may be, but for series.
  [[nodiscard]] double local_error() const { return uses_series() ? series_.local_error() : 1.0; }
  [[nodiscard]] std::span<const double> floor() const;
  /// What the unknowns of a step of the exact flow are off by rounding, which may be much where the step is long; empty
  /// for the others.
  [[nodiscard]] std::span<const double> rounding() const {
    return engine_ == Engine::flow ? std::span<const double>(floor_) : std::span<const double>();
  }
  /// What rounding may have made of the signal in row `row` of S at t within the last step; IDA does not say.
  [[nodiscard]] double rounding_at(int row, double t) const;
  /// How far the signal in row `row` of S may be off at t within the last step, of which `value` is known; infinite where that
  /// is not known to be less than its tolerance.
  [[nodiscard]] double error_of(int row, double value, double t) const;
  /// What error_of() says falls within a segment, whatever it begins with.
  [[nodiscard]] bool errors_decay() const noexcept { return engine_ == Engine::flow && flow_.is_split(); }
  /// The segment began with what is known of the states, as doubles do not tell it.
  [[nodiscard]] bool begins_exactly() const noexcept {
    return engine_ == Engine::flow && flow_.has_arrived();
  }
  /// The segment began with all digits of its fast states, so that constraints are known from the start.
  [[nodiscard]] bool is_continued() const noexcept {
    return engine_ == Engine::flow && flow_.is_split() && flow_.is_continued();
  }
  /// A live constraint of the mode as a signal of its own; see FlowIntegrator::constraint.
  [[nodiscard]] std::optional<FlowIntegrator::OwnSignal> constraint(std::size_t index, double t,
                                                                    int k) const {
    return engine_ == Engine::flow ? flow_.constraint(index, t, k) : std::nullopt;
  }
  [[nodiscard]] double last_step() const;
  [[nodiscard]] int last_order() const;
  /// Of the polynomials of the last step: constrained signals have more orders than the method.
  [[nodiscard]] int degree() const { return uses_series() ? series_.degree() : last_order(); }
  /// The series make steps that stability limits and not the motion: another engine should go on from here.
  [[nodiscard]] bool is_stiff() const noexcept;
  /// Of all of them.
  [[nodiscard]] IntegratorStatistics statistics() const;

 private:
  void interpolate_ida(double t, int k, const SegmentUnknowns& unknowns, std::span<double> result) const;

  Integrator ida_;
  SeriesIntegrator series_;
  FlowIntegrator flow_;
  Engine engine_ = Engine::ida;
  const SegmentUnknowns* unknowns_ = nullptr;  ///< of the segment
  std::vector<double> floor_;                  ///< of one that series or the flow have
};

}  // namespace mti
