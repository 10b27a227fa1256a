#include "mti/transform/model_change.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/model/delays.hpp"
#include "mti/model/require_multilinear.hpp"
#include "mti/multilinear/affine_columns.hpp"

namespace mti::transform {
namespace {

/// A course in other units: v = offset + scale · v', t = time_scale · t'.
Input changed_input(const Input& input, const AffineRow& unit, double time_scale) {
  Input::Form form = input.form();
  const auto changed = [&](double value) { return (value - unit.offset) / unit.scale; };
  if (auto* constant = std::get_if<ConstantInput>(&form)) constant->value = changed(constant->value);
  if (auto* table = std::get_if<TableInput>(&form)) {
    for (double& value : table->value) value = changed(value);
    for (double& time : table->time) time /= time_scale;
  }
  if (auto* periodic = std::get_if<PeriodicInput>(&form)) {
    for (double& value : periodic->table.value) value = changed(value);
    for (double& time : periodic->table.time) time /= time_scale;
    periodic->period /= time_scale;
    periodic->start /= time_scale;
  }
  if (auto* pulses = std::get_if<PulseWidthInput>(&form)) {
    pulses->low = changed(pulses->low);
    pulses->high = changed(pulses->high);
    pulses->period /= time_scale;
    pulses->start /= time_scale;
    pulses->duty = std::make_shared<const Input>(changed_input(*pulses->duty, {.row = 0}, time_scale));
  }
  if (auto* polynomial = std::get_if<PolynomialInput>(&form)) {
    std::vector<double> coefficients = *polynomial->coefficients;
    const std::size_t width = at(polynomial->degree) + 1;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      const auto k = static_cast<double>(i % width);
      coefficients[i] =
          i % width == 0 ? changed(coefficients[i]) : coefficients[i] / unit.scale * std::pow(time_scale, k);
    }
    polynomial->coefficients = std::make_shared<const std::vector<double>>(std::move(coefficients));
    for (double& time : polynomial->time) time /= time_scale;
  }
  if (auto* sine = std::get_if<SineInput>(&form)) {
    sine->offset = changed(sine->offset);
    sine->amplitude /= unit.scale;
    sine->frequency *= time_scale;
  }
  return {form};
}

/// Start values and inputs of the signals that stay.
void change_values(const Model& model, const ModelChange& change, Model& result) {
  const Signature &old = model.signature, &now = change.signature;
  result.x_start.assign(at(now.n()), 0.0);
  result.y_start.assign(at(now.p()), 0.0);
  result.z_start.assign(at(now.q()), 0);
  result.x_free.assign(model.x_free.empty() ? 0 : at(now.n()), 0);
  result.inputs.assign(at(now.m()), Input());
  for (int i = 0; i < old.n(); ++i) {
    const AffineRow& unit = change.rows[at(old.state_row(i))];
    result.x_start[at(unit.row - now.state_row(0))] = (model.x_start[at(i)] - unit.offset) / unit.scale;
    if (model.has_free_start(i)) result.x_free[at(unit.row - now.state_row(0))] = 1;
  }
  for (int i = 0; i < old.m(); ++i) {
    const AffineRow& unit = change.rows[at(old.input_row(i))];
    result.inputs[at(unit.row - now.input_row(0))] =
        changed_input(model.inputs[at(i)], unit, change.time_scale);
  }
  for (int i = 0; i < old.p(); ++i) {
    const AffineRow& unit = change.rows[at(old.algebraic_row(i))];
    if (now.find(old.algebraic()[at(i)].name))
      result.y_start[at(unit.row - now.algebraic_row(0))] = (model.y_start[at(i)] - unit.offset) / unit.scale;
  }
  for (int i = 0; i < old.q(); ++i)
    result.z_start[at(change.rows[at(old.binary_row(i))].row - now.binary_row(0))] = model.z_start[at(i)];
}

BooleanFormula changed_formula(BooleanFormula formula, const ModelChange& change) {
  for (BooleanFormula::Step& step : formula.steps)
    if (step.row >= 0) step.row = change.rows[at(step.row)].row;
  return formula;
}

/// In a law the left limits of all entries follow those of v.
Transition changed_law(const Transition& law, const Model& model, const ModelChange& change) {
  const Signature &old = model.signature, &now = change.signature;
  std::vector<AffineRow> rows = change.rows;
  for (AffineRow row : change.rows) {
    if (row.row >= 0) row.row += now.size();
    rows.push_back(row);
  }
  Transition result = law;
  result.target = law.when == Transition::When::reach
                      ? change.constraints[at(law.target)].row
                      : change.rows[at(old.binary_row(law.target))].row - now.binary_row(0);
  result.replaces.clear();
  for (const int equation : law.replaces) {
    const int row = change.equations[at(equation)].row;
    if (row >= 0 && std::find(result.replaces.begin(), result.replaces.end(), row) == result.replaces.end())
      result.replaces.push_back(row);
  }
  for (int& state : result.assigned)
    if (state >= 0) state = change.rows[at(old.state_row(state))].row - now.state_row(0);
  result.equations = in_new_signals(law.equations, rows, 2 * now.size());
  return result;
}

/// A copy of an entry changes as the entry does; copies of one that has become a number are gone.
Scenario changed_scenario(const Scenario& scenario, const ModelChange& change) {
  Scenario result = scenario;
  result.modes = changed_formula(scenario.modes, change);
  result.copied.clear();
  std::vector<AffineRow> rows = change.rows;
  for (const int original : scenario.copied) {
    AffineRow row = change.rows[at(original)];
    if (row.row >= 0) {
      result.copied.push_back(row.row);
      row.row = change.signature.size() + static_cast<int>(result.copied.size()) - 1;
    }
    rows.push_back(row);
  }
  result.equations = in_new_signals(scenario.equations, rows,
                                    change.signature.size() + static_cast<int>(result.copied.size()));
  return result;
}

CpMap recovered_values(const ModelChange& change) {
  CpBuilder builder(change.signature.size(), static_cast<int>(change.rows.size()));
  for (std::size_t i = 0; i < change.rows.size(); ++i) {
    const auto& [row, offset, scale] = change.rows[i];
    builder.add_normalised(static_cast<int>(i), offset, {});
    if (row >= 0) builder.add_normalised(static_cast<int>(i), scale, std::vector{std::pair(row, 1.0)});
  }
  return builder.build();
}

std::vector<std::string> chosen(const std::vector<std::string>& names, const std::vector<int>& kept) {
  std::vector<std::string> result;
  result.reserve(kept.size());
  for (const int row : kept) result.push_back(names[at(row)]);
  return result;
}

}  // namespace

