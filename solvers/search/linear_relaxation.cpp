#include "solvers/search/linear_relaxation.hpp"

#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>
#include <coin/CoinPackedMatrix.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"

extern "C" {

/// What LAPACK, which Clp calls, does about a wrong argument: a defect of Clp. LAPACK's own function says the same, and
/// needs the Fortran runtime for it. Not seen beyond the program that this is linked into.
[[noreturn, gnu::visibility("hidden")]] void xerbla_(const char* routine, const int* argument,
                                                     std::size_t length);
void xerbla_(const char* routine, const int* argument, std::size_t length) {
  std::fprintf(stderr, "LAPACK: argument %d of %.*s is wrong\n", *argument, static_cast<int>(length),
               routine);
  std::abort();
}
}

namespace mti {
namespace {

/// Slack of every row besides that of its errors, relative to its largest entry.
constexpr double row_slack = 1e-7;
/// A bound on a number of flips this close above a whole number counts as that number.
constexpr double nearly_whole = 1e-4;
constexpr int scaling_rounds = 6;
/// Bounds beyond this, where binaries and constants are about 1, are no bounds: they would only spoil the
/// numbers of the solver.
constexpr double far_away = 1e7;

/// Stops Clp when the budget of the run is over; called after each of its iterations.
class StopAtBudget : public ClpEventHandler {
 public:
  int event(Event /*which*/) override { return budget_is_over() ? stop : go_on; }
  [[nodiscard]] ClpEventHandler* clone() const override { return new StopAtBudget(*this); }

 private:
  static constexpr int go_on = -1, stop = 5;
};

}  // namespace

class LinearRelaxation::Programme {
 public:
  Programme(const ConstraintProblem& problem, const ProblemState& state) : problem_(problem) {
    for (int i = 0; i < problem.binaries + problem.unknowns; ++i) boxes_.push_back(box(state, i));
    pinned_.assign(at(problem.binaries), 1);
    pinned_.resize(boxes_.size(), 0);
    for (const ProblemRow& row : problem.rows)
      if (!row.derived) add(row);
    scale();
    load();
  }

  Bound bound(const ProblemState& state) {
    enter(state);
    double offset = 0.0;
    std::vector<double> cost(boxes_.size(), 0.0);
    for (int i = 0; i < problem_.deciders; ++i) {
      cost[at(i)] = problem_.before[at(i)] != 0 ? -1.0 : 1.0;
      offset += problem_.before[at(i)] != 0 ? 1.0 : 0.0;
    }
    const Proof proof = minimise(cost);
    if (proof.impossible) return {false, 0};
    return {true, std::max(0, static_cast<int>(std::ceil(offset + proof.minimum - nearly_whole)))};
  }

  Interval range(const ProblemState& state, int unknown) {
    enter(state);
    const std::size_t column = at(problem_.binaries + unknown);
    std::vector<double> cost(boxes_.size(), 0.0);
    Interval result;
    cost[column] = 1.0;
    const Proof least = minimise(cost);
    cost[column] = -1.0;
    const Proof most = minimise(cost);
    if (least.impossible || most.impossible) return box(state, problem_.binaries + unknown);
    if (least.minimum > -COIN_DBL_MAX) result.lo = least.minimum * column_scale_[column];
    if (most.minimum > -COIN_DBL_MAX) result.hi = -most.minimum * column_scale_[column];
    return result;
  }

 private:
  struct Row {
    std::vector<std::pair<int, double>> entries;
    double lower, upper;
  };
  /// w = Π binaries · v: without a finite bound of v, only decided binaries tie w to v.
  struct Product {
    int column, row;  ///< row: w − v, or −1
    std::vector<int> variables;
    int p, v;
  };
  struct Proof {
    bool impossible = false;
    double minimum = 0.0;
  };

  [[nodiscard]] Interval box(const ProblemState& state, int variable) const {
    if (variable >= problem_.binaries) return state.unknowns[at(variable - problem_.binaries)];
    const signed char value = state.z[at(variable)];
    return value == undecided ? Interval{0.0, 1.0} : Interval::point(value);
  }

  void add(const ProblemRow& row) {
    Row linear{{}, 0.0, 0.0};
    double slack = 0.0;
    for (const ProblemRow::Product& product : row.products)
      for (const ProblemRow::Term& term : product.terms) {
        const double middle = 0.5 * (term.coefficient.lo + term.coefficient.hi);
        const double radius = 0.5 * (term.coefficient.hi - term.coefficient.lo);
        std::vector<int> variables = term.binaries;
        variables.insert(variables.end(), product.unknowns.begin(), product.unknowns.end());
        if (variables.empty()) {
          linear.lower = linear.upper = -middle;
          slack += radius;
          continue;
        }
        const int column = column_of(variables);
        if (radius > 0.0) slack += radius * boxes_[at(column)].magnitude();
        if (middle != 0.0) linear.entries.emplace_back(column, middle);
      }
    if (!std::isfinite(slack)) return;  // says nothing that could be stated here
    linear.lower = row.equation ? linear.lower - slack : -COIN_DBL_MAX;
    linear.upper += slack;
    rows_.push_back(std::move(linear));
  }

