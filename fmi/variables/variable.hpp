#pragma once

#include <string>
#include <vector>

#include "fmi/variables/dae_residuals.hpp"
#include "mti/model/model.hpp"
#include "mti/source/source.hpp"

namespace mti::fmi {

/// What a variable of an FMU stands for.
enum class Role : char {
  time,
  state,
  derivative,
  input,
  algebraic,
  binary,
  weight,
  parameter,
  indicator,
  clock,
  dae_mode,      ///< whether the importer solves the equations
  residual,      ///< of an equation
  residual_rate  ///< its derivative by time
};
enum class VariableType : char { real, boolean, clock };
enum class Causality : char {
  independent,
  parameter,
  calculated_parameter,
  structural_parameter,
  input,
  output,
  local
};
enum class Variability : char { fixed, discrete, continuous };
enum class Initial : char { none, exact, approx, calculated };

/// A variable of an FMU. Its value reference is its place in the list of variables.
struct Variable {
  std::string name;
  std::string description = {};
  Role role = Role::state;
  int index = 0;  ///< in the group of the signature, among the parameters of the source, or of a constraint
  VariableType type = VariableType::real;
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  Initial initial = Initial::none;
  std::string unit = {};
  double nominal = 1.0;
  double start = 0.0;  ///< of what is settable; of calculated parameters the value

  /// A value may be given before the start, or at any time to an input.
  [[nodiscard]] bool is_settable() const noexcept {
    return causality == Causality::input || initial == Initial::exact || initial == Initial::approx;
  }
};

/// "'x'", as messages have it.
[[nodiscard]] inline std::string quoted(const Variable& variable) { return "'" + variable.name + "'"; }

/// Whether inputs that are functions of time in the model are inputs of the FMU too, or go on inside of it.
enum class FreeInputs : bool { no, yes };

/// Whether an importer may solve the equations itself (layered standard fmi-ls-dae).
enum class Dae : bool { no, yes };

/// The variables of a model, in this order: the independent variable `time`; states x; their derivatives der(x), in
/// continuous time; inputs u without the clock; algebraic signals y without the copies made for powers; binaries z;
/// `z.weight` of those that may slide, whose value is the weight ζ ∈ [0, 1] then, and z otherwise; parameters; in continuous
/// time `g.margin` of each constraint g, an event indicator, which FMUs for Co-Simulation alone do not list; in discrete time
/// `sample`, a clock that ticks with each sample, which FMI 2.0 has no type for. With residuals (dae_residuals()) algebraic
/// signals are all there, and behind all others `dae_mode` and `f.residual` of each, whose place among them is the index,
/// followed by `f.residual.rate` if it has one.
///
/// Names are unique: where a model has a signal `z.weight` of its own, an underscore follows the weight's. `source` is what
/// `model` was built from, without components. Algebraic signals are outputs, without any the states are.
[[nodiscard]] std::vector<Variable> variables_of(const Source& source, const Model& model,
                                                 FreeInputs free_inputs,
                                                 const std::vector<DaeResidual>* residuals = nullptr);

/// Makes outputs of the signals whose names fit one of the patterns, in which * stands for any text and ? for any one
/// character, and of no others. Errors: InvalidOption, id `unknown-output`, for a pattern that no signal fits.
void choose_outputs(std::vector<Variable>& variables, const std::vector<std::string>& patterns);

/// The name that an FMU shows to know its own model by: "{8-4-4-4-12}" of hexadecimal digits, from the text of the model and
/// from the kind of its variables.
[[nodiscard]] std::string instantiation_token(const std::string& model_text, FreeInputs free_inputs,
                                              Dae dae = Dae::no);

}  // namespace mti::fmi
