#include "solvers/laws/law_balance.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/blocks/newton.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/laws/balance_at_rest.hpp"
#include "solvers/restart/known_impulses.hpp"

namespace mti {
namespace {

/// Solves the balance with laws (solvers/laws/law_structure.hpp), block by block.
class LawBalance {
 public:
  LawBalance(const RestartPlace& place, const DueLaws& laws, Surfaces surfaces)
      : place_(place),
        signature_(place.model.signature),
        size_(signature_.size()),
        structure_(LawStructure::of(place, laws, surfaces)),
        known_(KnownImpulses(place).first_order()),
        series_{&place.series, signature_.n(), &result_.dirac, place.instant.v, known_} {
    result_.dirac.resize(place.v.size());
    result_.balanced = structure_->balanced();
    law_point_.assign(place.v.begin(), place.v.begin() + size_);
    for (int row = 0; row < size_; ++row)
      if (structure_->is_weighted(row)) law_point_[at(row)] = 0.0;
    law_point_.insert(law_point_.end(), place.instant.v.begin(), place.instant.v.begin() + size_);
  }

  Restart solve() {
    // Laws come from the user, and nobody has checked that they fit the rows that are left. Where structure
    // tells that they do not, it names the equations and signals better than a rank could.
    if (!structure_->parts().structurally_regular()) {
      explain();
      return std::move(result_);
    }
    for (const Block& block : structure_->blocks())
      if (!solve(block)) break;
    return std::move(result_);
  }

 private:
  using Row = LawStructure::Row;

  template <class Accumulate>
  void slopes(const Row& row, Accumulate accumulate) const {
    if (row.law < 0) {
      place_.system.f.gradient(row.row, place_.v, [&](int signal, double slope) {
        accumulate(structure_->unknown_in_equation(signal, row.order), signal, slope);
      });
      return;
    }
    structure_->law(row.law).gradient(row.row, law_point_, [&](int signal, double slope) {
      accumulate(structure_->unknown_in_law(signal), signal, slope);
    });
  }

  /// Structure alone: rows that contradict each other, and unknowns that too few rows are left for.
  void explain() {
    const DulmageMendelsohn& parts = structure_->parts();
    const bool open = !parts.under_columns.empty();
    const bool contradicts = !parts.over_rows.empty();
    result_.refuse(contradicts ? SolveFailure::Kind::contradiction : SolveFailure::Kind::not_unique);
    if (contradicts) name(parts.over_rows, parts.over_columns);
    if (open) name(parts.under_rows, parts.under_columns);
  }

  void name(const std::vector<PatternRow>& rows, const std::vector<PatternColumn>& columns) {
    std::vector<int>& signals = result_.failure.signals;
    for (const PatternRow place : rows) {
      const Row& row = structure_->row(place);
      if (row.law < 0) result_.failure.equations.push_back(row.row);
      // Laws have no names of their own; what they are about are their states.
      if (row.law >= 0) add_states(structure_->law(row.law), row.row, signature_, signals);
    }
    for (const PatternColumn column : columns)
      signals.push_back(named_row(signature_, structure_->unknown(column)));
    sort_distinct(signals);
  }

  [[nodiscard]] double residual(const Row& row) const {
    if (row.law >= 0) return structure_->law(row.law).value(row.row, law_point_);
    return row.order < 0
               ? series_.dirac_part(place_.system.f, row.row, place_.v).value
               : factorial(row.order) * place_.system.f.coefficient(row.row, place_.series, row.order).value;
  }

  /// The error of the row caused by the errors of known numbers: Σ |slope|·ε, in a Taylor coefficient of f as
  /// the series carries it, in a Dirac part over weights, in a law over values, left limits (its signals from
  /// size_ on) and weights.
  [[nodiscard]] double error(const Row& row) const {
    if (row.law < 0 && row.order >= 0)
      return factorial(row.order) * place_.system.f.coefficient(row.row, place_.series, row.order).error;
    double sum = 0.0;
    slopes(row, [&](int, int signal, double slope) {
      const int own = row.law >= 0 && signal >= size_ ? signal - size_ : signal;
      const bool weight = row.law < 0 || (signal < size_ && structure_->is_weighted(signal));
      sum += std::abs(slope) * (weight ? result_.dirac[at(own)].error : place_.series.at(own, 0).error);
    });
    return sum;
  }

