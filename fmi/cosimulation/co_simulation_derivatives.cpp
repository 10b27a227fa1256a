#include <algorithm>

#include "fmi/cosimulation/co_simulation.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "solvers/linearization/linearize.hpp"

// Directional and adjoint derivatives: products with the tangent at the present point. Derivatives of outputs by time.

namespace mti::fmi {
void CoSimulation::check_derivative(std::span<const std::uint32_t> unknowns,
                                    std::span<const std::uint32_t> knowns) const {
  const Model& model = fmu_->model;
  if (model.is_discrete()) throw Refused("a model of discrete time has no derivatives");
  for (const std::uint32_t place : unknowns) {
    const Variable& unknown = variable(place, VariableType::real, "differentiated");
    if (unknown.role != Role::derivative && unknown.role != Role::algebraic && unknown.role != Role::state)
      throw Refused(quoted(unknown) + " is neither a derivative nor a state nor an algebraic signal");
  }
  for (const std::uint32_t place : knowns) {
    const Variable& known = variable(place, VariableType::real, "differentiated by");
    if (known.role != Role::time && known.role != Role::state && known.causality != Causality::input)
      throw Refused(quoted(known) + " is neither a state nor an input nor time");
    if (known.role == Role::state && now_.phase == Phase::initialization && model.solves_start())
      throw Refused(quoted(known) + " follows from initial equations");
  }
}

/// What getters show. Rates and algebraic signals are solved for anew, as those of a run are known to its tolerance only.
LinearizationPoint CoSimulation::present_point() {
  prepare_values();
  if (!run_) throw Refused("the run has no values");
  const Model& model = run_->model();
  if (now_.shown) {
    const Signature& signature = model.signature;
    for (int binary = 0; binary < signature.q(); ++binary)
      if (const double z = now_.shown->v[at(signature.binary_row(binary))]; z != 0.0 && z != 1.0)
        throw Refused("at t = " + text::format_number(now_.time) + " " +
                      signature.binaries()[at(binary)].name +
                      " slides, and what is shown there has no derivatives");
    return {.time = now_.time, .mode = mode_of(model, now_.shown->v), .v = now_.shown->v};
  }
  const auto v = run_->v();
  return {.time = now_.time, .mode = run_->mode(), .v = {v.begin(), v.end()}};
}

const Tangent& CoSimulation::present_tangent() {
  LinearizationPoint point = present_point();
  if (tangent_ && tangent_->point.time == point.time && tangent_->point.mode == point.mode &&
      tangent_->point.v == point.v)
    return tangent_->tangent;
  const Model& model = run_->model();
  LinearizationPoint solved = point;
  if (!now_.shown && !inputs_are_new_) {
    try {
      solved = consistent_point(model, point);
    } catch (const InvalidModel&) {  // then what the run knows is all there is
    }
  }
  tangent_ = PresentTangent{std::move(point), Tangent(linearize(model, solved, {.with_eigenvalues = false}))};
  return tangent_->tangent;
}

/// The change of (x, u) that a change of the known by 1 is.
Eigen::VectorXd CoSimulation::direction_of(const Variable& known) const {
  const Signature& signature = fmu_->model.signature;
  const auto real_inputs =
      std::ranges::count_if(signature.inputs(), [](const Signal& s) { return !s.binary; });
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(signature.n() + real_inputs);
  if (known.role == Role::state) {
    direction[known.index] = 1.0;
    return direction;
  }
  std::vector<char> is_outside(at(signature.m()), 0);
  for (const Variable& variable : fmu_->variables)
    if (variable.causality == Causality::input) is_outside[at(variable.index)] = 1;
  Eigen::Index column = signature.n();
  for (int i = 0; i < signature.m(); ++i) {
    if (signature.inputs()[at(i)].binary) continue;
    if (known.role == Role::time && is_outside[at(i)] == 0)
      direction[column] = run_->model().inputs[at(i)].piece(now_.time).derivative(now_.time, 1);
    else if (known.role == Role::input && known.index == i)
      direction[column] = 1.0;
    ++column;
  }
  return direction;
}

/// Its place among (δẋ, δw); −1 for a state, which is a known.
int CoSimulation::unknown_of(const Variable& unknown) const {
  if (unknown.role == Role::state) return -1;
  return unknown.role == Role::derivative ? unknown.index : fmu_->model.signature.n() + unknown.index;
}

void CoSimulation::directional_derivative(std::span<const std::uint32_t> unknowns,
                                          std::span<const std::uint32_t> knowns, std::span<const double> seed,
                                          std::span<double> sensitivity) {
  check_derivative(unknowns, knowns);
  const Tangent& tangent = present_tangent();
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(tangent.knowns());
  for (std::size_t k = 0; k < knowns.size(); ++k)
    direction += seed[k] * direction_of(fmu_->variables[knowns[k]]);
  const Eigen::VectorXd result = tangent.apply(direction);
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const Variable& unknown = fmu_->variables[unknowns[k]];
    const int place = unknown_of(unknown);
    sensitivity[k] = place < 0 ? direction[unknown.index] : result[place];
  }
}

void CoSimulation::adjoint_derivative(std::span<const std::uint32_t> unknowns,
                                      std::span<const std::uint32_t> knowns, std::span<const double> seed,
                                      std::span<double> sensitivity) {
  check_derivative(unknowns, knowns);
  const Tangent& tangent = present_tangent();
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(tangent.unknowns());
  Eigen::VectorXd of_states = Eigen::VectorXd::Zero(tangent.knowns());
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const Variable& unknown = fmu_->variables[unknowns[k]];
    const int place = unknown_of(unknown);
    (place < 0 ? of_states[unknown.index] : weights[place]) += seed[k];
  }
  const Eigen::VectorXd result = tangent.apply_transposed(weights) + of_states;
  for (std::size_t k = 0; k < knowns.size(); ++k)
    sensitivity[k] = result.dot(direction_of(fmu_->variables[knowns[k]]));
}

void CoSimulation::output_derivatives(std::span<const std::uint32_t> outputs, std::span<double> derivatives) {
  const Signature& signature = fmu_->model.signature;
  if (fmu_->model.is_discrete()) throw Refused("a model of discrete time has no derivatives");
  std::vector<int> rows;
  for (const std::uint32_t place : outputs) {
    const Variable& output = variable(place, VariableType::real, "differentiated");
    // Which of the signals are outputs is for the export to say.
    if (output.role != Role::state && output.role != Role::algebraic)
      throw Refused(quoted(output) + " is no output");
    rows.push_back(output.role == Role::state ? signature.state_row(output.index)
                                              : signature.algebraic_row(output.index));
  }
  const LinearizationPoint point = present_point();
  std::ranges::copy(slopes_at(run_->model(), point, rows), derivatives.begin());
}

}  // namespace mti::fmi
