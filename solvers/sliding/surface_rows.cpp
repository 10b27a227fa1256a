#include "solvers/sliding/surface_rows.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/surfaces/joined_rows.hpp"
#include "solvers/surfaces/surface.hpp"

namespace mti {

SurfaceRows::SurfaceRows(const SwitchingProblem& problem, const Mode& before, std::span<const int> deciders)
    : problem_(problem),
      before_(before),
      deciders_(deciders.begin(), deciders.end()),
      scale_(at(problem.model.signature.size()), 1.0),
      v_(problem.instant.v) {
  for (int row = 0; row < problem.model.constraints(); ++row)
    if (std::ranges::any_of(problem.dependencies.of_constraint(row),
                            [&](int binary) { return std::ranges::binary_search(deciders, binary); }))
      constraints_.push_back(row);
  // ε/rtol = |v| + (atol/rtol)·nominal: a length by which rows of different units can be compared around v.
  for (int row = 0; row < problem.model.signature.size(); ++row) {
    const double size = problem.accuracy.of(row, v_[at(row)]) / problem.accuracy.rtol;
    if (size > 0.0) scale_[at(row)] = size;
  }
}

bool SurfaceRows::contains(int row) const { return std::ranges::binary_search(constraints_, row); }

bool SurfaceRows::may_be_surface(const ModeSystem& system, int row) const {
  return contains(row) && std::ranges::binary_search(system.live_constraints, row);
}

int SurfaceRows::sign_on(const SurfaceRow& surface, const ModeSystem& system, int row) const {
  const RowMap &a = surface.system->g, &b = system.g;
  const std::pair<int, int> both(number_of(a, surface.constraint), number_of(b, row));
  const auto known = signs_.find(both);
  if (known != signs_.end()) return known->second;
  return signs_[both] = compare(a, surface.constraint, b, row);
}

int SurfaceRows::compare(const RowMap& a, int row_of_a, const RowMap& b, int row_of_b) const {
  const int as_written = orientation(a, row_of_a, b, row_of_b, v_, scale_);
  if (as_written != 0) return as_written;
  const Relations& relations = relations_on_all_sides();
  const int affine =
      relations.affine.empty() ? 0 : orientation(a, row_of_a, b, row_of_b, v_, scale_, relations.affine);
  if (affine != 0) return affine;
  return joined_orientation(relations.equations, {&a, row_of_a}, {&b, row_of_b}, v_, scale_);
}

/// Of what is written in the row, term by term.
int SurfaceRows::number_of(const RowMap& map, int row) const {
  std::vector<double> text;
  for (const RowMap::Term& term : map.terms(row)) {
    const ElementaryFunction* const phi = map.function_of(term.column);
    const std::span<const RowMap::Factor> factors = map.factors(term.column);
    text.insert(text.end(), {term.Phi, phi != nullptr ? static_cast<double>(phi->kind) : -1.0,
                             phi != nullptr ? phi->exponent : static_cast<double>(factors.size())});
    for (const RowMap::Factor& factor : factors)
      text.insert(text.end(), {static_cast<double>(factor.signal), factor.S});
  }
  const int next = static_cast<int>(numbers_.size());
  return numbers_.try_emplace(std::move(text), next).first->second;
}

/// An equation of which no decider of A is a part, nor an output of one or its memory, is the same on all sides.
std::vector<int> SurfaceRows::equations_on_all_sides() const {
  const Signature& signature = problem_.model.signature;
  const SignalRows& rows = problem_.cache.rows();
  std::vector<int> unaffected;
  for (int row = 0; row < problem_.model.equations(); ++row) {
    if (rows.f.is_logic(row)) continue;
    const std::span<const int> own = rows.f.binaries(row);
    std::vector<int> binaries(own.begin(), own.end());
    for (const RowMap::Term& term : rows.f.terms(row))
      for (const RowMap::Factor& factor : rows.f.factors(term.column))
        if (const int memory = factor.signal - signature.pre_row(0); memory >= 0)
          binaries.push_back(signature.pre()[at(memory)]);
    const std::vector<int> behind = problem_.outputs().deciders_behind(binaries);
    if (std::ranges::none_of(behind,
                             [&](int binary) { return std::ranges::binary_search(deciders_, binary); }))
      unaffected.push_back(row);
  }
  return unaffected;
}

/// What is compared are rows of g that hold binaries.
const SurfaceRows::Relations& SurfaceRows::relations_on_all_sides() const {
  if (relations_) return *relations_;
  std::vector<int> compared;
  for (int row = 0; row < problem_.model.constraints(); ++row)
    if (!problem_.dependencies.of_constraint(row).empty()) compared.push_back(row);
  const std::vector<int> unaffected = equations_on_all_sides(),
                         asked = signals_of(problem_.cache.rows().g, compared);
  std::shared_ptr<const ModeSystem> system = problem_.cache.get(before_);
  const RowMap& f = system->f;
  const Signature& signature = problem_.model.signature;
  relations_ = Relations{std::move(system), AffineRelations(f, unaffected, signature),
                         JoiningEquations(f, unaffected, asked, signature)};
  return *relations_;
}

std::vector<SurfaceRows::SignedRow> SurfaceRows::rows_on(const SurfaceRow& surface, const ModeSystem& system,
                                                         std::span<const int> among) const {
  std::vector<SignedRow> rows;
  for (const int row : among) {
    if (!std::ranges::binary_search(system.live_constraints, row)) continue;
    if (const int sign = sign_on(surface, system, row); sign != 0) rows.push_back({row, sign});
  }
  return rows;
}

int SurfaceRows::first_row_on(const SurfaceRow& surface, const ModeSystem& system) const {
  const auto found = std::ranges::find_if(constraints_, [&](int row) {
    return std::ranges::binary_search(system.live_constraints, row) && sign_on(surface, system, row) != 0;
  });
  return found == constraints_.end() ? -1 : *found;
}

std::vector<int> binaries_met_with(const SwitchingProblem& problem, const Mode& before,
                                   std::span<const int> triggered, std::span<const int> A) {
  const std::shared_ptr<const ModeSystem> system = problem.cache.get(before);
  const SurfaceRows rows_of_A(problem, before, A);
  std::vector<int> found;
  for (const int constraint : triggered) {
    if (!std::ranges::binary_search(system->live_constraints, constraint)) continue;
    const SurfaceRow surface{system, constraint};
    std::vector<int> met;
    for (const int row : system->live_constraints) {
      check_budget();
      if (row < problem.model.constraints() && !rows_of_A.contains(row) &&
          !problem.dependencies.of_constraint(row).empty() && rows_of_A.sign_on(surface, *system, row) != 0)
        met.push_back(row);
    }
    // With A and all of them, for a relation may hold one of their binaries.
    std::vector<int> all(A.begin(), A.end());
    for (const int row : met) {
      const std::vector<int> behind =
          problem.outputs().deciders_behind(problem.dependencies.of_constraint(row));
      all.insert(all.end(), behind.begin(), behind.end());
    }
    std::ranges::sort(all);
    const SurfaceRows together(problem, before, all);
    for (const int row : met)
      if (together.sign_on(surface, *system, row) != 0) {
        const std::span<const int> binaries = problem.dependencies.of_constraint(row);
        found.insert(found.end(), binaries.begin(), binaries.end());
      }
  }
  return found;
}

int side_of(std::span<const SurfaceRows::SignedRow> rows) {
  const bool below =
      std::ranges::any_of(rows, [](const SurfaceRows::SignedRow& row) { return row.sign > 0; });
  const bool above =
      std::ranges::any_of(rows, [](const SurfaceRows::SignedRow& row) { return row.sign < 0; });
  return below == above ? 0 : (below ? -1 : 1);
}

}  // namespace mti
