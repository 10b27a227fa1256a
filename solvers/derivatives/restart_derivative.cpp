#include "solvers/derivatives/restart_derivative.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/derivatives/linear_restart_derivative.hpp"
#include "solvers/laws/law_balance.hpp"
#include "solvers/linear_algebra/equilibration.hpp"
#include "solvers/restart/known_impulses.hpp"

namespace mti {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

/// The linearised equations of one restart.
class Linearised {
 public:
  Linearised(const RestartPoint& point, const RestartStep& step, const MatrixXd& size, MatrixXd total)
      : point_(point),
        step_(step),
        system_(*step.system),
        signature_(point.model.signature),
        n_(signature_.n()),
        total_(std::move(total)),
        size_(size),
        series_(system_.rows_of_v(signature_)),
        products_(system_.rows_of_v(signature_)) {}

  RestartDerivative solve(MatrixXd& total) {
    RestartDerivative result;
    list_unknowns();
    enter_point();
    if (!enter_jets()) return {"the motion behind a law does not exist in the mode that ends", {}};
    const LawRows laws = law_rows();
    for (const SolutionBlock& block : system_.plan->blocks)
      for (std::size_t i = 0; i < block.equations.size(); ++i) {
        if (laws.replaced.contains(block.equations[i]) || is_apart(block.equations[i])) continue;
        const int c = block.differentiated() ? block.c[i] : 0;
        if (c == 0) add_dirac_row(block.equations[i]);
        for (int k = 0; k < c; ++k) add_value_row(block.equations[i], k);
      }
    add_law_rows(laws);
    if (!solve_rows(result)) return result;
    for (int i = 0; i < n_; ++i) {
      const int state = signature_.state_row(i);
      if (const auto jump = weight_.find(signature_.derivative_row(i)); jump != weight_.end())
        total.row(state) += solution_.row(jump->second);
      if (const auto own = jet_.find({state, 0}); own != jet_.end())
        total.row(state) = solution_.row(own->second);
    }
    return result;
  }

 private:
  struct Row {
    std::map<int, double> unknowns;
    RowVectorXd known, size;  ///< and of the summands of `known`
  };

  /// A surface, or a common weight, in a restart that was found without them.
  [[nodiscard]] bool is_apart(int equation) const {
    return step_.motion->restart().apart && equation >= point_.model.equations();
  }

  /// Weights of order −1 where e_j = 0, derivatives of order 0 … e_j − 1 elsewhere.
  void list_unknowns() {
    for (const SolutionBlock& block : system_.plan->blocks) {
      for (std::size_t i = 0; i < block.c.size(); ++i)
        if (!is_apart(block.equations[i])) highest_ = std::max(highest_, block.c[i]);
      for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
        if (step_.motion->restart().apart && block.unknowns[j] >= signature_.binary_row(0)) continue;
        const int e = block.differentiated() ? block.e[j] : 0;
        highest_ = std::max(highest_, e);
        if (e == 0) weight_.emplace(block.unknowns[j], count_++);
        for (int k = 0; k < e; ++k) jet_.emplace(std::pair(block.unknowns[j], k), count_++);
      }
    }
  }

  /// What multiplies impulses does not jump: x⁺ and inputs, other signals as they were. Without impulses, and laws that read what was,
  /// all as they are: what a branch begins to draw, a root among it, had no value before.
  void enter_point() {
    v_ = step_.before;
    const std::vector<double>& after = step_.motion->v();
    const bool as_before = !step_.laws.empty() || !step_.motion->restart().impulsive_parts().empty();
    const int end = as_before ? signature_.algebraic_row(0) : signature_.binary_row(0);
    for (int row = n_; row < end; ++row) v_[at(row)] = after[at(row)];
    v_.resize(at(system_.rows_of_v(signature_)), 0.0);
    auto row = at(signature_.size());
    for (const DifferentiatedInput& derivative : input_derivatives(system_))
      v_[row++] = derivative.value(point_.instant.t, point_.instant.pieces);
    dirac_.assign(v_.size(), 0.0);
    const std::vector<Ball>& dirac = step_.motion->restart().dirac;
    for (std::size_t signal = 0; signal < std::min(dirac.size(), v_.size()); ++signal)
      dirac_[signal] = dirac[signal].value;
    products_.add_order();
    products_.add_order();
    for (std::size_t signal = 0; signal < v_.size(); ++signal)
      products_.at(static_cast<int>(signal), 0).value = v_[signal];
  }

