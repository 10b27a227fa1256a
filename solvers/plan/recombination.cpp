#include "solvers/plan/recombination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/plan/combination.hpp"
#include "solvers/plan/left_null_vectors.hpp"
#include "solvers/plan/signal_set.hpp"
#include "solvers/plan/surplus_row.hpp"
#include "solvers/plan/system_jacobian.hpp"

namespace mti {
namespace {

/// Leading derivatives have to cancel at least to this.
constexpr double least_cancellation = 1e-9;

class Recombiner {
 public:
  Recombiner(const Model& model, const RowMap& f, std::span<const int> unknowns)
      : signature_(model.signature),
        divisors_(model.divisors),
        rules_(model),
        f_(f),
        unknowns_(unknowns.begin(), unknowns.end()),
        unknown_signals_(signature_) {
    for (const int unknown : unknowns_) {
      unknown_signals_.insert(unknown);
      if (unknown < signature_.n()) unknown_signals_.insert(unknown + signature_.n());
    }
  }

  std::optional<Recombination> run() {
    expand();
    long value = std::numeric_limits<long>::max();
    for (;;) {
      check_budget();
      rebuild();
      const bool over = !result_.plan.over_determined.empty();
      if (!over) {
        // Σd − Σc falls with every round; otherwise rounding has decided a rank wrongly.
        const long next = degrees_of_freedom(result_.plan);
        if (next >= value) break;
        value = next;
      }
      const std::size_t dropped = result_.redundant.size();
      if (!(over ? reduce_over_determined() : reduce_singular_blocks())) break;
      if (result_.redundant.size() > dropped) value = std::numeric_limits<long>::max();
      if (contradicts_) {
        rebuild();
        break;
      }
    }
    if (result_.steps.empty()) return std::nullopt;
    std::sort(result_.redundant.begin(), result_.redundant.end());
    return std::move(result_);
  }

 private:
  /// Rows that hold functions, or too many affine factors, take no part: they are empty.
  void expand() {
    for (const EquationRow row : indices<EquationRow>(f_.rows())) {
      check_budget();
      rows_.append(JetPolynomial::of_row(f_, row.value(), rules_).value_or(JetPolynomial()));
      replaced_.append(0);
      result_.origins.append({row});
      result_.dirac_parts.append({});
    }
  }

  /// f and its plan from the rows as they are.
  void rebuild() {
    RowMap::Builder builder;
    std::vector<int> live;
    std::vector<RowMap::Factor> factors;
    for (const EquationRow row : rows_.indices()) {
      builder.begin_row();
      bool holds_signal = false;
      const auto add = [&](double coefficient, const ElementaryFunction* phi = nullptr) {
        builder.add_term(coefficient, factors, phi);
        holds_signal = holds_signal || !factors.empty();
      };
      if (replaced_[row] == 0) {
        for (const RowMap::Term& term : f_.terms(row.value())) {
          const auto of_term = f_.factors(term.column);
          factors.assign(of_term.begin(), of_term.end());
          add(term.Phi, f_.function_of(term.column));
        }
      } else {
        for (const auto& [monomial, coefficient] : rows_[row].terms()) {
          factors.clear();
          for (const Jet jet : monomial) factors.push_back({row_of(jet), 1.0});
          add(coefficient.value);
        }
      }
      if (holds_signal) live.push_back(row.value());
    }
    result_.f = builder.build();
    std::vector<int> unknowns = unknowns_;
    AbsentSignals absent = find_absent(result_.f, signature_, live);
    std::erase_if(unknowns, [&](int row) { return std::ranges::binary_search(absent.slopes, row); });
    result_.plan = signature_.is_discrete()
                       ? plan_solution(result_.f, signature_, live, unknowns)
                       : plan_with_differentiation(result_.f, signature_, live, unknowns, divisors_);
    result_.plan.absent = std::move(absent);
  }

  /// The row of S of a jet that equations may hold.
  int row_of(Jet jet) {
    if (jet.order == 0) return jet.signal;
    if (rules_.is_state(jet.signal)) return jet.signal - signature_.n();
    const DifferentiatedInput derivative{jet.signal - signature_.input_row(0), jet.order};
    const auto found = std::find(result_.inputs.begin(), result_.inputs.end(), derivative);
    const auto place = static_cast<int>(found - result_.inputs.begin());
    if (found == result_.inputs.end()) result_.inputs.push_back(derivative);
    return signature_.size() + place;
  }

  /// Equations hold ẋ, x, y, ζ, inputs and their derivatives, each once in a product.
  [[nodiscard]] bool can_be_written(const JetPolynomial::Monomial& monomial) const {
    return std::adjacent_find(monomial.begin(), monomial.end()) == monomial.end() &&
           std::all_of(monomial.begin(), monomial.end(), [&](Jet jet) {
             return jet.order == 0 || rules_.is_input(jet.signal) ||
                    (rules_.is_state(jet.signal) && jet.order == 1 && !signature_.is_discrete());
           });
  }

