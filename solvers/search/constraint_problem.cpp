#include "solvers/search/constraint_problem.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"

namespace mti {
namespace {

/// A column with more factors a + b·v, a ≠ 0, is not multiplied out (2^k monomials).
constexpr std::size_t most_affine_factors = 6;

/// c · Π (a + b·v).
struct Column {
  struct Factor {
    int variable;
    double a, b;
  };
  Interval coefficient;
  std::vector<Factor> factors;
};

class Gatherer {
 public:
  Gatherer(const SignalRows& rows, const KnownValue& known, std::span<const int> A,
           std::span<const char> before, const ProblemOptions& options, int deciders)
      : rows_(rows),
        known_(known),
        options_(options),
        equation_seen_(at(rows.f.rows()), 0),
        constraint_seen_(at(rows.g.rows()), 0) {
    problem_.binaries = static_cast<int>(A.size());
    problem_.deciders = deciders < 0 ? problem_.binaries : deciders;
    problem_.before.assign(before.begin(), before.end());
    for (const int binary : A) {
      const int signal = rows.model.signature.binary_row(binary);
      variable_.emplace(signal, static_cast<int>(signals_.size()));
      signals_.push_back(signal);
    }
  }

  ConstraintProblem run() {
    for (std::size_t i = 0; i < at(problem_.binaries); ++i)
      for (const int invariant : rows_.invariants_with[signals_[i]])
        if (invariants_seen_.emplace(invariant, true).second) add_invariant(invariant);
    // NOLINTNEXTLINE(modernize-loop-convert): grows while it is gone through
    for (std::size_t next = 0; next < signals_.size(); ++next)
      if (add_rows(rows_.f, signals_[next], equation_seen_, true))
        add_rows(rows_.g, signals_[next], constraint_seen_, false);
    problem_.unknowns = static_cast<int>(signals_.size()) - problem_.binaries;
    drop_rows_that_define_only();
    return std::move(problem_);
  }

 private:
  /// The variable of a signal, or nothing for one that is known.
  std::optional<int> variable_of(int signal, Interval& value) {
    if (const auto found = variable_.find(signal); found != variable_.end()) return found->second;
    const Ball carried = known_(signal);
    if (std::isfinite(carried.error)) {
      const double error = options_.safety * carried.error;
      value = {carried.value - error, carried.value + error};
      return std::nullopt;
    }
    const int variable = static_cast<int>(signals_.size());
    variable_.emplace(signal, variable);
    signals_.push_back(signal);
    return variable;
  }

  /// Nothing of a row with a function of something unknown: it excludes no binaries by itself.
  std::optional<std::vector<Column>> columns_of(const RowMap& map, int row) {
    std::vector<Column> columns;
    for (const RowMap::Term& term : map.terms(row)) {
      if (const ElementaryFunction* const phi = map.function_of(term.column)) {
        Interval value;
        const int signal = map.factors(term.column)[0].signal;
        if (!std::isfinite(known_(signal).error)) return std::nullopt;
        (void)variable_of(signal, value);
        const double middle = 0.5 * (value.lo + value.hi), r = phi->value(middle);
        const double error = phi->error(middle, 0.5 * (value.hi - value.lo));
        if (!std::isfinite(r) || !std::isfinite(error)) return std::nullopt;
        columns.push_back({Interval::point(term.Phi) * Interval{r - error, r + error}, {}});
        continue;
      }
      Column column{Interval::point(term.Phi), {}};
      for (const RowMap::Factor& factor : map.factors(term.column)) {
        const double a = 1.0 - std::abs(factor.S);
        Interval value;
        if (const auto variable = variable_of(factor.signal, value))
          column.factors.push_back({*variable, a, factor.S});
        else
          column.coefficient = column.coefficient * (Interval::point(a) + Interval::point(factor.S) * value);
      }
      if (column.coefficient != Interval::point(0.0)) columns.push_back(std::move(column));
    }
    return columns;
  }

  /// The rows that hold a signal, as far as they are new; false if there are too many.
  bool add_rows(const IndexedRowMap& map, int signal, std::vector<char>& seen, bool equations) {
    for (const int row : map.with(signal)) {
      if (std::exchange(seen[at(row)], 1) != 0) continue;
      if (++rows_taken_ > options_.most_rows) return false;
      if (const auto columns = columns_of(map, row)) add_row(*columns, equations);
    }
    return true;
  }

  void add_row(const std::vector<Column>& columns, bool equation) {
    std::vector<int> variables;
    for (const Column& column : columns)
      for (const Column::Factor& factor : column.factors) variables.push_back(factor.variable);
    sort_distinct(variables);
    const bool logic = variables.empty() || variables.back() < problem_.binaries;
    if (logic && variables.size() <= TruthTable::most_variables)
      add_table(columns, variables, equation);
    else
      add_monomials(columns, equation);
  }