  /// Derivatives of v at the right, for rows that are differentiated.
  bool enter_jets() {
    for (int k = 0; k <= highest_; ++k) series_.add_order();
    if (highest_ == 0) return true;
    std::shared_ptr<Motion> motion = step_.motion;
    if (step_.is_law_alone) {
      Instant instant = point_.instant;
      instant.v = step_.motion->v();
      instant.vouched.reset();
      instant.z_before.clear();
      motion = std::make_shared<Motion>(point_.model, step_.system, point_.accuracy, instant);
      if (!motion->solved()) return false;
    }
    for (int signal = 0; signal < system_.rows_of_v(signature_); ++signal)
      for (int k = 0; k < highest_; ++k) series_.at(signal, k) = motion->signal(signal, k);
    return true;
  }

  LawRows law_rows() {
    if (step_.laws.empty()) return {};
    Instant instant = point_.instant;
    instant.v = step_.before;
    std::vector<double> v = v_;
    TaylorSeries series(system_.rows_of_v(signature_));
    for (int k = 0; k <= std::max(system_.plan->depth, 1); ++k) series.add_order();
    return rows_under_laws({point_.model, system_, point_.accuracy, instant, v, series}, step_.laws);
  }

  /// The derivative of a signal's k-th derivative: of x at the right, of y as it was.
  void add_signal(Row& row, int signal, int k, double slope) const {
    if (slope == 0.0) return;
    const auto know = [&](const RowVectorXd& value, const RowVectorXd& size) {
      row.known += slope * value;
      row.size += std::abs(slope) * size;
    };
    const bool state = signal >= n_ && signal < 2 * n_;
    if (const auto own = jet_.find({signal, k}); own != jet_.end()) {
      row.unknowns[own->second] += slope;
    } else if (state && k > 0) {
      add_signal(row, signal - n_, k - 1, slope);
    } else if (state) {
      know(total_.row(signal), size_.row(signal));
      if (const auto jump = weight_.find(signal - n_); jump != weight_.end())
        row.unknowns[jump->second] += slope;
    } else if (const auto [input, order] = input_of(signal); input >= 0) {
      const RowVectorXd of_u = point_.input(input, order + k);
      know(of_u, of_u.cwiseAbs());
    } else if (k == 0) {
      know(total_.row(signal), size_.row(signal));
    }
  }

  [[nodiscard]] std::pair<int, int> input_of(int signal) const {
    const int input = signal - signature_.input_row(0);
    if (input >= 0 && input < signature_.m()) return {input, 0};
    if (signal < signature_.size()) return {-1, 0};
    const DifferentiatedInput& derivative = input_derivatives(system_)[at(signal - signature_.size())];
    return {derivative.input, derivative.order};
  }

  [[nodiscard]] Row empty_row() const {
    return {{}, RowVectorXd::Zero(total_.cols()), RowVectorXd::Zero(total_.cols())};
  }

  void add_dirac_row(int equation) {
    Row row = empty_row();
    std::vector<int> signals;
    system_.f.gradient(equation, v_, [&](int signal, double slope) {
      signals.push_back(signal);
      if (const auto own = weight_.find(signal); own != weight_.end()) row.unknowns[own->second] += slope;
    });
    row.known += known_impulse_derivative(point_, system_, equation, 1, step_.before, total_);
    std::sort(signals.begin(), signals.end());
    signals.erase(std::unique(signals.begin(), signals.end()), signals.end());
    const bool impulsive =
        std::ranges::any_of(signals, [&](int signal) { return dirac_[at(signal)] != 0.0; });
    for (const int signal : impulsive ? signals : std::vector<int>{}) {
      products_.at(signal, 1).value = 1.0;
      double slope = 0.0;
      system_.f.gradient_coefficient(equation, products_, 1,
                                     [&](int other, double value) { slope += value * dirac_[at(other)]; });
      products_.at(signal, 1).value = 0.0;
      add_signal(row, signal, 0, slope);
    }
    for (std::size_t p = 0; p < point_.parameters.size(); ++p)
      if (!point_.derivatives.is_empty(p))
        row.known[static_cast<Index>(p)] += point_.derivatives.dirac_part(p, equation, v_, dirac_);
    rows_.push_back(std::move(row));
  }

