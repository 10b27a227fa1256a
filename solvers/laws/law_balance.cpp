#include "solvers/laws/law_balance.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/blocks/newton.hpp"
#include "solvers/laws/balance_at_rest.hpp"
#include "solvers/laws/repeated_rows.hpp"
#include "solvers/laws/rows_that_stay.hpp"
#include "solvers/laws/transition_laws.hpp"
#include "solvers/restart/known_impulses.hpp"
#include "solvers/structure/dulmage_mendelsohn.hpp"

namespace mti {
namespace {

/// The balance with laws as a square system: its rows and unknowns, values and slopes.
///
/// Rows are those of stage −1 that stay in force, order c_i − 1 of equation i, and behind them the equations
/// of the laws, which hold between values and weights and are not differentiated. Unknowns are those of stage
/// −1: order e_j − 1 of unknown j, which for ẋ_j with e_j = 0 is the jump Δx_j, for y_j the weight of its
/// impulse. With surfaces apart their rows and the ζ are no part of it: no ζ is impulsive.
class LawBalance {
 public:
  LawBalance(const RestartPlace& place, const DueLaws& laws, Surfaces surfaces)
      : place_(place),
        signature_(place.model.signature),
        size_(signature_.size()),
        known_(KnownImpulses(place).first_order()),
        series_{&place.series, signature_.n(), &result_.dirac, place.instant.v, known_} {
    result_.dirac.resize(place.v.size());
    replaced_ = replaced_rows(laws, place.system.f);
    enter(laws, surfaces);
    if (!parts_.structurally_regular() && keep_rows_of_other_signals(laws)) enter(laws, surfaces);
  }

  [[nodiscard]] LawRows rows() const {
    LawRows rows{replaced_, held_, weighted_, {}};
    for (const int slope : place_.system.plan->absent.slopes)
      if (column_[at(slope)] >= 0) rows.absent.push_back(slope);
    return rows;
  }

  Restart solve() {
    // Laws come from the user, and nobody has checked that they fit the rows that are left. Where structure
    // tells that they do not, it names the equations and signals better than a rank could.
    if (!parts_.structurally_regular()) {
      explain();
      return std::move(result_);
    }
    // Block by block, so that Newton's method has few unknowns at a time, mostly one that occurs linearly.
    for (const Block& block : block_triangular_form(pattern_, parts_.row_match))
      if (!solve(block)) break;
    return std::move(result_);
  }

 private:
  static constexpr int none = -1000;
  struct Row {
    int row;    ///< of f, or of the law's equations
    int order;  ///< −1: Dirac part
    int law;    ///< −1: a row of f
  };

  /// Stage −1 of the plan without the replaced rows: fewer equations than unknowns, which is what the laws are for.
  void enter(const DueLaws& laws, Surfaces surfaces) {
    rows_.clear();
    unknowns_.clear();
    laws_.clear();
    result_.balanced.clear();
    order_.assign(place_.v.size(), none);
    column_.assign(place_.v.size(), -1);
    weighted_.assign(place_.v.size(), 0);
    const bool apart = surfaces == Surfaces::apart;
    for (const SolutionBlock& block : place_.system.plan->blocks) {
      for (std::size_t i = 0; i < block.equations.size(); ++i)
        if (!replaced_.contains(block.equations[i]) &&
            !(apart && block.equations[i] >= place_.model.equations()))
          rows_.push_back({block.equations[i], (block.differentiated() ? block.c[i] : 0) - 1, -1});
      for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
        if (apart && block.unknowns[j] >= signature_.binary_row(0)) continue;
        if (held_.contains(block.unknowns[j])) continue;
        order_[at(block.unknowns[j])] = (block.differentiated() ? block.e[j] : 0) - 1;
        column_[at(block.unknowns[j])] = static_cast<int>(unknowns_.size());
        unknowns_.push_back(block.unknowns[j]);
      }
    }
    add_absent_states(laws);
    // Only rows whose Dirac part has to vanish multiply weights: their coefficients are examined afterwards.
    for (const Row& row : rows_)
      if (row.order < 0) result_.balanced.push_back(row.row);
    // Before the laws come in, which mean a weight where the other rows leave one.
    find_weighted();
    RepeatedRows said(signature_);
    for (const Transition* law : laws) {
      laws_.emplace_back(law->equations);
      for (int row = 0; row < laws_.back().rows(); ++row)
        if (!said.repeats(laws_.back(), row, law_point()))
          rows_.push_back({row, 0, static_cast<int>(laws_.size()) - 1});
    }
    pattern_ = make_pattern();
    parts_ = dulmage_mendelsohn(pattern_);
  }

