#include "solvers/equilibria/resting_model.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/model/freeze.hpp"
#include "mti/model/jacobian.hpp"

namespace mti {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

void place(const SparseColumns& matrix, int first_column, const std::vector<int>& row, Triplets& entries) {
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(matrix, k); entry; ++entry)
      entries.emplace_back(row.empty() ? static_cast<int>(entry.row()) : row[at(entry.row())],
                           first_column + k, entry.value());
}

SparseColumns assembled(int rows, int columns, const Triplets& entries) {
  SparseColumns matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// The columns of f and those of g, which freezing may have made different ones.
void set_maps(const CpMap& f, const CpMap& g, const std::vector<int>& row, Model& model) {
  const int N = model.signature.size(), columns = f.columns() + g.columns();
  Triplets S, Phi_eq, Phi_ineq;
  place(f.S(), 0, row, S);
  place(g.S(), f.columns(), row, S);
  place(f.Phi(), 0, {}, Phi_eq);
  place(g.Phi(), f.columns(), {}, Phi_ineq);
  model.S = assembled(N, columns, S);
  model.Phi_eq = assembled(f.rows(), columns, Phi_eq);
  model.Phi_ineq = assembled(g.rows(), columns, Phi_ineq);
  model.functions = f.functions();
}

Signature without_states(const Signature& signature) {
  std::vector<Signal> algebraic = signature.states();
  algebraic.insert(algebraic.end(), signature.algebraic().begin(), signature.algebraic().end());
  return {{}, signature.inputs(), std::move(algebraic), signature.binaries(), signature.pre()};
}

double largest_of(const Eigen::VectorXd& values) { return values.size() == 0 ? 0.0 : values.maxCoeff(); }

/// f in one mode, with scales of its rows: r_i = Σ_j |∂f_i/∂w_j| max(|w_j|, nominal_j).
class ModeEquations {
 public:
  ModeEquations(const Model& model, const Mode& mode)
      : rows_(algebraic_rows(model.signature)), f_(freeze(model, mode).f, {rows_}), nominal_(rows_.size()) {
    for (std::size_t j = 0; j < rows_.size(); ++j)
      nominal_(static_cast<Eigen::Index>(j)) = model.signature.algebraic()[j].nominal;
  }

  /// False where a function has no value.
  bool evaluate(std::span<const double> v) {
    f_.evaluate(v);
    const SparseColumns& matrix = f_.matrix(0);
    J = Eigen::MatrixXd(matrix) * nominal_.asDiagonal();
    value =
        Eigen::Map<const Eigen::VectorXd>(f_.value().data(), static_cast<Eigen::Index>(f_.value().size()));
    scale = Eigen::VectorXd::Zero(value.size());
    for (Eigen::Index j = 0; j < J.cols(); ++j)
      scale += J.col(j).cwiseAbs() * std::max(1.0, std::abs(v[at(rows_[at(j)])]) / nominal_(j));
    return value.allFinite() && J.allFinite();
  }
  /// |f_i|/r_i, infinite of a row without signals that is not 0.
  [[nodiscard]] Eigen::VectorXd relative() const {
    Eigen::VectorXd result(value.size());
    for (Eigen::Index i = 0; i < value.size(); ++i)
      result(i) = value(i) == 0.0   ? 0.0
                  : scale(i) == 0.0 ? std::numeric_limits<double>::infinity()
                                    : std::abs(value(i)) / scale(i);
    return result;
  }
  [[nodiscard]] Eigen::VectorXd newton_step() const {
    Eigen::VectorXd weight(value.size());
    for (Eigen::Index i = 0; i < weight.size(); ++i) weight(i) = scale(i) > 0.0 ? 1.0 / scale(i) : 0.0;
    return nominal_.cwiseProduct(
        (weight.asDiagonal() * J).completeOrthogonalDecomposition().solve(-weight.cwiseProduct(value)));
  }
  /// The step is short against every signal, or its nominal value.
  [[nodiscard]] bool is_near(std::span<const double> v, const Eigen::VectorXd& step) const {
    constexpr double is_short = 1e-4;
    for (Eigen::Index j = 0; j < step.size(); ++j)
      if (!(std::abs(step(j)) <= is_short * std::max(std::abs(v[at(rows_[at(j)])]), nominal_(j))))
        return false;
    return true;
  }
  [[nodiscard]] const std::vector<int>& rows() const { return rows_; }

  Eigen::MatrixXd J;  ///< with columns times nominal values
  Eigen::VectorXd value, scale;

 private:
  std::vector<int> rows_;
  Jacobian f_;
  Eigen::VectorXd nominal_;
};

}  // namespace