  /// The column of a product of variables, made if it is not there.
  int column_of(const std::vector<int>& variables) {
    if (variables.size() == 1) return variables.front();
    if (const auto found = product_columns_.find(variables); found != product_columns_.end())
      return found->second;
    const std::vector<int> first(variables.begin(), variables.end() - 1);
    const int p = column_of(first), v = variables.back();
    const Interval P = boxes_[at(p)], V = boxes_[at(v)];
    const int w = static_cast<int>(boxes_.size());
    boxes_.push_back(P * V);
    pinned_.push_back(static_cast<char>(v < problem_.binaries));
    product_columns_.emplace(variables, w);
    const auto plane = [&](double a, double b, bool above) {  // w ≥ or ≤ a·v + b·p − a·b
      if (std::abs(a) > far_away || std::abs(b) > far_away) return;
      Row row{{{w, 1.0}}, above ? -a * b : -COIN_DBL_MAX, above ? COIN_DBL_MAX : -a * b};
      if (a != 0.0) row.entries.emplace_back(v, -a);
      if (b != 0.0) row.entries.emplace_back(p, -b);
      rows_.push_back(std::move(row));
    };
    plane(P.lo, V.lo, true);
    plane(P.hi, V.hi, true);
    plane(P.hi, V.lo, false);
    plane(P.lo, V.hi, false);
    Product product{w, -1, variables, p, v};
    if (!(V.magnitude() <= far_away) && first.back() < problem_.binaries) {
      product.row = static_cast<int>(rows_.size());
      rows_.push_back({{{w, 1.0}, {v, -1.0}}, -COIN_DBL_MAX, COIN_DBL_MAX});
    }
    products_.push_back(std::move(product));
    return w;
  }

  /// Geometric scaling. Binaries and constants keep theirs, so that the sizes of the unknown signals follow.
  void scale() {
    column_scale_.assign(boxes_.size(), 1.0);
    std::vector<double> row_scale(rows_.size(), 1.0);
    const auto constant_of = [](const Row& row) {
      const double a = std::abs(row.lower), b = std::abs(row.upper);
      return std::max(a < COIN_DBL_MAX ? a : 0.0, b < COIN_DBL_MAX ? b : 0.0);
    };
    for (int round = 0; round < scaling_rounds; ++round) {
      std::vector<double> least(boxes_.size(), COIN_DBL_MAX), most(boxes_.size(), 0.0);
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const double constant = constant_of(rows_[i]);
        double low = constant > 0.0 ? constant : COIN_DBL_MAX, high = constant;
        for (const auto& [column, value] : rows_[i].entries) {
          low = std::min(low, std::abs(value) * column_scale_[at(column)]);
          high = std::max(high, std::abs(value) * column_scale_[at(column)]);
        }
        if (high > 0.0) row_scale[i] = 1.0 / std::sqrt(low * high);
        for (const auto& [column, value] : rows_[i].entries) {
          least[at(column)] = std::min(least[at(column)], std::abs(value) * row_scale[i]);
          most[at(column)] = std::max(most[at(column)], std::abs(value) * row_scale[i]);
        }
      }
      for (std::size_t j = 0; j < boxes_.size(); ++j)
        if (pinned_[j] == 0 && most[j] > 0.0) column_scale_[j] = 1.0 / std::sqrt(least[j] * most[j]);
    }
    for (Row& row : rows_) {
      double largest = constant_of(row);
      for (auto& [column, value] : row.entries) {
        value *= column_scale_[at(column)];
        largest = std::max(largest, std::abs(value));
      }
      if (largest == 0.0) continue;
      for (auto& [column, value] : row.entries) value /= largest;
      if (row.lower > -COIN_DBL_MAX) row.lower = row.lower / largest - row_slack;
      if (row.upper < COIN_DBL_MAX) row.upper = row.upper / largest + row_slack;
    }
  }

