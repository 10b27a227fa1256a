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
  const auto is_known = [&](const HeldInput& held) { return held.input >= 0 && held.input < signature.m(); };
  const bool fits =
      at_end.v.size() == at(signature.size()) && at_end.mode.z.size() == at(signature.q()) &&
      at_end.mode.pre.size() == signature.pre().size() && at_end.mode.binary_inputs.size() == binary_inputs &&
      at_end.constraints == model.constraints() &&
      (model.is_discrete() || at_end.guess.size() == at_end.v.size()) &&
      std::ranges::all_of(
          at_end.mode.resting,
          [&](int function) { return function >= 0 && at(function) < model.functions.size(); }) &&
      std::ranges::all_of(saved.inputs, is_known) && std::ranges::all_of(saved.kept, is_known);
  if (!fits) refuse_saved("the run that was saved is of a model with other signals or constraints");
  if (!std::ranges::all_of(at_end.v, [](double value) { return std::isfinite(value); }))
    refuse_saved("the run that was saved holds a value that is not finite");
  if (!(at_end.time <= stop) || !(at_end.time >= start))
    refuse_saved("the run was saved at t = " + number(at_end.time) +
                 ", outside of the time of this one, to " + number(stop));
}

bool have_same_signals(const Signature& of, const Signature& to) {
  const auto are_same = [](const Signal& a, const Signal& b) {
    return a.name == b.name && a.auxiliary == b.auxiliary && a.binary == b.binary &&
           a.generated == b.generated;
  };
  const auto same = [&](const std::vector<Signal>& a, const std::vector<Signal>& b) {
    return std::ranges::equal(a, b, are_same);
  };
  return same(of.states(), to.states()) && same(of.inputs(), to.inputs()) &&
         same(of.algebraic(), to.algebraic()) && same(of.binaries(), to.binaries()) && of.pre() == to.pre() &&
         of.is_discrete() == to.is_discrete();
}

void require_same_signals(const Model& model, const Model& other) {
  if (!have_same_signals(model.signature, other.signature) || model.constraints() != other.constraints() ||
      model.sample_time != other.sample_time)
    throw InvalidOption(
        "bad-option", "set_parameters",
        "a run goes on in a model with the same signals, constraints and sample time only; a condition that "
        "parameters decide, and conditions or arguments that are equal for some of their values alone, make "
        "others");
}

}  // namespace mti