  void add_value_row(int equation, int k) {
    Row row = empty_row();
    for (int order = 0; order <= k; ++order)
      system_.f.gradient_coefficient(equation, series_, k - order, [&](int signal, double slope) {
        add_signal(row, signal, order, factorial(k) / factorial(order) * slope);
      });
    for (std::size_t p = 0; p < point_.parameters.size(); ++p)
      if (!point_.derivatives.is_empty(p))
        row.known[static_cast<Index>(p)] += point_.derivatives.equation(p, equation, series_, k);
    rows_.push_back(std::move(row));
  }

  void add_law_rows(const LawRows& laws) {
    const int size = signature_.size();
    std::vector<double> at_law(v_.begin(), v_.begin() + size);
    for (int signal = signature_.algebraic_row(0); signal < size; ++signal)
      if (highest_ > 0 && jet_.contains({signal, 0})) at_law[at(signal)] = series_.at(signal, 0).value;
    for (std::size_t signal = 0; signal < laws.weighted.size(); ++signal)
      if (laws.weighted[signal] != 0) at_law[signal] = dirac_[signal];
    at_law.insert(at_law.end(), step_.before.begin(), step_.before.begin() + size);
    for (const int slope : laws.absent)
      if (!weight_.contains(slope)) weight_.emplace(slope, count_++);
    for (const int slope : laws.held) {
      Row row = empty_row();
      row.unknowns[weight_.at(slope)] += 1.0;
      rows_.push_back(std::move(row));
    }
    for (const Transition* law : step_.laws) {
      const RowMap map(law->equations);
      const auto index = at(law - point_.model.transitions.data());
      for (int equation = 0; equation < map.rows(); ++equation) {
        Row row = empty_row();
        map.gradient(equation, at_law, [&](int signal, double slope) {
          if (signal >= size) {
            row.known += slope * total_.row(signal - size);
            row.size += std::abs(slope) * size_.row(signal - size);
          } else if (laws.weighted[at(signal)] != 0) {
            row.unknowns[weight_.at(signal)] += slope;
          } else {
            add_signal(row, signal, 0, slope);
          }
        });
        for (std::size_t p = 0; p < point_.parameters.size(); ++p) {
          const RowMap of_p(point_.parameters[p].laws[index]);
          if (equation < of_p.rows()) row.known[static_cast<Index>(p)] += of_p.value(equation, at_law);
        }
        rows_.push_back(std::move(row));
      }
    }
  }

  /// Positions that may not jump are known, so that there are more rows than unknowns; they agree where x⁻(p) keeps to them.
  bool solve_rows(RestartDerivative& result) {
    const auto rows = static_cast<Index>(rows_.size());
    MatrixXd M = MatrixXd::Zero(rows, count_), right = MatrixXd::Zero(rows, total_.cols());
    MatrixXd summands = MatrixXd::Zero(rows, total_.cols());
    for (Index i = 0; i < rows; ++i) {
      double largest = 0.0;
      for (const auto& [unknown, slope] : rows_[at(i)].unknowns) largest = std::max(largest, std::abs(slope));
      const double scale = largest > 0.0 ? 1.0 / largest : 1.0;
      for (const auto& [unknown, slope] : rows_[at(i)].unknowns) M(i, unknown) = scale * slope;
      right.row(i) = -scale * rows_[at(i)].known;
      summands.row(i) = scale * rows_[at(i)].size + right.row(i).cwiseAbs();
    }
    const auto solution = solve_scaled(M, right);
    if (!solution) {
      result.failure = "the linearised restart is singular";
      return false;
    }
    solution_ = *solution;
    if (rows > count_)
      result.misfit = misfit_of(M * solution_ - right,
                                summands + M.cwiseAbs() * solution_.cwiseAbs().cwiseMax(size_of_unknowns()));
    return true;
  }

  /// That of the signals, and of the states that a weight moves; 0 of what has none.
  [[nodiscard]] MatrixXd size_of_unknowns() const {
    MatrixXd size = MatrixXd::Zero(count_, total_.cols());
    for (const auto& [jet, unknown] : jet_)
      if (jet.second == 0 && jet.first >= n_) size.row(unknown) = size_.row(jet.first);
    for (const auto& [signal, unknown] : weight_)
      if (signal < n_) size.row(unknown) = size_.row(signal + n_);
    return size;
  }

