#include "solvers/initialization/start_solution.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/scattered.hpp"
#include "mti/common/wording.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/linear_algebra/lu_factor.hpp"

namespace mti {
namespace {

constexpr Eigen::Index most_examined = 1500;
constexpr double rank_tolerance = 1e-11, has_share = 1e-8;

class Newton {
 public:
  Newton(StartEquations& equations, Eigen::VectorXd from) : equations_(equations), w_(std::move(from)) {}

  StartSolution solve() && {
    iterate();
    if (!equations_.evaluate(w_)) return std::move(result_);
    take_scale();
    const double left = relative().size() == 0 ? 0.0 : relative().maxCoeff();
    constexpr double is_solved = 1e-9;
    left <= is_solved ? examine_solution() : examine_failure();
    result_.v = equations_.v();
    return std::move(result_);
  }

 private:
  [[nodiscard]] Eigen::Index rows() const { return equations_.value().size(); }
  [[nodiscard]] Eigen::Index unknowns() const { return w_.size(); }

  void iterate() {
    constexpr int most_steps = 200, most_halvings = 40;
    constexpr double is_zero = 1e-13, is_small = 1e-10;
    if (!begin()) return;
    double left = std::numeric_limits<double>::infinity();  // of the way
    for (int step = 0; step < most_steps; ++step) {
      check_budget();
      take_scale();
      if (relative().size() == 0) return;
      const bool holds = relative().maxCoeff() <= is_zero;
      if (holds && left <= is_small) return;
      const std::optional<Steps> steps = steps_by_jacobian();
      if (!steps) return;
      const Eigen::VectorXd direction = (*steps)(equations_.value());
      if (!direction.allFinite()) return;
      const Eigen::VectorXd from = w_, unit = from.cwiseAbs().cwiseMax(equations_.nominal());
      const double before = direction.cwiseQuotient(unit).norm();
      if (before == 0.0 || (holds && before <= is_small)) return;
      bool better = false;
      for (double part = 1.0; !better && part > std::ldexp(1.0, -most_halvings); part *= 0.5) {
        w_ = from + part * direction;
        if (!equations_.evaluate(w_)) continue;
        left = (*steps)(equations_.value()).cwiseQuotient(unit).norm();
        better = left < before;
      }
      if (better) continue;
      w_ = from;
      return;
    }
  }

  /// Functions may have no value, or no slope, at the guess: then what lies beside it.
  bool begin() {
    const Eigen::VectorXd guess = w_;
    for (const double part : {0.0, 1e-3, -1e-3, 1.0, -1.0}) {
      w_ = guess + part * equations_.nominal();
      if (equations_.evaluate(w_)) return true;
    }
    w_ = guess;
    return false;
  }

  /// r_i = Σ_j |J_ij| max(|w_j|, nominal_j)
  void take_scale() {
    scale_ = Eigen::VectorXd::Zero(rows());
    for (const auto& entry : equations_.jacobian())
      scale_[entry.row()] +=
          std::abs(entry.value()) * std::max(std::abs(w_[entry.col()]), equations_.nominal()[entry.col()]);
  }
  [[nodiscard]] double weight(Eigen::Index row) const { return scale_[row] > 0.0 ? 1.0 / scale_[row] : 1.0; }
  /// A row that nothing moves, and that does not hold to rounding, is infinitely far off.
  [[nodiscard]] Eigen::VectorXd relative() const {
    Eigen::VectorXd result = equations_.value().cwiseAbs();
    for (Eigen::Index i = 0; i < result.size(); ++i)
      result[i] =
          result[i] == 0.0 ? 0.0
          : scale_[i] == 0.0
              ? (result[i] <= equations_.rounding()[i] ? 0.0 : std::numeric_limits<double>::infinity())
              : result[i] / scale_[i];
    return result;
  }

  /// The factors of a regular square J.
  [[nodiscard]] std::optional<LuFactor> regular() const {
    if (rows() != unknowns() || rows() == 0) return std::nullopt;
    LuFactor factor(static_cast<int>(rows()), equations_.jacobian());
    if (factor.singular()) return std::nullopt;
    return factor;
  }
  /// J with its rows by their scales and its columns by nominal values.
  [[nodiscard]] Eigen::MatrixXd scaled() const {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows(), unknowns());
    for (const auto& entry : equations_.jacobian())
      J(entry.row(), entry.col()) += entry.value() * weight(entry.row()) * equations_.nominal()[entry.col()];
    return J;
  }
  [[nodiscard]] Eigen::VectorXd scaled_value() const {
    Eigen::VectorXd value = equations_.value();
    for (Eigen::Index i = 0; i < value.size(); ++i) value[i] *= weight(i);
    return value;
  }

