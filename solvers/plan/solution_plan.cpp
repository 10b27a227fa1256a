#include "solvers/plan/solution_plan.hpp"

#include <algorithm>

#include "mti/common/at.hpp"
#include "solvers/structure/dulmage_mendelsohn.hpp"
#include "solvers/structure/sigma_method.hpp"

namespace mti {
namespace {

/// The entry of a signal; 0 or −1 of one that the list does not know, such as a derivative of an input.
char marked(const std::vector<char>& mark, int signal) {
  return at(signal) < mark.size() ? mark[at(signal)] : char{0};
}
int place(const std::vector<int>& position, int signal) {
  return at(signal) < position.size() ? position[at(signal)] : -1;
}

/// No column of the equations that are not differentiated holds two unknowns of order 0.
bool is_linear(const RowMap& f, const SolutionBlock& block, std::vector<char>& mark) {
  for (std::size_t i = 0; i < block.unknowns.size(); ++i)
    if (block.e.empty() || block.e[i] == 0) mark[at(block.unknowns[i])] = 1;
  bool linear = true;
  for (std::size_t i = 0; i < block.equations.size(); ++i) {
    if (!block.c.empty() && block.c[i] > 0) continue;
    for (const RowMap::Term& term : f.terms(block.equations[i])) {
      const auto factors = f.factors(term.column);
      linear = linear && std::count_if(factors.begin(), factors.end(), [&](const RowMap::Factor& factor) {
                           return marked(mark, factor.signal) != 0;
                         }) <= 1;
    }
  }
  for (const int unknown : block.unknowns) mark[at(unknown)] = 0;
  return linear;
}

/// The columns that each equation contains: position[signal] ≥ 0 is the column of a row of S.
Incidence pattern_of(const RowMap& f, std::span<const int> equations, const std::vector<int>& position,
                     int columns) {
  Incidence pattern(columns);
  std::vector<int> found;
  for (const int equation : equations) {
    found.clear();
    for (const RowMap::Term& term : f.terms(equation))
      for (const RowMap::Factor& factor : f.factors(term.column))
        if (const int column = place(position, factor.signal); column >= 0) found.push_back(column);
    pattern.add_row(found);
  }
  return pattern;
}

/// σ of the equations: columns are the unknowns; for ẋ_i: 1 where ẋ_i occurs, 0 where only x_i does. Signals
/// without a column, such as those that are left undetermined, count as known.
SigmaMatrix sigma_matrix(const RowMap& f, const Signature& signature, std::span<const int> equations,
                         std::span<const int> unknowns) {
  std::vector<int> position(at(signature.size()), -1);
  for (std::size_t j = 0; j < unknowns.size(); ++j) {
    position[at(unknowns[j])] = static_cast<int>(j);
    if (unknowns[j] < signature.state_row(0))
      position[at(signature.state_row(unknowns[j]))] = static_cast<int>(j);
  }
  SigmaMatrix sigma{pattern_of(f, equations, position, static_cast<int>(unknowns.size())), {}};
  std::vector<int> order(unknowns.size(), 0);
  for (std::size_t i = 0; i < equations.size(); ++i) {
    for (const RowMap::Term& term : f.terms(equations[i]))
      for (const RowMap::Factor& factor : f.factors(term.column))
        if (factor.signal < signature.state_row(0) && position[at(factor.signal)] >= 0)
          order[at(position[at(factor.signal)])] = 1;
    std::vector<int>& orders = sigma.order.emplace_back();
    for (const int column : sigma.pattern.row(static_cast<int>(i))) {
      orders.push_back(order[at(column)]);
      order[at(column)] = 0;
    }
  }
  return sigma;
}

/// A block one stage below 0: its slopes give jumps, the rest of order 0 gives Dirac weights.
SolutionBlock balance_of(SolutionBlock block, const RowMap& f, const Signature& signature,
                         std::vector<char>& mark) {
  for (int& c : block.c) --c;
  for (int& e : block.e) --e;
  for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
    const int unknown = block.unknowns[j];
    if (block.e[j] == 0) mark[at(unknown)] = 1;
    if (block.e[j] == -1 && unknown < signature.state_row(0)) mark[at(unknown + signature.n())] = 1;
  }
  for (std::size_t i = 0; i < block.equations.size(); ++i) {
    if (block.c[i] != 0) continue;  // linear in its highest derivatives, or in the weights
    for (const RowMap::Term& term : f.terms(block.equations[i])) {
      const auto factors = f.factors(term.column);
      block.linear =
          block.linear && std::count_if(factors.begin(), factors.end(), [&](const RowMap::Factor& factor) {
                            return marked(mark, factor.signal) != 0;
                          }) <= 1;
    }
  }
  for (const int unknown : block.unknowns) {
    mark[at(unknown)] = 0;
    if (unknown < signature.state_row(0)) mark[at(unknown + signature.n())] = 0;
  }
  return block;
}

/// Rows without products keep their pivots whatever the point; what is left over, as a condition, is rather
/// one with products: of x̂ = x and x·x̂ + y·ŷ = 1 the second.
Matching match_linear_rows_first(const Incidence& pattern, const std::vector<int>& rows,
                                 std::span<const int> equations, const RowMap& f) {
  Incidence linear(pattern.columns());
  std::vector<int> places;
  for (int row = 0; row < pattern.rows(); ++row) {
    const auto terms = f.terms(equations[at(rows[at(row)])]);
    if (!std::all_of(terms.begin(), terms.end(),
                     [&](const RowMap::Term& term) { return f.factors(term.column).size() <= 1; }))
      continue;
    linear.add_row(pattern.row(row));
    places.push_back(row);
  }
  const Matching first = maximum_matching(linear);
  Matching matching(pattern.rows(), pattern.columns());
  for (std::size_t i = 0; i < places.size(); ++i)
    if (const int column = first.row_match[i]; column >= 0) {
      matching.row_match[at(places[i])] = column;
      matching.column_match[at(column)] = places[i];
    }
  grow_to_maximum(pattern, matching);
  return matching;
}

/// What is solved at the early stage k < 0 for given x: order c_i + k of the equations for order e_j + k of
/// the unknowns. All of them are found, since in the leading system each is matched with such an equation.
void add_early_stage(const SigmaMatrix& sigma, const Offsets& offsets, std::span<const int> equations,
                     std::span<const int> unknowns, const std::vector<int>& e, const RowMap& f, int k,
                     std::vector<char>& mark, SolutionPlan& plan) {
  std::vector<int> stage_rows, stage_columns, position(unknowns.size(), -1);
  for (std::size_t j = 0; j < unknowns.size(); ++j)
    if (e[j] + k >= 0) {
      position[j] = static_cast<int>(stage_columns.size());
      stage_columns.push_back(static_cast<int>(j));
    }
  Incidence pattern(static_cast<int>(stage_columns.size()));
  std::vector<int> tight;
  for (int i = 0; i < sigma.pattern.rows(); ++i) {
    if (offsets.c[at(i)] + k < 0) continue;
    stage_rows.push_back(i);
    tight.clear();
    const auto columns = sigma.pattern.row(i);
    for (std::size_t entry = 0; entry < columns.size(); ++entry)
      if (position[at(columns[entry])] >= 0 &&
          offsets.d[at(columns[entry])] - offsets.c[at(i)] == sigma.order[at(i)][entry])
        tight.push_back(position[at(columns[entry])]);
    pattern.add_row(tight);
  }
  const Matching matching = match_linear_rows_first(pattern, stage_rows, equations, f);
  SolutionPlan::Stage& stage = plan.early.emplace_back();
  for (const Block& part : block_triangular_form(pattern, matching.row_match)) {
    SolutionBlock& block = stage.blocks.emplace_back();
    for (const int row : part.rows) {
      block.equations.push_back(equations[at(stage_rows[at(row)])]);
      block.c.push_back(offsets.c[at(stage_rows[at(row)])] + k);
    }
    for (const int column : part.columns) {
      block.unknowns.push_back(unknowns[at(stage_columns[at(column)])]);
      block.e.push_back(e[at(stage_columns[at(column)])] + k);
    }
    block.linear = is_linear(f, block, mark);
  }
  for (std::size_t row = 0; row < stage_rows.size(); ++row)
    if (matching.row_match[row] < 0)
      stage.conditions.push_back({equations[at(stage_rows[row])], offsets.c[at(stage_rows[row])] + k});
}

/// The stages and blocks of a plan from the offsets of `equations` against `determined`: ẋ and y by their
/// rows of S, each with a partner.
void fill_with_offsets(const RowMap& f, const Signature& signature, std::span<const int> equations,
                       std::vector<int> determined, const Offsets& offsets, SolutionPlan& plan) {
  const std::vector<int> slopes = determined;
  const auto is_slope = [&](int row) { return row < signature.state_row(0); };
  std::vector<int> e(determined.size());
  for (std::size_t j = 0; j < determined.size(); ++j) {
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
  std::vector<char> mark(at(signature.size()), 0);
  if (offsets.largest_c() > 0) {
    const SigmaMatrix sigma = sigma_matrix(f, signature, equations, slopes);
    for (int k = -offsets.largest_c(); k < 0; ++k)
      add_early_stage(sigma, offsets, equations, determined, e, f, k, mark, plan);
  }
  for (const Block& part : offsets.blocks) {
    SolutionBlock block;
    for (const int row : part.rows) {
      block.equations.push_back(equations[at(row)]);
      block.c.push_back(offsets.c[at(row)]);
    }
    for (const int column : part.columns) {
      block.unknowns.push_back(determined[at(column)]);
      block.e.push_back(e[at(column)]);
    }
    if (plan.differentiated()) plan.balance.push_back(balance_of(block, f, signature, mark));
    const auto zero = [](int order) { return order == 0; };
    if (std::all_of(block.c.begin(), block.c.end(), zero) &&
        std::all_of(block.e.begin(), block.e.end(), zero)) {
      block.c.clear();
      block.e.clear();
    }
    block.linear = is_linear(f, block, mark);
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
  std::vector<char> occurs(at(signature.size()), 0);
  for (const int equation : equations)
    for (const RowMap::Term& term : f.terms(equation))
      for (const RowMap::Factor& factor : f.factors(term.column))
        if (at(factor.signal) < occurs.size()) occurs[at(factor.signal)] = 1;
  AbsentSignals absent;
  for (int i = 0; i < signature.n(); ++i)
    if (occurs[at(signature.derivative_row(i))] == 0 && occurs[at(signature.state_row(i))] == 0)
      absent.slopes.push_back(signature.derivative_row(i));
  for (int i = 0; i < signature.p(); ++i)
    if (occurs[at(signature.algebraic_row(i))] == 0) absent.algebraic.push_back(signature.algebraic_row(i));
  return absent;
}

SolutionPlan plan_solution(const RowMap& f, const Signature& signature, std::span<const int> equations,
                           std::span<const int> unknowns) {
  SolutionPlan plan;
  std::vector<int> position(at(signature.size()), -1);
  for (std::size_t j = 0; j < unknowns.size(); ++j) position[at(unknowns[j])] = static_cast<int>(j);
  const Incidence pattern = pattern_of(f, equations, position, static_cast<int>(unknowns.size()));
  const DulmageMendelsohn parts = dulmage_mendelsohn(pattern);
  for (const int row : parts.over_rows) plan.over_determined.push_back(equations[at(row)]);
  for (const int column : parts.under_columns) {
    plan.under_determined.push_back(unknowns[at(column)]);
    if (parts.column_match[at(column)] < 0) plan.unmatched.push_back(unknowns[at(column)]);
  }
  std::vector<char> mark(at(signature.size()), 0);
  for (const Block& part : block_triangular_form(pattern, parts.row_match)) {
    SolutionBlock block;
    for (const int row : part.rows) block.equations.push_back(equations[at(row)]);
    for (const int column : part.columns) block.unknowns.push_back(unknowns[at(column)]);
    block.linear = is_linear(f, block, mark);
    plan.blocks.push_back(std::move(block));
  }
  return plan;
}

SolutionPlan plan_with_differentiation(const RowMap& f, const Signature& signature,
                                       std::span<const int> equations, std::span<const int> unknowns) {
  SolutionPlan plain = plan_solution(f, signature, equations, unknowns);
  const auto is_slope = [&](int row) { return row < signature.state_row(0); };
  if (plain.over_determined.empty() &&
      std::none_of(plain.under_determined.begin(), plain.under_determined.end(), is_slope))
    return plain;
  const DulmageMendelsohn parts = dulmage_mendelsohn(sigma_matrix(f, signature, equations, unknowns).pattern);
  SolutionPlan plan;
  for (const int row : parts.over_rows) plan.over_determined.push_back(equations[at(row)]);
  std::vector<int> determined;
  for (std::size_t j = 0; j < unknowns.size(); ++j)
    (parts.column_match[j] < 0 ? plan.unmatched : determined).push_back(unknowns[j]);
  for (const int column : parts.under_columns) plan.under_determined.push_back(unknowns[at(column)]);
  if (!plan.over_determined.empty()) return plan;

  const Offsets offsets = smallest_offsets(sigma_matrix(f, signature, equations, determined));
  fill_with_offsets(f, signature, equations, std::move(determined), offsets, plan);
  return plan;
}

SolutionPlan plan_of_structure(const RowMap& f, const Signature& signature, const ModeStructure& structure) {
  SolutionPlan plan;
  Offsets offsets{structure.c, {}, {}};
  std::vector<int> row_of(at(f.rows()), -1), column_of(at(signature.size()), -1), unknowns;
  for (std::size_t i = 0; i < structure.equations.size(); ++i)
    row_of[at(structure.equations[i])] = static_cast<int>(i);
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
    column_of[at(signal)] = static_cast<int>(unknowns.size());
    unknowns.push_back(unknown);
    offsets.d.push_back(structure.d[j]);
  }
  for (const ModePart& part : structure.blocks) {
    Block& block = offsets.blocks.emplace_back();
    for (const int equation : part.equations) block.rows.push_back(row_of[at(equation)]);
    for (const int signal : part.signals) block.columns.push_back(column_of[at(signal)]);
  }
  fill_with_offsets(f, signature, structure.equations, std::move(unknowns), offsets, plan);
  if (structure.regular) plan.depth = 0;  // a plan without differentiation looks no further
  return plan;
}

}  // namespace mti
