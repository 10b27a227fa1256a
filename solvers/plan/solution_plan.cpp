#include "solvers/plan/solution_plan.hpp"

#include <algorithm>

#include "mti/common/at.hpp"
#include "solvers/plan/signal_set.hpp"
#include "solvers/plan/stage_matching.hpp"
#include "solvers/structure/dulmage_mendelsohn.hpp"
#include "solvers/structure/sigma_method.hpp"

namespace mti {
namespace {

/// What the rows and the columns of a pattern stand for: rows of f, and rows of S.
using Equations = IndexedSpan<PatternRow, int>;
using Unknowns = IndexedSpan<PatternColumn, int>;

/// The column of a signal; none of one that the list does not know, such as a derivative of an input.
PatternColumn column_in(const std::vector<PatternColumn>& column_of, int signal) {
  return at(signal) < column_of.size() ? column_of[at(signal)] : PatternColumn();
}

/// No column of the equation holds two marked signals, and none is a function of one.
bool is_linear(const RowMap& f, int equation, const SignalSet& marked) {
  const auto terms = f.terms(equation);
  return std::all_of(terms.begin(), terms.end(), [&](const RowMap::Term& term) {
    const auto factors = f.factors(term.column);
    const int most = f.function_of(term.column) == nullptr ? 1 : 0;
    return std::count_if(factors.begin(), factors.end(), [&](const RowMap::Factor& factor) {
             return marked.contains(factor.signal);
           }) <= most;
  });
}

/// No column of the equations that are not differentiated holds two unknowns of order 0.
bool is_linear(const RowMap& f, const SolutionBlock& block, SignalSet& marked) {
  for (std::size_t i = 0; i < block.unknowns.size(); ++i)
    if (block.e.empty() || block.e[i] == 0) marked.insert(block.unknowns[i]);
  bool linear = true;
  for (std::size_t i = 0; i < block.equations.size(); ++i) {
    if (!block.c.empty() && block.c[i] > 0) continue;
    linear = linear && is_linear(f, block.equations[i], marked);
  }
  for (const int unknown : block.unknowns) marked.erase(unknown);
  return linear;
}

/// The columns that each equation contains; `column_of` has an entry for each row of S.
Incidence pattern_of(const RowMap& f, Equations equations, const std::vector<PatternColumn>& column_of,
                     int columns) {
  Incidence pattern(columns);
  std::vector<PatternColumn> found;
  for (const int equation : equations) {
    found.clear();
    for (const RowMap::Term& term : f.terms(equation))
      for (const RowMap::Factor& factor : f.factors(term.column))
        if (const PatternColumn column = column_in(column_of, factor.signal); column.exists())
          found.push_back(column);
    pattern.add_row(found);
  }
  return pattern;
}

/// σ of the equations: columns are the unknowns; for ẋ_i: 1 where ẋ_i occurs, 0 where only x_i does. Signals
/// without a column, such as those that are left undetermined, count as known.
SigmaMatrix sigma_matrix(const RowMap& f, const Signature& signature, Equations equations,
                         Unknowns unknowns) {
  std::vector<PatternColumn> column_of(at(signature.size()));
  for (const PatternColumn column : unknowns.indices()) {
    const int unknown = unknowns[column];
    column_of[at(unknown)] = column;
    if (unknown < signature.state_row(0)) column_of[at(signature.state_row(unknown))] = column;
  }
  SigmaMatrix sigma{pattern_of(f, equations, column_of, unknowns.size()), {}};
  Indexed<PatternColumn, int> order(unknowns.size(), 0);
  for (const PatternRow row : equations.indices()) {
    for (const RowMap::Term& term : f.terms(equations[row]))
      for (const RowMap::Factor& factor : f.factors(term.column))
        if (factor.signal < signature.state_row(0) && column_of[at(factor.signal)].exists())
          order[column_of[at(factor.signal)]] = 1;
    std::vector<int> orders;
    for (const PatternColumn column : sigma.pattern.row(row)) {
      orders.push_back(order[column]);
      order[column] = 0;
    }
    sigma.order.append(std::move(orders));
  }
  return sigma;
}

/// A block one stage below 0: its slopes give jumps, the rest of order 0 gives Dirac weights.
SolutionBlock balance_of(SolutionBlock block, const RowMap& f, const Signature& signature,
                         SignalSet& marked) {
  for (int& c : block.c) --c;
  for (int& e : block.e) --e;
  for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
    const int unknown = block.unknowns[j];
    if (block.e[j] == 0) marked.insert(unknown);
    if (block.e[j] == -1 && unknown < signature.state_row(0)) marked.insert(unknown + signature.n());
  }
  for (std::size_t i = 0; i < block.equations.size(); ++i) {
    if (block.c[i] != 0) continue;  // linear in its highest derivatives, or in the weights
    block.linear = block.linear && is_linear(f, block.equations[i], marked);
  }
  for (const int unknown : block.unknowns) {
    marked.erase(unknown);
    if (unknown < signature.state_row(0)) marked.erase(unknown + signature.n());
  }
  return block;
}

/// What is solved at the early stage k < 0 for given x: order c_i + k of the equations for order e_j + k of
/// the unknowns. All of them are found, since in the leading system each is matched with such an equation.
void add_early_stage(const SigmaMatrix& sigma, const Offsets& offsets, Equations equations, Unknowns unknowns,
                     const Indexed<PatternColumn, int>& e, const RowMap& f, std::span<const Divisor> divisors,
                     int k, SignalSet& marked, SolutionPlan& plan) {
  // The stage has a pattern of its own: its equations and unknowns with their orders, by its rows and columns.
  Indexed<PatternRow, int> stage_equations, stage_c;
  Indexed<PatternColumn, int> stage_unknowns, stage_e;
  Indexed<PatternColumn, PatternColumn> stage_column(unknowns.size());
  for (const PatternColumn j : unknowns.indices())
    if (e[j] + k >= 0) {
      stage_column[j] = stage_unknowns.append(unknowns[j]);
      stage_e.append(e[j] + k);
    }
  Incidence pattern(stage_unknowns.size());
  std::vector<PatternColumn> tight;
  for (const PatternRow i : sigma.pattern.row_indices()) {
    if (offsets.c[i] + k < 0) continue;
    stage_equations.append(equations[i]);
    stage_c.append(offsets.c[i] + k);
    tight.clear();
    const auto columns = sigma.pattern.row(i);
    for (std::size_t entry = 0; entry < columns.size(); ++entry)
      if (const PatternColumn j = columns[entry];
          stage_column[j].exists() && offsets.d[j] - offsets.c[i] == sigma.order[i][entry])
        tight.push_back(stage_column[j]);
    pattern.add_row(tight);
  }
  const Matching matching = match_linear_rows_first(pattern, stage_equations, stage_unknowns, f, divisors);
  SolutionPlan::Stage& stage = plan.early.emplace_back();
  for (const Block& part : block_triangular_form(pattern, matching.row_match)) {
    SolutionBlock block{stage_equations.select(part.rows), stage_unknowns.select(part.columns),
                        stage_c.select(part.rows), stage_e.select(part.columns)};
    block.linear = is_linear(f, block, marked);
    stage.blocks.push_back(std::move(block));
  }
  for (const PatternRow row : pattern.row_indices())
    if (!matching.row_match[row].exists()) stage.conditions.push_back({stage_equations[row], stage_c[row]});
}

/// The stages and blocks of a plan from the offsets of `equations` against `determined`: ẋ and y by their
/// rows of S, each with a partner.
void fill_with_offsets(const RowMap& f, const Signature& signature, Equations equations,
                       Indexed<PatternColumn, int> determined, const Offsets& offsets,
                       std::span<const Divisor> divisors, SolutionPlan& plan) {
  const Indexed<PatternColumn, int> slopes = determined;
  const auto is_slope = [&](int row) { return row < signature.state_row(0); };
  Indexed<PatternColumn, int> e(determined.size());
  for (const PatternColumn j : determined.indices()) {
    e[j] = offsets.d[j];
    if (is_slope(determined[j]) && offsets.d[j] == 0) {
      determined[j] += signature.n();
      plan.algebraic_states.push_back(determined[j]);
    } else if (is_slope(determined[j])) {
      --e[j];
    }
    plan.depth = std::max(plan.depth, e[j] + 1);
  }
  plan.depth = std::max(plan.depth, offsets.largest_c());
  SignalSet marked(signature);
  if (offsets.largest_c() > 0) {
    const SigmaMatrix sigma = sigma_matrix(f, signature, equations, slopes);
    for (int k = -offsets.largest_c(); k < 0; ++k)
      add_early_stage(sigma, offsets, equations, determined, e, f, divisors, k, marked, plan);
  }
  for (const Block& part : offsets.blocks) {
    SolutionBlock block{equations.select(part.rows), determined.select(part.columns),
                        offsets.c.select(part.rows), e.select(part.columns)};
    if (plan.differentiated()) plan.balance.push_back(balance_of(block, f, signature, marked));
    const auto zero = [](int order) { return order == 0; };
    if (std::all_of(block.c.begin(), block.c.end(), zero) &&
        std::all_of(block.e.begin(), block.e.end(), zero)) {
      block.c.clear();
      block.e.clear();
    }
    block.linear = is_linear(f, block, marked);
    plan.blocks.push_back(std::move(block));
  }
}

}  // namespace

