#include "solvers/derivatives/linear_restart_derivative.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/linear_algebra/lu_factor.hpp"
#include "solvers/plan/system_jacobian.hpp"
#include "solvers/restart/known_impulses.hpp"
#include "solvers/restart/linear_projection.hpp"

namespace mti {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

class LinearRestart {
 public:
  LinearRestart(const RestartPoint& point, const RestartStep& step, const MatrixXd& total)
      : point_(point),
        step_(step),
        system_(*step.system),
        plan_(*system_.plan),
        signature_(point.model.signature),
        n_(signature_.n()),
        total_(total),
        lowest_(-static_cast<int>(plan_.early.size()) - 2 - highest_known_impulse()),
        highest_(plan_.depth + 1),
        X_(at(highest_ - lowest_ + 1), MatrixXd::Zero(system_.rows_of_v(signature_), total.cols())),
        series_(system_.rows_of_v(signature_)),
        v_(step.motion->v()),
        dirac_(at(system_.rows_of_v(signature_)), 0.0) {
    v_.resize(dirac_.size(), 0.0);
    auto row = at(signature_.size());
    for (const DifferentiatedInput& derivative : input_derivatives(system_))
      v_[row++] = derivative.value(point.instant.t, point.instant.pieces);
    const std::vector<Ball>& dirac = step.motion->restart().dirac;
    for (std::size_t signal = 0; signal < std::min(dirac.size(), dirac_.size()); ++signal)
      dirac_[signal] = dirac[signal].value;
    for (int k = 0; k <= plan_.depth; ++k) series_.add_order();
    for (int signal = 0; signal < system_.rows_of_v(signature_); ++signal)
      for (int k = 0; k < series_.orders(); ++k) series_.at(signal, k) = step.motion->signal(signal, k);
  }

  RestartDerivative solve(MatrixXd& total) {
    std::vector<LuFactor> factors;
    for (const SolutionBlock& block : plan_.blocks) {
      factors.emplace_back(static_cast<int>(block.unknowns.size()),
                           SystemJacobian(block, n_).entries(system_.f, v_));
      if (factors.back().singular()) return {"the linearised restart is singular", {}};
    }
    for (int k = lowest_ + 1; k < 0; ++k)
      for (std::size_t b = 0; b < factors.size(); ++b) solve_stage(plan_.blocks[b], factors[b], k);
    for (int i = 0; i < n_; ++i) {
      const int row = signature_.state_row(i);
      if (std::ranges::find(plan_.algebraic_states, row) == plan_.algebraic_states.end())
        total.row(row) += at_order(row, 0);
    }
    return {};
  }

 private:
  static int order(const std::vector<int>& orders, std::size_t i) { return orders.empty() ? 0 : orders[i]; }

  [[nodiscard]] int highest_known_impulse() const {
    std::size_t highest = 0;
    if (system_.recombination)
      for (const Recombination::DiracParts& parts : system_.recombination->dirac_parts)
        highest = std::max(highest, parts.size());
    return static_cast<int>(highest);
  }

  Eigen::Block<MatrixXd, 1, Eigen::Dynamic> at_order(int signal, int m) {
    return X_[at(m - lowest_)].row(signal);
  }

  RowVectorXd left(int equation, int m) {
    RowVectorXd sum = RowVectorXd::Zero(total_.cols());
    if (m < 0) sum += known_impulse_derivative(point_, system_, equation, -m, step_.before, total_);
    system_.f.gradient(equation, v_, [&](int signal, double slope) {
      const bool input = (signal >= signature_.input_row(0) && signal < signature_.algebraic_row(0)) ||
                         signal >= signature_.size();
      const bool state = signal >= n_ && signal < 2 * n_;
      if (input) {
        if (m < 0) return;
        const DifferentiatedInput own = signal < signature_.size()
                                            ? DifferentiatedInput{signal - signature_.input_row(0), 0}
                                            : input_derivatives(system_)[at(signal - signature_.size())];
        sum += slope * point_.input(own.input, own.order + m);
      } else if (signal < n_) {
        sum += slope * at_order(signal + n_, m + 1);
      } else if (m >= lowest_) {
        sum += slope * at_order(signal, m);
        if (state && m == 0) sum += slope * total_.row(signal);
      }
    });
    for (std::size_t p = 0; p < point_.parameters.size(); ++p) {
      if (point_.derivatives.is_empty(p)) continue;
      if (m >= 0) sum[static_cast<Index>(p)] += point_.derivatives.equation(p, equation, series_, m);
      if (m == -1) sum[static_cast<Index>(p)] += point_.derivatives.dirac_part(p, equation, v_, dirac_);
    }
    return sum;
  }