ModelChange no_change(const Model& model) {
  require_multilinear(model, "a transformation of models");
  ModelChange change;
  change.signature = model.signature;
  for (int row = 0; row < model.signature.size(); ++row) change.rows.push_back({.row = row});
  const auto all = [](int count, std::vector<int>& kept, std::vector<RowOrigin>& origins) {
    kept.resize(at(count));
    std::iota(kept.begin(), kept.end(), 0);
    for (int row = 0; row < count; ++row) origins.push_back({row, 1.0});
  };
  all(model.equations(), change.kept_equations, change.equations);
  all(model.constraints(), change.kept_constraints, change.constraints);
  return change;
}

void keep_rows(const std::vector<char>& stays, std::vector<int>& kept, std::vector<RowOrigin>& origins) {
  kept.clear();
  for (std::size_t row = 0; row < stays.size(); ++row) {
    origins[row] = {};
    if (stays[row] == 0) continue;
    origins[row] = {static_cast<int>(kept.size()), 1.0};
    kept.push_back(static_cast<int>(row));
  }
}

void leave_out(const std::vector<char>& goes, const Signature& old, ModelChange& change) {
  std::vector<Signal> stay;
  for (std::size_t i = 0; i < goes.size(); ++i)
    if (goes[i] == 0) stay.push_back(old.algebraic()[i]);
  change.signature =
      Signature(old.states(), old.inputs(), std::move(stay), old.binaries(), old.pre(), old.first_rows());
  int next = 0;
  for (int row = 0; row < old.size(); ++row) {
    const int algebraic = row - old.algebraic_row(0);
    const bool gone = algebraic >= 0 && algebraic < old.p() && goes[at(algebraic)] != 0;
    change.rows[at(row)] = {.row = gone ? -1 : next++};
  }
}

namespace {

/// 1 − |S| + S·offset, rounded once. 0 where it is but the rounding of S, which is there unless S is 1 or 1/2, as in v
/// and 1 ± v.
double changed_constant(double S, double offset) {
  const double size = std::abs(S);
  const double constant = std::fma(S, offset, 1.0 - size);
  if (size == 1.0 || size == 0.5) return constant;
  const bool is_rounding = std::abs(constant) <= 4.0 * machine_epsilon * (1.0 - size + std::abs(S * offset));
  return is_rounding ? 0.0 : constant;
}

}  // namespace

