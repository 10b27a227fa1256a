#include "mti/printing/print_inputs.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace mti {
namespace {

TableSource table_of(const TableInput& table, bool binary) {
  TableSource source;
  source.time.assign(table.time.begin(), table.time.end());
  source.value.assign(table.value.begin(), table.value.end());
  if (!binary) source.interpolation = table.interpolation;
  return source;
}

InputSource input_of(const Signal& signal, const Input& input) {
  InputSource result{
      .name = signal.name, .unit = signal.unit, .nominal = signal.nominal, .binary = signal.binary};
  if (const auto* constant = std::get_if<ConstantInput>(&input.form())) {
    result.form = Number(constant->value);
  } else if (const auto* table = std::get_if<TableInput>(&input.form())) {
    result.form = table_of(*table, signal.binary);
  } else if (const auto* sine = std::get_if<SineInput>(&input.form())) {
    result.form = SineSource{.amplitude = sine->amplitude,
                             .frequency = sine->frequency,
                             .phase = sine->phase,
                             .offset = sine->offset};
  } else if (const auto* periodic = std::get_if<PeriodicInput>(&input.form())) {
    TableSource source = table_of(periodic->table, signal.binary);
    source.repeat = periodic->period;
    source.start = periodic->start;
    result.form = std::move(source);
  } else if (const auto* pulses = std::get_if<PulseWidthInput>(&input.form())) {
    result.form = PulseSource{.kind = PulseSource::Kind::pwm,
                              .period = pulses->period,
                              .duty = pulses->duty_name,
                              .low = pulses->low,
                              .high = pulses->high,
                              .start = pulses->start};
  } else if (const auto* polynomial = std::get_if<PolynomialInput>(&input.form())) {
    PolynomialSource source{.time = polynomial->time, .coefficients = {}};
    const std::ptrdiff_t width = polynomial->degree + 1;
    for (auto piece = polynomial->coefficients->begin(); piece != polynomial->coefficients->end();
         piece += width)
      source.coefficients.emplace_back(piece, piece + width);
    result.form = std::move(source);
  } else if (const auto* delayed = std::get_if<DelayedInput>(&input.form())) {
    result.form = DelaySource{.of = delayed->of, .time = delayed->delay, .before = delayed->before};
  }
  return result;
}

}  // namespace

std::vector<InputSource> printed_inputs(const Model& model) {
  std::vector<InputSource> inputs;
  for (std::size_t i = 0; i < model.inputs.size(); ++i)
    inputs.push_back(input_of(model.signature.inputs()[i], model.inputs[i]));
  for (const MovedInput& moved : model.moved_inputs)
    std::ranges::find(inputs, moved.name, &InputSource::name)->form =
        DelaySource{.of = moved.of, .time = moved.delay};
  return inputs;
}

}  // namespace mti