  /// Of several rows that hold der(s) of a law's "s = …" that one goes which the law stands for; a = der(v) is about a. Where
  /// the laws and the rows of others leave too much open without them: the rows that determine the rest stay, and
  /// states that are held by them alone do not jump. True if the rows or the unknowns are others now.
  bool keep_rows_of_other_signals(const DueLaws& laws) {
    std::set<int> named;
    for (const Transition* law : laws) named.insert(law->replaces.begin(), law->replaces.end());
    std::vector<int> open;
    Incidence might_go(static_cast<int>(unknowns_.size()));
    for (const SolutionBlock& block : place_.system.plan->blocks)
      for (std::size_t i = 0; i < block.equations.size(); ++i)
        if (replaced_.contains(block.equations[i]) && !named.contains(block.equations[i])) {
          open.push_back(block.equations[i]);
          add_to(might_go, {block.equations[i], (block.differentiated() ? block.c[i] : 0) - 1, -1});
        }
    if (open.empty()) return false;
    std::vector<PatternColumn> jumps;
    for (std::size_t column = 0; column < unknowns_.size(); ++column)
      if (unknowns_[column] < signature_.n() && order_[at(unknowns_[column])] == -1)
        jumps.emplace_back(static_cast<int>(column));
    const std::optional<RowsThatStay> found = rows_that_stay(pattern_, jumps, might_go);
    if (!found) return false;
    for (std::size_t i = 0; i < open.size(); ++i)
      if (found->stays[i] != 0) replaced_.erase(open[i]);
    for (const PatternColumn column : found->held) held_.insert(unknowns_[at(column.value())]);
    return true;
  }

  /// States that no equation of the mode holds jump where a law gives them values.
  void add_absent_states(const DueLaws& laws) {
    for (const int slope : place_.system.plan->absent.slopes) {
      if (std::ranges::none_of(laws,
                               [&](const Transition* law) { return holds(*law, slope + signature_.n()); }))
        continue;
      order_[at(slope)] = -1;
      column_[at(slope)] = static_cast<int>(unknowns_.size());
      unknowns_.push_back(slope);
    }
  }

  /// The unknown that stands for a signal in a row of f at the row's order; −1: known there.
  ///
  /// Order k of a row holds its signals up to order k, and linearly those of order k itself. x_j has order k
  /// where ẋ_j has order k − 1, so a state counts as its ẋ, unless it is an unknown itself (its derivative is
  /// absent).
  [[nodiscard]] int unknown_in_equation(int signal, int order) const {
    const bool state = signal >= signature_.n() && signal < 2 * signature_.n();
    const bool through_state = state && order_[at(signal)] == none;
    const int unknown = through_state ? signal - signature_.n() : signal;
    return order_[at(unknown)] != none && order == order_[at(unknown)] + (through_state ? 1 : 0)
               ? column_[at(unknown)]
               : -1;
  }

  /// The same for a law: x⁺, a weight, or a value of order 0.
  [[nodiscard]] int unknown_in_law(int signal) const {
    if (signal >= size_) return -1;
    const bool state = signal >= signature_.n() && signal < 2 * signature_.n();
    if (state) return order_[at(signal - signature_.n())] == -1 ? column_[at(signal - signature_.n())] : -1;
    if (order_[at(signal)] == 0 && signal >= signature_.algebraic_row(0)) return column_[at(signal)];
    return weighted_[at(signal)] != 0 ? column_[at(signal)] : -1;
  }

  template <class Accumulate>
  void slopes(const Row& row, Accumulate accumulate) const {
    if (row.law < 0) {
      place_.system.f.gradient(row.row, place_.v, [&](int signal, double slope) {
        accumulate(unknown_in_equation(signal, row.order), signal, slope);
      });
      return;
    }
    laws_[at(row.law)].gradient(row.row, law_point(), [&](int signal, double slope) {
      accumulate(unknown_in_law(signal), signal, slope);
    });
  }

