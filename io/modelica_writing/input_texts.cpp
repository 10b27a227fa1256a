#include "io/modelica_writing/input_texts.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "io/modelica_writing/notation.hpp"
#include "mti/common/signs.hpp"

namespace mti::modelica {
namespace {

using Writing = std::function<std::string(const Number&)>;

std::string operand(const Number& value, const Writing& number) {
  const std::string text = number(value);
  return text.find_first_of("+-*/ ") == std::string::npos || text::is_in_parentheses(text) ? text
                                                                                           : "(" + text + ")";
}

bool is_same(const Number& a, const Number& b) { return a == b; }

/// The value of an input, of a binary one as a condition.
std::string value_text(const Number& value, bool binary, const Writing& number) {
  if (!binary) {
    std::string text = number(value);
    return text.starts_with("if ") ? "(" + text + ")" : text;
  }
  if (const auto* known = std::get_if<double>(&value)) return *known > 0.5 ? "true" : "false";
  return operand(value, number) + " > 0.5";
}

/// The pieces of a table between its times; the value before the first time, and at and behind the last. A repeated one has no
/// time before 0, at which a period begins, and none behind the period, at which the next one does.
std::string table_text(const TableSource& table, const std::string& clock, bool binary,
                       const Writing& number) {
  const bool steps = binary || table.interpolation == Interpolation::previous;
  const std::size_t n = table.time.size();
  const auto value = [&](std::size_t i) { return value_text(table.value[i], binary, number); };
  const auto at = [&](const Number& of) { return operand(of, number); };
  std::string text, last = value(n - 1);
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0 && is_same(table.time[i - 1], table.time[i])) continue;
    if (i == 0 && steps && n > 1 && !is_same(table.time[0], table.time[1]))
      continue;  // the next piece has its value
    if (i == 0 && ((table.repeat && table.time[0] == Number(0.0)) || n == 1)) continue;
    std::string piece = value(i == 0 ? 0 : i - 1);
    if (i > 0 && !steps && !is_same(table.value[i - 1], table.value[i])) {
      const std::string va = at(table.value[i - 1]), vb = at(table.value[i]), ta = at(table.time[i - 1]),
                        tb = at(table.time[i]);
      piece = va + " + (" + vb + " - " + va + ")/(" + tb + " - " + ta + ")*(" + clock + " - " + ta + ")";
    }
    if (table.repeat && is_same(table.time[i], *table.repeat)) {
      last = std::move(piece);
      break;
    }
    text += (text.empty() ? "if " : " elseif ") + clock + " < " + at(table.time[i]) + " then " + piece;
  }
  return text.empty() ? last : text + " else " + last;
}

std::string clock_of(const Number& start, const Number& period, const Writing& number) {
  return "mod(time - " + operand(start, number) + ", " + number(period) + ")";
}

/// Whether pulses take their width from another input, at the beginning of each period.
bool is_input(const Number& duty, const std::vector<InputSource>& inputs) {
  const auto* name = std::get_if<std::string>(&duty);
  return name != nullptr && std::ranges::find(inputs, *name, &InputSource::name) != inputs.end();
}

}  // namespace

std::string input_text(const InputSource& input, const std::vector<InputSource>& inputs,
                       const Writing& number) {
  const std::string left = identifier(input.name) + " = ";
  if (const auto* table = std::get_if<TableSource>(&input.form)) {
    const std::string clock = table->repeat ? clock_of(table->start, *table->repeat, number) : "time";
    return left + table_text(*table, clock, input.binary, number);
  }
  if (const auto* sine = std::get_if<SineSource>(&input.form)) {
    std::string text = sine->offset == Number(0.0) ? "" : operand(sine->offset, number) + " + ";
    text += operand(sine->amplitude, number) + "*sin(2*3.141592653589793*" +
            operand(sine->frequency, number) + "*time";
    return left + text + (sine->phase == Number(0.0) ? "" : " + " + operand(sine->phase, number)) + ")";
  }
  if (const auto* pulse = std::get_if<PulseSource>(&input.form)) {
    const bool is_square = pulse->kind == PulseSource::Kind::square;
    if (!is_square && is_input(pulse->duty, inputs))
      unwritable("/inputs",
                 "the duty of the pulses " + input.name + " is the input " +
                     std::get<std::string>(pulse->duty) +
                     ": expected a number, or an expression of parameters, for a form in Modelica");
    const auto side = [&](const Number& value) { return value_text(value, input.binary, number); };
    const std::string width = is_square ? "0.5" : operand(pulse->duty, number);
    return left + "if " + clock_of(pulse->start, pulse->period, number) + " < " + width + "*" +
           operand(pulse->period, number) + " then " + side(pulse->high) + " else " + side(pulse->low);
  }
  if (const auto* delay = std::get_if<DelaySource>(&input.form))
    unwritable("/inputs",
               input.name + " is " + delay->of + " some time ago, which has no form here in Modelica");
  if (std::holds_alternative<PolynomialSource>(input.form))
    unwritable("/inputs", input.name + " is made of polynomials, which have no form here in Modelica");
  const auto& triangle = std::get<TriangleSource>(input.form);
  const std::string clock = clock_of(triangle.start, triangle.period, number);
  const std::string low = operand(triangle.low, number), high = operand(triangle.high, number),
                    half = "(0.5*" + operand(triangle.period, number) + ")";
  return left + "if " + clock + " < " + half + " then " + low + " + (" + high + " - " + low + ")/" + half +
         "*" + clock + " else " + high + " + (" + low + " - " + high + ")/" + half + "*(" + clock + " - " +
         half + ")";
}

}  // namespace mti::modelica
