#include "solvers/sliding/surface_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/motion/motion.hpp"
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

/// Of F·v with F = sign(v) the two sides have opposite signs. Where each term has one factor that is no number, none has.
bool SurfaceRows::needs_own_values(const ModeSystem& system, int row) const {
  const Signature& signature = problem_.model.signature;
  const auto is_y = [&](const RowMap::Factor& factor) {
    return factor.signal >= signature.algebraic_row(0) && factor.signal < signature.binary_row(0);
  };
  bool holds_y = false, multiplies_y = false;
  for (const RowMap::Term& term : system.g.terms(row)) {
    const std::span<const RowMap::Factor> factors = system.g.factors(term.column);
    const bool with_y = std::ranges::any_of(factors, is_y);
    holds_y = holds_y || with_y;
    multiplies_y = multiplies_y || (with_y && factors.size() > 1);
  }
  return multiplies_y ||
         (holds_y && some_equation_multiplies() && relations_on_all_sides().equations.are_nonlinear());
}

/// Two signals that no mode makes numbers; looked for first, for relations of large models take their time.
bool SurfaceRows::some_equation_multiplies() const {
  if (multiplies_) return *multiplies_;
  const Signature& signature = problem_.model.signature;
  const RowMap& f = problem_.cache.rows().f;
  const auto varies = [&](const RowMap::Factor& factor) {
    const int input = factor.signal - signature.input_row(0);
    const bool binary_input = input >= 0 && input < signature.m() && signature.inputs()[at(input)].binary;
    return factor.signal < signature.binary_row(0) && !binary_input;
  };
  bool found = false;
  for (int row = 0; row < f.rows() && !found; ++row)
    found = std::ranges::any_of(f.terms(row), [&](const RowMap::Term& term) {
      return f.function_of(term.column) != nullptr ||
             std::ranges::count_if(f.factors(term.column), varies) > 1;
    });
  return multiplies_.emplace(found);
}

/// Those of the motion there, if it has one.
const SurfaceRows::Values& SurfaceRows::values_in(const ModeSystem& system) const {
  const int next = static_cast<int>(values_.size()) + 1;
  const auto [found, is_new] = values_.try_emplace(system.mode, Values{next, v_});
  if (!is_new) return found->second;
  const std::shared_ptr<Motion> motion =
      motion_in(problem_.model, problem_.cache.get(system.mode), problem_.accuracy, problem_.instant);
  if (motion->solved() && std::ranges::all_of(motion->v(), [](double value) { return std::isfinite(value); }))
    found->second.v.assign(motion->v().begin(), motion->v().begin() + std::ssize(v_));
  return found->second;
}

SurfaceRows::PlacedRow SurfaceRows::placed(const ModeSystem& system, int row) const {
  if (!needs_own_values(system, row)) return {{&system.g, row}, &v_, 0};
  const Values& values = values_in(system);
  return {{&system.g, row}, &values.v, values.place};
}

int SurfaceRows::sign_on(const SurfaceRow& surface, const ModeSystem& system, int row) const {
  const PlacedRow a = placed(*surface.system, surface.constraint), b = placed(system, row);
  const std::pair<int, int> both(number_of(a), number_of(b));
  const auto known = signs_.find(both);
  if (known != signs_.end()) return known->second;
  return signs_[both] =
             a.place != 0 && b.place != 0 && a.place != b.place ? compare_by_others(a, b) : compare(a, b);
}

/// What P = F·v says on two sides is told by a row that both have, such as v.
int SurfaceRows::compare_by_others(const PlacedRow& a, const PlacedRow& b) const {
  const std::shared_ptr<const ModeSystem> system = problem_.cache.get(before_);
  for (const int row : constraints_) {
    if (!std::ranges::binary_search(system->live_constraints, row) || needs_own_values(*system, row))
      continue;
    const PlacedRow common{{&system->g, row}, &v_, 0};
    const int sign = compare(common, a);
    if (sign != 0) return sign * compare(common, b);
  }
  return compare(a, b);
}

int SurfaceRows::compare(const PlacedRow& a, const PlacedRow& b) const {
  const auto v_of_b = a.place == b.place ? std::span<const double>() : std::span(*b.v);
  const int as_written = orientation(*a.row.map, a.row.row, *b.row.map, b.row.row, *a.v, scale_, {}, v_of_b);
  if (as_written != 0) return as_written;
  const int on_all_sides = compare_by(relations_on_all_sides(), a, b);
  return on_all_sides != 0 ? on_all_sides : compare_at_vertices(a, b);
}

