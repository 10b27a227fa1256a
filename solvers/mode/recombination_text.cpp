#include "solvers/mode/recombination_text.hpp"

#include <cmath>

#include "mti/common/number.hpp"
#include "solvers/mode/mode_system.hpp"

namespace mti {
namespace {

std::string sum_text(const Recombination::Step& step, const Model& model, const Mode& mode) {
  std::string text;
  for (const Recombination::Step::Part& part : step.parts) {
    const double size = std::abs(part.factor);
    text += text.empty() ? (part.factor < 0.0 ? "-" : "") : (part.factor < 0.0 ? " - " : " + ");
    if (size != 1.0) text += text::format_number(size) + "*";
    const std::string name = equation_name(model, mode, part.equation.value());
    text += part.times == 0   ? name
            : part.times == 1 ? "der(" + name + ")"
                              : "der(" + name + ", " + std::to_string(part.times) + ")";
  }
  return text;
}

}  // namespace

std::vector<std::string> recombination_lines(const Model& model, const Mode& mode) {
  const ModeSystem system(SignalRows(model), mode);
  const auto recombined = system.recombined(model);
  if (!recombined) return {};
  std::vector<std::string> lines;
  for (const Recombination::Step& step : recombined->recombination->steps)
    lines.push_back(equation_name(model, mode, step.equation.value()) +
                    (step.dropped ? " is left out: 0 = " : " is replaced by ") + sum_text(step, model, mode));
  return lines;
}

}  // namespace mti