  [[nodiscard]] double value_of(int unknown) const {
    const int order = structure_->order(unknown);
    return order < 0 ? result_.dirac[at(unknown)].value
                     : factorial(order) * place_.series.at(unknown, order).value;
  }

  /// Order k of an unknown is sought as its k-th derivative, k! times the Taylor coefficient that the series
  /// holds. Values and jumps stand in v too, where rows of f and laws see them.
  void enter(int unknown, double value, double error) {
    const int order = structure_->order(unknown);
    const double scale = order < 0 ? 1.0 : factorial(order);
    series_.enter(unknown, order, {value / scale, error / scale});
    if (order == 0) place_.v[at(unknown)] = value;
    if (order < 0 && unknown < signature_.n()) {
      const auto state = at(unknown + signature_.n());
      place_.v[state] = place_.instant.v[state] + value;
      law_point_[state] = place_.v[state];
    }
    if (order == 0 || structure_->is_weighted(unknown)) law_point_[at(unknown)] = value;
  }

  /// The matrix of a block: slopes of its rows by its own unknowns; those of earlier blocks are known by now.
  [[nodiscard]] LuFactor factorise(const Block& block) const {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < block.rows.size(); ++i)
      slopes(structure_->row(block.rows[i]), [&](int column, int, double slope) {
        const auto own = std::ranges::lower_bound(block.columns, PatternColumn(column));
        if (own != block.columns.end() && own->value() == column)
          entries.emplace_back(static_cast<int>(i), static_cast<int>(own - block.columns.begin()), slope);
      });
    return {static_cast<int>(block.columns.size()), entries};
  }

  /// Weights of algebraic signals that nothing gives any. What multiplies them are values at the left, as of a divisor that the
  /// mode before has not needed; a motion of the mode is solved for with those at the right.
  [[nodiscard]] bool is_undriven(const Block& block) const {
    return std::ranges::all_of(block.columns,
                               [&](const PatternColumn column) {
                                 const int unknown = structure_->unknown(column);
                                 return structure_->order(unknown) < 0 &&
                                        unknown >= signature_.algebraic_row(0) && value_of(unknown) == 0.0;
                               }) &&
           std::ranges::all_of(block.rows, [&](const PatternRow row) {
             const Row& own = structure_->row(row);
             return own.law < 0 && residual(own) == 0.0 && error(own) == 0.0;
           });
  }

  static constexpr double units = 8.0 * machine_epsilon;
  static constexpr int most_iterations = 50;

  /// An unknown is the jump of a state. As the difference of two values it is known to no more than their rounding.
  [[nodiscard]] bool jumps(int unknown) const {
    return unknown < signature_.n() && structure_->order(unknown) < 0;
  }
  [[nodiscard]] double floor_of(int unknown) const {
    constexpr double least = 1e-300;
    return std::max(jumps(unknown) ? std::abs(place_.instant.v[at(unknown + signature_.n())]) : 0.0, least);
  }
  [[nodiscard]] bool is_weight(int unknown) const {
    return structure_->order(unknown) < 0 && !jumps(unknown);
  }

  /// Newton's method; laws are multilinear in what they determine.
  bool solve(const Block& block) { return block.rows.size() == 1 ? solve_one(block) : solve_several(block); }

  /// Of one row and one unknown, as most are.
  bool solve_one(const Block& block) {
    check_budget();
    const Row& row = structure_->row(block.rows.front());
    const PatternColumn own = block.columns.front();
    const int unknown = structure_->unknown(own);
    const double floor = floor_of(unknown);
    StepsCease steps_cease;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      double slope = 0.0;
      slopes(row, [&](int column, int, double part) { slope += column == own.value() ? part : 0.0; });
      if (slope == 0.0 || !std::isfinite(slope)) {
        if (!is_undriven(block)) return give_up(block, SolveFailure::Kind::not_unique);
        enter(unknown, 0.0, 0.0);
        return true;
      }
      const double step = residual(row) / slope, w = value_of(unknown) - step;
      if (!std::isfinite(step)) break;
      const double noise =
          is_weight(unknown) ? units / place_.accuracy.rtol * (error(row) / std::abs(slope)) : 0.0;
      enter(unknown, w, 0.0);
      if (!steps_cease(std::abs(step) <= noise ? 0.0 : std::abs(step) / std::max(std::abs(w), floor)))
        continue;
      enter(unknown, w, error(row) / std::abs(slope));
      return true;
    }
    return give_up(block, SolveFailure::Kind::no_convergence);
  }

