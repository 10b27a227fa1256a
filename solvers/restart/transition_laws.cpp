#include "solvers/restart/transition_laws.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/blocks/block_solver.hpp"
#include "solvers/linear_algebra/lu_factor.hpp"
#include "solvers/restart/known_impulses.hpp"
#include "solvers/restart/position_projection.hpp"
#include "solvers/structure/dulmage_mendelsohn.hpp"

namespace mti {
namespace {

bool same_columns(const SparseColumns& a, const SparseColumns& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a.nonZeros() == b.nonZeros() && a.isApprox(b, 0.0);
}

bool same_law(const Transition& a, const Transition& b) {
  return a.replaces == b.replaces && same_columns(a.equations.S(), b.equations.S()) &&
         same_columns(a.equations.Phi(), b.equations.Phi());
}

void add_law(DueLaws& due, const Transition& law) {
  if (std::none_of(due.begin(), due.end(), [&](const Transition* other) { return same_law(*other, law); }))
    due.push_back(&law);
}

/// The rows of f that the laws put out of force in a mode.
std::set<int> replaced_rows(const DueLaws& laws, const RowMap& f) {
  std::set<int> replaced;
  for (const Transition* law : laws) {
    replaced.insert(law->replaces.begin(), law->replaces.end());
    if (!law->replaces.empty()) continue;
    for (const int state : law->assigned)
      for (int row = 0; state >= 0 && row < f.rows(); ++row)
        for (const RowMap::Term& term : f.terms(row))
          for (const RowMap::Factor& factor : f.factors(term.column))
            if (factor.signal == state) replaced.insert(row);  // rows of S: ẋ come first
  }
  return replaced;
}

/// The balance with laws as a square system: its rows and unknowns, values and slopes.
class LawBalance {
 public:
  LawBalance(const RestartPlace& place, const DueLaws& laws)
      : place_(place),
        signature_(place.model.signature),
        size_(signature_.size()),
        known_(KnownImpulses(place).first_order()),
        series_{&place.series, signature_.n(), &result_.dirac, place.instant.v, known_} {
    order_.assign(place.v.size(), none);
    column_.assign(place.v.size(), -1);
    weighted_.assign(place.v.size(), 0);
    result_.dirac.resize(place.v.size());
    const std::set<int> replaced = replaced_rows(laws, place.system.f);
    for (const SolutionBlock& block : place.system.plan->blocks) {
      for (std::size_t i = 0; i < block.equations.size(); ++i)
        if (!replaced.contains(block.equations[i]))
          rows_.push_back({block.equations[i], (block.differentiated() ? block.c[i] : 0) - 1, -1});
      for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
        order_[at(block.unknowns[j])] = (block.differentiated() ? block.e[j] : 0) - 1;
        column_[at(block.unknowns[j])] = static_cast<int>(unknowns_.size());
        unknowns_.push_back(block.unknowns[j]);
      }
    }
    add_absent_states(laws);
    for (const Row& row : rows_)
      if (row.order < 0) result_.balanced.push_back(row.row);
    find_weighted();
    for (const Transition* law : laws) {
      laws_.emplace_back(law->equations);
      for (int row = 0; row < laws_.back().rows(); ++row)
        rows_.push_back({row, 0, static_cast<int>(laws_.size()) - 1});
    }
  }

