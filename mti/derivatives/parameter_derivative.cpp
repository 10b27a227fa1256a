#include "mti/derivatives/parameter_derivative.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "mti/build/build_parts.hpp"
#include "mti/clocks/without_clocks.hpp"
#include "mti/common/at.hpp"
#include "mti/derivatives/asked_quantities.hpp"
#include "mti/derivatives/input_slopes.hpp"
#include "mti/text/evaluate.hpp"
#include "mti/whens/without_whens.hpp"

namespace mti {
namespace {

using building::element;
using building::Faults;
using building::Numbers;

bool is_of_derivatives(const Fault& fault) {
  return fault.id == "parameter-decides" || fault.id == "not-differentiable";
}

/// What is to have no derivative: a value or the truth of a condition.
void require_constant(const Number& number, const std::string& pointer, const std::string& what,
                      const Numbers& numbers, Faults& faults) {
  if (std::holds_alternative<double>(number)) return;
  const std::optional<Dual> value = numbers.read_dual(number, pointer);
  if (value && value->varies())
    faults.add("parameter-decides", pointer,
               text::decides(numbers.names().directions_of(value->slopes), what));
}

void check_decisions(const Source& source, const Numbers& numbers, Faults& faults) {
  for (const DecisionSource& decision : source.decisions)
    require_constant(decision.expression, decision.pointer, decision.what, numbers, faults);
  for (std::size_t i = 0; i < source.binaries.size(); ++i)
    require_constant(source.binaries[i].start, element("/binaries", i) + "/start", "the value of a binary",
                     numbers, faults);
}

double slope_of(const Number& number, std::size_t direction, const Numbers& numbers) {
  const std::optional<Dual> value =
      std::holds_alternative<double>(number) ? std::nullopt : numbers.read_dual(number, "");
  return value ? value->slope(direction) : 0.0;
}

ParameterDerivative derivative_along(std::size_t direction, const Source& source, const Numbers& numbers,
                                     building::Built::Tangents tangents) {
  ParameterDerivative result;
  result.f = std::move(tangents.f);
  result.g = std::move(tangents.g);
  result.laws = std::move(tangents.laws);
  result.scenarios = std::move(tangents.scenarios);
  for (const StateSource& state : source.states)
    result.x_start.push_back(slope_of(state.start, direction, numbers));
  for (const AlgebraicSource& signal : source.algebraic)
    result.y_start.push_back(slope_of(signal.start, direction, numbers));
  result.start_time = slope_of(source.experiment.start, direction, numbers);
  result.stop_time = slope_of(source.experiment.stop, direction, numbers);
  if (source.sample_time) result.sample_time = slope_of(*source.sample_time, direction, numbers);
  return result;
}

/// Of the state or input in start(x), input(u) or table(u,k); 1 of a parameter.
double nominal_of(const std::string& label, const Signature& signature) {
  const std::size_t open = label.find('(');
  if (open == std::string::npos) return 1.0;
  const std::string name = label.substr(open + 1, label.find_first_of(",)", open) - open - 1);
  const bool is_start = label.starts_with("start(");
  const std::vector<Signal>& signals = is_start ? signature.states() : signature.inputs();
  const auto found = std::ranges::find(signals, name, &Signal::name);
  return found != signals.end() ? found->nominal : 1.0;
}

/// Faults that are there without derivatives are those of the model; others are of what was asked for.
building::Built assembled(const Source& source, const std::vector<building::Direction>& directions) {
  try {
    return building::assemble(source, directions);
  } catch (const InvalidModel& invalid) {
    std::vector<Fault> faults = invalid.faults();
    if (std::none_of(faults.begin(), faults.end(), is_of_derivatives)) throw;
    std::erase_if(faults, [](const Fault& fault) { return !is_of_derivatives(fault); });
    throw InvalidOption(std::move(faults));
  }
}

DifferentiatedModel differentiated(const AskedQuantities& asked) {
  // Ticks are breakpoints of inputs, which may depend on parameters. The start of a sampled state is that of the value which
  // it takes at the first tick, too: both hold the parameter that stands in its place already.
  if (!asked.source.clocks.empty())
    return build_without_clocks(asked.source, [&](const Source& written) {
      return differentiated({written, asked.directions});
    });
  if (!asked.source.whens.empty())
    return build_without_whens(asked.source, [&](const Source& written) {
      return differentiated({written, asked.directions});
    });
  building::Built built = assembled(asked.source, asked.directions);
  Faults faults;
  const Declarations declared = building::declare_names(asked.source, faults, asked.directions);
  const Numbers numbers(declared, faults);
  check_decisions(asked.source, numbers, faults);
  std::vector<std::vector<InputDerivative>> inputs =
      input_derivatives(asked.source.inputs, built.model, numbers, asked.directions.size(), faults);

  DifferentiatedModel result{std::move(built.model), {}};
  for (std::size_t d = 0; d < asked.directions.size(); ++d) {
    ParameterDerivative derivative = derivative_along(d, asked.source, numbers, std::move(built.tangents[d]));
    derivative.name = asked.directions[d].label;
    derivative.value = declared.find(asked.directions[d].parameter)->value.value();
    derivative.nominal = nominal_of(derivative.name, result.model.signature);
    derivative.y_start.resize(at(result.model.signature.p()), 0.0);
    derivative.inputs = std::move(inputs[d]);
    result.derivatives.push_back(std::move(derivative));
  }
  if (!faults.empty()) throw InvalidOption(faults.take());
  return result;
}

}  // namespace

DifferentiatedModel build_with_derivatives(const Source& original, const std::vector<std::string>& names) {
  return differentiated(with_parameters(original, names));
}

std::vector<std::string> split_derivative_names(const std::string& text) {
  std::vector<std::string> names(1);
  int depth = 0;
  for (const char c : text) {
    if (c == ',' && depth == 0) {
      names.emplace_back();
      continue;
    }
    if (c == '(') ++depth;
    if (c == ')') --depth;
    names.back() += c;
  }
  std::erase_if(names,
                [](const std::string& name) { return name.find_first_not_of(" \t") == std::string::npos; });
  return names;
}

std::string overridden_name(const std::string& quantity) {
  constexpr std::string_view prefix = "input(";
  return quantity.starts_with(prefix) && quantity.ends_with(')')
             ? quantity.substr(prefix.size(), quantity.size() - prefix.size() - 1)
             : quantity;
}

}  // namespace mti
