// Inputs that are the past of other signals.
#include <cstddef>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/reading/reading.hpp"

namespace mti::building {
namespace {

/// u(t − T) of an input whose course is known.
Input delayed(const Input& input, double T) {
  Input::Form form = input.form();
  if (auto* table = std::get_if<TableInput>(&form))
    for (double& time : table->time) time += T;
  if (auto* polynomial = std::get_if<PolynomialInput>(&form))
    for (double& time : polynomial->time) time += T;
  if (auto* sine = std::get_if<SineInput>(&form)) sine->phase -= 2.0 * std::numbers::pi * sine->frequency * T;
  if (auto* periodic = std::get_if<PeriodicInput>(&form)) periodic->start += T;
  if (auto* pulses = std::get_if<PulseWidthInput>(&form)) {
    pulses->start += T;
    pulses->duty = std::make_shared<const Input>(delayed(*pulses->duty, T));
  }
  if (auto* of_signal = std::get_if<DelayedInput>(&form)) of_signal->delay += T;
  return {form};
}

class Delays {
 public:
  Delays(const Source& source, const Declarations& names, Signals& signals, Faults& faults)
      : source_(source), names_(names), signals_(signals), faults_(faults), done_(source.inputs.size(), 0) {}

  void resolve() {
    for (std::size_t i = 0; i < source_.inputs.size(); ++i) resolve(i);
  }

 private:
  /// Pulses whose width is an input of the past begin with what that is.
  void resolve_duty(std::size_t i, PulseWidthInput pulses) {
    const Declarations::Entry* const duty = names_.find(pulses.duty_name);
    if (duty == nullptr || !std::holds_alternative<DelaySource>(source_.inputs[at(duty->index)].form)) return;
    done_[i] = 1;
    resolve(at(duty->index));
    done_[i] = 2;
    const Input& form = signals_.input_forms[at(duty->index)];
    if (std::holds_alternative<DelayedInput>(form.form()) ||
        std::holds_alternative<PulseWidthInput>(form.form())) {
      faults_.add("bad-duty", element("/inputs", i) + "/pwm/duty",
                  pulses.duty_name +
                      " is not known at all times: expected an input, or the past of one without \"before\"");
      return;
    }
    pulses.duty = std::make_shared<const Input>(form);
    signals_.input_forms[i] = Input(std::move(pulses));
  }

  void resolve(std::size_t i) {
    if (done_[i] == 0)
      if (const auto* pulses = std::get_if<PulseWidthInput>(&signals_.input_forms[i].form()))
        resolve_duty(i, *pulses);
    const auto* const source = std::get_if<DelaySource>(&source_.inputs[i].form);
    if (source == nullptr || done_[i] == 2) return;
    const std::string pointer = element("/inputs", i) + "/delay";
    if (source_.sample_time)
      faults_.add("delay-in-discrete-model", pointer,
                  "a model of discrete time keeps what was in states: expected no delay");
    if (done_[i] == 1) {
      faults_.add("bad-delay", pointer + "/of", "the input is delayed of itself");
      return;
    }
    done_[i] = 1;
    if (std::holds_alternative<DelayedInput>(signals_.input_forms[i].form())) enter(i, *source, pointer);
    done_[i] = 2;
  }

  void enter(std::size_t i, const DelaySource& source, const std::string& pointer) {
    using Kind = Declarations::Kind;
    const Declarations::Entry* const of = names_.find(source.of);
    if (of == nullptr || of->kind == Kind::parameter || source.of == "time") {
      if (source.of == "time")
        faults_.add("not-a-signal", pointer + "/of",
                    "time is no signal: expected time - T in the equations, in the place of the input");
      else if (of == nullptr)
        faults_.add("unknown-name", pointer + "/of", names_.unknown(source.of));
      else
        faults_.add("not-a-signal", pointer + "/of",
                    source.of +
                        " is no signal that has a past, expected a state, an input, an algebraic signal or a "
                        "binary");
      return;
    }
    auto own = std::get<DelayedInput>(signals_.input_forms[i].form());
    if (of->kind == Kind::input && !source.before) {
      resolve(at(of->index));
      signals_.input_forms[i] = delayed(signals_.input_forms[at(of->index)], own.delay);
      signals_.moved_inputs.push_back({source_.inputs[i].name, source.of, own.delay});
      return;
    }
    if (!source.before) {
      const bool is_fixed_state =
          of->kind == Kind::state && (signals_.x_free.empty() || signals_.x_free[at(of->index)] == 0);
      if (!is_fixed_state && of->kind != Kind::binary)
        faults_.add("missing-key", pointer,
                    "expected the member \"before\", the value of " + source.of +
                        " before the run: the value at its start is not known before it is solved for");
      own.before_is_start = is_fixed_state;
      own.before = is_fixed_state             ? signals_.x_start[at(of->index)]
                   : of->kind == Kind::binary ? static_cast<double>(signals_.z_start[at(of->index)])
                                              : 0.0;
    }
    signals_.input_forms[i] = Input(std::move(own));
  }

  const Source& source_;
  const Declarations& names_;
  Signals& signals_;
  Faults& faults_;
  std::vector<char> done_;  ///< 1: under way
};

}  // namespace

void read_delays(const Source& source, const Declarations& names, Signals& signals, Faults& faults) {
  Delays(source, names, signals, faults).resolve();
}

}  // namespace mti::building