int SurfaceRows::compare_by(const Relations& relations, const PlacedRow& a, const PlacedRow& b) const {
  const auto v_of_b = a.place == b.place ? std::span<const double>() : std::span(*b.v);
  const int affine = relations.affine.empty() ? 0
                                              : orientation(*a.row.map, a.row.row, *b.row.map, b.row.row,
                                                            *a.v, scale_, relations.affine, v_of_b);
  return affine != 0
             ? affine
             : joined_orientation(relations.equations, a.row, b.row, b.place != 0 ? *b.v : *a.v, scale_);
}

/// y = x·(1 + z) vanishes where x does, with the same sign, for z = 0 and for z = 1.
int SurfaceRows::compare_at_vertices(const PlacedRow& a, const PlacedRow& b) const {
  if (!may_vanish(a.row) || !may_vanish(b.row)) return 0;
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

/// Of where it counts and what is written in the row, term by term.
int SurfaceRows::number_of(const PlacedRow& placed) const {
  const RowMap& map = *placed.row.map;
  std::vector<double> text{static_cast<double>(placed.place)};
  for (const RowMap::Term& term : map.terms(placed.row.row)) {
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

/// By the order in which the mode `before` is solved.
const std::vector<char>& SurfaceRows::signals_behind_deciders() const {
  if (!behind_deciders_.empty()) return behind_deciders_;
  const std::shared_ptr<const ModeSystem> system = preferred(problem_.cache.get(before_));
  behind_deciders_.resize(at(system->rows_of_v(problem_.model.signature)));
  const auto is_made_of_affected = [&](int equation) {
    if (equation >= problem_.model.equations()) return true;
    if (!system->recombination) return is_affected(equation);
    return std::ranges::any_of(values(system->recombination->origins[EquationRow(equation)]),
                               [&](int origin) { return is_affected(origin); });
  };
  for (const SolutionBlock& block : system->plan->blocks) {
    const bool is_behind = std::ranges::any_of(block.equations, [&](int equation) {
      if (is_made_of_affected(equation)) return true;
      return std::ranges::any_of(system->f.terms(equation), [&](const RowMap::Term& term) {
        return std::ranges::any_of(system->f.factors(term.column), [&](const RowMap::Factor& factor) {
          return behind_deciders_[at(factor.signal)] != 0;
        });
      });
    });
    for (const int unknown : block.unknowns) behind_deciders_[at(unknown)] = is_behind ? 1 : 0;
  }
  return behind_deciders_;
}

/// It holds no signal that follows from deciders of A.
bool SurfaceRows::is_steady(const ModeSystem& system, int row) const {
  const std::vector<char>& behind = signals_behind_deciders();
  return std::ranges::none_of(system.g.terms(row), [&](const RowMap::Term& term) {
    return std::ranges::any_of(system.g.factors(term.column),
                               [&](const RowMap::Factor& factor) { return behind[at(factor.signal)] != 0; });
  });
}

/// Every column holds one signal, and none that may itself be a product.
bool SurfaceRows::is_linear_in_x(const ModeSystem& system, int row) const {
  const Signature& signature = problem_.model.signature;
  return std::ranges::all_of(system.g.terms(row), [&](const RowMap::Term& term) {
    const std::span<const RowMap::Factor> factors = system.g.factors(term.column);
    return factors.size() <= 1 && std::ranges::none_of(factors, [&](const RowMap::Factor& factor) {
             return factor.signal >= signature.algebraic_row(0) && factor.signal < signature.binary_row(0);
           });
  });
}

/// F·v has the zeros of v, but where F slides through zero it says nothing; nor does it change its sign where F does. x·y is
/// flat where a motion that slides on y = 0 comes to x = 0 as well.
int SurfaceRows::first_row_on(const SurfaceRow& surface, const ModeSystem& system) const {
  constexpr int steady = 4, by_itself = 2, linear = 1, highest = steady + by_itself + linear;
  int found = -1, best = -1;
  for (const int row : constraints_) {
    if (!std::ranges::binary_search(system.live_constraints, row) || sign_on(surface, system, row) == 0)
      continue;
    const int rank = (is_steady(system, row) ? steady : 0) + (needs_own_values(system, row) ? 0 : by_itself) +
                     (is_linear_in_x(system, row) ? linear : 0);
    if (rank <= best) continue;
    best = rank;
    found = row;
    if (rank == highest) break;
  }
  return found;
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
