#include "solvers/events/run_state.hpp"

#include <algorithm>

#include "mti/common/at.hpp"

namespace mti {

Mode mode_at_left(const RunState& state, bool inputs_are_new, const Signature& signature) {
  Mode before = state.mode;
  if (!inputs_are_new) return before;
  std::size_t next = 0;
  for (int i = 0; i < signature.m(); ++i)
    if (signature.inputs()[at(i)].binary)
      before.binary_inputs[next++] = state.here.v[at(signature.input_row(i))] != 0.0 ? 1 : 0;
  return before;
}

void keep_weights_in_range(const ModeSystem& system, std::span<double> v) {
  for (const int row : system.sliding) v[at(row)] = std::clamp(v[at(row)], 0.0, 1.0);
}

bool has_reach_laws(const Model& model) {
  return std::ranges::any_of(model.transitions,
                             [](const Transition& law) { return law.when == Transition::When::reach; });
}

bool has_change_laws(const Model& model) { return std::ranges::any_of(model.transitions, is_of_change); }

bool has_laws_of_motions(const Model& model) {
  return std::ranges::any_of(model.transitions, [](const Transition& law) { return !is_of_change(law); });
}

}  // namespace mti
