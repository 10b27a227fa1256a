#include "io/model/write_model.hpp"

#include "io/files/files.hpp"
#include "io/json/writer.hpp"
#include "mti/components/append.hpp"

namespace mti {
namespace {

using json::in_line;
using json::Writer;

void write(Writer& out, const Number& number) {
  if (const auto* text = std::get_if<std::string>(&number))
    out.value(*text);
  else
    out.value(std::get<double>(number));
}

void write_member(Writer& out, std::string_view key, const Number& number) { write(out.key(key), number); }

bool is(const Number& number, double value) {
  const auto* found = std::get_if<double>(&number);
  return found && *found == value;
}

template <class Items, class WriteItem>
void write_list(Writer& out, std::string_view key, const Items& items, WriteItem&& write_item,
                Writer::Layout layout = Writer::Layout::block) {
  out.key(key).begin_array(layout);
  for (const auto& item : items) write_item(item);
  out.end_array();
}

void write_strings(Writer& out, std::string_view key, const std::vector<std::string>& texts,
                   Writer::Layout layout = in_line) {
  write_list(
      out, key, texts, [&](const std::string& text) { out.value(text); }, layout);
}

template <class Values>
void write_values(Writer& out, std::string_view key, const Values& values) {
  write_list(
      out, key, values, [&](auto value) { out.value(value); }, in_line);
}

void write_numbers(Writer& out, std::string_view key, const std::vector<Number>& numbers) {
  write_list(
      out, key, numbers, [&](const Number& number) { write(out, number); }, in_line);
}

/// Members every continuous signal may have, where they are not the defaults.
template <class SignalSource>
void write_unit_and_nominal(Writer& out, const SignalSource& signal) {
  if (!signal.unit.empty()) out.member("unit", signal.unit);
  if (!is(signal.nominal, 1.0)) write_member(out, "nominal", signal.nominal);
}

void write_form(Writer& out, const Number& value) { write_member(out, "value", value); }

void write_form(Writer& out, const TableSource& table) {
  out.key("table").begin_object(in_line);
  write_numbers(out, "time", table.time);
  write_numbers(out, "value", table.value);
  out.end_object();
  if (table.interpolation)
    out.member("interpolation", *table.interpolation == Interpolation::linear ? "linear" : "previous");
  if (!table.repeat) return;
  write_member(out, "repeat", *table.repeat);
  if (!is(table.start, 0.0)) write_member(out, "start", table.start);
}

void write_form(Writer& out, const PulseSource& pulses) {
  const bool is_square = pulses.kind == PulseSource::Kind::square;
  out.key(is_square ? "square" : "pwm").begin_object(in_line);
  write_member(out, "period", pulses.period);
  if (!is_square) write_member(out, "duty", pulses.duty);
  write_member(out, "low", pulses.low);
  write_member(out, "high", pulses.high);
  if (!is(pulses.start, 0.0)) write_member(out, "start", pulses.start);
  out.end_object();
}

void write_form(Writer& out, const TriangleSource& wave) {
  out.key("triangle").begin_object(in_line);
  write_member(out, "period", wave.period);
  write_member(out, "low", wave.low);
  write_member(out, "high", wave.high);
  if (!is(wave.start, 0.0)) write_member(out, "start", wave.start);
  out.end_object();
}

void write_form(Writer& out, const DelaySource& delay) {
  out.key("delay").begin_object(in_line).member("of", delay.of);
  write_member(out, "time", delay.time);
  if (delay.before) write_member(out, "before", *delay.before);
  out.end_object();
}

void write_form(Writer& out, const PolynomialSource& polynomial) {
  out.key("polynomial").begin_object();
  write_values(out, "time", polynomial.time);
  out.key("coefficients").begin_array();
  for (const std::vector<double>& piece : polynomial.coefficients) {
    out.begin_array(in_line);
    for (const double coefficient : piece) out.value(coefficient);
    out.end_array();
  }
  out.end_array().end_object();
}

void write_form(Writer& out, const SineSource& sine) {
  out.key("sine").begin_object(in_line);
  write_member(out, "amplitude", sine.amplitude);
  write_member(out, "frequency", sine.frequency);
  write_member(out, "phase", sine.phase);
  write_member(out, "offset", sine.offset);
  out.end_object();
}

void write_signals(Writer& out, const Source& source) {
  if (!source.clocks.empty())
    write_list(out, "sample", source.clocks, [&](const ClockSource& clock) {
      out.begin_object(in_line).member("name", clock.name);
      write_member(out, "period", clock.period);
      if (!is(clock.offset, 0.0)) write_member(out, "offset", clock.offset);
      out.end_object();
    });
  write_list(out, "states", source.states, [&](const StateSource& state) {
    out.begin_object(in_line).member("name", state.name);
    write_member(out, "start", state.start);
    write_unit_and_nominal(out, state);
    if (!state.sample.empty()) out.member("sample", state.sample);
    if (!state.fixed) out.member("fixed", false);
    out.end_object();
  });
  write_list(out, "inputs", source.inputs, [&](const InputSource& input) {
    out.begin_object(in_line).member("name", input.name);
    if (input.binary) out.member("binary", true);
    std::visit([&](const auto& form) { write_form(out, form); }, input.form);
    write_unit_and_nominal(out, input);
    out.end_object();
  });
  write_list(out, "algebraic", source.algebraic, [&](const AlgebraicSource& signal) {
    out.begin_object(in_line).member("name", signal.name);
    write_member(out, "start", signal.start);
    if (signal.auxiliary) out.member("auxiliary", true);
    write_unit_and_nominal(out, signal);
    out.end_object();
  });
  write_list(out, "binaries", source.binaries, [&](const BinarySource& binary) {
    out.begin_object(in_line).member("name", binary.name);
    write_member(out, "start", binary.start);
    if (!binary.generated.empty()) out.member("generated", binary.generated);
    out.end_object();
  });
}

void write_relations(Writer& out, std::string_view key, const std::vector<RelationSource>& relations) {
  write_list(out, key, relations, [&](const RelationSource& relation) {
    if (!relation.is_object) return out.value(relation.text), void();
    out.begin_object(in_line).member("name", relation.name).member("text", relation.text).end_object();
  });
}

void write_triplets(Writer& out, std::string_view key, const TripletSource& matrix) {
  out.key(key).begin_object().member("rows", matrix.rows).member("cols", matrix.cols);
  write_values(out, "i", matrix.i);
  write_values(out, "k", matrix.k);
  write_values(out, "v", matrix.v);
  out.end_object();
}

void write_matrices(Writer& out, const MatricesSource& matrices) {
  out.key("matrices").begin_object();
  if (!matrices.normalized) out.member("normalized", false);
  write_triplets(out, "S", matrices.S);
  write_triplets(out, "Phi_eq", matrices.Phi_eq);
  write_triplets(out, "Phi_ineq", matrices.Phi_ineq);
  if (!matrices.equation_names.empty()) write_strings(out, "equation_names", matrices.equation_names);
  if (!matrices.constraint_names.empty()) write_strings(out, "constraint_names", matrices.constraint_names);
  if (!matrices.pre.empty()) write_strings(out, "pre", matrices.pre);
  if (!matrices.functions.empty())
    write_list(out, "functions", matrices.functions, [&](const FunctionSource& function) {
      out.begin_object(in_line).member("result", function.result).member("argument", function.argument);
      out.member("function", function.function);
      if (function.exponent) out.member("exponent", *function.exponent);
      out.end_object();
    });
  if (!matrices.divisors.empty()) write_strings(out, "divisors", matrices.divisors);
  out.end_object();
}

void write_transitions(Writer& out, const std::vector<TransitionSource>& transitions) {
  write_list(out, "transitions", transitions, [&](const TransitionSource& transition) {
    out.begin_object(in_line).member("when", transition.when);
    if (!transition.replaces.empty()) write_strings(out, "replaces", transition.replaces);
    write_strings(out, "equations", transition.equations);
    if (!transition.emit.empty()) out.member("emit", transition.emit);
    out.end_object();
  });
}

void write_whens(Writer& out, const std::vector<WhenSource>& whens) {
  write_list(out, "when", whens, [&](const WhenSource& when) {
    out.begin_object(in_line).member("condition", when.condition);
    if (!when.set.empty()) {
      out.key("set").begin_object(in_line);
      for (const auto& [state, value] : when.set) write_member(out, state, value);
      out.end_object();
    }
    if (!when.emit.empty()) out.member("emit", when.emit);
    out.end_object();
  });
}

void write_experiment(Writer& out, const ExperimentSource& experiment) {
  out.key("experiment").begin_object(in_line);
  write_member(out, "start", experiment.start);
  write_member(out, "stop", experiment.stop);
  write_member(out, "rtol", experiment.rtol);
  write_member(out, "atol", experiment.atol);
  if (experiment.output_interval) write_member(out, "output_interval", *experiment.output_interval);
  if (experiment.fixed_start) out.member("fixed_start", true);
  out.end_object();
}

void write_scenarios(Writer& out, const std::vector<ScenarioSource>& scenarios) {
  write_list(out, "scenarios", scenarios, [&](const ScenarioSource& scenario) {
    out.begin_object(in_line).member("name", scenario.name);
    if (!scenario.modes.empty()) out.member("modes", scenario.modes);
    if (!scenario.equations.empty()) write_strings(out, "equations", scenario.equations);
    out.end_object();
  });
}

}  // namespace

std::string to_json(const Source& source) {
  if (source.explicit_form || source.state_space) return to_json(with_equations(source));
  Writer out(Writer::SignOfZero::kept);
  out.begin_object().member("format", "mti-model").member("version", 1);
  out.member("name", source.name);
  if (!source.description.empty()) out.member("description", source.description);
  if (source.sample_time) write_member(out, "sample_time", *source.sample_time);
  if (!source.parameters.empty()) {
    out.key("parameters").begin_object();
    for (const ParameterSource& parameter : source.parameters)
      write_member(out, parameter.name, parameter.value);
    out.end_object();
  }
  write_signals(out, source);
  if (source.matrices) {
    write_matrices(out, *source.matrices);
  } else {
    write_relations(out, "equations", source.equations);
    write_relations(out, "constraints", source.constraints);
  }
  if (!source.invariants.empty()) write_strings(out, "invariants", source.invariants, Writer::Layout::block);
  if (!source.initial.empty()) write_relations(out, "initial", source.initial);
  if (!source.transitions.empty()) write_transitions(out, source.transitions);
  if (!source.whens.empty()) write_whens(out, source.whens);
  write_experiment(out, source.experiment);
  if (!source.scenarios.empty()) write_scenarios(out, source.scenarios);
  out.end_object();
  return std::move(out).finish();
}

void write_model(const Source& source, const std::filesystem::path& path) {
  write_file(path, to_json(source));
}

}  // namespace mti
