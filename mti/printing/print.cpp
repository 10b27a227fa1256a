#include "mti/printing/print.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/multilinear/cp_rows.hpp"
#include "mti/printing/print_inputs.hpp"
#include "mti/printing/scenario_source.hpp"
#include "mti/source/triplets.hpp"

namespace mti {
namespace {

using text::format_number;

/// Writes the rows of a CP map; Φ is regrouped by rows once.
class RowWriter {
 public:
  using NameOf = std::function<std::string(int)>;

  /// `name_of` gives the name of a row of S.
  RowWriter(const SparseColumns& S, const SparseColumns& Phi, NameOf name_of,
            std::span<const FunctionColumn> functions = {})
      : S_(S), Phi_(Phi), name_of_(std::move(name_of)), functions_(functions) {}
  /// In a law the rows of the left limits follow those of v.
  RowWriter(const SparseColumns& S, const SparseColumns& Phi, const Signature& signature)
      : RowWriter(S, Phi, [&signature](int row) {
          if (row < signature.size()) return signature.row_name(row);
          return "pre(" + signature.row_name(row - signature.size()) + ")";
        }) {}

  [[nodiscard]] std::string write(int row) const {
    std::string result;
    for (RowMajor::InnerIterator entry(Phi_, row); entry; ++entry)
      append_term(entry.value(), static_cast<int>(entry.col()), result);
    return result.empty() ? "0" : result;
  }

 private:
  using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

  void append_term(double coefficient, int column, std::string& result) const {
    std::string factors;
    for (SparseColumns::InnerIterator entry(S_, column); entry; ++entry) {
      if (!factors.empty()) factors += '*';
      if (entry.value() == -1.0) coefficient = -coefficient;
      const bool in_halves = std::abs(entry.value()) == 0.5 && 2.0 * (0.5 * coefficient) == coefficient;
      if (in_halves) coefficient *= 0.5;
      factors += factor(name_of_(static_cast<int>(entry.row())), entry.value(), in_halves);
    }
    if (const ElementaryFunction* const phi = find_column(functions_, column)) factors = phi->text(factors);
    const bool negative = std::signbit(coefficient);
    if (result.empty()) {
      if (negative) result += '-';
    } else {
      result += negative ? " - " : " + ";
    }
    const double size = std::abs(coefficient);
    if (factors.empty() || size != 1.0) {
      result += format_number(size);
      if (!factors.empty()) result += '*';
    }
    result += factors;
  }

  /// v_i, or 1 − |S| + S v_i in parentheses; the sign of −v_i is left to the coefficient, and so is the half
  /// of ½ ± ½ v_i = ½ (1 ± v_i), which is how 1 − z is held.
  static std::string factor(const std::string& name, double S, bool in_halves) {
    if (std::abs(S) == 1.0) return name;
    if (in_halves) return (S < 0.0 ? "(1 - " : "(1 + ") + name + ")";
    std::string result = "(";
    result += format_number(1.0 - std::abs(S));
    result += S < 0.0 ? " - " : " + ";
    result += format_number(std::abs(S)) + "*";
    result += name;
    result += ')';
    return result;
  }

