#include "tests/program/model_transformations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "mti/common/at.hpp"
#include "solvers/logic/outputs.hpp"

namespace mti::test {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

SparseColumns matrix(Eigen::Index rows, Eigen::Index columns, const Triplets& triplets) {
  SparseColumns result(rows, columns);
  result.setFromTriplets(triplets.begin(), triplets.end());
  return result;
}

Triplets triplets_of(const SparseColumns& matrix) {
  Triplets triplets;
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(matrix, k); entry; ++entry)
      triplets.emplace_back(static_cast<int>(entry.row()), k, entry.value());
  return triplets;
}

/// In v' = scale · v a factor 1 − |S| + S v is a + b v' with a = 1 − |S|, b = S/scale: normalised by
/// w = |a| + |b| to S' = b/w, with w in Φ.
void scale_signals(SparseColumns& S, const std::vector<SparseColumns*>& Phi,
                   const std::vector<double>& scale) {
  for (int k = 0; k < S.outerSize(); ++k) {
    double weight = 1.0;
    for (SparseColumns::InnerIterator factor(S, k); factor; ++factor) {
      const double a = 1.0 - std::abs(factor.value());
      const double b = factor.value() / scale[at(static_cast<int>(factor.row()))];
      factor.valueRef() = b / (a + std::abs(b));
      weight *= a + std::abs(b);
    }
    for (SparseColumns* matrix : Phi)
      for (SparseColumns::InnerIterator entry(*matrix, k); entry; ++entry) entry.valueRef() *= weight;
  }
}

void scale_signals(Model& model, const std::vector<double>& scale) {
  scale_signals(model.S, {&model.Phi_eq, &model.Phi_ineq}, scale);
  std::vector<double> with_left_limits = scale;
  with_left_limits.insert(with_left_limits.end(), scale.begin(), scale.end());
  for (Transition& law : model.transitions) {
    SparseColumns S = law.equations.S(), Phi = law.equations.Phi();
    scale_signals(S, {&Phi}, with_left_limits);
    law.equations = CpMap(S, Phi);
  }
}

Input scaled_value(const Input& input, double k) {
  Input::Form form = input.form();
  if (auto* constant = std::get_if<ConstantInput>(&form)) constant->value *= k;
  if (auto* periodic = std::get_if<PeriodicInput>(&form))
    for (double& value : periodic->table.value) value *= k;
  if (auto* pulses = std::get_if<PulseWidthInput>(&form)) {
    pulses->low *= k;
    pulses->high *= k;
  }
  if (auto* table = std::get_if<TableInput>(&form))
    for (double& value : table->value) value *= k;
  if (auto* sine = std::get_if<SineInput>(&form)) {
    sine->amplitude *= k;
    sine->offset *= k;
  }
  return {form};
}

Input scaled_time(const Input& input, double k) {
  Input::Form form = input.form();
  if (auto* periodic = std::get_if<PeriodicInput>(&form)) {
    for (double& time : periodic->table.time) time *= k;
    periodic->period *= k;
    periodic->start *= k;
  }
  if (auto* pulses = std::get_if<PulseWidthInput>(&form)) {
    pulses->period *= k;
    pulses->start *= k;
    pulses->duty = std::make_shared<const Input>(scaled_time(*pulses->duty, k));
  }
  if (auto* table = std::get_if<TableInput>(&form))
    for (double& time : table->time) time *= k;
  if (auto* sine = std::get_if<SineInput>(&form)) sine->frequency /= k;
  return {form};
}

bool is_clock(const Input& input) { return std::holds_alternative<ClockInput>(input.form()); }

/// The same signals with other nominal values.
Signature with_nominals(const Signature& signature, const SignalScales& scales) {
  std::vector<Signal> states = signature.states(), inputs = signature.inputs(),
                      algebraic = signature.algebraic();
  const auto scale = [](std::vector<Signal>& signals, const std::vector<double>& k) {
    for (std::size_t i = 0; i < signals.size(); ++i) signals[i].nominal *= k[i];
  };
  scale(states, scales.states);
  scale(inputs, scales.inputs);
  scale(algebraic, scales.algebraic);
  return {
      states,          inputs,
      algebraic,       signature.binaries(),
      signature.pre(), signature.is_discrete() ? Signature::StateRow::next : Signature::StateRow::derivative};
}

std::vector<int> shuffled(int size, std::mt19937& random) {
  std::vector<int> order(at(size));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

/// Element i of the result is element order[i].
template <class T>
std::vector<T> reordered(const std::vector<T>& values, const std::vector<int>& order) {
  std::vector<T> result;
  for (const int i : order) result.push_back(values[at(i)]);
  return result;
}

std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[at(order[i])] = static_cast<int>(i);
  return position;
}

