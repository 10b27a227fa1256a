#include "solvers/mode_system.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mti/cp_rows.hpp"
#include "solvers/surface.hpp"

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

std::vector<int> unknown_rows(const Signature& signature, const std::vector<int>& sliding) {
  std::vector<int> unknowns(static_cast<std::size_t>(signature.n() + signature.p()));
  const auto split = unknowns.begin() + signature.n();
  std::iota(unknowns.begin(), split, signature.derivative_row(0));
  std::iota(split, unknowns.end(), signature.algebraic_row(0));
  unknowns.insert(unknowns.end(), sliding.begin(), sliding.end());
  return unknowns;
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
    : ModeSystem(model, model_f, model_g, std::move(mode_), {}) {}

ModeSystem::ModeSystem(const Model& model, const CpMap& model_f, const CpMap& model_g, Mode mode_,
                       std::vector<FixedSignal> held_)
    : mode(std::move(mode_)), held(std::move(held_)) {
  const Signature& signature = model.signature;
  const std::vector<FixedSignal> fixed = fixed_signals(signature, mode);
  frozen = {freeze(model_f, fixed), freeze(model_g, fixed)};
  forbidden = !is_allowed(model, mode);
  if (!mode.slides.empty()) add_surfaces(model_g, signature);
  f = RowMap(frozen.f);
  g = RowMap(frozen.g);

  std::vector<int> live_equations;
  std::vector<char> in_constraint(static_cast<std::size_t>(signature.size()), 0);
  find_live_rows(signature, live_equations, in_constraint);

  const std::vector<int> unknowns = unknown_rows(signature, sliding);
  plan = mode.slides.empty() ? plan_solution(frozen.f, f, signature, live_equations, unknowns)
                             : plan_with_differentiation(frozen.f, f, signature, live_equations, unknowns);
  for (const int unknown : plan.under_determined) {
    const bool is_algebraic =
        unknown >= signature.algebraic_row(0) && unknown < signature.binary_row(0);
    if (!is_algebraic || in_constraint[static_cast<std::size_t>(unknown)] != 0) ambiguous.push_back(unknown);
  }
  undetermined = plan.unmatched;
}

/// Freezes what is held and appends the rows of surfaces.
void ModeSystem::add_surfaces(const CpMap& model_g, const Signature& signature) {
  for (const Slide& slide : mode.slides)
    for (const int binary : slide.binaries) sliding.push_back(signature.binary_row(binary));
  std::sort(sliding.begin(), sliding.end());
  drop_relations(signature);
  const std::vector<FixedSignal> fixed = fixed_signals(signature, mode);
  for (const Slide& slide : mode.slides)
    ties += static_cast<int>(slide.binaries.size()) - 1;
  CpBuilder tie_builder(signature.size(), ties);
  CpBuilder bound_builder(signature.size(), 2 * static_cast<int>(mode.slides.size()));
  int tie = 0, bound = 0;
  CpMap all_surfaces;
  for (const Slide& slide : mode.slides) {
    std::vector<FixedSignal> at_below = fixed;
    at_below.insert(at_below.end(), held.begin(), held.end());
    for (std::size_t i = 0; i < slide.binaries.size(); ++i) {
      const int row = signature.binary_row(slide.binaries[i]);
      std::erase_if(at_below, [&](const FixedSignal& signal) { return signal.row == row; });
      at_below.push_back({row, static_cast<double>(slide.below[i])});
    }
    const int constraint = slide.constraint;
    const CpMap surface = freeze(select_rows(model_g, std::span(&constraint, 1)), at_below);
    all_surfaces = all_surfaces.rows() == 0 ? surface : stack_rows(all_surfaces, surface);

    // θ = ±(ζ₀ − below₀), ζ_i = below_i ± θ.
    const int first = signature.binary_row(slide.binaries[0]);
    const double sign = slide.above[0] - slide.below[0], origin = slide.below[0];
    for (std::size_t i = 1; i < slide.binaries.size(); ++i, ++tie) {
      const double slope = (slide.above[i] - slide.below[i]) * sign;
      const AffineFactor own{signature.binary_row(slide.binaries[i]), -static_cast<double>(slide.below[i]), 1.0};
      const AffineFactor other{first, slope * origin, -slope};
      tie_builder.add(tie, 1.0, std::span(&own, 1));
      tie_builder.add(tie, 1.0, std::span(&other, 1));
    }
    const AffineFactor minus_theta{first, sign * origin, -sign};
    bound_builder.add(bound++, 1.0, std::span(&minus_theta, 1));
    const AffineFactor theta_minus_one{first, -sign * origin - 1.0, sign};
    bound_builder.add(bound++, 1.0, std::span(&theta_minus_one, 1));
  }
  if (!held.empty()) {
    frozen.f = freeze(frozen.f, held);
    frozen.g = stack_rows(freeze(frozen.g, held), all_surfaces);
    sliding.clear();
    return;
  }
  frozen.f = stack_rows(stack_rows(frozen.f, all_surfaces), tie_builder.build());
  frozen.g = stack_rows(frozen.g, bound_builder.build());
}

/// What binaries are to each other is asked of them on the sides of the surfaces, not in between: z1 + z2 = 1.
void ModeSystem::drop_relations(const Signature& signature) {
  const RowMap rows(frozen.f);
  std::vector<char> dropped(static_cast<std::size_t>(rows.rows()), 0);
  for (int row = 0; row < rows.rows(); ++row)
    dropped[static_cast<std::size_t>(row)] =
        form_of(rows, row) == RowForm::live && is_relation_of(rows, row, sliding) &&
        relation_holds_on_sides(rows, row, signature, mode);
  if (std::find(dropped.begin(), dropped.end(), 1) == dropped.end()) return;
  SparseColumns Phi = frozen.f.Phi();
  Phi.prune([&](Eigen::Index row, Eigen::Index, double) { return dropped[static_cast<std::size_t>(row)] == 0; });
  frozen.f = {frozen.f.S(), std::move(Phi)};
}

void ModeSystem::find_live_rows(const Signature& signature, std::vector<int>& live_equations,
                                std::vector<char>& in_constraint) {
  for (int row = 0; row < f.rows(); ++row) {
    const RowForm form = form_of(f, row);
    if (form == RowForm::live) live_equations.push_back(row);
    if (form == RowForm::constant) broken_equations.push_back(row);
  }
  const auto surfaces = static_cast<int>(mode.slides.size());
  const int first_surface = f.rows() - surfaces - ties;
  has_unknowns.assign(static_cast<std::size_t>(g.rows()), 0);
  for (int row = 0; row < g.rows(); ++row) {
    const RowForm form = form_of(g, row);
    if (form == RowForm::constant && g.terms(row)[0].Phi > 0.0) broken_constraints.push_back(row);
    if (form != RowForm::live) continue;
    if (!sliding.empty() && row < g.rows() - 2 * surfaces &&
        lies_on_surfaces(frozen.g, row, sliding, f, first_surface, surfaces))
      continue;
    live_constraints.push_back(row);
    for (const RowMap::Term& term : g.terms(row))
      for (const RowMap::Factor& factor : g.factors(term.column)) {
        in_constraint[static_cast<std::size_t>(factor.signal)] = 1;
        if (factor.signal < signature.state_row(0) || factor.signal >= signature.algebraic_row(0))
          has_unknowns[static_cast<std::size_t>(row)] = 1;
      }
  }
}

int constraint_index(const Model& model, const Mode& mode, int row) {
  if (row < model.constraints()) return row;
  return mode.slides[static_cast<std::size_t>((row - model.constraints()) / 2)].constraint;
}

const std::string& constraint_name(const Model& model, const Mode& mode, int row) {
  return model.constraint_names[static_cast<std::size_t>(constraint_index(model, mode, row))];
}

std::string equation_name(const Model& model, const Mode& mode, int row) {
  if (row < model.equations()) return model.equation_names[static_cast<std::size_t>(row)];
  const auto surface = static_cast<std::size_t>(row - model.equations());
  if (surface >= mode.slides.size()) return "the common weight of sliding binaries";
  return "the surface of " +
         model.constraint_names[static_cast<std::size_t>(mode.slides[surface].constraint)];
}

std::shared_ptr<const ModeSystem> ModeCache::with_held(const Mode& mode, std::vector<FixedSignal> held) const {
  return std::make_shared<const ModeSystem>(model_, f_, g_, mode, std::move(held));
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

