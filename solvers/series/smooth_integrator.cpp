#include "solvers/series/smooth_integrator.hpp"

#include <algorithm>

#include "mti/common/at.hpp"

namespace mti {

void SmoothIntegrator::start(const DaeSystem& system, double t, std::span<const double> w,
                             std::span<const double> wp, double first_step) {
  unknowns_ = nullptr;
  ida_.start(system, t, w, wp, first_step);
}

bool SmoothIntegrator::start(SeriesSegment& segment, const SegmentUnknowns& unknowns, double t,
                             std::span<const double> v, const std::vector<InputPiece>& pieces) {
  if (!series_.start(segment.program, segment.coefficients, t, v, pieces)) return false;
  unknowns_ = &unknowns;
  no_floor_.assign(at(unknowns.size()), 0.0);
  return true;
}

void SmoothIntegrator::interpolate(double t, int k, std::span<double> result) const {
  if (!uses_series()) return ida_.interpolate(t, k, result);
  const std::vector<SegmentUnknowns::Slot>& slots = unknowns_->slots();
  for (std::size_t i = 0; i < slots.size(); ++i) result[i] = series_.derivative(slots[i].row, t, k);
}

std::span<const double> SmoothIntegrator::floor() const {
  return uses_series() ? std::span<const double>(no_floor_) : ida_.floor();
}

bool SmoothIntegrator::is_stiff() const noexcept {
  constexpr int most_stiff_steps = 12;
  return uses_series() && series_.stiff_steps() >= most_stiff_steps;
}

IntegratorStatistics SmoothIntegrator::statistics() const {
  IntegratorStatistics sum = ida_.statistics();
  const IntegratorStatistics& series = series_.statistics();
  sum.steps += series.steps;
  sum.series_steps = series.steps;
  sum.residual_evaluations += series.residual_evaluations;
  sum.error_test_failures += series.error_test_failures;
  return sum;
}

}  // namespace mti
