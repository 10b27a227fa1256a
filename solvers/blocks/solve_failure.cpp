#include "solvers/blocks/solve_failure.hpp"

#include <utility>

#include "mti/common/wording.hpp"
#include "solvers/mode/mode_system.hpp"

namespace mti {
namespace {

/// The largest number of names of each kind in a message.
constexpr std::size_t most_names_of_motion = 6, most_names_of_restart = 8;

/// What a description is put together from.
struct FailureNames {
  std::string equations, signals, rank, impulses;
};

/// " (rank 3 of 4)". Rows that cancel at every point have been recombined where numbers do that; where signals
/// would have to, a signal for what they share shows their structure.
std::string rank_text(const SolveFailure& failure) {
  if (failure.size == 0) return {};
  return " (rank " + std::to_string(failure.rank) + " of " + std::to_string(failure.size) +
         (failure.stage == SolveFailure::Stage::restart
              ? ")"
              : "; if these rows cancel at every point, introduce what they share,"
                " such as the current through a capacitor, as a signal)");
}

/// The function of a function row as it is written, else empty.
std::string function_text(const Model& model, int equation) {
  for (const FunctionText& function : model.function_texts)
    if (function.equation == equation) return function.text;
  return {};
}

/// A function row beyond whose argument nothing can be said: that is infinite.
std::string impulsive_function(const SolveFailure& failure, const Model& model) {
  if (failure.kind != SolveFailure::Kind::product_of_impulses) return {};
  for (const int row : failure.equations)
    if (std::string text = function_text(model, row); !text.empty()) return text;
  return {};
}

FailureNames names_of(const SolveFailure& failure, const Model& model, const Mode& mode) {
  std::vector<std::string> equations, signals, impulses;
  for (const int row : failure.equations) {
    const std::string function = function_text(model, row);
    equations.push_back(equation_name(model, mode, row) + (function.empty() ? "" : " (" + function + ")"));
  }
  for (const int row : failure.signals) signals.push_back(model.signature.row_name(row));
  for (const int row : failure.impulses) impulses.push_back(model.signature.row_name(row));
  const std::size_t most =
      failure.stage == SolveFailure::Stage::restart ? most_names_of_restart : most_names_of_motion;
  return {name_list(equations, most), name_list(signals, most), rank_text(failure),
          name_list(impulses, most)};
}

std::string restart_text(SolveFailure::Kind kind, const FailureNames& names) {
  using enum SolveFailure::Kind;
  const auto& [named, signals, rank, impulses] = names;
  const std::string equations = named.empty() ? "the equations of the law" : named;  // they have no names
  switch (kind) {
    case none:
      return {};
    case contradiction:
      return "no restart fulfils " + equations + rank + (signals.empty() ? "" : " for ") + signals;
    case structure:
    case singular:
    case not_unique:
      return "the restart leaves " + signals + " undetermined by " + equations + rank;
    case no_convergence:
      return "no restart found that fulfils " + equations + (signals.empty() ? "" : " for ") + signals;
    case not_finite:
      return "the restart is not finite: " + signals + " by " + equations;
    case off_position:
      return "constraints on positions are not met: " + equations +
             (signals.empty() ? "" : "; " + signals + " would jump by impulses of order 2 or more");
    case jumping_coefficient:
      return "an impulse in " + equations + (impulses.empty() ? "" : " (of " + impulses + ")") +
             " is multiplied by what jumps itself (" + signals +
             "), so that the result would depend on how the model is written; let the quantity that is "
             "balanced be a state";
    case product_of_impulses:
      return "impulses are multiplied with each other in " + equations + " (" + signals +
             ") and no scaling of them has one real solution";
  }
  return {};
}

std::string motion_text(SolveFailure::Kind kind, const FailureNames& names) {
  using enum SolveFailure::Kind;
  const std::string &equations = names.equations, &signals = names.signals, &rank = names.rank;
  if (kind == no_convergence) return "no solution found of " + equations;
  if (kind == not_finite) return "not finite: " + signals + " by " + equations;
  if (kind == not_unique || (kind == structure && equations.empty()))
    return "not determined: " + signals + (equations.empty() ? "" : " by " + equations) + rank;
  return "no solution of " + equations + rank + (signals.empty() ? "" : "; not determined: " + signals);
}

}  // namespace

SolveFailure examined(SolveFailure::Stage stage, const SolutionBlock& block, RankDeficiency deficiency) {
  using enum SolveFailure::Kind;
  const bool contradicts = deficiency.contradiction;
  SolveFailure::Kind kind = not_unique;
  if (stage == SolveFailure::Stage::restart)
    kind = contradicts && deficiency.size > 0 && block.linear ? contradiction : not_unique;
  else if (contradicts)
    kind = block.linear ? contradiction : no_convergence;
  return {
      kind,           stage, std::move(deficiency.equations), std::move(deficiency.unknowns), deficiency.rank,
      deficiency.size};
}

std::string describe(const SolveFailure& failure, const Model& model, const Mode& mode) {
  if (!failure) return {};
  if (const std::string function = impulsive_function(failure, model); !function.empty())
    return "the argument of " + function + " would be impulsive, and a function of that has no meaning";
  const FailureNames names = names_of(failure, model, mode);
  return failure.stage == SolveFailure::Stage::restart ? restart_text(failure.kind, names)
                                                       : motion_text(failure.kind, names);
}

}  // namespace mti
