#include <algorithm>
#include <utility>

#include "io/mat/exchange.hpp"
#include "io/mat/mat_file.hpp"
#include "mti/common/wording.hpp"
#include "mti/model/delays.hpp"
#include "mti/model/require_multilinear.hpp"
#include "mti/printing/print.hpp"

namespace mti {
namespace {

using mat::Cell;
using mat::StructArray;
using mat::Value;

double number(const Number& value) { return std::get<double>(value); }  // a model holds no expressions

Value numbers(const std::vector<Number>& list) {
  std::vector<double> values;
  for (const Number& value : list) values.push_back(number(value));
  return mat::column(std::move(values));
}

/// One text or number of every signal of a list.
template <class Signals, class Get>
Value each_text(const Signals& signals, Get get) {
  std::vector<std::string> list;
  for (const auto& signal : signals) list.push_back(get(signal));
  return mat::texts(list);
}
template <class Signals, class Get>
Value each_number(const Signals& signals, Get get) {
  std::vector<double> list;
  for (const auto& signal : signals) list.push_back(get(signal));
  return mat::column(std::move(list));
}

/// What an input says in the fields of the structure array; a field that it does not need stays empty.
struct InputFields {
  std::string kind;
  Value value, time{mat::Matrix{}};
  std::string interpolation = {};
  Value frequency{mat::Matrix{}}, phase{mat::Matrix{}}, offset{mat::Matrix{}};
  Value period{mat::Matrix{}}, start{mat::Matrix{}};
  std::string duty = {};
};

InputFields fields_of(const InputSource& input) {
  if (const auto* table = std::get_if<TableSource>(&input.form)) {
    InputFields fields{.kind = "table", .value = numbers(table->value), .time = numbers(table->time)};
    if (table->interpolation)
      fields.interpolation = *table->interpolation == Interpolation::linear ? "linear" : "previous";
    if (table->repeat) {
      fields.period = mat::scalar(number(*table->repeat));
      fields.start = mat::scalar(number(table->start));
    }
    return fields;
  }
  if (const auto* sine = std::get_if<SineSource>(&input.form))
    return {.kind = "sine",
            .value = mat::scalar(number(sine->amplitude)),
            .frequency = mat::scalar(number(sine->frequency)),
            .phase = mat::scalar(number(sine->phase)),
            .offset = mat::scalar(number(sine->offset))};
  if (const auto* pulses = std::get_if<PulseSource>(&input.form))  // of a model: their widths follow an input
    return {.kind = "pwm",
            .value = mat::column({number(pulses->low), number(pulses->high)}),
            .period = mat::scalar(number(pulses->period)),
            .start = mat::scalar(number(pulses->start)),
            .duty = std::get<std::string>(pulses->duty)};
  if (const auto* polynomial = std::get_if<PolynomialSource>(&input.form)) {
    // A row for each piece.
    mat::Matrix coefficients{.rows = static_cast<int>(polynomial->coefficients.size()),
                             .cols = static_cast<int>(polynomial->coefficients.front().size()),
                             .values = {}};
    for (std::size_t k = 0; k < polynomial->coefficients.front().size(); ++k)
      for (const std::vector<double>& piece : polynomial->coefficients)
        coefficients.values.push_back(piece[k]);
    return {.kind = "polynomial", .value = {std::move(coefficients)}, .time = mat::column(polynomial->time)};
  }
  return {.kind = "constant", .value = mat::scalar(number(std::get<Number>(input.form)))};
}

Value inputs_of(const std::vector<InputSource>& inputs) {
  std::vector<InputFields> all;
  for (const InputSource& input : inputs) all.push_back(fields_of(input));
  const auto is_periodic = [](const InputFields& fields) {
    const auto* period = std::get_if<mat::Matrix>(&fields.period.content);
    return period == nullptr || !period->values.empty();
  };
  const bool periodic = std::any_of(all.begin(), all.end(), is_periodic);
  StructArray result{{"kind", "value", "time", "interpolation", "frequency", "phase", "offset"}, {}};
  if (periodic) result.fields.insert(result.fields.end(), {"period", "start", "duty"});
  for (InputFields& of : all) {
    std::vector<Value>& element = result.elements.emplace_back();
    for (Value value :
         {Value{of.kind}, of.value, of.time, Value{of.interpolation}, of.frequency, of.phase, of.offset})
      element.push_back(std::move(value));
    if (!periodic) continue;
    for (Value value : {of.period, of.start, Value{of.duty}}) element.push_back(std::move(value));
  }
  return {std::move(result)};
}

Value laws_of(const std::vector<TransitionSource>& transitions) {
  StructArray result{{"when", "replaces", "equations"}, {}};
  const bool emit = std::ranges::any_of(transitions, [](const auto& law) { return !law.emit.empty(); });
  if (emit) result.fields.emplace_back("emit");
  for (const TransitionSource& law : transitions) {
    result.elements.push_back({{law.when}, mat::texts(law.replaces), mat::texts(law.equations)});
    if (emit) result.elements.back().push_back({law.emit});
  }
  return {std::move(result)};
}

Value scenarios_of(const std::vector<ScenarioSource>& scenarios) {
  StructArray result{{"name", "modes", "equations"}, {}};
  for (const ScenarioSource& scenario : scenarios)
    result.elements.push_back({{scenario.name}, {scenario.modes}, mat::texts(scenario.equations)});
  return {std::move(result)};
}

/// A field `exponent` only where there is a power: empty for other functions.
Value functions_of(const std::vector<FunctionSource>& functions) {
  const bool powers = std::any_of(functions.begin(), functions.end(),
                                  [](const FunctionSource& function) { return function.exponent; });
  StructArray result{{"result", "argument", "function"}, {}};
  if (powers) result.fields.emplace_back("exponent");
  for (const FunctionSource& function : functions) {
    std::vector<Value>& element = result.elements.emplace_back();
    for (const std::string* text : {&function.result, &function.argument, &function.function})
      element.push_back({*text});
    if (powers) element.push_back(function.exponent ? mat::scalar(*function.exponent) : Value{mat::Matrix{}});
  }
  return {std::move(result)};
}

Value experiment_of(const ExperimentSource& experiment) {
  const Value interval =
      experiment.output_interval ? mat::scalar(number(*experiment.output_interval)) : Value{mat::Matrix{}};
  return {StructArray{{"start", "stop", "rtol", "atol", "output_interval", "fixed_start"},
                      {{mat::scalar(number(experiment.start)), mat::scalar(number(experiment.stop)),
                        mat::scalar(number(experiment.rtol)), mat::scalar(number(experiment.atol)), interval,
                        mat::scalar(experiment.fixed_start ? 1.0 : 0.0)}}}};
}

Value sizes_of(const Model& model) {
  const Signature& signature = model.signature;
  StructArray sizes{{"n", "m", "p", "q", "r", "equations", "constraints", "columns"}, {{}}};
  for (const int size : {signature.n(), signature.m(), signature.p(), signature.q(), signature.r(),
                         model.equations(), model.constraints(), model.columns()})
    sizes.elements.front().push_back(mat::scalar(size));
  return {std::move(sizes)};
}

void add_signals(const Source& source, mat::Variables& out) {
  const auto name = [](const auto& signal) { return signal.name; };
  const auto unit = [](const auto& signal) { return signal.unit; };
  const auto start = [](const auto& signal) { return number(signal.start); };
  const auto nominal = [](const auto& signal) { return number(signal.nominal); };
  out.emplace_back("state_names", each_text(source.states, name));
  out.emplace_back("input_names", each_text(source.inputs, name));
  out.emplace_back("algebraic_names", each_text(source.algebraic, name));
  out.emplace_back("binary_names", each_text(source.binaries, name));
  out.emplace_back("x_start", each_number(source.states, start));
  out.emplace_back("y_start", each_number(source.algebraic, start));
  out.emplace_back("z_start", each_number(source.binaries, start));
  out.emplace_back("x_nominal", each_number(source.states, nominal));
  out.emplace_back("u_nominal", each_number(source.inputs, nominal));
  out.emplace_back("y_nominal", each_number(source.algebraic, nominal));
  out.emplace_back("x_units", each_text(source.states, unit));
  out.emplace_back("u_units", each_text(source.inputs, unit));
  out.emplace_back("y_units", each_text(source.algebraic, unit));
  out.emplace_back("u_binary",
                   each_number(source.inputs, [](const auto& u) { return u.binary ? 1.0 : 0.0; }));
  out.emplace_back("y_auxiliary",
                   each_number(source.algebraic, [](const auto& y) { return y.auxiliary ? 1.0 : 0.0; }));
  out.emplace_back("inputs", inputs_of(source.inputs));
  const auto generated = [](const BinarySource& z) { return z.generated; };
  if (std::any_of(source.binaries.begin(), source.binaries.end(),
                  [](const BinarySource& z) { return !z.generated.empty(); }))
    out.emplace_back("binary_texts", each_text(source.binaries, generated));
}

/// The texts of functions or divisors, each once.
template <class Parts>
std::vector<std::string> each_once(const Parts& parts) {
  std::vector<std::string> texts;
  for (const auto& part : parts)
    if (std::find(texts.begin(), texts.end(), part.text) == texts.end()) texts.push_back(part.text);
  return texts;
}

}  // namespace

bool is_mat_file(const std::filesystem::path& path) { return path.extension() == ".mat"; }

std::vector<std::string> mat_warnings(const Model& model) {
  std::vector<std::string> warnings;
  if (const auto functions = each_once(model.function_texts); !functions.empty())
    warnings.push_back("the MTI toolbox ignores the variable functions: nothing determines " +
                       name_list(functions, 3) +
                       " there; mti convert --multilinear writes multilinear equations instead");
  if (const auto divisors = each_once(model.divisors); !divisors.empty())
    warnings.push_back("the MTI toolbox ignores the variable divisors: it does not watch " +
                       name_list(divisors, 3) + " for 0");
  return warnings;
}

void write_mat_model(const Model& model, const std::vector<std::pair<std::string, double>>& parameters,
                     const std::filesystem::path& path) {
  require_no_delays(model, "files in the MAT format");
  require_fixed_start(model, "the MAT format");
  const Source source = to_matrices(model);
  mat::Variables out;
  out.emplace_back("format", Value{std::string("mti-model")});
  out.emplace_back("version", mat::scalar(1.0));
  out.emplace_back("name", Value{source.name});
  out.emplace_back("description", Value{source.description});
  out.emplace_back("sizes", sizes_of(model));
  out.emplace_back("S", Value{source.matrices->S});
  out.emplace_back("Phi_eq", Value{source.matrices->Phi_eq});
  out.emplace_back("Phi_ineq", Value{source.matrices->Phi_ineq});
  add_signals(source, out);
  out.emplace_back("equation_names", mat::texts(source.matrices->equation_names));
  out.emplace_back("constraint_names", mat::texts(source.matrices->constraint_names));
  out.emplace_back("pre_names", mat::texts(source.matrices->pre));
  if (!source.matrices->functions.empty())
    out.emplace_back("functions", functions_of(source.matrices->functions));
  if (!source.matrices->divisors.empty()) out.emplace_back("divisors", mat::texts(source.matrices->divisors));
  out.emplace_back("parameter_names", each_text(parameters, [](const auto& entry) { return entry.first; }));
  out.emplace_back("parameter_values",
                   each_number(parameters, [](const auto& entry) { return entry.second; }));
  out.emplace_back("invariants", mat::texts(source.invariants));
  out.emplace_back("transitions", laws_of(source.transitions));
  out.emplace_back("scenarios", scenarios_of(source.scenarios));
  if (source.sample_time) out.emplace_back("sample_time", mat::scalar(number(*source.sample_time)));
  out.emplace_back("experiment", experiment_of(source.experiment));
  mat::write_variables(out, path);
}

}  // namespace mti