  void add_table(const std::vector<Column>& columns, const std::vector<int>& variables, bool equation) {
    const auto bit_of = [&](int variable, unsigned vertex) {
      const auto place = std::ranges::lower_bound(variables, variable) - variables.begin();
      return static_cast<double>(vertex >> place & 1U);
    };
    add_table(TruthTable(variables, [&](unsigned vertex) {
      Interval sum = Interval::point(0.0);
      double size = 0.0;
      for (const Column& column : columns) {
        double product = 1.0;
        for (const Column::Factor& factor : column.factors)
          product *= factor.a + factor.b * bit_of(factor.variable, vertex);
        const Interval term = column.coefficient * Interval::point(product);
        sum = sum + term;
        size += term.magnitude();
      }
      return sum.lo <= bound_rounding * size && (!equation || sum.hi >= -bound_rounding * size);
    }));
  }

  void add_table(TruthTable table) {
    problem_.impossible = problem_.impossible || table.never();
    if (!table.always()) problem_.tables.push_back(std::move(table));
  }

  /// Multiplies out and collects equal monomials. A row with too many affine factors is left out.
  void add_monomials(const std::vector<Column>& columns, bool equation) {
    std::map<std::vector<int>, Interval> monomials;
    for (const Column& column : columns) {
      const auto affine = [](const Column::Factor& factor) { return factor.a != 0.0; };
      if (at(static_cast<int>(std::ranges::count_if(column.factors, affine))) > most_affine_factors) return;
      std::vector<std::pair<std::vector<int>, double>> products{{{}, 1.0}};
      for (const Column::Factor& factor : column.factors) {
        const std::size_t count = products.size();
        for (std::size_t i = 0; i < count; ++i) {
          if (factor.a != 0.0) products.emplace_back(products[i].first, products[i].second * factor.a);
          products[i].first.push_back(factor.variable);
          products[i].second *= factor.b;
        }
      }
      for (auto& [variables, weight] : products) {
        std::ranges::sort(variables);
        Interval& sum = monomials.try_emplace(variables, Interval::point(0.0)).first->second;
        sum = sum + column.coefficient * Interval::point(weight);
      }
    }
    std::map<std::vector<int>, std::vector<ProblemRow::Term>> products;
    for (const auto& [variables, coefficient] : monomials) {
      const auto split = std::ranges::lower_bound(variables, problem_.binaries);
      products[{split, variables.end()}].push_back({coefficient, {variables.begin(), split}});
    }
    ProblemRow row;
    row.equation = equation;
    for (auto& [unknowns, terms] : products) row.products.push_back({unknowns, std::move(terms)});
    row.index_uses();
    problem_.rows.push_back(std::move(row));
  }

  /// None with a binary that slides, or may: which value counts there is for the judge to say.
  void add_invariant(int index) {
    ProblemFormula local{rows_.model.invariants[at(index)], {}};
    for (BooleanFormula::Step& step : local.formula.steps) {
      if (step.operation != BooleanFormula::Operation::variable) continue;
      if (const auto found = variable_.find(step.row); found != variable_.end()) {
        step.row = found->second;
        local.variables.push_back(found->second);
        continue;
      }
      const Ball value = known_(step.row);
      if (value.error != 0.0) return;
      step = {BooleanFormula::Operation::constant, -1, value.value != 0.0};
    }
    sort_distinct(local.variables);
    if (local.variables.size() > TruthTable::most_variables) {
      problem_.formulas.push_back(std::move(local));
      return;
    }
    add_table(TruthTable(local.variables, [&](unsigned vertex) {
      return local.formula.evaluate([&](int variable) {
        const auto place = std::ranges::lower_bound(local.variables, variable) - local.variables.begin();
        return (vertex >> place & 1U) != 0;
      });
    }));
  }

  /// A row that holds an unknown signal which occurs nowhere else, with a coefficient that is not zero, only
  /// gives that signal its value, or a bound.
  void drop_rows_that_define_only() {
    std::vector<int> occurrences(signals_.size(), 0);
    for (const ProblemRow& row : problem_.rows)
      for (const ProblemRow::Use& use : row.uses) ++occurrences[at(use.variable)];
    const auto defines_only = [&](const ProblemRow& row) {
      return std::ranges::any_of(row.uses, [&](const ProblemRow::Use& use) {
        if (use.variable < problem_.binaries || occurrences[at(use.variable)] != 1 ||
            use.products.size() != 1)
          return false;
        const ProblemRow::Product& product = row.products[at(use.products.front())];
        return product.unknowns.size() == 1 && product.terms.size() == 1 &&
               product.terms.front().binaries.empty() && !product.terms.front().coefficient.contains(0.0);
      });
    };
    for (bool again = true; again;) {
      again = false;
      std::erase_if(problem_.rows, [&](const ProblemRow& row) {
        if (!defines_only(row)) return false;
        for (const ProblemRow::Use& use : row.uses) --occurrences[at(use.variable)];
        again = true;
        return true;
      });
    }
  }

  const SignalRows& rows_;
  const KnownValue& known_;
  const ProblemOptions& options_;
  ConstraintProblem problem_;
  std::vector<int> signals_;  ///< of the variables
  std::unordered_map<int, int> variable_;
  std::unordered_map<int, bool> invariants_seen_;
  std::vector<char> equation_seen_, constraint_seen_;
  std::size_t rows_taken_ = 0;
};

}  // namespace

ConstraintProblem gather(const SignalRows& rows, const KnownValue& known, std::span<const int> A,
                         std::span<const char> before, const ProblemOptions& options, int deciders) {
  return Gatherer(rows, known, A, before, options, deciders).run();
}

}  // namespace mti
