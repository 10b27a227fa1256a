#include "solvers/mode_system.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "solvers/dulmage_mendelsohn.hpp"

namespace mti {
namespace {

/// What is left of a row after freezing.
enum class RowForm { vanished, constant, live };

RowForm form_of(const RowMap& map, int row) {
  const auto terms = map.terms(row);
  if (terms.empty()) return RowForm::vanished;
  const bool live = std::any_of(terms.begin(), terms.end(),
                                [&](const RowMap::Term& term) { return !map.factors(term.column).empty(); });
  return live ? RowForm::live : RowForm::constant;
}

std::vector<int> unknown_rows(const Signature& signature) {
  std::vector<int> unknowns(static_cast<std::size_t>(signature.n() + signature.p()));
  const auto split = unknowns.begin() + signature.n();
  std::iota(unknowns.begin(), split, signature.derivative_row(0));
  std::iota(split, unknowns.end(), signature.algebraic_row(0));
  return unknowns;
}

bool is_linear(const RowMap& f, const SolutionBlock& block, std::vector<char>& in_block) {
  for (const int unknown : block.unknowns) in_block[static_cast<std::size_t>(unknown)] = 1;
  bool linear = true;
  for (const int equation : block.equations)
    for (const RowMap::Term& term : f.terms(equation)) {
      const auto factors = f.factors(term.column);
      linear = linear && std::count_if(factors.begin(), factors.end(), [&](const RowMap::Factor& factor) {
                           return in_block[static_cast<std::size_t>(factor.signal)] != 0;
                         }) <= 1;
    }
  for (const int unknown : block.unknowns) in_block[static_cast<std::size_t>(unknown)] = 0;
  return linear;
}

bool is_allowed(const Model& model, const Mode& mode) {
  if (model.invariants.empty()) return true;
  std::vector<double> v(static_cast<std::size_t>(model.signature.size()), 0.0);
  write_mode(model.signature, mode, v);
  return std::all_of(model.invariants.begin(), model.invariants.end(), [&](const BooleanFormula& formula) {
    return formula.evaluate([&](int row) { return v[static_cast<std::size_t>(row)] != 0.0; });
  });
}

}  // namespace

ModeSystem::ModeSystem(const Model& model, const CpMap& model_f, const CpMap& model_g, Mode mode_)
    : mode(std::move(mode_)),
      frozen{freeze(model_f, fixed_signals(model.signature, mode)),
             freeze(model_g, fixed_signals(model.signature, mode))},
      f(frozen.f),
      g(frozen.g),
      has_unknowns(static_cast<std::size_t>(model.constraints()), 0) {
  const Signature& signature = model.signature;
  forbidden = !is_allowed(model, mode);

  std::vector<int> live_equations;
  for (int row = 0; row < f.rows(); ++row) {
    const RowForm form = form_of(f, row);
    if (form == RowForm::live) live_equations.push_back(row);
    if (form == RowForm::constant) broken_equations.push_back(row);
  }
  std::vector<char> in_constraint(static_cast<std::size_t>(signature.size()), 0);
  for (int row = 0; row < g.rows(); ++row) {
    const RowForm form = form_of(g, row);
    if (form == RowForm::constant && g.terms(row)[0].Phi > 0.0) broken_constraints.push_back(row);
    if (form != RowForm::live) continue;
    live_constraints.push_back(row);
    for (const RowMap::Term& term : g.terms(row))
      for (const RowMap::Factor& factor : g.factors(term.column)) {
        in_constraint[static_cast<std::size_t>(factor.signal)] = 1;
        if (factor.signal < signature.state_row(0) || factor.signal >= signature.algebraic_row(0))
          has_unknowns[static_cast<std::size_t>(row)] = 1;
      }
  }

  const std::vector<int> unknowns = unknown_rows(signature);
  const Incidence pattern = incidence(frozen.f.S(), frozen.f.Phi(), live_equations, unknowns);
  const DulmageMendelsohn parts = dulmage_mendelsohn(pattern);
  for (const int row : parts.over_rows)
    over_determined.push_back(live_equations[static_cast<std::size_t>(row)]);
  for (const int column : parts.under_columns) {
    const int unknown = unknowns[static_cast<std::size_t>(column)];
    const bool needed =
        unknown < signature.state_row(0) || in_constraint[static_cast<std::size_t>(unknown)] != 0;
    if (needed) ambiguous.push_back(unknown);
    if (parts.column_match[static_cast<std::size_t>(column)] < 0) undetermined.push_back(unknown);
  }

  std::vector<char> in_block(static_cast<std::size_t>(signature.size()), 0);
  for (const Block& part : block_triangular_form(pattern, parts.row_match)) {
    SolutionBlock block;
    for (const int row : part.rows) block.equations.push_back(live_equations[static_cast<std::size_t>(row)]);
    for (const int column : part.columns)
      block.unknowns.push_back(unknowns[static_cast<std::size_t>(column)]);
    block.linear = is_linear(f, block, in_block);
    blocks.push_back(std::move(block));
  }
}

std::shared_ptr<const ModeSystem> ModeCache::get(const Mode& mode) {
  if (const auto found = by_mode_.find(mode); found != by_mode_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second);
    return found->second->second;
  }
  if (recent_.size() >= capacity_) {
    by_mode_.erase(recent_.back().first);
    recent_.pop_back();
  }
  ++made_;
  recent_.emplace_front(mode, std::make_shared<const ModeSystem>(model_, f_, g_, mode));
  by_mode_.emplace(mode, recent_.begin());
  return recent_.front().second;
}

}  // namespace mti
