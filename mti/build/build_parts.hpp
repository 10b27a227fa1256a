#pragma once

// The steps of build() (mti/build/build.cpp), private to it. Each reads its part of the source, appends every fault
// it finds and goes on as far as it can.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/conditions/generated.hpp"
#include "mti/model/model.hpp"
#include "mti/polynomials/copies.hpp"
#include "mti/reading/reading.hpp"
#include "mti/source/declarations.hpp"
#include "mti/source/source.hpp"
#include "mti/text/ast.hpp"
#include "mti/text/auxiliaries.hpp"
#include "mti/text/elementary.hpp"
#include "mti/text/expand.hpp"

namespace mti::building {

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

/// A polynomial as a sum of terms, and its derivatives by directions.
struct Row {
  std::vector<text::Term> terms;
  std::vector<std::vector<text::Term>> tangents = {};

  /// direction −1: the terms; none for a direction without a derivative.
  [[nodiscard]] const std::vector<text::Term>& along(int direction) const;
};
[[nodiscard]] Row row_of(const text::Polynomial& polynomial, text::Copies& copies);

/// Equations and constraints as sums of terms.
struct Relations {
  std::vector<Row> equations, constraints;
  std::vector<std::string> equation_names, constraint_names;
  /// Of `equations`, those of binaries and algebraic signals alone, with their places.
  std::vector<std::pair<std::size_t, text::Polynomial>> static_equations = {};
  /// Of `equations`, those that hold binaries, and short ones that give a signal as a sum, with their places.
  std::vector<std::pair<std::size_t, text::Polynomial>> flow_equations = {};
  /// Of `constraints`, those that hold binaries, with their places.
  std::vector<std::pair<std::size_t, text::Polynomial>> switching_constraints = {};
  /// Rows result − φ(argument) of f behind `equations`; `equation_names` has theirs too.
  std::vector<text::Elementary::Function> functions;
  std::vector<SignBinary> sign_binaries = {};
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

/// Comparisons of signals that equations define by binaries alone become logic, and so do equations of such signals.
/// Returns LogicFound::apart_at_zero. Id `parameter-decides`.
[[nodiscard]] std::set<std::string> find_logic(const text::Auxiliaries& auxiliaries,
                                               const Declarations& names, text::Copies& copies,
                                               conditions::Generated& made, Relations& relations,
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
                       std::vector<Row> equations, RelationNames& relation_names, Signals& signals,
                       Relations& relations);
/// Start values of all auxiliary signals, their copies and generated binaries, from those of the signals that were
/// declared.
void guess_starts(const Made& made, const text::Copies& copies, double start_time, Signals& signals);

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
  std::vector<Row> equations;
};
/// Id `transition-in-discrete-model`, and those of conditions and relations.
[[nodiscard]] std::vector<Law> read_transitions(const Source& source, const Declarations& names,
                                                const std::vector<std::string>& equation_names,
                                                const std::vector<std::string>& constraint_names,
                                                text::Expander& expander, Faults& faults);

/// A scenario before the rows of S are known.
struct Opening {
  Scenario scenario;
  std::vector<Row> equations;
  text::Copies copies{0, text::Group::copy};
};
/// The scenarios and, where there are initial equations, these as the last one. `remembered`: the binaries whose pre(z)
/// the model's equations and constraints hold. Ids `bad-name`, `duplicate-name`, `pre-in-scenario`,
/// `initial-in-discrete-model`, and those of read_relation.
[[nodiscard]] std::vector<Opening> read_scenarios(const Source& source, const std::vector<int>& remembered,
                                                  text::Expander& expander, RelationNames& relation_names,
                                                  Faults& faults);
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

/// A model with the derivatives of its maps by parameters.
struct Built {
  struct Tangents {
    CpMap f, g;
    std::vector<CpMap> laws, scenarios;
  };
  Model model;
  std::vector<Tangents> tangents;  ///< one for each direction
};
/// build() with derivatives by the parameters `directions`. Faults are also those of evaluate_dual.
/// `apart_at_zero`: as for Conditions.
[[nodiscard]] Built assemble(const Source& source, const std::vector<Direction>& directions,
                             std::set<std::string> apart_at_zero = {});

}  // namespace mti::building