  const SparseColumns& S_;
  RowMajor Phi_;
  NameOf name_of_;
  std::span<const FunctionColumn> functions_;
};

std::vector<RelationSource> relations_of(const SparseColumns& S, const SparseColumns& Phi,
                                         const std::vector<std::string>& names, const char* comparison,
                                         const RowWriter::NameOf& name_of,
                                         std::span<const FunctionColumn> functions) {
  const RowWriter writer(S, Phi, name_of, functions);
  std::vector<RelationSource> relations;
  relations.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    relations.emplace_back(names[i], writer.write(static_cast<int>(i)) + comparison);
  return relations;
}

/// "a = 0", or "s = b" of a law that was written so: what it puts out of force follows from its left side.
std::string law_text(const Transition& law, int row, const Signature& signature) {
  const SparseColumns& S = law.equations.S();
  const int state = at(row) < law.assigned.size() ? law.assigned[at(row)] : -1;
  if (state < 0) return RowWriter(S, law.equations.Phi(), signature).write(row) + " = 0";
  const int own_row = signature.state_row(state);
  const std::string name = signature.row_name(own_row);
  SparseColumns b = -law.equations.Phi();  // f = s - b
  for (int column = 0; column < S.cols(); ++column) {
    if (S.col(column).nonZeros() != 1 || S.coeff(own_row, column) != 1.0) continue;
    b.coeffRef(row, column) += 1.0;
    b.prune(0.0);
    return name + " = " + RowWriter(S, b, signature).write(row);
  }
  const std::string rest = RowWriter(S, b, signature).write(row);
  return name + " = " + name + (rest.starts_with('-') ? " " : " + ") + rest;
}

TransitionSource transition_of(const Transition& transition, const Model& model) {
  TransitionSource result;
  result.emit = transition.emit;
  const auto target = at(transition.target);
  switch (transition.when) {
    case Transition::When::reach:
      result.when = "reach(" + model.constraint_names[target] + ")";
      break;
    case Transition::When::rise:
      result.when = "rise(" + model.signature.binaries()[target].name + ")";
      break;
    case Transition::When::fall:
      result.when = "fall(" + model.signature.binaries()[target].name + ")";
      break;
    case Transition::When::risen:
      result.when = "risen(" + model.signature.binaries()[target].name + ")";
      break;
  }
  for (const int equation : transition.replaces)
    result.replaces.push_back(model.equation_names[at(equation)]);
  for (int row = 0; row < transition.equations.rows(); ++row)
    result.equations.push_back(law_text(transition, row, model.signature));
  return result;
}

/// Everything but the equations and constraints.
Source frame_of(const Model& model) {
  const Signature& signature = model.signature;
  Source source;
  source.name = model.name;
  source.description = model.description;
  if (model.is_discrete()) source.sample_time = model.sample_time;
  for (std::size_t i = 0; i < signature.states().size(); ++i) {
    const Signal& signal = signature.states()[i];
    source.states.push_back({.name = signal.name,
                             .start = model.x_start[i],
                             .unit = signal.unit,
                             .nominal = signal.nominal,
                             .fixed = !model.has_free_start(static_cast<int>(i))});
  }
  source.inputs = printed_inputs(model);
  for (std::size_t i = 0; i < signature.algebraic().size(); ++i) {
    const Signal& signal = signature.algebraic()[i];
    source.algebraic.push_back({.name = signal.name,
                                .start = model.y_start[i],
                                .unit = signal.unit,
                                .nominal = signal.nominal,
                                .auxiliary = signal.auxiliary});
  }
  for (std::size_t i = 0; i < signature.binaries().size(); ++i)
    source.binaries.push_back({.name = signature.binaries()[i].name,
                               .start = static_cast<double>(model.z_start[i]),
                               .generated = signature.binaries()[i].generated});
  for (const BooleanFormula& formula : model.invariants) source.invariants.push_back(formula.text);
  for (const Transition& transition : model.transitions)
    source.transitions.push_back(transition_of(transition, model));
  for (const Scenario& scenario : model.scenarios) {
    const RowWriter writer(scenario.equations.S(), scenario.equations.Phi(),
                           [&](int row) { return signature.row_name(scenario.original(row)); });
    add_scenario(
        scenario, [&](int row) { return writer.write(row); }, source);
  }
  source.experiment = {.start = model.experiment.start,
                       .stop = model.experiment.stop,
                       .rtol = model.experiment.rtol,
                       .atol = model.experiment.atol,
                       .fixed_start = model.experiment.fixed_start};
  if (model.experiment.output_interval) source.experiment.output_interval = *model.experiment.output_interval;
  return source;
}

bool has_entry_in(const SparseColumns& S, int row) {
  for (int k = 0; k < S.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(S, k); entry; ++entry)
      if (entry.row() == row) return true;
  return false;
}

/// True if the last input is the clock and the word `time` in an equation will bring it back as it is.
bool clock_returns_by_itself(const Model& model) {
  if (model.inputs.empty() || !std::holds_alternative<ClockInput>(model.inputs.back().form())) return false;
  const Signal made{.name = "time", .auxiliary = true};
  return model.signature.inputs().back() == made &&
         has_entry_in(model.S, model.signature.input_row(model.signature.m() - 1));
}

}  // namespace

std::string row_to_text(const CpMap& map, int row, const Signature& signature) {
  return RowWriter(
             map.S(), map.Phi(), [&](int signal) { return signature.row_name(signal); }, map.functions())
      .write(row);
}

std::string row_to_text(const DifferentiatedMap& map, int row, const Signature& signature) {
  const auto name_of = [&](int row_of_S) {
    const SignalDerivative derivative = map.at(row_of_S);
    return derivative_name(signature, derivative.signal, derivative.order);
  };
  return RowWriter(map.map.S(), map.map.Phi(), name_of).write(row);
}

namespace {

/// Results of functions that are auxiliary signals are written as the functions they are: of functions that come before
/// them only, or r = cos(r) would be written without end, and not where laws or scenarios have their names.
class FunctionNames {
 public:
  explicit FunctionNames(const Model& model) : model_(model) {
    const Signature& signature = model.signature;
    const std::set<int> named = named_outside(model);
    std::map<int, std::size_t> last;
    for (std::size_t i = 0; i < model.functions.size(); ++i) last[model.function_texts[i].result] = i;
    for (std::size_t i = 0; i < model.functions.size(); ++i) {
      const FunctionText& function = model.function_texts[i];
      const int y = function.result - signature.algebraic_row(0);
      const auto argument = last.find(function.argument);
      const bool comes_back = argument != last.end() && argument->second >= i;
      if (y >= 0 && y < signature.p() && signature.algebraic()[at(y)].auxiliary && !comes_back &&
          !named.contains(function.result) && depth_of(function.argument) < deepest) {
        function_of_.emplace(function.result, i);
        depth_[function.result] = depth_of(function.argument) + 1;
      }
    }
  }

