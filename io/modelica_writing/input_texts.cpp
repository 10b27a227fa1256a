#include "io/modelica_writing/input_texts.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "io/modelica_writing/notation.hpp"

namespace mti::modelica {
namespace {

using Writing = std::function<std::string(const Number&)>;

/// The first parenthesis is closed by the last character: (a + b), but not (a) - (b).
bool is_in_parentheses(const std::string& text) {
  if (text.front() != '(') return false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1 == text.size();
  }
  return false;
}

std::string operand(const Number& value, const Writing& number) {
  const std::string text = number(value);
  return text.find_first_of("+-*/ ") == std::string::npos || is_in_parentheses(text) ? text
                                                                                     : "(" + text + ")";
}

bool is_same(const Number& a, const Number& b) { return a == b; }

/// The pieces of a table between its times; the value before the first time, and at and behind the last.
std::string table_text(const TableSource& table, const std::string& clock, bool binary,
                       const Writing& number) {
  const bool steps = binary || table.interpolation == Interpolation::previous;
  const std::size_t n = table.time.size();
  const auto value = [&](std::size_t i) {
    const std::string text = number(table.value[i]);
    return binary ? (text == "1" ? "true" : text == "0" ? "false" : text + " > 0.5") : text;
  };
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0 && is_same(table.time[i - 1], table.time[i])) continue;
    if (i == 0 && steps && n > 1 && !is_same(table.time[0], table.time[1]))
      continue;  // the next piece has its value
    const std::string until =
        (text.empty() ? "if " : " elseif ") + clock + " < " + number(table.time[i]) + " then ";
    if (i == 0 || steps || is_same(table.value[i - 1], table.value[i])) {
      if (i == 0 && table.repeat) continue;  // a period begins at its first time
      text += until + value(i == 0 ? 0 : i - 1);
      continue;
    }
    const auto at = [&](const Number& of) { return operand(of, number); };
    const std::string va = at(table.value[i - 1]), vb = at(table.value[i]), ta = at(table.time[i - 1]),
                      tb = at(table.time[i]);
    text +=
        until + va + " + (" + vb + " - " + va + ")/(" + tb + " - " + ta + ")*(" + clock + " - " + ta + ")";
  }
  return text.empty() ? value(n - 1) : text + " else " + value(n - 1);
}

std::string clock_of(const Number& start, const Number& period, const Writing& number) {
  return "mod(time - " + operand(start, number) + ", " + number(period) + ")";
}

}  // namespace

std::string input_text(const InputSource& input, const Writing& number) {
  const std::string left = identifier(input.name) + " = ";
  if (const auto* table = std::get_if<TableSource>(&input.form)) {
    TableSource own = *table;
    const std::string clock = table->repeat ? clock_of(table->start, *table->repeat, number) : "time";
    return left + table_text(own, clock, input.binary, number);
  }
  if (const auto* sine = std::get_if<SineSource>(&input.form)) {
    std::string text = sine->offset == Number(0.0) ? "" : operand(sine->offset, number) + " + ";
    text += operand(sine->amplitude, number) + "*sin(2*3.141592653589793*" +
            operand(sine->frequency, number) + "*time";
    return left + text + (sine->phase == Number(0.0) ? "" : " + " + operand(sine->phase, number)) + ")";
  }
  if (const auto* pulse = std::get_if<PulseSource>(&input.form)) {
    const bool is_square = pulse->kind == PulseSource::Kind::square;
    const auto* duty = std::get_if<std::string>(&pulse->duty);
    if (!is_square && duty != nullptr)
      unwritable("/inputs", "the duty of the pulses " + input.name + " is " + *duty +
                                ": expected a number for a form in Modelica");
    const auto side = [&](const Number& value) {
      return input.binary ? std::string(number(value) == "1" ? "true" : "false") : number(value);
    };
    const std::string width = is_square ? "0.5" : operand(pulse->duty, number);
    return left + "if " + clock_of(pulse->start, pulse->period, number) + " < " + width + "*" +
           operand(pulse->period, number) + " then " + side(pulse->high) + " else " + side(pulse->low);
  }
  const auto& triangle = std::get<TriangleSource>(input.form);
  const std::string clock = clock_of(triangle.start, triangle.period, number);
  const std::string low = operand(triangle.low, number), high = operand(triangle.high, number),
                    half = "(0.5*" + operand(triangle.period, number) + ")";
  return left + "if " + clock + " < " + half + " then " + low + " + (" + high + " - " + low + ")/" + half +
         "*" + clock + " else " + high + " + (" + low + " - " + high + ")/" + half + "*(" + clock + " - " +
         half + ")";
}

}  // namespace mti::modelica
