#include "solvers/sliding/surface_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/mode_outputs.hpp"
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
  return signs_[both] = compare({&a, surface.constraint}, {&b, row});
}

int SurfaceRows::compare(const MapRow& a, const MapRow& b) const {
  const int as_written = orientation(*a.map, a.row, *b.map, b.row, v_, scale_);
  if (as_written != 0) return as_written;
  const int on_all_sides = compare_by(relations_on_all_sides(), a, b);
  return on_all_sides != 0 ? on_all_sides : compare_at_vertices(a, b);
}

int SurfaceRows::compare_by(const Relations& relations, const MapRow& a, const MapRow& b) const {
  const int affine =
      relations.affine.empty() ? 0 : orientation(*a.map, a.row, *b.map, b.row, v_, scale_, relations.affine);
  return affine != 0 ? affine : joined_orientation(relations.equations, a, b, v_, scale_);
}

/// y = x·(1 + z) vanishes where x does, with the same sign, for z = 0 and for z = 1.
int SurfaceRows::compare_at_vertices(const MapRow& a, const MapRow& b) const {
  if (!may_vanish(a) || !may_vanish(b)) return 0;
  int sign = 0;
  for (const Relations& relations : relations_at_vertices()) {
    const int here = compare_by(relations, a, b);
    if (here == 0 || (sign != 0 && here != sign)) return 0;
    sign = here;
  }
  return sign;
}

/// Within a hundredth of a step of its signals' sizes; what is farther from zero need not be asked for at any vertex.
bool SurfaceRows::may_vanish(const MapRow& row) const {
  constexpr double near = 0.01;
  double step = 0.0;
  row.map->gradient(row.row, v_,
                    [&](int signal, double slope) { step += std::abs(slope) * scale_[at(signal)]; });
  return std::abs(row.value(v_)) <= near * step;
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

/// A decider of A, an output of one, or its memory is a part of the equation, so that it differs from side to side.
bool SurfaceRows::is_affected(int equation) const {
  const Signature& signature = problem_.model.signature;
  const auto& f = problem_.cache.rows().f;
  const std::span<const int> own = f.binaries(equation);
  std::vector<int> binaries(own.begin(), own.end());
  for (const RowMap::Term& term : f.terms(equation))
    for (const RowMap::Factor& factor : f.factors(term.column))
      if (const int memory = factor.signal - signature.pre_row(0); memory >= 0)
        binaries.push_back(signature.pre()[at(memory)]);
  return std::ranges::any_of(problem_.outputs().deciders_behind(binaries),
                             [&](int binary) { return std::ranges::binary_search(deciders_, binary); });
}

/// What is compared are rows of g that hold binaries.
SurfaceRows::Relations SurfaceRows::relations_of(const Mode& mode, std::span<const int> equations) const {
  std::vector<int> compared;
  for (int row = 0; row < problem_.model.constraints(); ++row)
    if (!problem_.dependencies.of_constraint(row).empty()) compared.push_back(row);
  const std::vector<int> asked = signals_of(problem_.cache.rows().g, compared);
  std::shared_ptr<const ModeSystem> system = problem_.cache.get(mode);
  const RowMap& f = system->f;
  const Signature& signature = problem_.model.signature;
  return {std::move(system), AffineRelations(f, equations, signature),
          JoiningEquations(f, equations, asked, signature)};
}

const SurfaceRows::Relations& SurfaceRows::relations_on_all_sides() const {
  if (relations_) return *relations_;
  std::vector<int> unaffected;
  for (int row = 0; row < problem_.model.equations(); ++row)
    if (!problem_.cache.rows().f.is_logic(row) && !is_affected(row)) unaffected.push_back(row);
  return relations_.emplace(relations_of(before_, unaffected));
}

/// Vertices at which an output has no value are no modes, and say nothing.
const std::vector<SurfaceRows::Relations>& SurfaceRows::relations_at_vertices() const {
  if (at_vertices_) return *at_vertices_;
  std::vector<Relations>& found = at_vertices_.emplace();
  if (deciders_.size() > most_deciders_at_vertices) return found;
  std::vector<int> equations;
  bool some_affected = false;
  for (int row = 0; row < problem_.model.equations(); ++row)
    if (!problem_.cache.rows().f.is_logic(row)) {
      equations.push_back(row);
      some_affected = some_affected || is_affected(row);
    }
  if (!some_affected) return found;
  for (unsigned vertex = 0; vertex < 1U << deciders_.size(); ++vertex) {
    check_budget();
    Mode mode = before_;
    std::erase_if(mode.slides, [&](const Slide& slide) {
      return std::ranges::any_of(slide.binaries,
                                 [&](int binary) { return std::ranges::binary_search(deciders_, binary); });
    });
    for (std::size_t i = 0; i < deciders_.size(); ++i) mode.z[at(deciders_[i])] = (vertex >> i) & 1U ? 1 : 0;
    if (settle_outputs(problem_.outputs(), mode)) found.push_back(relations_of(mode, equations));
  }
  return found;
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