  [[nodiscard]] std::string operator()(int row) const {
    if (row >= model_.signature.size()) return "pre(" + (*this)(row - model_.signature.size()) + ")";
    const auto found = function_of_.find(row);
    if (found == function_of_.end()) return model_.signature.row_name(row);
    return model_.functions[found->second].phi.text((*this)(model_.function_texts[found->second].argument));
  }
  [[nodiscard]] bool is_written(int row) const { return function_of_.contains(row); }
  /// Leaves out what comes back with the functions: their rows and signals.
  void leave_out(Source& source) const {
    std::vector<char> goes(source.equations.size(), 0);
    for (const auto& [row, i] : function_of_) goes[at(model_.function_texts[i].equation)] = 1;
    std::size_t equation = 0;
    std::erase_if(source.equations, [&](const RelationSource&) { return goes[equation++] != 0; });
    int row = model_.signature.algebraic_row(0);
    std::erase_if(source.algebraic, [&](const AlgebraicSource&) { return is_written(row++); });
  }

 private:
  /// Functions within functions are written, and read, one inside the other.
  static constexpr int deepest = 50;

  [[nodiscard]] int depth_of(int row) const {
    const auto found = depth_.find(row);
    return found == depth_.end() ? 0 : found->second;
  }

  /// Rows of S that laws and scenarios hold, and all results of functions if a law replaces one of their rows.
  static std::set<int> named_outside(const Model& model) {
    std::set<int> rows;
    const int signals = model.signature.size();
    const auto hold = [&](const SparseColumns& S, const auto& original) {
      for (int column = 0; column < S.outerSize(); ++column)
        for (SparseColumns::InnerIterator factor(S, column); factor; ++factor) {
          const int row = original(static_cast<int>(factor.row()));
          rows.insert(row >= signals ? row - signals : row);
        }
    };
    for (const Transition& law : model.transitions) {
      hold(law.equations.S(), [](int row) { return row; });
      for (const FunctionText& function : model.function_texts)
        if (std::ranges::find(law.replaces, function.equation) != law.replaces.end())
          rows.insert(function.result);
    }
    for (const Scenario& scenario : model.scenarios)
      hold(scenario.equations.S(), [&](int row) { return scenario.original(row); });
    return rows;
  }

  const Model& model_;
  std::map<int, std::size_t> function_of_;
  std::map<int, int> depth_;  ///< of functions within the function that stands for a row
};

/// The model without its function rows, which go to `matrices`, and without the columns that they alone need.
Model without_functions(const Model& model, MatricesSource& matrices) {
  if (model.is_multilinear() && model.divisors.empty()) return model;
  const auto name = [&](int row) { return model.signature.row_name(row); };
  std::vector<char> is_function(at(model.equations()), 0);
  for (std::size_t i = 0; i < model.functions.size(); ++i) {
    const FunctionText& function = model.function_texts[i];
    const ElementaryFunction& phi = model.functions[i].phi;
    is_function[at(function.equation)] = 1;
    FunctionSource& made = matrices.functions.emplace_back();
    made.result = name(function.result);
    made.argument = name(function.argument);
    made.function = phi.name();
    if (phi.kind == ElementaryFunction::Kind::power) made.exponent = phi.exponent;
  }
  for (const Divisor& divisor : model.divisors) matrices.divisors.push_back(name(divisor.signal));
  std::vector<int> rows;
  Model rest = model;
  rest.equation_names.clear();
  for (int row = 0; row < model.equations(); ++row) {
    if (is_function[at(row)] != 0) continue;
    rows.push_back(row);
    rest.equation_names.push_back(model.equation_names[at(row)]);
  }
  const int equations = static_cast<int>(rows.size());
  for (int row = 0; row < model.constraints(); ++row) rows.push_back(model.equations() + row);
  const CpMap map = select_rows(stack_rows(model.f(), model.g()), rows);
  rest.functions.clear();
  rest.S = map.S();
  rest.Phi_eq = map.Phi().topRows(equations);
  rest.Phi_ineq = map.Phi().bottomRows(map.rows() - equations);
  return rest;
}

}  // namespace

Source to_equations(const Model& model) {
  Source source = frame_of(model);
  if (clock_returns_by_itself(model)) source.inputs.pop_back();
  const FunctionNames names(model);
  source.equations =
      relations_of(model.S, model.Phi_eq, model.equation_names, " = 0", names, model.functions);
  source.constraints =
      relations_of(model.S, model.Phi_ineq, model.constraint_names, " <= 0", names, model.functions);
  names.leave_out(source);
  return source;
}

Source to_matrices(const Model& model) {
  Source source = frame_of(model);
  MatricesSource matrices;
  const Model plain = without_functions(model, matrices);
  matrices.S = triplets_of(plain.S);
  matrices.Phi_eq = triplets_of(plain.Phi_eq);
  matrices.Phi_ineq = triplets_of(plain.Phi_ineq);
  matrices.equation_names = plain.equation_names;
  matrices.constraint_names = plain.constraint_names;
  for (const int binary : plain.signature.pre())
    matrices.pre.push_back(plain.signature.binaries()[at(binary)].name);
  source.matrices = std::move(matrices);
  return source;
}

}  // namespace mti
