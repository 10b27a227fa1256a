#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/reading/reading.hpp"

namespace mti::building {
namespace {

bool is_bit(double value) { return value == 0.0 || value == 1.0; }

std::optional<double> read_period(const Number& number, const std::string& pointer, const Numbers& numbers,
                                  Faults& faults) {
  const auto period = numbers.read(number, pointer);
  if (!period || *period > 0.0) return period;
  faults.add("bad-period", pointer, "expected a number above 0, found " + text::format_number(*period));
  return std::nullopt;
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

Input read_repeated(const TableSource& source, TableInput table, const std::string& pointer,
                    const Numbers& numbers, Faults& faults) {
  const auto period = read_period(*source.repeat, pointer + "/repeat", numbers, faults);
  const double start = numbers.read(source.start, pointer + "/start").value_or(0.0);
  if (!period) return {};
  if (table.time.front() < 0.0 || table.time.back() > *period) {
    faults.add(
        "bad-table", pointer + "/table/time",
        "the times of a table that comes again lie between 0 and its period " + text::format_number(*period));
    return {};
  }
  if (table.time.front() > 0.0) {  // the first value holds before
    table.time.insert(table.time.begin(), 0.0);
    table.value.insert(table.value.begin(), table.value.front());
  }
  return Input(PeriodicInput{.table = std::move(table), .period = *period, .start = start});
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
  if (!complete) return {};
  if (source.repeat) return read_repeated(source, std::move(result), pointer, numbers, faults);
  return Input(std::move(result));
}

Input read_sine(const SineSource& source, const std::string& pointer, const Numbers& numbers) {
  const std::string sine = pointer + "/sine";
  return Input(SineInput{.amplitude = numbers.read(source.amplitude, sine + "/amplitude").value_or(0.0),
                         .frequency = numbers.read(source.frequency, sine + "/frequency").value_or(0.0),
                         .phase = numbers.read(source.phase, sine + "/phase").value_or(0.0),
                         .offset = numbers.read(source.offset, sine + "/offset").value_or(0.0)});
}

/// The name of an input that duty is, or "".
std::string duty_input(const PulseSource& source, const Declarations& names) {
  const auto* text = std::get_if<std::string>(&source.duty);
  if (text == nullptr) return "";
  const Declarations::Entry* entry = names.find(*text);
  return entry != nullptr && entry->kind == Declarations::Kind::input ? *text : "";
}

Input read_pulses(const PulseSource& source, bool binary, const std::string& place, const Numbers& numbers,
                  Faults& faults) {
  const std::string pointer = place + (source.kind == PulseSource::Kind::square ? "/square" : "/pwm");
  const auto period = read_period(source.period, pointer + "/period", numbers, faults);
  const auto low = numbers.read(source.low, pointer + "/low"),
             high = numbers.read(source.high, pointer + "/high"),
             start = numbers.read(source.start, pointer + "/start");
  if (binary && low) require_bit(*low, pointer + "/low", faults);
  if (binary && high) require_bit(*high, pointer + "/high", faults);
  if (!duty_input(source, numbers.names()).empty())
    return period && low && high && start ? Input(PulseWidthInput{.period = *period,
                                                                  .start = *start,
                                                                  .low = *low,
                                                                  .high = *high,
                                                                  .duty = std::make_shared<const Input>()})
                                          : Input();  // its width follows once all inputs have been read
  const auto duty = numbers.read(source.duty, pointer + "/duty");
  if (duty && (*duty < 0.0 || *duty > 1.0)) {
    faults.add(
        "bad-duty", pointer + "/duty",
        "expected the part of the period that is high, from 0 to 1, found " + text::format_number(*duty));
    return {};
  }
  if (!period || !low || !high || !start || !duty) return {};
  TableInput table;
  table.interpolation = Interpolation::previous;
  if (*duty > 0.0) {
    table.time.push_back(0.0);
    table.value.push_back(*high);
  }
  if (*duty < 1.0) {
    table.time.push_back(*duty * *period);
    table.value.push_back(*low);
  }
  return Input(PeriodicInput{.table = std::move(table), .period = *period, .start = *start});
}

Input read_triangle(const TriangleSource& source, bool binary, const std::string& place,
                    const Numbers& numbers, Faults& faults) {
  const std::string pointer = place + "/triangle";
  if (binary) faults.add("not-binary", pointer, "a binary input takes 0 and 1 only, not a triangle");
  const auto period = read_period(source.period, pointer + "/period", numbers, faults);
  const auto low = numbers.read(source.low, pointer + "/low"),
             high = numbers.read(source.high, pointer + "/high"),
             start = numbers.read(source.start, pointer + "/start");
  if (!period || !low || !high || !start) return {};
  return Input(PeriodicInput{.table = {.time = {0.0, 0.5 * *period, *period}, .value = {*low, *high, *low}},
                             .period = *period,
                             .start = *start});
}

/// What it is a delay of follows once all signals have been read.
Input read_delay(const DelaySource& source, bool binary, const std::string& pointer, const Numbers& numbers,
                 Faults& faults) {
  if (binary)
    faults.add(
        "not-binary", pointer,
        "a binary input takes 0 and 1 only, not what a signal was: compare the delayed signal with 0.5");
  const auto time = numbers.read(source.time, pointer + "/time");
  if (time && !(*time > 0.0))
    faults.add("bad-delay", pointer + "/time",
               "expected a time above 0, found " + text::format_number(*time));
  const double before = source.before ? numbers.read(*source.before, pointer + "/before").value_or(0.0) : 0.0;
  return time && *time > 0.0 ? Input(DelayedInput{.of = source.of, .delay = *time, .before = before})
                             : Input();
}

Input read_polynomial(const PolynomialSource& source, bool binary, const std::string& pointer,
                      Faults& faults) {
  bool is_sound = !binary;
  const auto refuse = [&](const std::string& at_pointer, const std::string& message) {
    faults.add("bad-polynomial", at_pointer, message);
    is_sound = false;
  };
  if (binary) faults.add("not-binary", pointer, "a binary input takes 0 and 1 only, not polynomials");
  const std::size_t pieces = source.coefficients.size();
  if (pieces == 0 || source.time.size() != pieces + 1)
    refuse(pointer, "found " + std::to_string(source.time.size()) + " times and the coefficients of " +
                        std::to_string(pieces) +
                        " pieces, expected one time more than pieces, and one piece at least");
  for (std::size_t i = 1; i < source.time.size(); ++i)
    if (!(source.time[i] > source.time[i - 1]))
      refuse(element(pointer + "/time", i), "times must increase: " + text::format_number(source.time[i]) +
                                                " stands after " + text::format_number(source.time[i - 1]));
  std::size_t width = 1;
  constexpr std::size_t most_coefficients = 65;  // powers of a polynomial that numbers still tell apart
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t count = source.coefficients[i].size();
    if (count < 1 || count > most_coefficients)
      refuse(element(pointer + "/coefficients", i), "found " + std::to_string(count) +
                                                        " coefficients, expected 1 to " +
                                                        std::to_string(most_coefficients));
    width = std::max(width, count);
  }
  if (!is_sound) return {};
  std::vector<double> coefficients(pieces * width, 0.0);
  for (std::size_t i = 0; i < pieces; ++i)
    std::ranges::copy(source.coefficients[i], coefficients.begin() + static_cast<std::ptrdiff_t>(i * width));
  return Input(
      PolynomialInput{.time = source.time,
                      .degree = static_cast<int>(width) - 1,
                      .coefficients = std::make_shared<const std::vector<double>>(std::move(coefficients))});
}

}  // namespace

void require_bit(double value, const std::string& pointer, Faults& faults) {
  if (!is_bit(value))
    faults.add("not-binary", pointer, "expected 0 or 1 for a binary, found " + text::format_number(value));
}

Input read_input(const InputSource& source, const std::string& pointer, const Numbers& numbers,
                 Faults& faults) {
  if (const auto* table = std::get_if<TableSource>(&source.form))
    return read_table(*table, source.binary, pointer, numbers, faults);
  if (const auto* sine = std::get_if<SineSource>(&source.form)) {
    if (source.binary)
      faults.add("not-binary", pointer + "/sine", "a binary input takes 0 and 1 only, not a sine");
    return read_sine(*sine, pointer, numbers);
  }
  if (const auto* pulses = std::get_if<PulseSource>(&source.form))
    return read_pulses(*pulses, source.binary, pointer, numbers, faults);
  if (const auto* wave = std::get_if<TriangleSource>(&source.form))
    return read_triangle(*wave, source.binary, pointer, numbers, faults);
  if (const auto* polynomial = std::get_if<PolynomialSource>(&source.form))
    return read_polynomial(*polynomial, source.binary, pointer + "/polynomial", faults);
  if (const auto* delay = std::get_if<DelaySource>(&source.form))
    return read_delay(*delay, source.binary, pointer + "/delay", numbers, faults);
  const double value = numbers.read(std::get<Number>(source.form), pointer + "/value").value_or(0.0);
  if (source.binary) require_bit(value, pointer + "/value", faults);
  return Input(ConstantInput{value});
}

void require_resolved_periods(const std::vector<Input>& forms, const Experiment& experiment, Faults& faults) {
  constexpr double fewest_steps_of_time = 1024.0;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    double period = 0.0, start = 0.0;
    if (const auto* periodic = std::get_if<PeriodicInput>(&forms[i].form()))
      period = periodic->period, start = periodic->start;
    else if (const auto* pulse = std::get_if<PulseWidthInput>(&forms[i].form()))
      period = pulse->period, start = pulse->start;
    else
      continue;
    const double farthest =
        std::max({std::abs(start), std::abs(experiment.start), std::abs(experiment.stop)});
    if (period < fewest_steps_of_time * std::numeric_limits<double>::epsilon() * farthest)
      faults.add("bad-period", element("/inputs", i),
                 "expected a period that times up to " + text::format_number(farthest) + " resolve, found " +
                     text::format_number(period));
  }
}

void read_pulse_widths(const std::vector<InputSource>& sources, const Declarations& names,
                       std::vector<Input>& forms, Faults& faults) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto* form = std::get_if<PulseSource>(&sources[i].form);
    if (form == nullptr || !std::holds_alternative<PulseWidthInput>(forms[i].form())) continue;
    const std::string name = duty_input(*form, names);
    const Input& duty = forms[at(names.find(name)->index)];
    if (std::holds_alternative<PulseWidthInput>(duty.form())) {
      faults.add("bad-duty", element("/inputs", i) + "/pwm/duty",
                 name + " consists of pulses itself, whose widths follow an input");
      continue;
    }
    auto pulses = std::get<PulseWidthInput>(forms[i].form());
    pulses.duty = std::make_shared<const Input>(duty);
    pulses.duty_name = name;
    forms[i] = Input(std::move(pulses));
  }
}

}  // namespace mti::building