  /// From residuals to the step of least norm that takes them away, by J at the point evaluated last.
  using Steps = std::function<Eigen::VectorXd(const Eigen::VectorXd& residuals)>;
  std::optional<Steps> steps_by_jacobian() {
    if (unknowns() == 0) return std::nullopt;
    if (const auto factor = regular(); factor && factor->solve(equations_.value()).allFinite())
      return [factor = *factor](const Eigen::VectorXd& r) -> Eigen::VectorXd { return factor.solve(-r); };
    if (unknowns() > most_examined) {
      result_.kind = StartSolution::Kind::too_large;
      return std::nullopt;
    }
    Eigen::VectorXd weights(rows());
    for (Eigen::Index i = 0; i < rows(); ++i) weights[i] = weight(i);
    return [whole = scaled().completeOrthogonalDecomposition(), weights,
            &nominal = equations_.nominal()](const Eigen::VectorXd& r) -> Eigen::VectorXd {
      const Eigen::VectorXd step = whole.solve(-weights.cwiseProduct(r));
      return nominal.cwiseProduct(step);
    };
  }

  void examine_solution() {
    result_.kind = StartSolution::Kind::solved;
    if (regular()) return;
    if (unknowns() > most_examined) {
      result_.kind = StartSolution::Kind::too_large;
      return;
    }
    const Eigen::MatrixXd J = scaled();
    const Eigen::MatrixXd open = kernel(J);
    for (std::size_t j = 0; j < equations_.unknowns().size(); ++j) {
      const auto [signal, order] = equations_.unknowns()[j];
      if (order == 0 && has_part(open, static_cast<Eigen::Index>(j))) note_open(signal);
    }
    const Eigen::MatrixXd dependent = kernel(J.transpose());
    for (std::size_t i = 0; i < equations_.rows().size(); ++i)
      if (equations_.rows()[i].is_initial() && has_part(dependent, static_cast<Eigen::Index>(i)))
        result_.superfluous.push_back(equations_.rows()[i].equation);
    if (result_.open.empty()) return;
    result_.kind = StartSolution::Kind::not_unique;
    for (const StartEquations::Row& row : equations_.rows())
      if (row.is_initial()) result_.rows.push_back(row);
  }

  /// Only a free x is a start; y that the mode leaves open keep their guesses.
  void note_open(int signal) {
    const Eigen::Index state = signal - first_state_;
    if (state < states_) result_.open.push_back(static_cast<int>(state));
  }

  static Eigen::MatrixXd kernel(const Eigen::MatrixXd& A) {
    if (A.cols() == 0) return {};
    if (A.rows() == 0) return Eigen::MatrixXd::Identity(A.cols(), A.cols());
    Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
    lu.setThreshold(rank_tolerance);
    return lu.dimensionOfKernel() == 0 ? Eigen::MatrixXd() : Eigen::MatrixXd(lu.kernel());
  }
  static bool has_part(const Eigen::MatrixXd& vectors, Eigen::Index row) {
    return vectors.size() > 0 &&
           vectors.row(row).cwiseAbs().maxCoeff() > has_share * vectors.cwiseAbs().maxCoeff();
  }

  /// What no step can make less, r − J J⁺ r, is a combination of the left null vectors.
  void examine_failure() {
    if (result_.kind == StartSolution::Kind::too_large || unknowns() > most_examined) {
      result_.kind = StartSolution::Kind::too_large;
      return;
    }
    constexpr double most_of_it = 0.5, part_of_it = 1e-3;
    const Eigen::VectorXd value = scaled_value();
    const double size = value.cwiseAbs().maxCoeff();
    Eigen::VectorXd left = value;
    if (unknowns() > 0) {
      const Eigen::MatrixXd J = scaled();
      left -= J * J.completeOrthogonalDecomposition().solve(value);
    }
    const double stays = left.cwiseAbs().maxCoeff();
    const bool contradicts = stays > most_of_it * size;
    result_.kind = contradicts ? StartSolution::Kind::contradiction : StartSolution::Kind::no_convergence;
    const Eigen::VectorXd off = contradicts ? left : value;
    for (std::size_t i = 0; i < equations_.rows().size(); ++i)
      if (std::abs(off[static_cast<Eigen::Index>(i)]) >
          (contradicts ? part_of_it * stays : most_of_it * size))
        result_.rows.push_back(equations_.rows()[i]);
  }