  void solve_stage(const SolutionBlock& block, const LuFactor& factor, int k) {
    const auto size = static_cast<Index>(block.unknowns.size());
    MatrixXd right = MatrixXd::Zero(size, total_.cols());
    for (Index i = 0; i < size; ++i)
      if (const int m = order(block.c, at(i)) + k; m >= lowest_)
        right.row(i) = -left(block.equations[at(i)], m);
    if (right.isZero(0.0)) return;
    for (Index p = 0; p < right.cols(); ++p) right.col(p) = factor.solve(right.col(p));
    for (Index j = 0; j < size; ++j) {
      const int unknown = block.unknowns[at(j)], e = order(block.e, at(j));
      const int signal = unknown < n_ ? unknown + n_ : unknown, m = unknown < n_ ? e + 1 + k : e + k;
      if (m >= lowest_) at_order(signal, m) = right.row(j);
    }
  }

  const RestartPoint& point_;
  const RestartStep& step_;
  const ModeSystem& system_;
  const SolutionPlan& plan_;
  const Signature& signature_;
  int n_;
  const MatrixXd total_;
  int lowest_, highest_;
  std::vector<MatrixXd> X_;  ///< by order, rows of S × parameters; of x at m = 0 what the jump has
  TaylorSeries series_;
  std::vector<double> v_, dirac_;
};

}  // namespace

bool is_linear_restart(const RestartPoint& point, const RestartStep& step) {
  const ModeSystem& system = *step.system;
  if (!step.laws.empty() || !system.sliding.empty()) return false;
  if (system.plan->early.size() <= 1 && !has_dirac_parts(system)) return false;
  std::vector<double> v = step.before;
  TaylorSeries series(system.rows_of_v(point.model.signature));
  return is_linear_mode({point.model, system, point.accuracy, point.instant, v, series});
}

RestartDerivative differentiate_linear_restart(const RestartPoint& point, const RestartStep& step,
                                               MatrixXd& total) {
  bool parameters_occur = false;
  for (std::size_t p = 0; p < point.parameters.size(); ++p)
    parameters_occur = parameters_occur || !point.derivatives.is_empty(p);
  if (!step.motion->restart().others.empty() && parameters_occur)
    return {"impulses of other orders than 1 have no derivatives by parameters of equations", {}};
  return LinearRestart(point, step, total).solve(total);
}

RowVectorXd known_impulse_derivative(const RestartPoint& point, const ModeSystem& system, int equation,
                                     int order, const std::vector<double>& before, const MatrixXd& total) {
  RowVectorXd sum = RowVectorXd::Zero(total.cols());
  if (!system.recombination || equation >= system.recombination->dirac_parts.size()) return sum;
  const Recombination::DiracParts& parts = system.recombination->dirac_parts[EquationRow(equation)];
  if (at(order - 1) >= parts.size()) return sum;
  const JetPolynomial& polynomial = parts[at(order - 1)];
  const Signature& signature = point.model.signature;
  std::set<Jet> jets;
  for (const auto& [monomial, coefficient] : polynomial.terms())
    jets.insert(monomial.begin(), monomial.end());
  const auto value = [&](Jet jet) -> Ball {
    const int input = jet.signal - signature.input_row(0);
    if (input < 0) return {before[at(jet.signal)], 0.0};
    return {point.instant.pieces[at(input)].derivative(point.instant.t, jet.order), 0.0};
  };
  for (const Jet& jet : jets) {
    const double slope = polynomial.derivative_by(jet).evaluate(value).value;
    const int input = jet.signal - signature.input_row(0);
    sum += slope * (input < 0 ? RowVectorXd(total.row(jet.signal)) : point.input(input, jet.order));
  }
  return sum;
}

}  // namespace mti
