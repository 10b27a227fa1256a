#include "fmi/variables/variable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "fmi/variables/dae_residuals.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/name_pattern.hpp"
#include "mti/source/declarations.hpp"

namespace mti::fmi {
namespace {

/// A binary may slide where a constraint brings it together with a signal that moves.
std::vector<char> binaries_on_surfaces(const Model& model) {
  const Signature& signature = model.signature;
  const int moving = signature.binary_row(0);
  std::vector<char> found(at(signature.q()));
  if (model.is_discrete()) return found;
  std::vector<char> moves(at(model.constraints()));
  std::vector<std::set<int>> binaries(at(model.constraints()));
  for (int column = 0; column < model.columns(); ++column)
    for (SparseColumns::InnerIterator term(model.Phi_ineq, column); term; ++term)
      for (SparseColumns::InnerIterator entry(model.S, column); entry; ++entry) {
        const int row = static_cast<int>(entry.row()), constraint = static_cast<int>(term.row());
        if (row < moving)
          moves[at(constraint)] = 1;
        else if (row < signature.pre_row(0))
          binaries[at(constraint)].insert(row - moving);
      }
  for (std::size_t constraint = 0; constraint < moves.size(); ++constraint)
    if (moves[constraint] != 0)
      for (const int binary : binaries[constraint]) found[at(binary)] = 1;
  return found;
}

/// Makes the list; every name occurs once.
class List {
 public:
  void add(Variable variable) {
    while (!names_.insert(variable.name).second) variable.name += '_';
    variables_.push_back(std::move(variable));
  }
  std::vector<Variable> take() { return std::move(variables_); }

 private:
  std::vector<Variable> variables_;
  std::set<std::string> names_;
};

Variable of_signal(const Signal& signal, Role role, int index) {
  return {.name = signal.name, .role = role, .index = index, .unit = signal.unit, .nominal = signal.nominal};
}

void add_states(List& list, const Model& model, bool are_outputs) {
  const Signature& signature = model.signature;
  for (int i = 0; i < signature.n(); ++i) {
    Variable state = of_signal(signature.states()[at(i)], Role::state, i);
    if (are_outputs) state.causality = Causality::output;
    if (model.is_discrete()) state.variability = Variability::discrete;
    const bool is_free = !model.x_free.empty() && model.x_free[at(i)] != 0;
    state.initial = is_free ? Initial::approx : Initial::exact;  // a guess: initial equations tell
    state.start = model.x_start[at(i)];
    list.add(std::move(state));
  }
  for (int i = 0; i < signature.n() && !model.is_discrete(); ++i)
    list.add({.name = signature.row_name(signature.derivative_row(i)),
              .role = Role::derivative,
              .index = i,
              .initial = Initial::calculated});
}

void add_inputs(List& list, const Model& model, FreeInputs free_inputs) {
  const Signature& signature = model.signature;
  for (int i = 0; i < signature.m(); ++i) {
    const Signal& signal = signature.inputs()[at(i)];
    const Input& input = model.inputs[at(i)];
    if (std::holds_alternative<ClockInput>(input.form())) continue;
    Variable variable = of_signal(signal, Role::input, i);
    if (signal.binary) {
      variable.type = VariableType::boolean;
      variable.variability = Variability::discrete;
    }
    if (free_inputs == FreeInputs::yes || std::holds_alternative<ConstantInput>(input.form())) {
      const double start = model.experiment.start;
      variable.causality = Causality::input;
      variable.start = input.piece(start).value(start);
    } else {
      variable.initial = Initial::calculated;
    }
    list.add(std::move(variable));
  }
}

void add_algebraic(List& list, const Model& model, bool with_auxiliary) {
  const Signature& signature = model.signature;
  for (int i = 0; i < signature.p(); ++i) {
    const Signal& signal = signature.algebraic()[at(i)];
    if (signal.auxiliary && !with_auxiliary) continue;
    Variable variable = of_signal(signal, Role::algebraic, i);
    variable.causality = signal.auxiliary ? Causality::local : Causality::output;
    if (model.is_discrete()) variable.variability = Variability::discrete;
    variable.initial = Initial::approx;
    variable.start = model.y_start[at(i)];
    list.add(std::move(variable));
  }
}

void add_binaries(List& list, const Model& model) {
  const Signature& signature = model.signature;
  for (int i = 0; i < signature.q(); ++i) {
    const Signal& signal = signature.binaries()[at(i)];
    list.add({.name = signal.name,
              .description = signal.generated,
              .role = Role::binary,
              .index = i,
              .type = VariableType::boolean,
              .variability = Variability::discrete,
              .initial = signal.generated.empty() ? Initial::approx : Initial::calculated,
              .start = model.z_start[at(i)] != 0 ? 1.0 : 0.0});
  }
  const std::vector<char> on_surfaces = binaries_on_surfaces(model);
  for (int i = 0; i < signature.q(); ++i)
    if (on_surfaces[at(i)] != 0)
      list.add({.name = signature.binaries()[at(i)].name + ".weight",
                .description = "Its weight while it slides",
                .role = Role::weight,
                .index = i,
                .initial = Initial::calculated});
}

void add_parameters(List& list, const Source& source) {
  const auto values = parameter_values(source);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_number = std::holds_alternative<double>(source.parameters[i].value);
    Variable variable{.name = values[i].first,
                      .role = Role::parameter,
                      .index = static_cast<int>(i),
                      .causality = Causality::parameter,
                      .variability = Variability::fixed,
                      .initial = Initial::exact,
                      .start = values[i].second};
    if (!is_number) {
      variable.description = "= " + std::get<std::string>(source.parameters[i].value);
      variable.causality = Causality::calculated_parameter;
      variable.initial = Initial::calculated;
    }
    list.add(std::move(variable));
  }
}

void add_indicators(List& list, const Model& model) {
  for (int row = 0; row < model.constraints() && !model.is_discrete(); ++row)
    list.add({.name = model.constraint_names[at(row)] + ".margin",
              .description = "Event indicator: what is left up to the boundary, with what counts as zero",
              .role = Role::indicator,
              .index = row,
              .initial = Initial::calculated});
}

void add_clock(List& list) {
  list.add({.name = "sample",
            .description = "Ticks with each sample",
            .role = Role::clock,
            .type = VariableType::clock,
            .causality = Causality::output,
            .variability = Variability::discrete});
}

void add_residuals(List& list, const Model& model, const std::vector<DaeResidual>& residuals) {
  list.add({.name = "dae_mode",
            .description = "Derivatives and algebraic signals are the importer's (fmi-ls-dae, experimental)",
            .role = Role::dae_mode,
            .type = VariableType::boolean,
            .causality = Causality::structural_parameter,
            .variability = Variability::fixed,
            .initial = Initial::exact});
  int index = 0;
  for (const DaeResidual& residual : residuals) {
    const std::string name = model.equation_names[at(residual.row)] + ".residual";
    list.add({.name = name, .role = Role::residual, .index = index, .initial = Initial::calculated});
    if (residual.has_rate)
      list.add({.name = name + ".rate",
                .role = Role::residual_rate,
                .index = index,
                .initial = Initial::calculated});
    ++index;
  }
}

bool may_be_output(const Variable& variable) {
  return (variable.causality == Causality::output || variable.causality == Causality::local) &&
         variable.role != Role::indicator && variable.role != Role::clock &&
         variable.role != Role::residual && variable.role != Role::residual_rate;
}

/// FNV-1a of 64 bits.
std::uint64_t hash_of(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

void append_hexadecimal(std::string& text, std::uint64_t number) {
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(number >> shift) & 0xfU];
}

}  // namespace

