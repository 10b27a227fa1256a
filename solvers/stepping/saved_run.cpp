#include "solvers/stepping/saved_run.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/stepping/saved_contents.hpp"

namespace mti {
namespace {

[[noreturn]] void refuse_saved(const std::string& message) {
  throw InvalidOption("bad-saved-run", "saved", message);
}

}  // namespace

SavedRun::SavedRun(Contents contents) : contents_(std::make_shared<const Contents>(std::move(contents))) {}

void require_fit(const SavedRun::Contents& saved, const Model& model, double start, double stop) {
  const Signature& signature = model.signature;
  const RunSnapshot& at_end = saved.snapshot;
  const auto binary_inputs =
      at(std::ranges::count_if(signature.inputs(), [](const Signal& input) { return input.binary; }));
  const bool fits =
      at_end.v.size() == at(signature.size()) && at_end.mode.z.size() == at(signature.q()) &&
      at_end.mode.pre.size() == signature.pre().size() && at_end.mode.binary_inputs.size() == binary_inputs &&
      at_end.constraints == model.constraints() &&
      (model.is_discrete() || at_end.guess.size() == at_end.v.size()) &&
      std::ranges::all_of(
          at_end.mode.resting,
          [&](int function) { return function >= 0 && at(function) < model.functions.size(); }) &&
      std::ranges::all_of(
          saved.inputs, [&](const HeldInput& held) { return held.input >= 0 && held.input < signature.m(); });
  if (!fits) refuse_saved("the run that was saved is of a model with other signals or constraints");
  if (!std::ranges::all_of(at_end.v, [](double value) { return std::isfinite(value); }))
    refuse_saved("the run that was saved holds a value that is not finite");
  if (!(at_end.time <= stop) || !(at_end.time >= start))
    refuse_saved("the run was saved at t = " + number(at_end.time) +
                 ", outside of the time of this one, to " + number(stop));
}

void require_same_signals(const Model& model, const Model& other) {
  const Signature &of = model.signature, &to = other.signature;
  bool same = of.size() == to.size() && of.n() == to.n() && of.m() == to.m() && of.q() == to.q() &&
              of.pre() == to.pre() && model.constraints() == other.constraints() &&
              model.sample_time == other.sample_time;
  for (int row = 0; same && row < of.size(); ++row) same = of.row_name(row) == to.row_name(row);
  if (!same)
    throw InvalidOption(
        "bad-option", "set_parameters",
        "a run goes on in a model with the same signals, constraints and sample time only; a condition that "
        "parameters decide, and conditions or arguments that are equal for some of their values alone, make "
        "others");
}

}  // namespace mti
