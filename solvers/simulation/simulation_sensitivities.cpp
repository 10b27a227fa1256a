// Derivatives that go on beside a run.
#include <string>

#include "solvers/simulation/simulation.hpp"

namespace mti {

/// On the dense output of the last step.
void Simulation::advance_derivatives(double t) {
  if (sensitivities_) sensitivities_->advance(t, dense_unknowns(), segment_.reads_all_derivatives());
}

MotionAt Simulation::dense_unknowns() const {
  return [this](const SegmentUnknowns& unknowns, double t, std::vector<double>& w, std::vector<double>& wp) {
    segment_.unknowns_at(unknowns, t, w, wp);
  };
}

std::span<const double> Simulation::derivatives_at(double t) {
  if (!sensitivities_) return {};
  const double reach = step_ ? step_->end : state_.here.t;
  return sensitivities_->row(t, reach, dense_unknowns(), segment_.reads_all_derivatives());
}

/// What has become undefined and stands at no event is told.
void Simulation::finish_derivatives() {
  if (!sensitivities_) return;
  for (const std::string& text : sensitivities_->take_news()) recorder_.warn(text);
}

}  // namespace mti