  Restart solve() {
    const Incidence pattern = make_pattern();
    const DulmageMendelsohn parts = dulmage_mendelsohn(pattern);
    if (!parts.structurally_regular()) {
      explain(parts);
      return std::move(result_);
    }
    for (const Block& block : block_triangular_form(pattern, parts.row_match))
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

  /// States that no equation of the mode holds jump where a law gives them values.
  void add_absent_states(const DueLaws& laws) {
    for (const int slope : place_.system.plan->absent.slopes) {
      const bool given = std::any_of(laws.begin(), laws.end(), [&](const Transition* law) {
        for (int k = 0; k < law->equations.columns(); ++k)
          for (SparseColumns::InnerIterator factor(law->equations.S(), k); factor; ++factor)
            if (factor.row() == slope + signature_.n()) return true;
        return false;
      });
      if (!given) continue;
      order_[at(slope)] = -1;
      column_[at(slope)] = static_cast<int>(unknowns_.size());
      unknowns_.push_back(slope);
    }
  }

  /// The unknown that stands for a signal in a row of f at the row's order; −1: known there.
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

  /// v as laws see it, followed by the left limits.
  [[nodiscard]] std::vector<double> law_point() const {
    std::vector<double> point(place_.v.begin(), place_.v.begin() + size_);
    for (std::size_t row = 0; row < at(size_); ++row)
      if (weighted_[row] != 0) point[row] = result_.dirac[row].value;
    point.insert(point.end(), place_.instant.v.begin(), place_.instant.v.begin() + size_);
    return point;
  }

  Incidence make_pattern() const {
    Incidence pattern(static_cast<int>(unknowns_.size()));
    std::vector<int> columns;
    for (const Row& row : rows_) {
      columns.clear();
      const RowMap& map = row.law < 0 ? place_.system.f : laws_[at(row.law)];
      for (const RowMap::Term& term : map.terms(row.row))
        for (const RowMap::Factor& factor : map.factors(term.column)) {
          const int column =
              row.law < 0 ? unknown_in_equation(factor.signal, row.order) : unknown_in_law(factor.signal);
          if (column >= 0) columns.push_back(column);
        }
      pattern.add_row(positions<PatternColumn>(columns));
    }
    return pattern;
  }

  /// Algebraic signals to which the rows that stay in force leave a weight.
  void find_weighted() {
    const DulmageMendelsohn parts = dulmage_mendelsohn(make_pattern());
    for (const int column : values(parts.under_columns)) {
      const int row = unknowns_[at(column)];
      if (row >= signature_.algebraic_row(0) && order_[at(row)] == -1) weighted_[at(row)] = 1;
    }
  }

  void explain(const DulmageMendelsohn& parts) {
    const bool open = !parts.under_columns.empty();
    const bool contradicts = !parts.over_rows.empty();
    result_.status = contradicts ? Restart::Status::contradiction : Restart::Status::not_unique;
    if (contradicts) name(values(parts.over_rows), values(parts.over_columns));
    if (open) name(values(parts.under_rows), values(parts.under_columns));
  }

  void name(const std::vector<int>& rows, const std::vector<int>& columns) {
    for (const int row : rows) {
      if (rows_[at(row)].law < 0) result_.equations.push_back(rows_[at(row)].row);
      // Laws have no names of their own; what they are about are their states.
      if (rows_[at(row)].law >= 0) name_signals_of_law(rows_[at(row)]);
    }
    for (const int column : columns) {
      const int unknown = unknowns_[at(column)];
      result_.unknowns.push_back(unknown < signature_.n() ? unknown + signature_.n() : unknown);
    }
    std::sort(result_.unknowns.begin(), result_.unknowns.end());
    result_.unknowns.erase(std::unique(result_.unknowns.begin(), result_.unknowns.end()),
                           result_.unknowns.end());
  }

  void name_signals_of_law(const Row& row) {
    const RowMap& law = laws_[at(row.law)];
    for (const RowMap::Term& term : law.terms(row.row))
      for (const RowMap::Factor& factor : law.factors(term.column))
        if (factor.signal >= signature_.n() && factor.signal < size_)
          result_.unknowns.push_back(factor.signal);
  }

  [[nodiscard]] double residual(const Row& row) const {
    if (row.law >= 0) return laws_[at(row.law)].value(row.row, law_point());
    return row.order < 0
               ? series_.dirac_part(place_.system.f, row.row, place_.v).value
               : factorial(row.order) * place_.system.f.coefficient(row.row, place_.series, row.order).value;
  }

  /// The error of the row caused by the errors of known numbers.
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

  /// Newton's method; laws are multilinear in what they determine.
  bool solve(const Block& block) {
    constexpr int most_iterations = 50;
    const auto size = static_cast<Eigen::Index>(block.columns.size());
    Eigen::VectorXd left(size), errors(size);
    const auto refuse = [&](Restart::Status status) {
      result_.status = status;
      name(values(block.rows), values(block.columns));
      return false;
    };
    double last = 0.0;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      const LuFactor factor = factorise(block);
      if (factor.singular()) return refuse(Restart::Status::not_unique);
      for (Eigen::Index i = 0; i < size; ++i) left[i] = residual(rows_[at(block.rows[at(i)].value())]);
      const Eigen::VectorXd step = factor.solve(left);
      if (!step.allFinite()) return refuse(Restart::Status::no_convergence);
      double relative = 0.0;
      for (Eigen::Index j = 0; j < size; ++j) {
        const int unknown = unknowns_[at(block.columns[at(j)].value())];
        const double next = value_of(unknown) - step[j];
        relative = std::max(relative, std::abs(step[j]) / std::max(std::abs(next), 1e-300));
        enter(unknown, next, 0.0);
      }
      const bool settled = step.isZero(0.0) || relative < 1e-15 || (relative < 1e-10 && relative >= last);
      last = iteration == 0 ? relative : std::min(last, relative);
      if (!settled && iteration + 1 < most_iterations) continue;
      if (!settled) return refuse(Restart::Status::no_convergence);
      for (Eigen::Index i = 0; i < size; ++i) errors[i] = error(rows_[at(block.rows[at(i)].value())]);
      errors = factor.magnify(errors);
      for (Eigen::Index j = 0; j < size; ++j) {
        const int unknown = unknowns_[at(block.columns[at(j)].value())];
        enter(unknown, value_of(unknown), errors[j]);
      }
      return true;
    }
    return true;
  }

  const RestartPlace& place_;
  const Signature& signature_;
  int size_;
  std::vector<int> order_, column_, unknowns_;
  std::vector<char> weighted_;
  std::vector<Row> rows_;
  std::vector<RowMap> laws_;
  Restart result_;
  std::vector<Ball> known_;
  BlockSeries series_;
};

}  // namespace

DueLaws reach_laws(const Model& model, std::span<const int> constraints) {
  DueLaws due;
  for (const Transition& law : model.transitions)
    if (law.when == Transition::When::reach &&
        std::find(constraints.begin(), constraints.end(), law.target) != constraints.end())
      add_law(due, law);
  return due;
}

DueLaws change_laws(const Model& model, std::span<const char> z_before, std::span<const char> z_after) {
  DueLaws due;
  if (z_before.empty()) return due;
  for (const Transition& law : model.transitions) {
    if (law.when == Transition::When::reach) continue;
    const auto binary = at(law.target);
    if (z_before[binary] != z_after[binary] && (z_after[binary] != 0) == (law.when == Transition::When::rise))
      add_law(due, law);
  }
  return due;
}

Restart restart_under_laws(const RestartPlace& place, const DueLaws& laws) {
  if (place.system.plan->differentiated()) {
    Restart positions = settle_positions(place, -2);
    if (!positions.done()) return positions;
  }
  return LawBalance(place, laws).solve();
}

}  // namespace mti
