#include "solvers/flow/smooth_integrator.hpp"

#include <algorithm>
#include <limits>

#include "mti/common/at.hpp"

namespace mti {

void SmoothIntegrator::start(const DaeSystem& system, const SegmentUnknowns& unknowns, double t,
                             std::span<const double> w, std::span<const double> wp, double first_step) {
  engine_ = Engine::ida;
  unknowns_ = &unknowns;
  ida_.start(system, t, w, wp, first_step);
}

bool SmoothIntegrator::start(SeriesSegment& segment, const SegmentUnknowns& unknowns, double t,
                             std::span<const double> v, std::span<const double> values,
                             const InputPieces& pieces) {
  if (!series_.start(*segment.program, segment.coefficients, t, v, values, pieces)) return false;
  engine_ = Engine::series;
  unknowns_ = &unknowns;
  floor_.assign(at(unknowns.size()), 0.0);
  return true;
}

bool SmoothIntegrator::start(FlowMode& mode, const SegmentUnknowns& unknowns, double t,
                             std::span<const double> v, const std::vector<InputPiece>& pieces) {
  if (!flow_.start(mode, t, v, pieces)) return false;
  engine_ = Engine::flow;
  unknowns_ = &unknowns;
  floor_.assign(at(unknowns.size()), 0.0);
  return true;
}

StepResult SmoothIntegrator::step(double t_stop) {
  if (engine_ == Engine::ida) return ida_.step(t_stop);
  if (engine_ == Engine::series) return series_.step(t_stop);
  StepResult result = flow_.step(t_stop);
  const std::vector<SegmentUnknowns::Slot>& slots = unknowns_->slots();
  for (std::size_t i = 0; i < slots.size(); ++i) floor_[i] = flow_.floor(slots[i].row);
  return result;
}

void SmoothIntegrator::interpolate(double t, int k, std::span<double> result) const {
  if (engine_ == Engine::ida) return ida_.interpolate(t, k, result);
  interpolate(t, k, *unknowns_, result);
}

void SmoothIntegrator::interpolate(double t, int k, const SegmentUnknowns& unknowns,
                                   std::span<double> result) const {
  if (engine_ == Engine::ida) return interpolate_ida(t, k, unknowns, result);
  if (engine_ == Engine::flow) return flow_.interpolate(t, k, unknowns, result);
  const std::vector<SegmentUnknowns::Slot>& slots = unknowns.slots();
  for (std::size_t i = 0; i < slots.size(); ++i)
    result[i] = series_.derivative(slots[i].row, t, slots[i].order + k);
}

/// Others may have chosen other unknowns than those that IDA integrates.
void SmoothIntegrator::interpolate_ida(double t, int k, const SegmentUnknowns& unknowns,
                                       std::span<double> result) const {
  const std::vector<SegmentUnknowns::Slot>&slots = unknowns.slots(), &own = unknowns_->slots();
  if (std::ranges::equal(slots, own)) return ida_.interpolate(t, k, result);
  std::vector<double> values(own.size()), rates(own.size());
  ida_.interpolate(t, k, values);
  ida_.interpolate(t, k + 1, rates);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const SegmentUnknowns::Place place = unknowns_->place(slots[i].row, slots[i].order);
    if (place.slot >= 0) result[i] = (place.is_rate ? rates : values)[at(place.slot)];
  }
}

double SmoothIntegrator::resolved_length() const {
  if (engine_ == Engine::ida) return std::numeric_limits<double>::infinity();
  constexpr double samples_per_order = 0.5;
  return last_step() / (samples_per_order * last_order());
}

double SmoothIntegrator::constraint_bound(std::size_t index) const {
  return engine_ == Engine::flow ? flow_.constraint_bound(index) : std::numeric_limits<double>::infinity();
}

std::span<const double> SmoothIntegrator::floor() const {
  return engine_ == Engine::ida ? ida_.floor() : std::span<const double>(floor_);
}

double SmoothIntegrator::rounding_at(int row, double t) const {
  constexpr double roundings = 16.0;  // floor() counts one
  if (engine_ == Engine::series) return series_.rounding(row, t);
  return engine_ == Engine::flow ? roundings * flow_.floor(row) : 0.0;
}

double SmoothIntegrator::error_of(int row, double value, double t) const {
  if (engine_ == Engine::ida)
    if (const SegmentUnknowns::Place place = unknowns_->place(row, 0); place.slot >= 0 && !place.is_rate)
      return ida_.tolerance_of_small(place.slot, value);
  return engine_ == Engine::flow ? flow_.error(row, value, t) : std::numeric_limits<double>::infinity();
}

double SmoothIntegrator::last_step() const {
  if (engine_ == Engine::ida) return ida_.last_step();
  return engine_ == Engine::series ? series_.last_step() : flow_.last_step();
}

int SmoothIntegrator::last_order() const {
  if (engine_ == Engine::ida) return ida_.last_order();
  return engine_ == Engine::series ? series_.last_order() : ChebyshevGrid::degree;
}

bool SmoothIntegrator::is_stiff() const noexcept {
  constexpr int most_stiff_steps = 12;
  return engine_ == Engine::series && series_.stiff_steps() >= most_stiff_steps;
}

IntegratorStatistics SmoothIntegrator::statistics() const {
  IntegratorStatistics sum = ida_.statistics();
  for (const IntegratorStatistics& other : {series_.statistics(), flow_.statistics()}) {
    sum.steps += other.steps;
    sum.residual_evaluations += other.residual_evaluations;
    sum.error_test_failures += other.error_test_failures;
  }
  sum.series_steps = series_.statistics().steps;
  sum.flow_steps = flow_.statistics().steps;
  return sum;
}

}  // namespace mti
