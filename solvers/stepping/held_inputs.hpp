#pragma once

#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/stepping/saved_contents.hpp"

namespace mti {

/// Pulses whose widths are a copy of the input of this name; null if `input` is none of these.
[[nodiscard]] const PulseWidthInput* pulses_of(const Input& input, const std::string& duty);

/// Throws InvalidOption where the input cannot be taken over from outside, or the value does not fit.
void require_settable(const Model& model, const HeldInput& held);

/// The input goes on as it is: as it was set before (`list`, one after the other), or as the model says up to the end of all
/// times.
[[nodiscard]] bool goes_on_as(const Model& model, const std::vector<HeldInput>& list, const HeldInput& held);

/// Of values that are replaced by `held` those stay that pulses have sampled or hold on to: a period begins with what
/// their width is then.
void forget_before(const Model& model, std::vector<HeldInput>& list, const HeldInput& held);

/// Puts what was set one after the other in place of input i of the model, and into pulses whose widths follow it.
void hold_input(Model& model, int i, const std::vector<HeldInput>& held, double stop);

/// Clocks of `model` may have other periods than those of the run so far. Where it stands each ticks next at the first time of its
/// own behind what the run has taken of its inputs: its wave is turned over where it would tick at once.
void let_clocks_go_on(Model& model, const RunSnapshot& here);

}  // namespace mti