std::vector<Variable> variables_of(const Source& source, const Model& model, FreeInputs free_inputs,
                                   const std::vector<DaeResidual>* residuals) {
  const std::vector<Signal>& algebraic = model.signature.algebraic();
  const bool has_outputs =
      std::ranges::any_of(algebraic, [](const Signal& signal) { return !signal.auxiliary; });
  List list;
  list.add({.name = "time", .role = Role::time, .causality = Causality::independent});
  add_states(list, model, !has_outputs);
  add_inputs(list, model, free_inputs);
  add_algebraic(list, model, residuals != nullptr);
  add_binaries(list, model);
  add_parameters(list, source);
  add_indicators(list, model);
  if (model.is_discrete()) add_clock(list);
  if (residuals != nullptr) add_residuals(list, model, *residuals);
  return list.take();
}

void choose_outputs(std::vector<Variable>& variables, const std::vector<std::string>& patterns) {
  std::vector<std::string> names;
  for (Variable& variable : variables) {
    if (!may_be_output(variable)) continue;
    names.push_back(variable.name);
    variable.causality = Causality::local;
  }
  std::vector<Fault> faults;
  for (const std::string& pattern : patterns) {
    bool found = false;
    for (Variable& variable : variables) {
      if (!may_be_output(variable) || !fits(variable.name, pattern)) continue;
      variable.causality = Causality::output;
      found = true;
    }
    if (found) continue;
    faults.push_back({"unknown-output", "",
                      "no state, derivative, algebraic signal or binary fits \"" + pattern + "\"" +
                          did_you_mean(pattern, names)});
  }
  if (!faults.empty()) throw InvalidOption(std::move(faults));
}

std::string instantiation_token(const std::string& model_text, FreeInputs free_inputs, Dae dae) {
  std::string variables_as = "mti-fmu 1";
  if (free_inputs == FreeInputs::yes) variables_as += " free";
  if (dae == Dae::yes) variables_as += " dae";
  std::string digits;
  for (const std::uint64_t seed : {14695981039346656037ULL, 7809847782465536322ULL})
    append_hexadecimal(digits, hash_of(model_text, hash_of(variables_as, seed)));
  std::string token = "{";
  std::size_t from = 0;
  for (const std::size_t length : std::array<std::size_t, 5>{8, 4, 4, 4, 12}) {
    token += (from == 0 ? "" : "-") + digits.substr(from, length);
    from += length;
  }
  return token + "}";
}

}  // namespace mti::fmi