BlockGraph::BlockGraph(const SolutionPlan& plan, const RowMap& model_f, const Signature& signature)
    : owner_(at(signature.size()), -1), solver_of_(at(model_f.rows()), -1) {
  const int blocks = static_cast<int>(plan.blocks.size());
  for (int b = 0; b < blocks; ++b) {
    for (const int unknown : plan.blocks[at(b)].unknowns) owner_[at(unknown)] = b;
    for (const int equation : plan.blocks[at(b)].equations) solver_of_[at(equation)] = b;
  }
  std::vector<int> count(at(blocks) + 1, 0);
  for (int b = 0; b < blocks; ++b) {
    const auto first = static_cast<std::ptrdiff_t>(inputs_.size());
    for (const int equation : plan.blocks[at(b)].equations)
      for (const RowMap::Term& term : model_f.terms(equation))
        for (const RowMap::Factor& factor : model_f.factors(term.column)) {
          const bool state =
              factor.signal >= signature.state_row(0) && factor.signal < signature.input_row(0);
          const int owner = owner_[at(state ? factor.signal - signature.n() : factor.signal)];
          // The mode itself takes nothing from later blocks.
          if (owner >= 0 && (state || owner < b)) inputs_.push_back({owner, state});
        }
    const auto less = [](const Input& l, const Input& r) {
      return l.block != r.block ? l.block < r.block : l.of_slope < r.of_slope;
    };
    const auto same = [](const Input& l, const Input& r) {
      return l.block == r.block && l.of_slope == r.of_slope;
    };
    std::sort(inputs_.begin() + first, inputs_.end(), less);
    inputs_.erase(std::unique(inputs_.begin() + first, inputs_.end(), same), inputs_.end());
    input_start_.push_back(static_cast<int>(inputs_.size()));
    for (auto input = inputs_.begin() + first; input != inputs_.end(); ++input)
      if (!input->of_slope) ++count[at(input->block)];
  }
  for (int b = 0; b < blocks; ++b) dependent_start_.push_back(dependent_start_.back() + count[at(b)]);
  dependents_.resize(at(dependent_start_.back()));
  std::vector<int> next(dependent_start_.begin(), dependent_start_.end() - 1);
  for (int b = 0; b < blocks; ++b)
    for (const Input& input : inputs(b))
      if (!input.of_slope) dependents_[at(next[at(input.block)]++)] = b;
}

