#pragma once

#include <span>
#include <utility>
#include <vector>

#include "solvers/integration/integrator.hpp"
#include "solvers/integration/segment_unknowns.hpp"
#include "solvers/series/series_integrator.hpp"

namespace mti {

/// What series keep of a mode.
struct SeriesSegment {
  SeriesSegment(SeriesProgram of_mode, const Accuracy& accuracy)
      : program(std::move(of_mode)), coefficients(program, accuracy) {}
  SeriesSegment(const SeriesSegment&) = delete;
  SeriesSegment& operator=(const SeriesSegment&) = delete;
  ~SeriesSegment() = default;

  SeriesProgram program;
  SeriesCoefficients coefficients;
};

/// What integrates the smooth segments of a run: power series, or IDA. One of them at a time has the segment.
///
/// To the event loop both are steps and a dense output of the unknowns w, as Integrator promises them.
class SmoothIntegrator {
 public:
  SmoothIntegrator(const Accuracy& accuracy, LinearSolver linear_solver)
      : ida_(accuracy.rtol, linear_solver), series_(accuracy) {}

  /// A segment for IDA; see Integrator::start.
  void start(const DaeSystem& system, double t, std::span<const double> w, std::span<const double> wp,
             double first_step);
  /// A segment for series, from t and v by rows of S. False, with nothing started, if the equations of the mode
  /// cannot be solved there. All but v and `pieces` must outlive the segment.
  [[nodiscard]] bool start(SeriesSegment& segment, const SegmentUnknowns& unknowns, double t,
                           std::span<const double> v, const std::vector<InputPiece>& pieces);

  [[nodiscard]] bool uses_series() const noexcept { return unknowns_ != nullptr; }
  [[nodiscard]] StepResult step(double t_stop) {
    return uses_series() ? series_.step(t_stop) : ida_.step(t_stop);
  }
  /// d^k w/dt^k at t within the last step.
  void interpolate(double t, int k, std::span<double> result) const;
  /// A live constraint of the mode along the last step, which series made.
  [[nodiscard]] StepPolynomial constraint(std::size_t index) const { return series_.constraint(index); }
  /// What the last step has added to the error of the unknowns, in units of ε: IDA's may be all of it.
  [[nodiscard]] double local_error() const { return uses_series() ? series_.local_error() : 1.0; }
  [[nodiscard]] std::span<const double> floor() const;
  [[nodiscard]] double last_step() const { return uses_series() ? series_.last_step() : ida_.last_step(); }
  [[nodiscard]] int last_order() const { return uses_series() ? series_.last_order() : ida_.last_order(); }
  /// The series make steps that stability limits and not the motion: IDA should go on from here.
  [[nodiscard]] bool is_stiff() const noexcept;
  /// Of both.
  [[nodiscard]] IntegratorStatistics statistics() const;

 private:
  Integrator ida_;
  SeriesIntegrator series_;
  const SegmentUnknowns* unknowns_ = nullptr;  ///< of the segment that series have
  std::vector<double> no_floor_;
};

}  // namespace mti