CpMap in_new_signals(const CpMap& map, std::span<const AffineRow> rows, int signals) {
  CpBuilder builder(signals, map.rows());
  std::vector<std::pair<int, double>> kept;
  std::vector<AffineFactor> changed;
  for (int k = 0; k < map.columns(); ++k) {
    kept.clear();
    changed.clear();
    WideProduct weight;
    for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor) {
      const auto& [row, offset, scale] = rows[at(factor.row())];
      const double S = factor.value();
      if (row >= 0 && offset == 0.0 && scale == 1.0) {
        kept.emplace_back(row, S);
        continue;
      }
      const double constant = changed_constant(S, offset);
      // −v is v with the sign in Φ, so that a change and its inverse end where they began.
      if (row < 0) {
        weight.times(constant);
      } else if (constant == 0.0) {
        weight.times(S * scale);
        kept.emplace_back(row, 1.0);
      } else {
        changed.push_back({row, constant, S * scale});
      }
    }
    for (ScaledColumn& part : required_columns(changed)) {
      part.scale.times(weight);
      part.factors.insert(part.factors.end(), kept.begin(), kept.end());
      for (SparseColumns::InnerIterator entry(map.Phi(), k); entry; ++entry) {
        WideProduct coefficient = part.scale;
        coefficient.times(entry.value());
        builder.add_normalised(static_cast<int>(entry.row()), coefficient.value(), part.factors);
      }
    }
  }
  return builder.build();
}

SparseColumns stacked_Phi(const Model& model) {
  require_multilinear(model, "a transformation of models");
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < model.S.outerSize(); ++k) {
    for (SparseColumns::InnerIterator entry(model.Phi_eq, k); entry; ++entry)
      entries.emplace_back(static_cast<int>(entry.row()), k, entry.value());
    for (SparseColumns::InnerIterator entry(model.Phi_ineq, k); entry; ++entry)
      entries.emplace_back(model.equations() + static_cast<int>(entry.row()), k, entry.value());
  }
  SparseColumns Phi(model.equations() + model.constraints(), model.columns());
  Phi.setFromTriplets(entries.begin(), entries.end());
  return Phi;
}

CpMap rows_of(const Model& model) { return {model.S, stacked_Phi(model)}; }

void set_rows(const CpMap& map, int equations, Model& model) {
  model.S = map.S();
  model.Phi_eq = map.Phi().topRows(equations);
  model.Phi_ineq = map.Phi().bottomRows(map.rows() - equations);
}

Transformed apply(const Model& model, const ModelChange& change) {
  require_no_delays(model, "changes of signals and units");
  Transformed result{model, {}};
  Model& now = result.model;
  now.signature = change.signature;
  // Rows in their new order; those that go have no place.
  const CpMap old_rows = rows_of(model);
  const int equations = static_cast<int>(change.kept_equations.size());
  std::vector<int> place(at(old_rows.rows()), -1);
  for (std::size_t j = 0; j < change.kept_equations.size(); ++j)
    place[at(change.kept_equations[j])] = static_cast<int>(j);
  for (std::size_t l = 0; l < change.kept_constraints.size(); ++l)
    place[at(model.equations() + change.kept_constraints[l])] = equations + static_cast<int>(l);
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < old_rows.columns(); ++k)
    for (SparseColumns::InnerIterator entry(old_rows.Phi(), k); entry; ++entry)
      if (const int row = place[at(entry.row())]; row >= 0) entries.emplace_back(row, k, entry.value());
  SparseColumns Phi(equations + static_cast<int>(change.kept_constraints.size()), old_rows.columns());
  Phi.setFromTriplets(entries.begin(), entries.end());
  set_rows(in_new_signals({model.S, Phi}, change.rows, change.signature.size()), equations, now);

  now.equation_names = chosen(model.equation_names, change.kept_equations);
  now.constraint_names = chosen(model.constraint_names, change.kept_constraints);
  change_values(model, change, now);
  for (BooleanFormula& formula : now.invariants) formula = changed_formula(formula, change);
  for (Transition& law : now.transitions) law = changed_law(law, model, change);
  for (Scenario& scenario : now.scenarios) scenario = changed_scenario(scenario, change);
  now.sample_time /= change.time_scale;
  now.experiment.start /= change.time_scale;
  now.experiment.stop /= change.time_scale;
  if (now.experiment.output_interval) *now.experiment.output_interval /= change.time_scale;

  result.recovery = {{{model.signature, change.signature, recovered_values(change)}},
                     change.equations,
                     change.constraints,
                     change.time_scale};
  return result;
}

}  // namespace mti::transform
