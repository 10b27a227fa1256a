#pragma once

// The steps of build() (mti/build/build.cpp), private to it. Each reads its part of the source, appends every fault
// it finds and goes on as far as it can.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/conditions/generated.hpp"
#include "mti/model/model.hpp"
#include "mti/polynomials/copies.hpp"
#include "mti/source/declarations.hpp"
#include "mti/source/source.hpp"
#include "mti/text/ast.hpp"
#include "mti/text/auxiliaries.hpp"
#include "mti/text/elementary.hpp"
#include "mti/text/expand.hpp"

namespace mti::building {

/// Collects faults.
class Faults {
 public:
  void add(std::string id, std::string pointer, std::string message);
  /// A fault inside a text: the message names its column.
  void add(const text::TextFault& fault, const std::string& pointer, std::string_view text);
  /// The first twenty.
  void add(const std::vector<text::TextFault>& faults, const std::string& pointer, std::string_view text);
  [[nodiscard]] bool empty() const { return faults_.empty(); }
  [[nodiscard]] std::vector<Fault> take() { return std::move(faults_); }

 private:
  std::vector<Fault> faults_;
};

/// "/states/3"
[[nodiscard]] std::string element(const std::string& list, std::size_t index);
/// A name as a token of a JSON pointer: ~ becomes ~0 and / becomes ~1.
[[nodiscard]] std::string token(std::string_view name);

/// Reads numbers that may be expressions of parameters.
class Numbers {
 public:
  Numbers(const Declarations& names, Faults& faults) : names_(names), faults_(faults) {}
  /// The finite value; nothing after a fault.
  [[nodiscard]] std::optional<double> read(const Number& number, const std::string& pointer) const;
  [[nodiscard]] std::optional<double> read_element(const Number& number, const std::string& list,
                                                   std::size_t index) const;
  [[nodiscard]] const Declarations& names() const { return names_; }

 private:
  const Declarations& names_;
  Faults& faults_;
};

/// Enters every name (ids `bad-name`, `reserved-name`, `duplicate-name`) and evaluates the parameters.
[[nodiscard]] Declarations declare_names(const Source& source, Faults& faults);

/// The signals as declared, without those the relations add.
struct Signals {
  std::vector<Signal> states, inputs, algebraic, binaries;
  std::vector<Input> input_forms;
  std::vector<double> x_start, y_start;
  std::vector<char> z_start;
};
[[nodiscard]] Signals read_signals(const Source& source, const Declarations& names, Faults& faults);
/// Id `not-binary` for other values than 0 and 1.
void require_bit(double value, const std::string& pointer, Faults& faults);
/// Ids `bad-table`, `bad-period`, `bad-duty`, `not-binary`, and those of numbers.
[[nodiscard]] Input read_input(const InputSource& source, const std::string& pointer, const Numbers& numbers,
                               Faults& faults);
/// Periods that the resolution of time at start and stop does not tell apart: id `bad-period`.
void require_resolved_periods(const std::vector<Input>& forms, const Experiment& experiment, Faults& faults);
/// Gives those of `forms` that are pulses the inputs that their widths follow. Id `bad-duty`.
void read_pulse_widths(const std::vector<InputSource>& sources, const Declarations& names,
                       std::vector<Input>& forms, Faults& faults);
/// The sample time; 0 for continuous time. Id `bad-sample-time`.
[[nodiscard]] double read_sample_time(const Source& source, const Numbers& numbers, Faults& faults);
[[nodiscard]] Experiment read_experiment(const ExperimentSource& source, const Numbers& numbers,
                                         Faults& faults);

/// Names of equations and constraints: given ones are checked, missing ones become eq<k> and c<k>.
class RelationNames {
 public:
  explicit RelationNames(Faults& faults) : faults_(faults) {}
  /// `pointers[i]` is where name i stands; an empty name is filled in later.
  void claim(const std::vector<std::string>& given, const std::vector<std::string>& pointers);
  [[nodiscard]] std::vector<std::string> complete(std::vector<std::string> given, const std::string& prefix);
  /// `wanted`, with underscores appended until nobody else has it.
  [[nodiscard]] std::string unique(std::string wanted);