  void load() {
    std::vector<int> row_index, column_index;
    std::vector<double> value, lower, upper;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (const auto& [column, entry] : rows_[i].entries) {
        row_index.push_back(static_cast<int>(i));
        column_index.push_back(column);
        value.push_back(entry);
      }
      lower.push_back(rows_[i].lower);
      upper.push_back(rows_[i].upper);
    }
    CoinPackedMatrix matrix(true, row_index.data(), column_index.data(), value.data(),
                            static_cast<int>(value.size()));
    matrix.setDimensions(static_cast<int>(rows_.size()), static_cast<int>(boxes_.size()));
    const std::vector<double> open(boxes_.size(), COIN_DBL_MAX), none(boxes_.size(), 0.0);
    std::vector<double> below(boxes_.size(), -COIN_DBL_MAX);
    clp_.setLogLevel(0);
    const StopAtBudget handler;
    clp_.passInEventHandler(&handler);
    clp_.loadProblem(matrix, below.data(), open.data(), none.data(), lower.data(), upper.data());
    clp_.scaling(0);
    clp_.setMaximumIterations(50 * static_cast<int>(rows_.size() + boxes_.size()));
  }

  void set_column(int column, const Interval& interval) {
    const double scale = column_scale_[at(column)];
    const double lower = interval.lo / scale, upper = interval.hi / scale;
    clp_.setColumnBounds(column, std::abs(lower) <= far_away ? lower : -COIN_DBL_MAX,
                         std::abs(upper) <= far_away ? upper : COIN_DBL_MAX);
  }

  void enter(const ProblemState& state) {
    std::vector<Interval> now(boxes_.size());
    for (int i = 0; i < problem_.binaries + problem_.unknowns; ++i) {
      now[at(i)] = box(state, i);
      set_column(i, now[at(i)]);
    }
    for (const Product& product : products_) {  // in the order they were made: factors first
      Interval& w = now[at(product.column)];
      w = now[at(product.p)] * now[at(product.v)];
      set_column(product.column, w);
      if (product.row < 0) continue;
      const bool one = now[at(product.p)] == Interval::point(1.0);
      clp_.setRowBounds(product.row, one ? -row_slack : -COIN_DBL_MAX, one ? row_slack : COIN_DBL_MAX);
    }
  }

  Proof minimise(const std::vector<double>& cost) {
    for (int j = 0; j < clp_.numberColumns(); ++j) clp_.setObjectiveCoefficient(j, cost[at(j)]);
    // Clp has variables of the whole process; runs in several threads take turns here.
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    clp_.dual();
    check_budget();
    Proof proof{false, -COIN_DBL_MAX};
    if (clp_.status() == 0) {
      proof.minimum = dual_bound({clp_.dualRowSolution(), at(clp_.numberRows())}, cost, 1.0).first;
    } else if (clp_.status() == 1) {
      const std::unique_ptr<double[]> ray(clp_.infeasibilityRay());
      if (ray) {
        const std::vector<double> none(cost.size(), 0.0);
        for (const double sign : {1.0, -1.0}) {
          const auto [bound, size] = dual_bound({ray.get(), at(clp_.numberRows())}, none, sign);
          proof.impossible = proof.impossible || bound > bound_rounding * size;
        }
      }
    }
    return proof;
  }

  /// cᵀx ≥ Σ_i y_i·(activity of row i) + Σ_j (c − Aᵀy)_j x_j, each term at its worst end: the bound, and the
  /// size of the sum's terms.
  [[nodiscard]] std::pair<double, double> dual_bound(std::span<const double> y,
                                                     const std::vector<double>& cost, double sign) const {
    double bound = 0.0, size = 0.0, largest = 0.0;
    for (const double multiplier : y) largest = std::max(largest, std::abs(multiplier));
    const auto take = [&](double factor, double lower, double upper) {
      const double end = factor > 0.0 ? lower : upper;
      bound += factor * end;
      size += std::abs(factor * end);
    };
    std::vector<double> reduced = cost, made_of(cost.size());
    for (std::size_t j = 0; j < cost.size(); ++j) made_of[j] = std::abs(cost[j]);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double multiplier = sign * y[i];
      if (std::abs(multiplier) <= 1e-3 * bound_rounding * largest)
        continue;  // any multiplier proves; 0 as well
      const double end = multiplier > 0.0 ? clp_.rowLower()[i] : clp_.rowUpper()[i];
      if (std::abs(end) >= COIN_DBL_MAX) {
        if (std::abs(multiplier) <= bound_rounding * largest) continue;
        return {-COIN_DBL_MAX, 1.0};
      }
      take(multiplier, end, end);
      for (const auto& [column, value] : rows_[i].entries) {
        reduced[at(column)] -= multiplier * value;
        made_of[at(column)] += std::abs(multiplier * value);
      }
    }
    for (std::size_t j = 0; j < reduced.size(); ++j) {
      if (reduced[j] == 0.0) continue;
      const double end = reduced[j] > 0.0 ? clp_.columnLower()[j] : clp_.columnUpper()[j];
      if (std::abs(end) < COIN_DBL_MAX)
        take(reduced[j], end, end);
      else if (std::abs(reduced[j]) > bound_rounding * made_of[j])
        return {-COIN_DBL_MAX, 1.0};
    }
    return {bound - bound_rounding * size, size};
  }

  const ConstraintProblem& problem_;
  std::vector<Interval> boxes_;  ///< of the columns: binaries, unknown signals, products
  std::vector<char> pinned_;     ///< columns that keep their scale
  std::vector<double> column_scale_;
  std::vector<Row> rows_;
  std::vector<Product> products_;
  std::map<std::vector<int>, int> product_columns_;
  ClpSimplex clp_;
};

LinearRelaxation::LinearRelaxation(const ConstraintProblem& problem, const ProblemState& state)
    : programme_(std::make_unique<Programme>(problem, state)) {}

LinearRelaxation::~LinearRelaxation() = default;

LinearRelaxation::Bound LinearRelaxation::bound(const ProblemState& state) {
  return programme_->bound(state);
}

Interval LinearRelaxation::range(const ProblemState& state, int unknown) {
  return programme_->range(state, unknown);
}

}  // namespace mti