AbsentSignals find_absent(const RowMap& f, const Signature& signature, std::span<const int> equations) {
  SignalSet occurring(signature);
  for (const int equation : equations)
    for (const RowMap::Term& term : f.terms(equation))
      for (const RowMap::Factor& factor : f.factors(term.column)) occurring.insert(factor.signal);
  AbsentSignals absent;
  for (int i = 0; i < signature.n(); ++i)
    if (!occurring.contains(signature.derivative_row(i)) && !occurring.contains(signature.state_row(i)))
      absent.slopes.push_back(signature.derivative_row(i));
  for (int i = 0; i < signature.p(); ++i)
    if (!occurring.contains(signature.algebraic_row(i)))
      absent.algebraic.push_back(signature.algebraic_row(i));
  return absent;
}

SolutionPlan plan_solution(const RowMap& f, const Signature& signature, std::span<const int> equations,
                           std::span<const int> unknowns) {
  SolutionPlan plan;
  const Equations equation_of(equations);
  const Unknowns unknown_of(unknowns);
  std::vector<PatternColumn> column_of(at(signature.size()));
  for (const PatternColumn column : unknown_of.indices()) column_of[at(unknown_of[column])] = column;
  const Incidence pattern = pattern_of(f, equation_of, column_of, unknown_of.size());
  const DulmageMendelsohn parts = dulmage_mendelsohn(pattern);
  plan.over_determined = equation_of.select(parts.over_rows);
  plan.under_determined = unknown_of.select(parts.under_columns);
  for (const PatternColumn column : parts.under_columns)
    if (!parts.column_match[column].exists()) plan.unmatched.push_back(unknown_of[column]);
  SignalSet marked(signature);
  for (const Block& part : block_triangular_form(pattern, parts.row_match)) {
    SolutionBlock block{equation_of.select(part.rows), unknown_of.select(part.columns)};
    block.linear = is_linear(f, block, marked);
    plan.blocks.push_back(std::move(block));
  }
  return plan;
}