SparseColumns reordered(const SparseColumns& matrix, const std::vector<int>& new_row,
                        const std::vector<int>& new_column) {
  Triplets triplets;
  for (const auto& entry : triplets_of(matrix))
    triplets.emplace_back(new_row[at(entry.row())], new_column[at(entry.col())], entry.value());
  return test::matrix(matrix.rows(), matrix.cols(), triplets);
}

}  // namespace

Model with_scaled_rows(Model model, const std::vector<double>& equations,
                       const std::vector<double>& constraints) {
  const auto scale = [](SparseColumns& Phi, const std::vector<double>& k) {
    for (int column = 0; column < Phi.outerSize(); ++column)
      for (SparseColumns::InnerIterator entry(Phi, column); entry; ++entry)
        entry.valueRef() *= k[at(static_cast<int>(entry.row()))];
  };
  scale(model.Phi_eq, equations);
  scale(model.Phi_ineq, constraints);
  return model;
}

Model with_row_sum(Model model, const std::map<int, double>& k, int place) {
  const auto moved = [&](int row) { return row < place ? row : row + 1; };
  Triplets Phi;
  for (const auto& entry : triplets_of(model.Phi_eq)) {
    Phi.emplace_back(moved(entry.row()), entry.col(), entry.value());
    if (const auto factor = k.find(entry.row()); factor != k.end())
      Phi.emplace_back(place, entry.col(), factor->second * entry.value());
  }
  model.Phi_eq = matrix(model.equations() + 1, model.columns(), Phi);
  model.equation_names.insert(model.equation_names.begin() + place, "sum");
  for (FunctionText& function : model.function_texts) function.equation = moved(function.equation);
  for (Transition& law : model.transitions)
    for (int& equation : law.replaces) equation = moved(equation);
  return model;
}

SignalScales no_scales(const Model& model) {
  const Signature& signature = model.signature;
  return {std::vector<double>(at(signature.n()), 1.0), std::vector<double>(at(signature.m()), 1.0),
          std::vector<double>(at(signature.p()), 1.0)};
}

Model with_scaled_signals(Model model, const SignalScales& wanted) {
  const Signature& signature = model.signature;
  SignalScales scales = wanted;
  for (int i = 0; i < signature.m(); ++i)
    if (signature.inputs()[at(i)].binary || is_clock(model.inputs[at(i)])) scales.inputs[at(i)] = 1.0;
  std::vector<double> scale(at(signature.size()), 1.0);
  for (int i = 0; i < signature.n(); ++i) {
    scale[at(signature.derivative_row(i))] = scale[at(signature.state_row(i))] = scales.states[at(i)];
    model.x_start[at(i)] *= scales.states[at(i)];
  }
  for (int i = 0; i < signature.m(); ++i) {
    scale[at(signature.input_row(i))] = scales.inputs[at(i)];
    model.inputs[at(i)] = scaled_value(model.inputs[at(i)], scales.inputs[at(i)]);
  }
  for (int i = 0; i < signature.p(); ++i) {
    scale[at(signature.algebraic_row(i))] = scales.algebraic[at(i)];
    model.y_start[at(i)] *= scales.algebraic[at(i)];
  }
  scale_signals(model, scale);
  model.signature = with_nominals(signature, scales);
  return model;
}

Model with_scaled_time(Model model, double k) {
  const Signature& signature = model.signature;
  std::vector<double> scale(at(signature.size()), 1.0);
  SignalScales clock = no_scales(model);
  for (int i = 0; i < signature.n() && !model.is_discrete(); ++i)
    scale[at(signature.derivative_row(i))] = 1.0 / k;
  model.sample_time *= k;
  for (int i = 0; i < signature.m(); ++i) {
    model.inputs[at(i)] = scaled_time(model.inputs[at(i)], k);
    if (is_clock(model.inputs[at(i)])) scale[at(signature.input_row(i))] = clock.inputs[at(i)] = k;
  }
  scale_signals(model, scale);
  model.signature = with_nominals(signature, clock);
  model.experiment.start *= k;
  model.experiment.stop *= k;
  if (model.experiment.output_interval) *model.experiment.output_interval *= k;
  return model;
}

