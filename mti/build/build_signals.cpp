#include <string>
#include <utility>

#include "mti/build/build_parts.hpp"
#include "mti/common/number.hpp"

namespace mti::building {
namespace {

bool is_bit(double value) { return value == 0.0 || value == 1.0; }

void require_bit(double value, const std::string& pointer, Faults& faults) {
  if (!is_bit(value))
    faults.add("not-binary", pointer, "expected 0 or 1 for a binary, found " + text::format_number(value));
}

double nominal(const Number& number, const std::string& pointer, const Numbers& numbers, Faults& faults) {
  const double value = numbers.read(number, pointer + "/nominal").value_or(1.0);
  if (value > 0.0) return value;
  faults.add("bad-nominal", pointer + "/nominal",
             "expected a number above 0, found " + text::format_number(value));
  return 1.0;
}

std::vector<double> read_list(const std::vector<Number>& list, const std::string& pointer,
                              const Numbers& numbers, bool& complete) {
  std::vector<double> values;
  values.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::optional<double> value = numbers.read_element(list[i], pointer, i);
    complete = complete && value.has_value();
    values.push_back(value.value_or(0.0));
  }
  return values;
}

Input read_table(const TableSource& source, bool binary, const std::string& pointer, const Numbers& numbers,
                 Faults& faults) {
  const std::string table = pointer + "/table";
  bool complete = true;
  TableInput result;
  result.time = read_list(source.time, table + "/time", numbers, complete);
  result.value = read_list(source.value, table + "/value", numbers, complete);
  result.interpolation =
      source.interpolation.value_or(binary ? Interpolation::previous : Interpolation::linear);
  if (result.time.size() != result.value.size()) {
    faults.add("bad-table", table,
               "time has " + std::to_string(result.time.size()) + " entries, value has " +
                   std::to_string(result.value.size()));
    complete = false;
  }
  if (result.time.empty() || result.value.empty()) {
    faults.add("bad-table", table, "a table needs at least one entry");
    complete = false;
  }
  if (binary && result.interpolation == Interpolation::linear) {
    faults.add("bad-table", pointer + "/interpolation",
               "a binary input is piecewise constant: expected previous");
    complete = false;
  }
  if (!complete) return {};
  for (std::size_t i = 1; i < result.time.size(); ++i) {
    if (result.time[i] >= result.time[i - 1]) continue;
    faults.add("bad-table", element(table + "/time", i),
               "times must not decrease: " + text::format_number(result.time[i]) + " stands after " +
                   text::format_number(result.time[i - 1]));
    complete = false;
  }
  if (binary)
    for (std::size_t i = 0; i < result.value.size(); ++i)
      if (!is_bit(result.value[i])) require_bit(result.value[i], element(table + "/value", i), faults);
  return complete ? Input(std::move(result)) : Input();
}

Input read_sine(const SineSource& source, const std::string& pointer, const Numbers& numbers) {
  const std::string sine = pointer + "/sine";
  return Input(SineInput{.amplitude = numbers.read(source.amplitude, sine + "/amplitude").value_or(0.0),
                         .frequency = numbers.read(source.frequency, sine + "/frequency").value_or(0.0),
                         .phase = numbers.read(source.phase, sine + "/phase").value_or(0.0),
                         .offset = numbers.read(source.offset, sine + "/offset").value_or(0.0)});
}

}  // namespace

Input read_input(const InputSource& source, const std::string& pointer, const Numbers& numbers,
                 Faults& faults) {
  if (const auto* table = std::get_if<TableSource>(&source.form))
    return read_table(*table, source.binary, pointer, numbers, faults);
  if (const auto* sine = std::get_if<SineSource>(&source.form)) {
    if (source.binary)
      faults.add("not-binary", pointer + "/sine", "a binary input takes 0 and 1 only, not a sine");
    return read_sine(*sine, pointer, numbers);
  }
  const double value = numbers.read(std::get<Number>(source.form), pointer + "/value").value_or(0.0);
  if (source.binary) require_bit(value, pointer + "/value", faults);
  return Input(ConstantInput{value});
}

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
    signals.binaries.push_back({.name = source.binaries[i].name});
    signals.z_start.push_back(start == 1.0 ? 1 : 0);
  }
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