SolutionPlan plan_with_differentiation(const RowMap& f, const Signature& signature,
                                       std::span<const int> equations, std::span<const int> unknowns,
                                       std::span<const Divisor> divisors) {
  SolutionPlan plain = plan_solution(f, signature, equations, unknowns);
  const auto is_slope = [&](int row) { return row < signature.state_row(0); };
  if (plain.over_determined.empty() &&
      std::none_of(plain.under_determined.begin(), plain.under_determined.end(), is_slope))
    return plain;
  const Equations equation_of(equations);
  const Unknowns unknown_of(unknowns);
  const DulmageMendelsohn parts =
      dulmage_mendelsohn(sigma_matrix(f, signature, equation_of, unknown_of).pattern);
  SolutionPlan plan;
  plan.over_determined = equation_of.select(parts.over_rows);
  plan.under_determined = unknown_of.select(parts.under_columns);
  Indexed<PatternColumn, int> determined;
  for (const PatternColumn column : unknown_of.indices())
    if (parts.column_match[column].exists())
      determined.append(unknown_of[column]);
    else
      plan.unmatched.push_back(unknown_of[column]);
  if (!plan.over_determined.empty()) return plan;

  const Offsets offsets = smallest_offsets(sigma_matrix(f, signature, equation_of, determined));
  fill_with_offsets(f, signature, equation_of, std::move(determined), offsets, divisors, plan);
  return plan;
}

SolutionPlan plan_of_structure(const RowMap& f, const Signature& signature, const ModeStructure& structure,
                               std::span<const Divisor> divisors) {
  SolutionPlan plan;
  const Equations equations(structure.equations);
  Indexed<PatternColumn, int> unknowns;
  Offsets offsets{Indexed<PatternRow, int>(structure.c), {}, {}};
  std::vector<PatternRow> row_of(at(f.rows()));
  std::vector<PatternColumn> column_of(at(signature.size()));
  for (const PatternRow row : equations.indices()) row_of[at(equations[row])] = row;
  for (std::size_t j = 0; j < structure.signals.size(); ++j) {
    const int signal = structure.signals[j];
    const int unknown = signal < signature.input_row(0) ? signal - signature.n() : signal;
    if (std::binary_search(structure.absent.begin(), structure.absent.end(), signal)) {
      if (unknown < signature.state_row(0)) {
        plan.absent.slopes.push_back(unknown);
      } else {
        plan.absent.algebraic.push_back(unknown);
        plan.under_determined.push_back(unknown);
        plan.unmatched.push_back(unknown);
      }
      continue;
    }
    column_of[at(signal)] = unknowns.append(unknown);
    offsets.d.append(structure.d[j]);
  }
  for (const ModePart& part : structure.blocks) {
    Block& block = offsets.blocks.emplace_back();
    for (const int equation : part.equations) block.rows.push_back(row_of[at(equation)]);
    for (const int signal : part.signals) block.columns.push_back(column_of[at(signal)]);
  }
  fill_with_offsets(f, signature, equations, std::move(unknowns), offsets, divisors, plan);
  if (structure.regular) plan.depth = 0;  // a plan without differentiation looks no further
  return plan;
}

}  // namespace mti
