#include "solvers/sensitivities/start_derivatives.hpp"

#include <Eigen/Dense>

#include <cmath>
#include <optional>

#include "mti/common/at.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/derivatives/restart_derivative.hpp"
#include "solvers/initialization/start_equations.hpp"
#include "solvers/initialization/start_solution.hpp"
#include "solvers/linear_algebra/lu_factor.hpp"

namespace mti {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// −∂r/∂p, and what of each entry is a sum of such magnitudes.
class KnownSides {
 public:
  KnownSides(const Model& model, const ModeSystem& system, const Instant& instant,
             const StartEquations& equations, const ModeDerivatives& of_mode)
      : model_(model),
        signature_(model.signature),
        system_(system),
        instant_(instant),
        equations_(equations),
        of_mode_(of_mode) {}

  [[nodiscard]] VectorXd of(std::size_t p, const ParameterDerivative& parameter, VectorXd& magnitude) const {
    const auto size = static_cast<Index>(equations_.rows().size());
    VectorXd side = VectorXd::Zero(size);
    magnitude = VectorXd::Zero(size);
    const Scenario* const initial = model_.initial();
    std::optional<RowMap> h_p;
    if (initial != nullptr)
      h_p.emplace(parameter.scenarios[at(static_cast<int>(initial - model_.scenarios.data()))]);
    const auto add = [&](Index row, double term) {
      side[row] -= term;
      magnitude[row] += std::abs(term);
    };
    for (Index row = 0; row < size; ++row) {
      const auto [equation, order] = equations_.rows()[at(static_cast<int>(row))];
      if (order < 0)
        add(row, h_p->value(equation, equations_.initial_signals()));
      else
        add(row, of_mode_.equation(p, equation, equations_.series(), order) / factorial(order));
      equations_.for_slopes(static_cast<int>(row), [&](int signal, int l, double slope) {
        if (equations_.unknown_of(signal, l) < 0) add(row, slope * known(parameter, signal, l));
      });
    }
    return side;
  }

 private:
  /// ∂/∂p of coefficient l of a row of v that is none of the unknowns.
  [[nodiscard]] double known(const ParameterDerivative& parameter, int signal, int l) const {
    if (signal >= signature_.size()) {
      const DifferentiatedInput& rate = input_derivatives(system_)[at(signal - signature_.size())];
      return of_input(parameter, rate.input, rate.order + l) / factorial(l);
    }
    const int input = signal - signature_.input_row(0), state = signal - signature_.state_row(0);
    if (input >= 0 && input < signature_.m()) return of_input(parameter, input, l) / factorial(l);
    if (l > 0) return 0.0;
    if (state >= 0 && state < signature_.n()) return parameter.x_start[at(state)];
    const int algebraic = signal - signature_.algebraic_row(0);
    return algebraic >= 0 && algebraic < signature_.p() ? parameter.y_start[at(algebraic)] : 0.0;
  }
  [[nodiscard]] double of_input(const ParameterDerivative& parameter, int input, int order) const {
    const InputDerivative& derivative = parameter.inputs[at(input)];
    return derivative.is_zero() ? 0.0 : derivative.piece(instant_.t).derivative(instant_.t, order);
  }

  const Model& model_;
  const Signature& signature_;
  const ModeSystem& system_;
  const Instant& instant_;
  const StartEquations& equations_;
  const ModeDerivatives& of_mode_;
};

/// From right-hand sides to solutions of least norm, in the least squares of rows, where J is not square or not regular: columns by
/// nominal values, rows by their largest entry. Unknowns that the mode leaves open may be among them.
class LeastSquares {
 public:
  explicit LeastSquares(const StartEquations& equations)
      : scale_(VectorXd::Ones(static_cast<Index>(equations.rows().size()))), unit_(equations.nominal()) {
    J_ = MatrixXd::Zero(scale_.size(), unit_.size());
    for (const auto& entry : equations.jacobian())
      J_(entry.row(), entry.col()) += entry.value() * unit_[entry.col()];
    for (Index i = 0; i < J_.rows(); ++i)
      if (const double largest = J_.row(i).cwiseAbs().maxCoeff(); largest > 0.0) scale_[i] = 1.0 / largest;
    J_ = scale_.asDiagonal() * J_;
    whole_.compute(J_);
  }
  [[nodiscard]] VectorXd solve(const VectorXd& side) const {
    return unit_.cwiseProduct(whole_.solve(scale_.cwiseProduct(side)));
  }
  [[nodiscard]] bool holds(const VectorXd& side, const VectorXd& magnitude, const VectorXd& w) const {
    constexpr double rounding = 1e-9;
    const VectorXd scaled = w.cwiseQuotient(unit_);
    return misfit_of(J_ * scaled - scale_.cwiseProduct(side),
                     J_.cwiseAbs() * scaled.cwiseAbs() + scale_.cwiseProduct(magnitude))
               .front() <= rounding;
  }

 private:
  VectorXd scale_, unit_;
  MatrixXd J_;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> whole_;
};

}  // namespace

StartDerivatives differentiate_start(const Model& model, const ModeSystem& system, const Instant& instant,
                                     const ModeDerivatives& of_mode,
                                     std::span<const ParameterDerivative> parameters) {
  const Signature& signature = model.signature;
  const auto count = static_cast<Index>(parameters.size());
  StartDerivatives result{MatrixXd::Zero(signature.n(), count), std::vector<std::string>(parameters.size())};
  StartEquations equations(model, system, instant);
  if (!solve_start(equations).solved()) {
    for (std::string& failure : result.failure) failure = "the equations of the start are singular";
    return result;
  }
  const auto unknowns = static_cast<Index>(equations.unknowns().size());
  const auto rows = static_cast<Index>(equations.rows().size());
  std::optional<LuFactor> factor;
  if (rows == unknowns && rows > 0) factor.emplace(static_cast<int>(rows), equations.jacobian());
  if (factor && factor->singular()) factor.reset();
  std::optional<LeastSquares> squares;
  if (!factor && unknowns > 0) squares.emplace(equations);
  const KnownSides sides(model, system, instant, equations, of_mode);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    VectorXd magnitude;
    const VectorXd side = sides.of(p, parameters[p], magnitude);
    const VectorXd w = factor ? factor->solve(side) : squares ? squares->solve(side) : VectorXd();
    if (!w.allFinite())
      result.failure[p] = "the equations of the start are singular";
    else if (squares && !squares->holds(side, magnitude, w))
      result.failure[p] = "equations of the start follow from others with this value of the parameter only";
    else if (of_mode.is_unknown(p))
      result.failure[p] = "the parameter occurs in equations that were differentiated and recombined";
    for (int i = 0; i < signature.n(); ++i) {
      const int unknown = equations.unknown_of(signature.state_row(i), 0);
      result.x(i, static_cast<Index>(p)) = unknown < 0 ? parameters[p].x_start[at(i)] : w[unknown];
    }
  }
  return result;
}

}  // namespace mti