  StartEquations& equations_;
  Eigen::VectorXd w_, scale_;
  int first_state_ = equations_.first_state(), states_ = equations_.states();
  StartSolution result_;
};

constexpr std::size_t most_names = 6;

/// Of initial equations, or of equations of the model: each once.
std::string names_of(const StartSolution& solution, const Model& model, bool initial) {
  std::vector<std::string> names;
  for (const StartEquations::Row& row : solution.rows) {
    if (row.is_initial() != initial) continue;
    const std::string& name =
        initial ? model.initial()->equation_names[at(row.equation)] : model.equation_names[at(row.equation)];
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return name_list(names, most_names);
}

/// Fixed starts of states that rows hold.
std::string fixed_starts(const StartSolution& solution, const Model& model) {
  const Signature& signature = model.signature;
  std::vector<char> held(at(signature.n()), 0);
  const auto hold = [&](const SparseColumns& S, const SparseColumns& Phi, int row, const auto& original) {
    for (int k = 0; k < Phi.outerSize(); ++k)
      for (SparseColumns::InnerIterator entry(Phi, k); entry; ++entry) {
        if (entry.row() != row) continue;
        for (SparseColumns::InnerIterator factor(S, k); factor; ++factor)
          if (const int state = original(static_cast<int>(factor.row())) - signature.state_row(0);
              state >= 0 && state < signature.n())
            held[at(state)] = 1;
      }
  };
  for (const StartEquations::Row& row : solution.rows)
    if (row.is_initial()) {
      const Scenario& initial = *model.initial();
      hold(initial.equations.S(), initial.equations.Phi(), row.equation,
           [&](int held_row) { return initial.original(held_row); });
    } else {
      hold(model.S, model.Phi_eq, row.equation, [](int held_row) { return held_row; });
    }
  std::vector<std::string> names;
  for (int s = 0; s < signature.n(); ++s)
    if (held[at(s)] != 0 && !model.has_free_start(s)) names.push_back(signature.states()[at(s)].name);
  return name_list(names, most_names);
}

}  // namespace

StartSolution solve_start_from_guess(StartEquations& equations) {
  return Newton(equations, equations.guess()).solve();
}

/// Where rows are not linear, what is singular or leads astray at the guess need not be so elsewhere: other beginnings are those
/// of unknowns that stand off their guesses by numbers without a pattern.
StartSolution solve_start_from_elsewhere(StartEquations& equations, StartSolution first) {
  const Eigen::VectorXd guess = equations.guess();
  using Kind = StartSolution::Kind;
  constexpr Eigen::Index most_unknowns = 300;
  if ((first.kind != Kind::no_convergence && first.kind != Kind::contradiction) ||
      guess.size() > most_unknowns)
    return first;
  const auto values_at = [&](const Eigen::VectorXd& w) {
    std::vector<double> values;
    if (equations.evaluate(w))
      for (const auto& entry : equations.jacobian()) values.push_back(entry.value());
    return values;
  };
  const std::vector<double> at_guess = values_at(guess);
  int beginning = 0;
  for (const double size : {0.1, 1.0, 1.0, 1.0, 4.0, 4.0, 4.0, 16.0, 16.0}) {
    Eigen::VectorXd from = guess;
    ++beginning;
    for (Eigen::Index j = 0; j < from.size(); ++j)
      from[j] += size * scattered(beginning, static_cast<int>(j)) *
                 std::max(equations.nominal()[j], std::abs(guess[j]));
    if (beginning == 1 && !at_guess.empty() && values_at(from) == at_guess) return first;  // all is linear
    StartSolution other = Newton(equations, std::move(from)).solve();
    if (!other.solved()) continue;
    other.from_elsewhere = true;
    return other;
  }
  return first;
}

StartSolution solve_start(StartEquations& equations) {
  StartSolution first = solve_start_from_guess(equations);
  return first.solved() ? first : solve_start_from_elsewhere(equations, std::move(first));
}

std::string describe(const StartSolution& solution, const Model& model) {
  using Kind = StartSolution::Kind;
  if (solution.solved()) return {};
  if (solution.kind == Kind::too_large)
    return "the equations of the start are singular: of more than " + std::to_string(most_examined) +
           " unknowns it is not examined which";
  std::vector<std::string> open;
  for (const int state : solution.open) open.push_back(model.signature.states()[at(state)].name);
  const std::string initial = names_of(solution, model, true), others = names_of(solution, model, false);
  const std::string rows = solution.rows.empty() ? "the equations of the start"
                           : initial.empty()     ? "equations " + others
                           : others.empty()      ? "initial equations " + initial
                                            : "initial equations " + initial + " with equations " + others;
  if (solution.kind == Kind::not_unique)
    return "too few initial equations: the start of " + name_list(open, most_names) + " is left open" +
           (initial.empty() ? "" : " by initial equations " + initial);
  if (solution.kind == Kind::no_convergence) return "no solution found of " + rows;
  const std::string fixed = fixed_starts(solution, model);
  return "no start fulfils " + rows + (fixed.empty() ? "" : " (fixed: " + fixed + ")");
}

}  // namespace mti