  [[nodiscard]] bool can_be_written(const JetPolynomial& row) const {
    return std::all_of(row.terms().begin(), row.terms().end(),
                       [&](const auto& term) { return can_be_written(term.first); });
  }

  [[nodiscard]] bool holds_unknown(const JetPolynomial::Monomial& monomial) const {
    return std::any_of(monomial.begin(), monomial.end(),
                       [&](Jet jet) { return unknown_signals_.contains(jet.signal); });
  }

  [[nodiscard]] long degrees_of_freedom(const SolutionPlan& plan) const {
    long sum = 0;
    for (const SolutionBlock& block : plan.blocks)
      for (std::size_t i = 0; i < block.unknowns.size(); ++i) {
        sum += block.unknowns[i] < signature_.n() ? 1 : 0;
        if (block.differentiated()) sum += block.e[i] - block.c[i];
      }
    return sum;
  }

  /// Rows of an over-determined part that are combinations of the others, as they stand.
  bool reduce_over_determined() {
    Indexed<MatrixRow, EquationRow> equations;
    Indexed<MatrixRow, std::vector<JetPolynomial>> matrix;
    for (const int row : result_.plan.over_determined) {
      const EquationRow equation(row);
      JetPolynomial with_unknowns = rows_[equation];
      with_unknowns.drop_if(
          [&](const JetPolynomial::Monomial& monomial, const auto&) { return !holds_unknown(monomial); });
      if (with_unknowns.empty()) continue;  // it says something about known signals alone
      equations.append(equation);
      matrix.append({std::move(with_unknowns)});
    }
    const Indexed<MatrixRow, int> levels(equations.size(), 0);
    bool changed = false;
    for (const LeftNullVector& vector : left_null_vectors(matrix, levels)) {
      Parts parts = {{equations[vector.pivot], 1.0, 0}};
      for (const auto& [row, factor] : vector.others) parts.push_back({equations[row], factor, 0});
      Combination combination = combine(parts);
      combination.row.drop_if(
          [&](const JetPolynomial::Monomial& monomial, const auto&) { return holds_unknown(monomial); });
      combination.step.surplus = true;
      enter(std::move(combination));
      changed = true;
    }
    return changed || drop_surplus_row(equations);
  }

  /// A row of an over-determined part that follows from others once these are differentiated.
  bool drop_surplus_row(const Indexed<MatrixRow, EquationRow>& equations) {
    if (signature_.is_discrete()) return false;
    std::vector<EquationRow> rows;
    for (const MatrixRow row : equations.indices()) rows.push_back(equations[row]);
    std::optional<Combination> combination = surplus_row(rows, combined_rows(), rules_);
    if (!combination) return false;
    enter(std::move(*combination));
    return true;
  }

  bool reduce_singular_blocks() {
    if (signature_.is_discrete()) return false;
    SignalSet open(signature_);
    for (const int unknown : result_.plan.under_determined) open.insert(unknown);
    bool changed = false;
    const std::vector<SolutionBlock> blocks = result_.plan.blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const bool determined =
          std::all_of(blocks[b].unknowns.begin(), blocks[b].unknowns.end(), [&](int unknown) {
            const bool state = rules_.is_state(unknown);
            return !open.contains(unknown) && (!state || !open.contains(unknown - signature_.n()));
          });
      if (determined) changed = reduce(blocks, b) || changed;
    }
    return changed;
  }

  [[nodiscard]] static int offset(const SolutionBlock& block, std::size_t i) {
    return block.differentiated() ? block.c[i] : 0;
  }

  /// The leading derivative of the j-th unknown as equations of offset c hold it.
  [[nodiscard]] Jet leading(const SolutionBlock& block, std::size_t j, int c) const {
    const int unknown = block.unknowns[j], e = block.differentiated() ? block.e[j] : 0;
    if (unknown < signature_.n()) return {unknown + signature_.n(), e + 1 - c};
    return {unknown, e - c};
  }

  bool reduce(std::span<const SolutionBlock> blocks, std::size_t b) {
    const SolutionBlock& block = blocks[b];
    Indexed<MatrixRow, EquationRow> equations;
    Indexed<MatrixRow, std::vector<JetPolynomial>> matrix;
    Indexed<MatrixRow, int> levels;
    for (std::size_t i = 0; i < block.equations.size(); ++i) {
      check_budget();
      const EquationRow equation(block.equations[i]);
      if (rows_[equation].empty()) continue;
      const int level = offset(block, i);
      std::vector<JetPolynomial> row;
      for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
        const Jet jet = leading(block, j, level);
        row.push_back(jet.order < 0 ? JetPolynomial() : rows_[equation].derivative_by(jet));
      }
      equations.append(equation);
      levels.append(level);
      matrix.append(std::move(row));
    }
    bool changed = false;
    for (const LeftNullVector& vector : left_null_vectors(matrix, levels)) {
      const int lowest = levels[vector.pivot];
      const bool in_order = std::all_of(vector.others.begin(), vector.others.end(),
                                        [&](const auto& other) { return levels[other.first] >= lowest; });
      if (!in_order) continue;
      Parts parts = {{equations[vector.pivot], 1.0, 0}};
      for (const auto& [row, factor] : vector.others)
        parts.push_back({equations[row], factor, levels[row] - lowest});
      Combination combination = combine(parts);
      if (!drop_leading(block, lowest, combination.row)) continue;
      if (!can_be_written(combination.row)) {
        const Parts more = parts_to_write(combination.row, parts.front().equation, lowest, blocks, b);
        parts.insert(parts.end(), more.begin(), more.end());
        combination = combine(parts);
        if (!drop_leading(block, lowest, combination.row) || !can_be_written(combination.row)) continue;
      }
      enter(std::move(combination));
      changed = true;
    }
    return changed;
  }