  /// Nobody looks for null vectors here: the rows of a law have no names that could be given.
  bool give_up(const Block& block, SolveFailure::Kind kind) {
    result_.refuse(kind);
    name(block.rows, block.columns);
    return false;
  }

  bool solve_several(const Block& block) {
    const auto size = static_cast<Eigen::Index>(block.columns.size());
    const auto unknown = [&](Eigen::Index j) { return structure_->unknown(block.columns[at(j)]); };
    const auto of_rows = [&](auto value) {
      Eigen::VectorXd values(size);
      for (Eigen::Index i = 0; i < size; ++i) values[i] = value(structure_->row(block.rows[at(i)]));
      return values;
    };
    const auto enter_all = [&](const Eigen::VectorXd& w, const Eigen::VectorXd& errors) {
      for (Eigen::Index j = 0; j < size; ++j) enter(unknown(j), w[j], errors[j]);
    };
    const Eigen::VectorXd none_off = Eigen::VectorXd::Zero(size);
    const NewtonProblem problem{[&] {
                                  Eigen::VectorXd w(size);
                                  for (Eigen::Index j = 0; j < size; ++j) w[j] = value_of(unknown(j));
                                  return w;
                                },
                                [&] { return of_rows([&](const Row& row) { return residual(row); }); },
                                [&] { return factorise(block); },
                                [&](const Eigen::VectorXd& w) { enter_all(w, none_off); }};
    Eigen::VectorXd floor(size);
    std::vector<char> weights;
    for (Eigen::Index j = 0; j < size; ++j) {
      floor[j] = floor_of(unknown(j));
      weights.push_back(is_weight(unknown(j)) ? 1 : 0);
    }
    BalanceAtRest at_rest(std::move(floor), std::move(weights));
    const NewtonSolution solution = newton(problem, most_iterations, [&](const NewtonStep& from) {
      at_rest.take_noise(units / place_.accuracy.rtol *
                         from.factor.magnify(of_rows([&](const Row& row) { return error(row); })));
      return take_full_step(problem, from, std::ref(at_rest));
    });
    if (solution.failure == SolveFailure::Kind::singular && is_undriven(block)) {
      enter_all(none_off, none_off);
      return true;
    }
    if (!solution.solved())
      return give_up(block, solution.failure == SolveFailure::Kind::singular ? SolveFailure::Kind::not_unique
                                                                             : solution.failure);
    // |J⁻¹| times what is left open about the rows by what is known.
    enter_all(problem.unknowns(),
              solution.factor.magnify(of_rows([&](const Row& row) { return error(row); })));
    return true;
  }

  const RestartPlace& place_;
  const Signature& signature_;
  int size_;
  std::shared_ptr<const LawStructure> structure_;
  std::vector<double> law_point_;  ///< v as laws see it, followed by the left limits: L(x⁺, Y, pre(v))
  Restart result_;
  std::vector<Ball> known_;
  BlockSeries series_;
};

}  // namespace

Restart balance_under_laws(const RestartPlace& place, const DueLaws& laws, Surfaces surfaces) {
  return LawBalance(place, laws, surfaces).solve();
}

LawRows rows_under_laws(const RestartPlace& place, const DueLaws& laws) {
  const auto structure = LawStructure::of(place, laws, Surfaces::together);
  LawRows rows{structure->replaced(), structure->held(), structure->weighted(), {}};
  for (const int slope : place.system.plan->absent.slopes)
    if (structure->column(slope) >= 0) rows.absent.push_back(slope);
  return rows;
}

}  // namespace mti