  const RestartPoint& point_;
  const RestartStep& step_;
  const ModeSystem& system_;
  const Signature& signature_;
  int n_;
  const MatrixXd total_;
  const MatrixXd& size_;
  TaylorSeries series_;    ///< at the right
  TaylorSeries products_;  ///< v and a direction
  std::vector<double> v_, dirac_;
  std::map<std::pair<int, int>, int> jet_;  ///< (row of S, order) → unknown
  std::map<int, int> weight_;               ///< row of S → unknown
  int count_ = 0, highest_ = 0;
  std::vector<Row> rows_;
  MatrixXd solution_;
};

}  // namespace

namespace {

/// Multiplies a row or column so that its largest entry is 1, or the geometric mean of the largest and the smallest; by what.
template <class Line>
double scale_row(Line&& line, bool mean) {
  double largest = 0.0, smallest = std::numeric_limits<double>::infinity();
  for (const double entry : line) {
    if (entry == 0.0) continue;
    largest = std::max(largest, std::abs(entry));
    smallest = std::min(smallest, std::abs(entry));
  }
  const double factor = reciprocal_or_one(mean ? std::sqrt(largest) * std::sqrt(smallest) : largest);
  line *= factor;
  return factor;
}

}  // namespace

RestartDerivative differentiate_restart(const RestartPoint& point, const RestartStep& step,
                                        const MatrixXd& size, MatrixXd& total) {
  const Restart& restart = step.motion->restart();
  if (is_linear_restart(point, step)) return differentiate_linear_restart(point, step, total);
  if (!restart.others.empty()) return {"impulses of other orders than 1 have no derivatives", {}};
  const bool differentiates = step.system->plan->differentiated();
  if (step.laws.empty() && !differentiates && !has_dirac_parts(*step.system)) return {};
  // On surfaces nothing jumps.
  if (step.laws.empty() && !step.system->sliding.empty() && restart.impulsive_parts().empty()) return {};
  return Linearised(point, step, size, total).solve(total);
}

std::optional<MatrixXd> solve_scaled(const MatrixXd& M, const MatrixXd& right) {
  if (M.cols() == 0) return MatrixXd::Zero(0, right.cols());
  if (M.rows() < M.cols() || !M.allFinite()) return std::nullopt;
  // By largest entries, or where these are not alike, by the geometric mean of the largest and the smallest.
  for (const bool by_means : {false, true}) {
    MatrixXd scaled = M;
    Eigen::VectorXd rows = Eigen::VectorXd::Ones(M.rows()), columns = Eigen::VectorXd::Ones(M.cols());
    constexpr int sweeps = 6;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      const bool mean = by_means && sweep + 1 < sweeps;
      for (Index i = 0; i < M.rows(); ++i) rows[i] *= scale_row(scaled.row(i), mean);
      for (Index j = 0; j < M.cols(); ++j) columns[j] *= scale_row(scaled.col(j), mean);
    }
    Eigen::ColPivHouseholderQR<MatrixXd> factor(scaled);
    constexpr double dependent = 1e-14;  // the motion itself has been solved
    factor.setThreshold(dependent);
    if (factor.rank() < M.cols()) continue;
    const auto solve = [&](const MatrixXd& b) -> MatrixXd {
      return columns.asDiagonal() * factor.solve(MatrixXd(rows.asDiagonal() * b));
    };
    MatrixXd u = solve(right);
    // Of entries that decide and are small beside others, as in mixed units, rounding leaves few digits; the residual has them
    // (Skeel, Math. Comp. 35 (1980) 817).
    constexpr int refinements = 2;
    for (int k = 0; k < refinements && u.allFinite(); ++k) u += solve(right - M * u);
    if (u.allFinite()) return u;
  }
  return std::nullopt;
}

std::vector<double> misfit_of(const MatrixXd& left, const MatrixXd& summands) {
  constexpr double rounding = 1e-7;
  std::vector<double> misfit;
  for (Index p = 0; p < left.cols(); ++p) {
    double largest = 0.0;
    const double least = left.rows() > 0 ? rounding * summands.col(p).maxCoeff() : 0.0;
    for (Index i = 0; i < left.rows(); ++i)
      if (left(i, p) != 0.0)
        largest = std::max(largest, std::abs(left(i, p)) / std::max(summands(i, p), least));
    misfit.push_back(largest);
  }
  return misfit;
}

}  // namespace mti
