#include "io/model/source_reader.hpp"

#include <algorithm>
#include <array>

#include "io/json/format_header.hpp"
#include "mti/common/at.hpp"

namespace mti::json {

Composition SourceReader::read(const Value& root) {
  Composition composition;
  composition.file = file_;
  ObjectReader model(root, "", faults_);
  if (!model.is_object() || !read_header(model)) {
    is_complete_ = false;
    return composition;
  }
  read_members(model, composition);
  return composition;
}

bool SourceReader::read_header(ObjectReader& model) { return read_format(model, "mti-model", 1); }

void SourceReader::read_members(ObjectReader& model, Composition& composition) {
  Source& source = composition.own;
  source.name = model.string("name").value_or("");
  source.description = model.string("description").value_or("");
  source.sample_time = model.number("sample_time");
  source.parameters = read_values(model, "parameters");
  read_signals(model, source);
  read_components(model, composition);
  read_connections(model, composition);
  read_relations(model, source);
  source.invariants = model.strings("invariants");
  read_transitions(model, source);
  read_whens(model, source);
  read_experiment(model, source);
  read_scenarios(model, source);
  source.initial = relations(model, "initial");
  static_cast<void>(model.find("$schema"));  // which the head may have, and a model inside of another, too
  model.finish();
}

std::vector<ParameterSource> SourceReader::read_values(ObjectReader& owner, std::string_view key) {
  std::vector<ParameterSource> values;
  const Value* value = owner.find(key);
  if (!value) return values;
  ObjectReader reader(*value, owner.pointer_to(key), faults_);
  if (!reader.is_object()) {
    is_complete_ = false;
    return values;
  }
  for (const Member& member : *value->object()) {
    ParameterSource parameter{member.key, 0.0};
    if (const auto* text = member.value.string())
      parameter.value = *text;
    else if (const auto* number = member.value.number())
      parameter.value = *number;
    else {
      is_complete_ = false;
      reader.fault("wrong-type", reader.pointer_to(member.key),
                   "found " + describe(member.value) + ", expected a number or an expression in a string");
    }
    values.push_back(std::move(parameter));
  }
  return values;
}

std::string SourceReader::read_name(ObjectReader& declaration) {
  declaration.require("name");
  const auto name = declaration.string("name");
  if (!name) is_complete_ = false;
  return name.value_or("");
}

void SourceReader::read_signals(ObjectReader& model, Source& source) {
  for (const std::string_view key : {"states", "inputs", "algebraic", "binaries"})
    if (const Value* list = model.find(key); list && !list->array()) is_complete_ = false;

  model.each_object("states", [&](ObjectReader& state) {
    source.states.push_back({.name = read_name(state),
                             .start = state.number("start").value_or(0.0),
                             .unit = state.string("unit").value_or(""),
                             .nominal = state.number("nominal").value_or(1.0),
                             .sample = state.string("sample").value_or(""),
                             .fixed = state.boolean("fixed").value_or(true)});
  });
  read_clocks(model, source);
  model.each_object("inputs", [&](ObjectReader& input) { source.inputs.push_back(read_input(input)); });
  model.each_object("algebraic", [&](ObjectReader& signal) {
    source.algebraic.push_back({.name = read_name(signal),
                                .start = signal.number("start").value_or(0.0),
                                .unit = signal.string("unit").value_or(""),
                                .nominal = signal.number("nominal").value_or(1.0),
                                .auxiliary = signal.boolean("auxiliary").value_or(false)});
  });
  model.each_object("binaries", [&](ObjectReader& binary) {
    source.binaries.push_back({.name = read_name(binary),
                               .start = binary.number("start").value_or(0.0),
                               .generated = binary.string("generated").value_or("")});
  });
}

/// One clock, or a list of them.
void SourceReader::read_clocks(ObjectReader& model, Source& source) {
  const Value* sample = model.find("sample");
  const bool alone = sample && sample->object();
  const auto read = [&](ObjectReader& clock) {
    clock.require("period");
    source.clocks.push_back({.name = read_name(clock),
                             .period = clock.number("period").value_or(1.0),
                             .offset = clock.number("offset").value_or(0.0),
                             .is_alone = alone});
  };
  if (!alone) return model.each_object("sample", read);
  ObjectReader clock(*sample, model.pointer_to("sample"), faults_);
  read(clock);
  clock.finish();
}

std::vector<RelationSource> SourceReader::relations(ObjectReader& model, std::string_view key) {
  std::vector<RelationSource> result;
  model.each(key, [&](const Value& element, std::size_t i) {
    if (const auto* text = element.string()) return result.emplace_back(*text), void();
    if (!element.object()) {
      model.fault("wrong-type", model.pointer_to(key, i),
                  "found " + describe(element) + R"(, expected a string or an object {"name", "text"})");
      return result.emplace_back(""), void();
    }
    ObjectReader relation(element, model.pointer_to(key, i), faults_);
    std::string name = read_name(relation);
    relation.require("text");
    result.emplace_back(std::move(name), relation.string("text").value_or(""));
    relation.finish();
  });
  return result;
}

void SourceReader::read_relations(ObjectReader& model, Source& source) {
  source.equations = relations(model, "equations");
  source.constraints = relations(model, "constraints");
  const bool has_text = model.has("equations") || model.has("constraints");
  const Value* matrices = model.find("matrices");
  if (!matrices) {
    if (!model.has("equations") && !model.has("components"))
      model.fault("missing-key", model.pointer(),
                  R"(neither "equations" nor "matrices" is there, expected one)");
    return;
  }
  if (has_text)
    model.fault("equations-and-matrices", model.pointer_to("matrices"),
                R"(found beside "equations" or "constraints", expected one form of the model)");
  const std::size_t before = faults_.size();
  ObjectReader reader(*matrices, model.pointer_to("matrices"), faults_);
  if (reader.has("phi")) {
    source.explicit_form = read_explicit(reader);
  } else if (reader.has("A")) {
    source.state_space = read_state_space(reader);
  } else {
    source.matrices = read_matrices(reader);
  }
  is_complete_ = is_complete_ && faults_.size() == before;
  reader.finish();
}

MatricesSource SourceReader::read_matrices(ObjectReader& matrices) {
  MatricesSource result;
  result.S = read_triplets(matrices, "S");
  result.Phi_eq = read_triplets(matrices, "Phi_eq");
  // A model without constraints need not write an empty matrix.
  result.Phi_ineq.cols = result.S.cols;
  if (matrices.has("Phi_ineq")) result.Phi_ineq = read_triplets(matrices, "Phi_ineq");
  result.equation_names = matrices.strings("equation_names");
  result.constraint_names = matrices.strings("constraint_names");
  result.pre = matrices.strings("pre");
  matrices.each_object("functions", [&](ObjectReader& function) {
    for (const char* const key : {"result", "argument", "function"}) function.require(key);
    FunctionSource& made = result.functions.emplace_back();
    made.result = function.string("result").value_or("");
    made.argument = function.string("argument").value_or("");
    made.function = function.string("function").value_or("");
    const std::optional<Number> exponent = function.number("exponent");
    if (exponent && std::holds_alternative<std::string>(*exponent))
      function.fault("wrong-type", function.pointer_to("exponent"), "expected a number beside matrices");
    else if (exponent)
      made.exponent = std::get<double>(*exponent);
  });
  result.divisors = matrices.strings("divisors");
  result.normalized = matrices.boolean("normalized").value_or(true);
  return result;
}

TripletSource SourceReader::read_triplets(ObjectReader& matrices, std::string_view key) {
  TripletSource result;
  matrices.require(key);
  const Value* value = matrices.find(key);
  if (!value) return result;
  ObjectReader matrix(*value, matrices.pointer_to(key), faults_);
  for (const std::string_view member : {"rows", "cols", "i", "k", "v"}) matrix.require(member);
  result.rows = matrix.index("rows").value_or(0);
  result.cols = matrix.index("cols").value_or(0);
  result.i = matrix.indices("i");
  result.k = matrix.indices("k");
  result.v = matrix.plain_numbers("v");
  // What is allocated for a matrix stays in proportion to what the file holds.
  constexpr std::size_t spare = 1'000'000;
  for (const auto& [name, size] :
       std::array<std::pair<const char*, int*>, 2>{{{"rows", &result.rows}, {"cols", &result.cols}}}) {
    const std::size_t most = result.v.size() + spare;
    if (at(*size) <= most) continue;
    matrix.fault("matrix-too-large", matrix.pointer_to(name),
                 "found " + std::to_string(*size) + ", expected at most " + std::to_string(most) +
                     " (one million more than there are triplets)");
    *size = 0;
  }
  matrix.finish();
  return result;
}

void SourceReader::read_transitions(ObjectReader& model, Source& source) {
  model.each_object("transitions", [&](ObjectReader& transition) {
    transition.require("when");
    transition.require("equations");
    source.transitions.push_back({.when = transition.string("when").value_or(""),
                                  .replaces = transition.strings("replaces"),
                                  .equations = transition.strings("equations"),
                                  .emit = transition.string("emit").value_or("")});
  });
}

void SourceReader::read_whens(ObjectReader& model, Source& source) {
  model.each_object("when", [&](ObjectReader& when) {
    when.require("condition");
    WhenSource& read = source.whens.emplace_back();
    read.condition = when.string("condition").value_or("");
    for (ParameterSource& value : read_values(when, "set"))
      read.set.emplace_back(std::move(value.name), std::move(value.value));
    read.emit = when.string("emit").value_or("");
  });
}

void SourceReader::read_experiment(ObjectReader& model, Source& source) {
  const Value* value = model.find("experiment");
  if (!value) return;
  ObjectReader experiment(*value, model.pointer_to("experiment"), faults_);
  const auto read = [&](std::string_view key, Number& target) {
    if (auto number = experiment.number(key)) target = std::move(*number);
  };
  read("start", source.experiment.start);
  read("stop", source.experiment.stop);
  read("rtol", source.experiment.rtol);
  read("atol", source.experiment.atol);
  source.experiment.output_interval = experiment.number("output_interval");
  source.experiment.fixed_start = experiment.boolean("fixed_start").value_or(false);
  experiment.finish();
}

void SourceReader::read_scenarios(ObjectReader& model, Source& source) {
  model.each_object("scenarios", [&](ObjectReader& scenario) {
    scenario.require("name");
    source.scenarios.push_back({.name = scenario.string("name").value_or(""),
                                .modes = scenario.string("modes").value_or(""),
                                .equations = scenario.strings("equations")});
  });
}

}  // namespace mti::json
