#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "fmi/exchange/model_exchange.hpp"
#include "mti/common/at.hpp"
#include "solvers/stepping/held_inputs.hpp"

// Inputs that an importer sets as the time goes on: what they were, and where they are going.

namespace mti::fmi {

void ModelExchange::begin_inputs() {
  now_.held.clear();
  now_.passed.clear();
  now_.at_event.clear();
  hold_inputs_here();
}

/// Importers roll back steps that they do not accept: only what lies before counts.
void ModelExchange::remember_point() {
  constexpr std::size_t most_points = 2;  // one may be the event itself
  std::erase_if(now_.passed, [&](const PassedPoint& point) { return point.time >= now_.time; });
  PassedPoint point{.time = now_.time, .inputs = {}};
  for (const InputValue& input : now_.inputs) point.inputs.push_back(input.value);
  now_.passed.push_back(std::move(point));
  if (now_.passed.size() > most_points) now_.passed.erase(now_.passed.begin());
}

/// Where an indicator passes zero, g still counts as zero, and whether an input leads it beyond is a matter of its slope: the mean
/// one since the last step that was completed. None where the input has jumped at this event.
double ModelExchange::slope_of(int input) const {
  const double value = now_.inputs[at(input)].value;
  if (now_.at_event.empty() || now_.at_event[at(input)] != value ||
      fmu_->model.signature.inputs()[at(input)].binary)
    return 0.0;
  return mean_slope(input);
}

/// Between events; none at the event that the motion begins at, if the input has jumped there.
double ModelExchange::running_slope(int input) const {
  const bool begins = run_ && run_->time() == now_.time;
  const bool has_jumped =
      begins && !now_.at_event.empty() && now_.at_event[at(input)] != now_.inputs[at(input)].value;
  if (now_.phase != Phase::continuous || fmu_->model.signature.inputs()[at(input)].binary || has_jumped)
    return 0.0;
  return mean_slope(input);
}

/// Since the last step that was completed.
double ModelExchange::mean_slope(int input) const {
  const double value = now_.inputs[at(input)].value;
  constexpr double fewest_digits = 1e4;  // of the time, for four digits of the slope
  const double digit =
      std::nextafter(std::abs(now_.time), std::numeric_limits<double>::infinity()) - std::abs(now_.time);
  for (auto point = now_.passed.rbegin(); point != now_.passed.rend(); ++point)
    if (const double step = now_.time - point->time; step > fewest_digits * digit)
      return (value - point->inputs[at(input)]) / step;
  return 0.0;
}

/// A period of pulses goes on as wide as its duty was when it began.
void ModelExchange::hold_inputs_here() {
  const Model& model = equations().model;
  std::vector<HeldInput> all;
  for (const Variable& variable : fmu_->variables) {
    if (variable.causality != Causality::input) continue;
    const int i = variable.index;
    const bool is_function = !std::holds_alternative<ConstantInput>(model.inputs[at(i)].form());
    if (!now_.inputs[at(i)].is_set && !is_function) continue;
    std::vector<HeldInput> list;
    for (const HeldInput& held : now_.held)
      if (held.input == i && held.from < now_.time) list.push_back(held);
    const HeldInput here{i, now_.time, now_.inputs[at(i)].value, slope_of(i)};
    forget_before(model, list, here);
    list.push_back(here);
    all.insert(all.end(), list.begin(), list.end());
  }
  std::ranges::stable_sort(all, {}, &HeldInput::input);
  now_.held = std::move(all);
}

}  // namespace mti::fmi