  using Parts = std::vector<Recombination::Step::Part>;

  /// Derivatives of other rows that take from `row`, which is to replace a row of offset `level` in block b, what
  /// cannot be written; none if they cannot. They hold no leading derivative but those of earlier blocks, so that
  /// Σd − Σc falls with them as without.
  [[nodiscard]] Parts parts_to_write(const JetPolynomial& row, EquationRow replaced, int level,
                                     std::span<const SolutionBlock> blocks, std::size_t b) const {
    Parts candidates = {{replaced, 1.0, 0}};
    Indexed<MatrixRow, std::vector<JetPolynomial>> matrix;
    Indexed<MatrixRow, int> levels;
    const auto append = [&](JetPolynomial polynomial) {
      polynomial.drop_if([&](const auto& monomial, const auto&) { return can_be_written(monomial); });
      if (polynomial.empty()) return false;
      levels.append(matrix.empty() ? 0 : 1);
      matrix.append({std::move(polynomial)});
      return true;
    };
    append(row);
    for (std::size_t other = 0; other < blocks.size(); ++other)
      for (std::size_t i = 0; i < blocks[other].equations.size(); ++i) {
        check_budget();
        const EquationRow equation(blocks[other].equations[i]);
        if (equation == replaced) continue;
        const int most = offset(blocks[other], i) - level - (other < b ? 0 : 1);
        JetPolynomial derivative = rows_[equation];
        for (int times = 1; times <= most; ++times) {
          derivative = derivative.derivative(rules_);
          if (append(derivative)) candidates.push_back({equation, 1.0, times});
        }
      }
    Parts parts;
    for (const LeftNullVector& vector : left_null_vectors(matrix, levels)) {
      if (vector.pivot != MatrixRow(0)) continue;
      for (const auto& [place, factor] : vector.others) {
        const Recombination::Step::Part& part = candidates[at(place.value())];
        parts.push_back({part.equation, factor, part.times});
      }
    }
    return parts;
  }

  [[nodiscard]] Combination combine(const Parts& parts) const {
    return mti::combine(parts, combined_rows(), rules_);
  }

  [[nodiscard]] CombinedRows combined_rows() const { return {rows_, result_.origins, result_.dirac_parts}; }

  /// Removes the terms that cancel by the choice of the factors; false if they do not.
  [[nodiscard]] bool drop_leading(const SolutionBlock& block, int level, JetPolynomial& row) const {
    bool cancels = true;
    for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
      const Jet highest = leading(block, j, level);
      row.drop_if([&](const JetPolynomial::Monomial& monomial,
                      const JetPolynomial::Coefficient& coefficient) {
        const bool leads = std::any_of(monomial.begin(), monomial.end(), [&](Jet jet) {
          return jet.signal == highest.signal && jet.order >= highest.order;
        });
        cancels = cancels && (!leads || std::abs(coefficient.value) <= least_cancellation * coefficient.size);
        return leads;
      });
    }
    return cancels;
  }

  void enter(Combination combination) {
    const EquationRow equation = combination.step.equation;
    std::vector<EquationRow> origins;
    for (const Recombination::Step::Part& part : combination.step.parts) {
      const std::vector<EquationRow>& of_part = result_.origins[part.equation];
      origins.insert(origins.end(), of_part.begin(), of_part.end());
    }
    sort_distinct(origins);
    result_.origins[equation] = std::move(origins);
    const auto& terms = combination.row.terms();
    combination.step.dropped = terms.empty();
    if (terms.empty()) result_.redundant.push_back(equation);
    contradicts_ = contradicts_ || (terms.size() == 1 && terms.begin()->first.empty());
    rows_[equation] = std::move(combination.row);
    result_.dirac_parts[equation] = std::move(combination.dirac);
    replaced_[equation] = 1;
    result_.steps.push_back(std::move(combination.step));
  }

  const Signature& signature_;
  std::span<const Divisor> divisors_;
  JetRules rules_;
  const RowMap& f_;
  std::vector<int> unknowns_;
  SignalSet unknown_signals_;  ///< of a state with its derivative
  Indexed<EquationRow, JetPolynomial> rows_;
  Indexed<EquationRow, char> replaced_;
  bool contradicts_ = false;
  Recombination result_;
};

}  // namespace

std::optional<Recombination> recombine(const Model& model, const RowMap& f, std::span<const int> unknowns) {
  return Recombiner(model, f, unknowns).run();
}

}  // namespace mti
