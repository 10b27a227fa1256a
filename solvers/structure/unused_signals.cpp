#include "solvers/structure/unused_signals.hpp"

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// The row that stands for a signal: x for ẋ, z for pre(z); left limits of laws come after the rows of v.
int own_row(const Signature& signature, int row) {
  row %= signature.size();
  if (row < signature.state_row(0)) return signature.state_row(row);
  if (row >= signature.pre_row(0))
    return signature.binary_row(signature.pre()[at(row - signature.pre_row(0))]);
  return row;
}

void mark_columns(const SparseColumns& S, const SparseColumns& Phi, const Signature& signature,
                  std::vector<char>& used) {
  for (int k = 0; k < S.cols(); ++k) {
    if (!SparseColumns::InnerIterator(Phi, k)) continue;
    for (SparseColumns::InnerIterator factor(S, k); factor; ++factor)
      used[at(own_row(signature, static_cast<int>(factor.row())))] = 1;
  }
}

bool is_of_mode(const Signature& signature, int row) {
  if (row >= signature.binary_row(0)) return true;
  const int input = row - signature.input_row(0);
  return input >= 0 && input < signature.m() && signature.inputs()[at(input)].binary;
}

/// Rows of a map with binaries and nothing else.
std::vector<char> rule_rows(const SparseColumns& S, const SparseColumns& Phi, const Signature& signature) {
  std::vector<char> holds_binaries(at(static_cast<int>(Phi.rows())), 0), holds_others = holds_binaries;
  for (int k = 0; k < S.cols(); ++k)
    for (SparseColumns::InnerIterator weight(Phi, k); weight; ++weight)
      for (SparseColumns::InnerIterator factor(S, k); factor; ++factor)
        (is_of_mode(signature, static_cast<int>(factor.row()))
             ? holds_binaries
             : holds_others)[at(static_cast<int>(weight.row()))] = 1;
  for (std::size_t row = 0; row < holds_others.size(); ++row)
    if (holds_others[row] != 0) holds_binaries[row] = 0;
  return holds_binaries;
}

}  // namespace

bool is_auxiliary(const Signature& signature, int row) {
  const int y = row - signature.algebraic_row(0);
  return y >= 0 && y < signature.p() && signature.algebraic()[at(y)].auxiliary;
}

std::vector<std::string> unused_signals(const Model& model) {
  const Signature& signature = model.signature;
  std::vector<char> used(at(signature.size()), 0);
  mark_columns(model.S, model.Phi_eq, signature, used);
  mark_columns(model.S, model.Phi_ineq, signature, used);
  for (const BooleanFormula& invariant : model.invariants)
    for (const BooleanFormula::Step& step : invariant.steps)
      if (step.operation == BooleanFormula::Operation::variable) used[at(step.row)] = 1;
  for (const Transition& law : model.transitions) {
    mark_columns(law.equations.S(), law.equations.Phi(), signature, used);
    if (law.when != Transition::When::reach) used[at(signature.binary_row(law.target))] = 1;
  }
  for (const Input& input : model.inputs)
    if (const auto* pulse = std::get_if<PulseWidthInput>(&input.form()))
      for (int i = 0; i < signature.m(); ++i)
        if (signature.inputs()[at(i)].name == pulse->duty_name) used[at(signature.input_row(i))] = 1;
  for (const Input& input : model.inputs)
    if (const auto* delayed = std::get_if<DelayedInput>(&input.form())) used[at(delayed->row)] = 1;
  for (const MovedInput& moved : model.moved_inputs) used[at(*signature.find(moved.of))] = 1;
  std::vector<std::string> names;
  for (int row = signature.state_row(0); row < signature.pre_row(0); ++row)
    if (used[at(row)] == 0 && !is_auxiliary(signature, row)) names.push_back(signature.row_name(row));
  return names;
}

std::vector<std::string> rules_of_binaries(const Model& model) {
  std::vector<std::string> names;
  for (const BooleanFormula& invariant : model.invariants) names.push_back("\"" + invariant.text + "\"");
  const auto add = [&](const SparseColumns& Phi, const std::vector<std::string>& row_names) {
    const std::vector<char> rules = rule_rows(model.S, Phi, model.signature);
    for (std::size_t row = 0; row < rules.size(); ++row)
      if (rules[row] != 0) names.push_back(row_names[row]);
  };
  add(model.Phi_eq, model.equation_names);
  add(model.Phi_ineq, model.constraint_names);
  return names;
}

}  // namespace mti