  /// v as laws see it, followed by the left limits: L(x⁺, Y, pre(v)) has twice the signals of the model.
  [[nodiscard]] std::vector<double> law_point() const {
    std::vector<double> point(place_.v.begin(), place_.v.begin() + size_);
    for (std::size_t row = 0; row < at(size_); ++row)
      if (weighted_[row] != 0) point[row] = result_.dirac[row].value;
    point.insert(point.end(), place_.instant.v.begin(), place_.instant.v.begin() + size_);
    return point;
  }

  /// Which unknowns stand in which rows: what matching, Dulmage–Mendelsohn parts and blocks are found from.
  [[nodiscard]] Incidence make_pattern() const {
    Incidence pattern(static_cast<int>(unknowns_.size()));
    for (const Row& row : rows_) add_to(pattern, row);
    return pattern;
  }

  void add_to(Incidence& pattern, const Row& row) const {
    std::vector<int> columns;
    const RowMap& map = row.law < 0 ? place_.system.f : laws_[at(row.law)];
    for (const RowMap::Term& term : map.terms(row.row))
      for (const RowMap::Factor& factor : map.factors(term.column)) {
        const int column =
            row.law < 0 ? unknown_in_equation(factor.signal, row.order) : unknown_in_law(factor.signal);
        if (column >= 0) columns.push_back(column);
      }
    pattern.add_row(positions<PatternColumn>(columns));
  }

  /// Algebraic signals to which the rows that stay in force leave a weight: those of the under-determined
  /// part. A signal that these rows determine alone has the weight they give it, mostly 0, and a law is about
  /// its value.
  void find_weighted() {
    const DulmageMendelsohn parts = dulmage_mendelsohn(make_pattern());
    for (const int column : values(parts.under_columns)) {
      const int row = unknowns_[at(column)];
      if (row >= signature_.algebraic_row(0) && order_[at(row)] == -1) weighted_[at(row)] = 1;
    }
  }

  /// Structure alone: rows that contradict each other, and unknowns that too few rows are left for.
  void explain() {
    const bool open = !parts_.under_columns.empty();
    const bool contradicts = !parts_.over_rows.empty();
    result_.refuse(contradicts ? SolveFailure::Kind::contradiction : SolveFailure::Kind::not_unique);
    if (contradicts) name(values(parts_.over_rows), values(parts_.over_columns));
    if (open) name(values(parts_.under_rows), values(parts_.under_columns));
  }

  void name(const std::vector<int>& rows, const std::vector<int>& columns) {
    std::vector<int>& signals = result_.failure.signals;
    for (const int row : rows) {
      if (rows_[at(row)].law < 0) result_.failure.equations.push_back(rows_[at(row)].row);
      // Laws have no names of their own; what they are about are their states.
      if (rows_[at(row)].law >= 0)
        add_states(laws_[at(rows_[at(row)].law)], rows_[at(row)].row, signature_, signals);
    }
    for (const int column : columns) signals.push_back(named_row(signature_, unknowns_[at(column)]));
    sort_distinct(signals);
  }