RestingModel::RestingModel(const Model& original, double t) {
  const Signature& signature = original.signature;
  model.name = original.name;
  model.signature = without_states(signature);
  row.assign(at(signature.size()), -1);
  const Signature& own = model.signature;
  for (int i = 0; i < signature.n(); ++i) row[at(signature.state_row(i))] = own.algebraic_row(i);
  for (int i = 0; i < signature.m(); ++i) row[at(signature.input_row(i))] = own.input_row(i);
  for (int i = 0; i < signature.p(); ++i)
    row[at(signature.algebraic_row(i))] = own.algebraic_row(signature.n() + i);
  for (int i = 0; i < signature.q(); ++i) row[at(signature.binary_row(i))] = own.binary_row(i);
  for (int i = 0; i < signature.r(); ++i) row[at(signature.pre_row(i))] = own.pre_row(i);

  std::vector<FixedSignal> at_rest;
  for (int i = 0; i < signature.n(); ++i) at_rest.push_back({signature.derivative_row(i), 0.0});
  set_maps(freeze(original.f(), at_rest), freeze(original.g(), at_rest), row, model);
  for (FunctionText text : original.function_texts) {
    text.result = row[at(text.result)];
    text.argument = row[at(text.argument)];
    if (text.result >= 0 && text.argument >= 0) model.function_texts.push_back(std::move(text));
  }
  for (Divisor divisor : original.divisors) {
    divisor.signal = row[at(divisor.signal)];
    if (divisor.quotient >= 0) divisor.quotient = row[at(divisor.quotient)];
    if (divisor.signal >= 0) model.divisors.push_back(std::move(divisor));
  }
  model.equation_names = original.equation_names;
  model.constraint_names = original.constraint_names;
  for (const Input& input : original.inputs)
    model.inputs.emplace_back(ConstantInput{input.piece(t).value(t)});
  model.y_start = original.x_start;
  model.y_start.insert(model.y_start.end(), original.y_start.begin(), original.y_start.end());
  model.z_start = original.z_start;
  model.invariants = original.invariants;
  for (BooleanFormula& formula : model.invariants)
    for (BooleanFormula::Step& step : formula.steps)
      if (step.operation == BooleanFormula::Operation::variable) step.row = row[at(step.row)];
  model.experiment = original.experiment;
  model.experiment.start = model.experiment.stop = t;
}

std::vector<double> RestingModel::original_v(std::span<const double> v) const {
  std::vector<double> result(row.size(), 0.0);
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row[i] >= 0) result[i] = v[at(row[i])];
  return result;
}

RestingPoint rest_in_mode(const RestingModel& resting, const Mode& mode, const std::stop_token& stop) {
  constexpr int most_steps = 200, most_halvings = 40;
  constexpr double is_zero = 1e-12, is_solved = 1e-9;
  const Model& model = resting.model;
  RestingPoint point;
  point.v.assign(at(model.signature.size()), 0.0);
  for (int i = 0; i < model.signature.m(); ++i)
    point.v[at(model.signature.input_row(i))] = model.inputs[at(i)].piece(0.0).value(0.0);
  for (int i = 0; i < model.signature.p(); ++i)
    point.v[at(model.signature.algebraic_row(i))] = model.y_start[at(i)];
  write_mode(model.signature, mode, point.v);

  ModeEquations f(model, mode);
  if (!f.evaluate(point.v)) return point;
  for (int step = 0; step < most_steps && largest_of(f.relative()) > is_zero; ++step) {
    if (stop.stop_requested()) return point;
    const Eigen::VectorXd direction = f.newton_step(), scale = f.scale;
    if (!direction.allFinite()) break;
    const auto size = [&scale](const Eigen::VectorXd& value) {  // by the scales of this step
      double sum = 0.0;
      for (Eigen::Index i = 0; i < value.size(); ++i)
        if (scale(i) > 0.0) sum += std::pow(value(i) / scale(i), 2);
      return sum;
    };
    const double before = size(f.value);
    std::vector<double> next = point.v;
    bool better = false;
    for (double part = 1.0; !better && part > std::ldexp(1.0, -most_halvings); part *= 0.5) {
      for (std::size_t j = 0; j < f.rows().size(); ++j)
        next[at(f.rows()[j])] = point.v[at(f.rows()[j])] + part * direction(static_cast<Eigen::Index>(j));
      better = f.evaluate(next) && size(f.value) < before;
    }
    if (!better) break;
    point.v = std::move(next);
  }
  if (!f.evaluate(point.v)) return point;
  Eigen::Index worst = 0;
  const Eigen::VectorXd relative = f.relative();
  const double largest = relative.size() == 0 ? 0.0 : relative.maxCoeff(&worst);
  // What tends to zero with no zero, as exp(-x) does, is small, and the next step is as long as ever.
  point.converged = largest <= is_solved && f.is_near(point.v, f.newton_step());
  if (!point.converged) point.worst_equation = static_cast<int>(worst);
  return point;
}

}  // namespace mti
