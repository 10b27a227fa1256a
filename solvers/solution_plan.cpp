#include "solvers/solution_plan.hpp"

#include <algorithm>

#include "solvers/dulmage_mendelsohn.hpp"
#include "solvers/sigma_method.hpp"

namespace mti {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

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
                           return mark[at(factor.signal)] != 0;
                         }) <= 1;
    }
  }
  for (const int unknown : block.unknowns) mark[at(unknown)] = 0;
  return linear;
}

/// σ of the equations: columns are the unknowns; for ẋ_i: 1 where ẋ_i occurs, 0 where only x_i does.
SigmaMatrix sigma_matrix(const CpMap& f, const Signature& signature, std::span<const int> equations,
                         std::span<const int> unknowns) {
  std::vector<int> rows(unknowns.begin(), unknowns.end()), column_of(unknowns.size());
  for (std::size_t j = 0; j < unknowns.size(); ++j) column_of[j] = static_cast<int>(j);
  for (std::size_t j = 0; j < unknowns.size(); ++j)
    if (unknowns[j] < signature.state_row(0)) {
      rows.push_back(signature.state_row(unknowns[j]));
      column_of.push_back(static_cast<int>(j));
    }
  const Incidence occurrences = incidence(f.S(), f.Phi(), equations, rows);
  SigmaMatrix sigma{Incidence(static_cast<int>(unknowns.size())), {}};
  std::vector<int> order(unknowns.size(), 0), columns;
  for (int row = 0; row < occurrences.rows(); ++row) {
    columns.clear();
    for (const int column : occurrences.row(row)) {
      columns.push_back(column_of[at(column)]);
      if (rows[at(column)] < signature.state_row(0)) order[at(columns.back())] = 1;
    }
    sigma.pattern.add_row(columns);
    std::vector<int>& orders = sigma.order.emplace_back();
    for (const int column : sigma.pattern.row(row)) orders.push_back(order[at(column)]);
    for (const int column : columns) order[at(column)] = 0;
  }
  return sigma;
}

/// What is solved at the early stage k < 0: order c_i + k of the equations for order e_j + k of the unknowns.
/// False if it leaves an unknown open.
bool add_early_stage(const SigmaMatrix& sigma, const Offsets& offsets, std::span<const int> equations,
                     std::span<const int> unknowns, const std::vector<int>& e, const RowMap& rows, int k,
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
  const DulmageMendelsohn parts = dulmage_mendelsohn(pattern);
  SolutionPlan::Stage& stage = plan.early.emplace_back();
  for (const Block& part : block_triangular_form(pattern, parts.row_match)) {
    SolutionBlock& block = stage.blocks.emplace_back();
    for (const int row : part.rows) {
      block.equations.push_back(equations[at(stage_rows[at(row)])]);
      block.c.push_back(offsets.c[at(stage_rows[at(row)])] + k);
    }
    for (const int column : part.columns) {
      block.unknowns.push_back(unknowns[at(stage_columns[at(column)])]);
      block.e.push_back(e[at(stage_columns[at(column)])] + k);
    }
    block.linear = is_linear(rows, block, mark);
  }
  for (std::size_t row = 0; row < stage_rows.size(); ++row)
    if (parts.row_match[row] < 0)
      stage.conditions.push_back({equations[at(stage_rows[row])], offsets.c[at(stage_rows[row])] + k});
  return parts.under_columns.empty();
}

}  // namespace

SolutionPlan plan_solution(const CpMap& f, const RowMap& rows, const Signature& signature,
                           std::span<const int> equations, std::span<const int> unknowns) {
  SolutionPlan plan;
  const Incidence pattern = incidence(f.S(), f.Phi(), equations, unknowns);
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
    block.linear = is_linear(rows, block, mark);
    plan.blocks.push_back(std::move(block));
  }
  return plan;
}

SolutionPlan plan_with_differentiation(const CpMap& f, const RowMap& rows, const Signature& signature,
                                       std::span<const int> equations, std::span<const int> unknowns) {
  SolutionPlan plain = plan_solution(f, rows, signature, equations, unknowns);
  if (plain.over_determined.empty() || equations.size() != unknowns.size()) return plain;
  SigmaMatrix sigma = sigma_matrix(f, signature, equations, unknowns);
  if (!dulmage_mendelsohn(sigma.pattern).structurally_regular()) return plain;
  Offsets offsets = smallest_offsets(sigma);
  // ẋ is an unknown even where its x occurs undifferentiated only: d ≥ 1 for states.
  SolutionPlan plan;
  std::vector<int> e(unknowns.size());
  for (std::size_t j = 0; j < unknowns.size(); ++j) {
    const bool state = unknowns[j] < signature.state_row(0);
    if (state && offsets.d[j] == 0) return plain;
    e[j] = offsets.d[j] - (state ? 1 : 0);
    plan.depth = std::max(plan.depth, e[j] + 1);
  }
  plan.depth = std::max(plan.depth, offsets.largest_c());
  std::vector<char> mark(at(signature.size()), 0);
  for (int k = -offsets.largest_c(); k < 0; ++k)
    if (!add_early_stage(sigma, offsets, equations, unknowns, e, rows, k, mark, plan)) return plain;
  for (const Block& part : offsets.blocks) {
    SolutionBlock block;
    for (const int row : part.rows) {
      block.equations.push_back(equations[at(row)]);
      block.c.push_back(offsets.c[at(row)]);
    }
    for (const int column : part.columns) {
      block.unknowns.push_back(unknowns[at(column)]);
      block.e.push_back(e[at(column)]);
    }
    const auto zero = [](int order) { return order == 0; };
    if (std::all_of(block.c.begin(), block.c.end(), zero) && std::all_of(block.e.begin(), block.e.end(), zero)) {
      block.c.clear();
      block.e.clear();
    }
    block.linear = is_linear(rows, block, mark);
    plan.blocks.push_back(std::move(block));
  }
  return plan;
}

}  // namespace mti