 private:
  Faults& faults_;
  std::unordered_set<std::string> taken_;
};

/// Equations and constraints as sums of terms.
struct Relations {
  std::vector<std::vector<text::Term>> equations, constraints;
  std::vector<std::string> equation_names, constraint_names;
  /// Rows result − φ(argument) of f behind `equations`; `equation_names` has theirs too.
  std::vector<text::Elementary::Function> functions;
};
[[nodiscard]] Relations read_relations(const Source& source, text::Expander& expander, text::Copies& copies,
                                       RelationNames& relation_names, Faults& faults);
/// Parses and expands one relation that must be an equation or must be an inequality; nothing after a fault.
/// Ids `expected-equation`, `expected-inequality`, `empty-equation`, `impossible-equation`,
/// `impossible-constraint`, and those of parse.hpp and expand.hpp.
enum class Expected { equation, inequality };
[[nodiscard]] std::optional<text::Polynomial> read_relation(const std::string& text,
                                                            const std::string& pointer, Expected expected,
                                                            text::Expander& expander,
                                                            const text::Expander::Owner& owner,
                                                            Faults& faults);

/// The built-in signal `time` as a last input.
void append_clock(Signals& signals);
/// What the texts of relations need beside what is declared.
struct Made {
  const text::Auxiliaries& auxiliaries;
  const conditions::Generated& conditions;
  const text::Elementary& elementary;
};
/// Names and signals of generated binaries, after those declared.
void declare_generated(const conditions::Generated& made, Declarations& names, Signals& signals);
/// Signals and definitions x̂ − x = 0 for the copies that powers need, then y − p = 0 for auxiliary signals,
/// whose nominals are those of p, then the rows of generated binaries.
void append_made(const Made& made, text::Copies& copies, double start_time, Declarations& names,
                 RelationNames& relation_names, Signals& signals, Relations& relations);

/// Invariants of the literals that exclude each other.
void append_exclusions(const conditions::Generated& made, const Declarations& names,
                       const Signature& signature, std::vector<BooleanFormula>& invariants);

/// The equations of quotients and the function rows, whose signals append_made has made in this order.
void append_elementary(const text::Elementary& elementary, const text::Auxiliaries& auxiliaries,
                       std::vector<std::vector<text::Term>> equations, RelationNames& relation_names,
                       Signals& signals, Relations& relations);
/// Start values of all auxiliary signals and generated binaries, from those of the signals that were declared.
void guess_starts(const Made& made, double start_time, Signals& signals);

/// The matrices form, checked, with S and Φ = (Φ_eq; Φ_ineq) in one map.
struct Matrices {
  CpMap map;  ///< equations, function rows, constraints
  std::vector<FunctionText> functions;
  std::vector<Divisor> divisors;
  std::vector<int> pre;
  std::vector<std::string> equation_names, constraint_names;
};
[[nodiscard]] Matrices read_matrices(const MatricesSource& source, const Declarations& names,
                                     RelationNames& relation_names, Faults& faults);
/// Those of matrices.pre whose row has an element.
[[nodiscard]] std::vector<int> remembered_in(const Matrices& matrices);

/// The same model with `matrices` in the place of its explicit or linear form. Throws InvalidModel with every
/// fault of the form and of the rest of the model; pointers below "/matrices", ids `matrix-size`,
/// `factor-size`, `equations-and-matrices`, `not-normalised` and those of triplets.
[[nodiscard]] Source with_matrices(const Source& source);

/// Splits the rows of Φ after the first `equations`.
void split_rows(const SparseColumns& Phi, int equations, SparseColumns& Phi_eq, SparseColumns& Phi_ineq);

/// A transition before the rows of S are known.
struct Law {
  Transition transition;
  std::vector<std::vector<text::Term>> equations;
};
/// Id `transition-in-discrete-model`, and those of conditions and relations.
[[nodiscard]] std::vector<Law> read_transitions(const Source& source, const Declarations& names,
                                                const std::vector<std::string>& equation_names,
                                                const std::vector<std::string>& constraint_names,
                                                text::Expander& expander, Faults& faults);

/// A scenario before the rows of S are known.
struct Opening {
  Scenario scenario;
  std::vector<std::vector<text::Term>> equations;
  text::Copies copies{0, text::Group::copy};
};
/// `remembered`: the binaries whose pre(z) the model's equations and constraints hold. Ids `bad-name`,
/// `duplicate-name`, `pre-in-scenario`, and those of read_relation.
[[nodiscard]] std::vector<Opening> read_scenarios(const Source& source, const std::vector<int>& remembered,
                                                  text::Expander& expander, Faults& faults);
/// The formulas `modes` of the scenarios; one without steps where the text is empty.
[[nodiscard]] std::vector<BooleanFormula> read_scenario_modes(const std::vector<ScenarioSource>& sources,
                                                              const Declarations& names,
                                                              const Signature& signature, Faults& faults);

/// Ids `unknown-name`, `not-a-binary`, and those of parse.hpp.
[[nodiscard]] BooleanFormula read_formula(const std::string& text, const std::string& pointer,
                                          const Declarations& names, const Signature& signature,
                                          Faults& faults);
[[nodiscard]] std::vector<BooleanFormula> read_invariants(const std::vector<std::string>& texts,
                                                          const Declarations& names,
                                                          const Signature& signature, Faults& faults);

}  // namespace mti::building