  [[nodiscard]] double residual(const Row& row) const {
    if (row.law >= 0) return laws_[at(row.law)].value(row.row, law_point());
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
      const bool weight = row.law < 0 || (signal < size_ && weighted_[at(signal)] != 0);
      sum += std::abs(slope) * (weight ? result_.dirac[at(own)].error : place_.series.at(own, 0).error);
    });
    return sum;
  }

  [[nodiscard]] double value_of(int unknown) const {
    const int order = order_[at(unknown)];
    return order < 0 ? result_.dirac[at(unknown)].value
                     : factorial(order) * place_.series.at(unknown, order).value;
  }

  /// Order k of an unknown is sought as its k-th derivative, k! times the Taylor coefficient that the series
  /// holds. Values and jumps stand in v too, where rows of f and laws see them.
  void enter(int unknown, double value, double error) {
    const int order = order_[at(unknown)];
    const double scale = order < 0 ? 1.0 : factorial(order);
    series_.enter(unknown, order, {value / scale, error / scale});
    if (order == 0) place_.v[at(unknown)] = value;
    if (order < 0 && unknown < signature_.n()) {
      const auto state = at(unknown + signature_.n());
      place_.v[state] = place_.instant.v[state] + value;
    }
  }

  /// The matrix of a block: slopes of its rows by its own unknowns; those of earlier blocks are known by now.
  [[nodiscard]] LuFactor factorise(const Block& block) const {
    std::unordered_map<int, int> position;
    for (std::size_t j = 0; j < block.columns.size(); ++j)
      position.emplace(block.columns[j].value(), static_cast<int>(j));
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < block.rows.size(); ++i)
      slopes(rows_[at(block.rows[i].value())], [&](int column, int, double slope) {
        if (const auto own = position.find(column); own != position.end())
          entries.emplace_back(static_cast<int>(i), own->second, slope);
      });
    return {static_cast<int>(block.columns.size()), entries};
  }

  /// Weights of algebraic signals that nothing gives any. What multiplies them are values at the left, as of a divisor that the
  /// mode before has not needed; a motion of the mode is solved for with those at the right.
  [[nodiscard]] bool is_undriven(const Block& block) const {
    return std::ranges::all_of(block.columns,
                               [&](const PatternColumn column) {
                                 const int unknown = unknowns_[at(column.value())];
                                 return order_[at(unknown)] < 0 && unknown >= signature_.algebraic_row(0) &&
                                        value_of(unknown) == 0.0;
                               }) &&
           std::ranges::all_of(block.rows, [&](const PatternRow row) {
             const Row& own = rows_[at(row.value())];
             return own.law < 0 && residual(own) == 0.0 && error(own) == 0.0;
           });
  }

  /// Newton's method; laws are multilinear in what they determine.
  bool solve(const Block& block) {
    const auto size = static_cast<Eigen::Index>(block.columns.size());
    const auto unknown = [&](Eigen::Index j) { return unknowns_[at(block.columns[at(j)].value())]; };
    const auto of_rows = [&](auto value) {
      Eigen::VectorXd values(size);
      for (Eigen::Index i = 0; i < size; ++i) values[i] = value(rows_[at(block.rows[at(i)].value())]);
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
    // A jump is the difference of two values: it is known to no more than their rounding.
    Eigen::VectorXd floor(size);
    std::vector<char> is_weight;
    for (Eigen::Index j = 0; j < size; ++j) {
      const int row = unknown(j);
      const bool jumps = row < signature_.n() && order_[at(row)] < 0;
      constexpr double least = 1e-300;
      floor[j] = std::max(jumps ? std::abs(place_.instant.v[at(row + signature_.n())]) : 0.0, least);
      is_weight.push_back(order_[at(row)] < 0 && !jumps ? 1 : 0);
    }
    BalanceAtRest at_rest(std::move(floor), std::move(is_weight));
    constexpr double units = 8.0 * machine_epsilon;
    constexpr int most_iterations = 50;
    const NewtonSolution solution = newton(problem, most_iterations, [&](const NewtonStep& from) {
      at_rest.take_noise(units / place_.accuracy.rtol *
                         from.factor.magnify(of_rows([&](const Row& row) { return error(row); })));
      return take_full_step(problem, from, std::ref(at_rest));
    });
    if (solution.failure == SolveFailure::Kind::singular && is_undriven(block)) {
      enter_all(none_off, none_off);
      return true;
    }
    if (!solution.solved()) {
      // Nobody looks for null vectors here: the rows of a law have no names that could be given.
      result_.refuse(solution.failure == SolveFailure::Kind::singular ? SolveFailure::Kind::not_unique
                                                                      : solution.failure);
      name(values(block.rows), values(block.columns));
      return false;
    }
    // |J⁻¹| times what is left open about the rows by what is known.
    enter_all(problem.unknowns(),
              solution.factor.magnify(of_rows([&](const Row& row) { return error(row); })));
    return true;
  }

  const RestartPlace& place_;
  const Signature& signature_;
  int size_;
  std::vector<int> order_, column_, unknowns_;
  std::vector<char> weighted_;
  std::set<int> replaced_;  ///< rows of f
  std::set<int> held_;      ///< rows of ẋ of states that keep their value
  std::vector<Row> rows_;
  std::vector<RowMap> laws_;
  Incidence pattern_;
  DulmageMendelsohn parts_;
  Restart result_;
  std::vector<Ball> known_;
  BlockSeries series_;
};

}  // namespace

Restart balance_under_laws(const RestartPlace& place, const DueLaws& laws, Surfaces surfaces) {
  return LawBalance(place, laws, surfaces).solve();
}

LawRows rows_under_laws(const RestartPlace& place, const DueLaws& laws) {
  return LawBalance(place, laws, Surfaces::together).rows();
}

}  // namespace mti