Model permuted(const Model& model, unsigned seed) {
  std::mt19937 random(seed);
  const Signature& old = model.signature;
  const std::vector<int> states = shuffled(old.n(), random), inputs = shuffled(old.m(), random),
                         algebraic = shuffled(old.p(), random), binaries = shuffled(old.q(), random),
                         equations = shuffled(model.equations(), random),
                         constraints = shuffled(model.constraints(), random),
                         columns = shuffled(model.columns(), random);
  const std::vector<int> new_state = inverse(states), new_binary = inverse(binaries),
                         new_column = inverse(columns), new_equation = inverse(equations),
                         new_constraint = inverse(constraints);
  std::vector<int> pre;
  for (const int binary : old.pre()) pre.push_back(new_binary[at(binary)]);
  std::sort(pre.begin(), pre.end());

  Model result = model;
  result.signature =
      Signature(reordered(old.states(), states), reordered(old.inputs(), inputs),
                reordered(old.algebraic(), algebraic), reordered(old.binaries(), binaries), pre,
                old.is_discrete() ? Signature::StateRow::next : Signature::StateRow::derivative);
  std::vector<int> new_row(at(old.size()));
  const auto enter = [&](const std::vector<int>& order, auto row) {
    for (std::size_t i = 0; i < order.size(); ++i)
      new_row[at(row(old, order[i]))] = row(result.signature, static_cast<int>(i));
  };
  enter(states, [](const Signature& s, int i) { return s.derivative_row(i); });
  enter(states, [](const Signature& s, int i) { return s.state_row(i); });
  enter(inputs, [](const Signature& s, int i) { return s.input_row(i); });
  enter(algebraic, [](const Signature& s, int i) { return s.algebraic_row(i); });
  enter(binaries, [](const Signature& s, int i) { return s.binary_row(i); });
  for (int i = 0; i < old.r(); ++i)
    new_row[at(old.pre_row(i))] = *result.signature.find_pre(new_binary[at(old.pre()[at(i)])]);

  result.S = reordered(model.S, new_row, new_column);
  result.Phi_eq = reordered(model.Phi_eq, new_equation, new_column);
  result.Phi_ineq = reordered(model.Phi_ineq, new_constraint, new_column);
  result.equation_names = reordered(model.equation_names, equations);
  result.constraint_names = reordered(model.constraint_names, constraints);
  result.inputs = reordered(model.inputs, inputs);
  result.x_start = reordered(model.x_start, states);
  result.y_start = reordered(model.y_start, algebraic);
  result.z_start = reordered(model.z_start, binaries);
  for (BooleanFormula& formula : result.invariants)
    for (BooleanFormula::Step& step : formula.steps)
      if (step.row >= 0) step.row = new_row[at(step.row)];
  std::vector<int> new_law_row = new_row;
  for (const int row : new_row) new_law_row.push_back(old.size() + row);
  for (Transition& law : result.transitions) {
    law.target = (law.when == Transition::When::reach ? new_constraint : new_binary)[at(law.target)];
    for (int& equation : law.replaces) equation = new_equation[at(equation)];
    for (int& state : law.assigned)
      if (state >= 0) state = new_state[at(state)];
    std::vector<int> same(at(law.equations.columns()));
    std::iota(same.begin(), same.end(), 0);
    law.equations = CpMap(reordered(law.equations.S(), new_law_row, same), law.equations.Phi());
  }
  return result;
}

Model with_passive_constraints(Model model, int count, const std::vector<double>& bounds, unsigned seed) {
  std::mt19937 random(seed);
  const Signature& signature = model.signature;
  std::vector<int> bounded;  // rows of S
  for (int i = 0; i < signature.n(); ++i) bounded.push_back(signature.state_row(i));
  for (int i = 0; i < signature.m(); ++i)
    if (!signature.inputs()[at(i)].binary) bounded.push_back(signature.input_row(i));
  // An output of logic in a constraint would be none any more, but a decider: another model.
  const SignalRows rows(model);
  const Outputs outputs(rows);
  std::vector<int> deciders;
  for (int i = 0; i < signature.q(); ++i)
    if (!outputs.is_output(i)) deciders.push_back(signature.binary_row(i));
  Triplets S = triplets_of(model.S), Phi = triplets_of(model.Phi_ineq);
  int columns = model.columns(), row = model.constraints();
  const auto pick = [&](int size) { return std::uniform_int_distribution<int>(0, size - 1)(random); };
  // A factor b ± v is normalised to 1 − 1/(b + 1) ± v/(b + 1), times b + 1.
  const auto factor = [&](int signal, double b, double sign) {
    S.emplace_back(signal, columns, sign / (b + 1.0));
    return b + 1.0;
  };
  for (; count > 0; --count, ++columns, ++row) {
    double weight = -1.0;
    if (!bounded.empty()) {
      const int i = bounded[at(pick(static_cast<int>(bounded.size())))];
      const int j = bounded[at(pick(static_cast<int>(bounded.size())))];
      weight *= factor(i, bounds[at(i)], -1.0);
      if (i != j)
        weight *= factor(j, bounds[at(j)], 1.0);
      else if (!deciders.empty())
        weight *= factor(deciders[at(pick(static_cast<int>(deciders.size())))], 1.0, 1.0);
    }
    Phi.emplace_back(row, columns, weight);
    model.constraint_names.push_back("passive" + std::to_string(count));
  }
  model.S = matrix(signature.size(), columns, S);
  model.Phi_eq = matrix(model.equations(), columns, triplets_of(model.Phi_eq));
  model.Phi_ineq = matrix(row, columns, Phi);
  return model;
}

}  // namespace mti::test
