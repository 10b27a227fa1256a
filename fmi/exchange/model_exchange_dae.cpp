#include <algorithm>
#include <cstdint>

#include "fmi/exchange/model_exchange.hpp"
#include "fmi/variables/model_exchange.hpp"
#include "mti/common/at.hpp"

// Equations that the importer solves (layered standard fmi-ls-dae).

namespace mti::fmi {

void ModelExchange::choose_dae_mode(bool on) { now_.dae = on; }

void ModelExchange::enter_initialization() {
  if (fmu_->residuals && !now_.dae)
    if (const auto why = why_no_model_exchange(fmu_->model))
      throw Refused("the model is for importers that solve its equations, which set dae_mode before: " +
                    *why);
  CoSimulation::enter_initialization();
}

bool ModelExchange::is_importers(const Variable& variable) const {
  return now_.dae && now_.phase == Phase::continuous &&
         (variable.role == Role::state || variable.role == Role::derivative ||
          variable.role == Role::algebraic);
}

void ModelExchange::take_value(const Variable& variable, double value) {
  double& held = v_[at(row_of(variable))];
  if (held == value) return;
  held = value;
  is_stale_ = true;
}

/// In v.
int ModelExchange::row_of(const Variable& variable) const {
  const Signature& signature = fmu_->model.signature;
  switch (variable.role) {
    case Role::derivative:
      return signature.derivative_row(variable.index);
    case Role::state:
      return signature.state_row(variable.index);
    case Role::algebraic:
      return signature.algebraic_row(variable.index);
    case Role::input:
      if (variable.causality == Causality::input && variable.type == VariableType::real)
        return signature.input_row(variable.index);
      break;
    default:
      break;
  }
  throw Refused(quoted(variable) + " is none of what residuals have derivatives by: ẋ, x, y and inputs");
}

std::vector<int> ModelExchange::rows_of_knowns(std::span<const std::uint32_t> knowns) const {
  std::vector<int> rows;
  for (const std::uint32_t known : knowns)
    rows.push_back(row_of(variable(known, VariableType::real, "differentiated by")));
  return rows;
}

void ModelExchange::gradient_of(std::uint32_t unknown,
                                const std::function<void(int row, double slope)>& take) {
  const Variable& of = variable(unknown, VariableType::real, "differentiated");
  if (of.role != Role::residual && of.role != Role::residual_rate) return take(row_of(of), 1.0);
  const int row = fmu_->residuals->at(at(of.index)).row, n = fmu_->model.signature.n();
  if (of.role == Role::residual) return residual_rows().gradient(row, v_, take);
  // r = Σ ∂f/∂x_i ẋ_i:  ∂r/∂ẋ_i = ∂f/∂x_i,  ∂r/∂x_i = d/dt ∂f/∂x_i along (x, ẋ)
  TaylorSeries series(static_cast<int>(v_.size()));
  series.add_order();
  series.add_order();
  for (int signal = 0; signal < static_cast<int>(v_.size()); ++signal)
    series.at(signal, 0).value = v_[at(signal)];
  for (int i = 0; i < n; ++i) series.at(n + i, 1).value = v_[at(i)];
  residual_rows().gradient(row, v_, [&](int signal, double slope) { take(signal - n, slope); });
  residual_rows().gradient_coefficient(row, series, 1, take);
}

void ModelExchange::directional_derivative(std::span<const std::uint32_t> unknowns,
                                           std::span<const std::uint32_t> knowns,
                                           std::span<const double> seed, std::span<double> sensitivity) {
  if (!now_.dae) return CoSimulation::directional_derivative(unknowns, knowns, seed, sensitivity);
  prepare_values();
  std::vector<double> direction(v_.size());
  const std::vector<int> rows = rows_of_knowns(knowns);
  for (std::size_t k = 0; k < rows.size(); ++k) direction[at(rows[k])] += seed[k];
  std::vector<double> result(unknowns.size());
  for (std::size_t k = 0; k < unknowns.size(); ++k)
    gradient_of(unknowns[k], [&](int row, double slope) { result[k] += slope * direction[at(row)]; });
  std::ranges::copy(result, sensitivity.begin());
}

void ModelExchange::adjoint_derivative(std::span<const std::uint32_t> unknowns,
                                       std::span<const std::uint32_t> knowns, std::span<const double> seed,
                                       std::span<double> sensitivity) {
  if (!now_.dae) return CoSimulation::adjoint_derivative(unknowns, knowns, seed, sensitivity);
  prepare_values();
  const std::vector<int> rows = rows_of_knowns(knowns);
  std::vector<double> gradient(v_.size());
  for (std::size_t k = 0; k < unknowns.size(); ++k)
    gradient_of(unknowns[k], [&](int row, double slope) { gradient[at(row)] += slope * seed[k]; });
  for (std::size_t k = 0; k < rows.size(); ++k) sensitivity[k] = gradient[at(rows[k])];
}

}  // namespace mti::fmi
