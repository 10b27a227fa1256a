#include <string>
#include <utility>

#include "mti/common/number.hpp"
#include "mti/reading/reading.hpp"

namespace mti::building {
namespace {

double nominal(const Number& number, const std::string& pointer, const Numbers& numbers, Faults& faults) {
  const double value = numbers.read(number, pointer + "/nominal").value_or(1.0);
  if (value > 0.0) return value;
  faults.add("bad-nominal", pointer + "/nominal",
             "expected a number above 0, found " + text::format_number(value));
  return 1.0;
}

}  // namespace

Signals read_signals(const Source& source, const Declarations& names, Faults& faults) {
  const Numbers numbers(names, faults);
  Signals signals;
  for (std::size_t i = 0; i < source.states.size(); ++i) {
    const StateSource& state = source.states[i];
    const std::string pointer = element("/states", i);
    signals.states.push_back({.name = state.name,
                              .unit = state.unit,
                              .nominal = nominal(state.nominal, pointer, numbers, faults)});
    signals.x_start.push_back(numbers.read(state.start, pointer + "/start").value_or(0.0));
    if (state.fixed) continue;
    signals.x_free.resize(source.states.size(), 0);
    signals.x_free[i] = 1;
    if (source.sample_time)
      faults.add("initial-in-discrete-model", pointer + "/fixed",
                 "a model of discrete time begins with its start values: expected no free one");
  }
  for (std::size_t i = 0; i < source.inputs.size(); ++i) {
    const InputSource& input = source.inputs[i];
    const std::string pointer = element("/inputs", i);
    const bool clock = static_cast<int>(i) == names.clock;
    signals.inputs.push_back({.name = input.name,
                              .unit = input.unit,
                              .nominal = nominal(input.nominal, pointer, numbers, faults),
                              .auxiliary = clock,
                              .binary = input.binary});
    const auto* value = std::get_if<Number>(&input.form);
    if (clock && (input.binary || value == nullptr || *value != Number(0.0)))
      faults.add("clock-with-value", pointer, "the input time is the time itself: it takes no value");
    signals.input_forms.push_back(clock ? Input(ClockInput{}) : read_input(input, pointer, numbers, faults));
  }
  read_pulse_widths(source.inputs, names, signals.input_forms, faults);
  for (std::size_t i = 0; i < source.algebraic.size(); ++i) {
    const AlgebraicSource& signal = source.algebraic[i];
    const std::string pointer = element("/algebraic", i);
    signals.algebraic.push_back({.name = signal.name,
                                 .unit = signal.unit,
                                 .nominal = nominal(signal.nominal, pointer, numbers, faults),
                                 .auxiliary = signal.auxiliary});
    signals.y_start.push_back(numbers.read(signal.start, pointer + "/start").value_or(0.0));
  }
  for (std::size_t i = 0; i < source.binaries.size(); ++i) {
    const std::string pointer = element("/binaries", i) + "/start";
    const double start = numbers.read(source.binaries[i].start, pointer).value_or(0.0);
    require_bit(start, pointer, faults);
    signals.binaries.push_back({.name = source.binaries[i].name, .generated = source.binaries[i].generated});
    signals.z_start.push_back(start == 1.0 ? 1 : 0);
  }
  read_delays(source, names, signals, faults);
  return signals;
}

double read_sample_time(const Source& source, const Numbers& numbers, Faults& faults) {
  if (!source.sample_time) return 0.0;
  const double value = numbers.read(*source.sample_time, "/sample_time").value_or(1.0);
  if (value > 0.0) return value;
  faults.add("bad-sample-time", "/sample_time",
             "expected a number above 0, found " + text::format_number(value) +
                 "; a model of continuous time has no sample_time");
  return 1.0;
}

Experiment read_experiment(const ExperimentSource& source, const Numbers& numbers, Faults& faults) {
  using Accepts = bool (*)(double value);
  const auto read = [&](const Number& number, const std::string& member, double otherwise,
                        const std::string& expected, Accepts accepts) {
    const std::string pointer = "/experiment/" + member;
    const double value = numbers.read(number, pointer).value_or(otherwise);
    if (accepts(value)) return value;
    faults.add("bad-experiment", pointer, "expected " + expected + ", found " + text::format_number(value));
    return otherwise;
  };
  Experiment result;
  result.fixed_start = source.fixed_start;
  result.start = numbers.read(source.start, "/experiment/start").value_or(0.0);
  const std::optional<double> stop = numbers.read(source.stop, "/experiment/stop");
  result.stop = stop.value_or(result.start);
  if (result.stop < result.start)
    faults.add("bad-experiment", "/experiment/stop",
               "the stop time " + text::format_number(result.stop) + " lies before the start time " +
                   text::format_number(result.start));
  result.rtol = read(source.rtol, "rtol", 1e-6, "a number above 0 and below 1",
                     [](double value) { return value > 0.0 && value < 1.0; });
  result.atol =
      read(source.atol, "atol", 1e-8, "a number not below 0", [](double value) { return value >= 0.0; });
  if (source.output_interval)
    result.output_interval = read(*source.output_interval, "output_interval", 1.0, "a number above 0",
                                  [](double value) { return value > 0.0; });
  return result;
}

}  // namespace mti::building
