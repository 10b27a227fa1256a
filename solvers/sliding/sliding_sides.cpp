#include "solvers/sliding/sliding_sides.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/admissibility/conflicts.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/rest/functions_at_rest.hpp"

namespace mti {

SurfaceSides::SurfaceSides(const SwitchingProblem& problem, const Mode& before, std::span<const int> A,
                           std::size_t most_flips)
    : problem_(problem),
      before_(before),
      A_(A),
      flips_are_complete_(most_flips >= A.size()),
      rows_(problem, before, A) {
  std::vector<int> flipped;
  add_side(flipped);
  add_flips(0, most_flips, flipped);
  find_surfaces();
  for (SurfaceSide& side : sides_) locate(side);
  sort_distinct(contradicting_);
  list_usable();
  let_determined_deciders_join();
}

void SurfaceSides::add_flips(std::size_t first, std::size_t left, std::vector<int>& flipped) {
  if (left == 0) return;
  for (std::size_t i = first; i < A_.size(); ++i) {
    flipped.push_back(A_[i]);
    add_side(flipped);
    add_flips(i + 1, left - 1, flipped);
    flipped.pop_back();
  }
}

/// Of a to c only a is asked for: Filippov's combination needs f on both sides, and that a side breaks a row there is
/// what makes it one. A row of binaries alone that it breaks excludes it, for no motion changes that. Outputs go along
/// with the surfaces that are kept.
std::optional<SurfaceSide> SurfaceSides::side_with_flips(const std::vector<int>& flipped) const {
  Mode mode = before_;
  for (const int binary : flipped) mode.z[at(binary)] ^= 1;
  settle_outputs(problem_.outputs(), mode);
  Admissibility verdict = problem_.check(
      with_ends_held(problem_.model, problem_.cache, problem_.accuracy, problem_.instant, mode));
  if (!verdict.motion || !verdict.system->broken_constraints.empty()) return std::nullopt;
  return SurfaceSide{std::move(mode.z), flipped, std::move(verdict), {}};
}

void SurfaceSides::add_side(const std::vector<int>& flipped) {
  std::optional<SurfaceSide> side = side_with_flips(flipped);
  if (!side) return;
  side_with_.emplace(flipped, sides_.size());
  sides_.push_back(*std::move(side));
}

/// One of sides(), or one with more flips, which is then made.
const SurfaceSide* SurfaceSides::find_side(const std::vector<int>& flipped) const {
  constexpr std::size_t most_further_sides = 2000;
  if (const auto known = side_with_.find(flipped); known != side_with_.end()) return &sides_[known->second];
  if (flips_are_complete_) return nullptr;
  const auto known = further_.find(flipped);
  if (known == further_.end() && further_.size() >= most_further_sides) return nullptr;
  const std::optional<SurfaceSide>& side =
      known != further_.end() ? known->second
                              : further_.emplace(flipped, side_with_flips(flipped)).first->second;
  return side ? &*side : nullptr;
}

/// Every row that excludes a side may be a surface: through it the motion leaves that side, and another side may bring
/// it back.
void SurfaceSides::find_surfaces() {
  for (const SurfaceSide& side : sides_)
    for (const int row : side.verdict.constraints) {
      if (!rows_.may_be_surface(*side.verdict.system, row)) continue;
      const bool known = std::ranges::any_of(surfaces_, [&](const SurfaceRow& surface) {
        return rows_.sign_on(surface, *side.verdict.system, row) != 0;
      });
      if (known) continue;
      const SurfaceRow found{side.verdict.system, row};
      const int first = rows_.first_row_on(found, *found.system);
      surfaces_.push_back({found.system, first >= 0 ? first : row});
    }
}

/// A side may lie on no side of a surface: its rows may say nothing about it, or both that s ≤ 0 and that s ≥ 0. Then
/// it cannot be one that a motion on this surface blends.
void SurfaceSides::locate(SurfaceSide& side) {
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    const std::vector<SurfaceRows::SignedRow> on_surface =
        rows_.rows_on(surfaces_[s], *side.verdict.system, rows_.constraints());
    for (const auto& [row, sign] : on_surface)
      for (const int binary : problem_.dependencies.of_constraint(row)) surfaces_of_[binary].insert(s);
    side.position.push_back(side_of(on_surface));
    const auto says = [&](int sign) {
      return std::ranges::any_of(
          on_surface, [&](const SurfaceRows::SignedRow& signed_row) { return signed_row.sign == sign; });
    };
    if (says(1) && says(-1))
      for (const auto& [row, sign] : on_surface) contradicting_.push_back(row);
  }
}

/// Filippov's combination runs between a side below and a side above.
void SurfaceSides::list_usable() {
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    const auto some_are = [&](int position) {
      return std::ranges::any_of(sides_,
                                 [&](const SurfaceSide& side) { return side.position[s] == position; });
    };
    std::vector<int> binaries;
    for (const auto& [binary, surfaces] : surfaces_of_)
      if (surfaces.contains(s)) binaries.push_back(binary);
    if (all_are_continuous(problem_.dependencies.comparisons(), binaries)) continue;
    if (some_are(-1) && some_are(1)) usable_.push_back(s);
  }
}

/// k = s with a row that holds k: no output of logic, but what s slides on k does, too. Not so where another decider
/// takes part that could as well give way (k = s xor r, r having its rows elsewhere).
void SurfaceSides::let_determined_deciders_join() {
  const Outputs& outputs = problem_.outputs();
  for (bool grows = true; grows;) {
    grows = false;
    for (const int binary : A_)
      for (const int equation : outputs.equations_determining(binary)) {
        const std::span<const int> held = outputs.binaries_of(equation);
        std::vector<int> others(held.begin(), held.end());
        std::erase(others, binary);
        others = outputs.deciders_behind(others);
        for (const std::size_t surface : usable_) {
          if (others.empty() || may_slide_on(binary, surface)) continue;
          if (!std::ranges::all_of(others, [&](int other) { return may_slide_on(other, surface); })) continue;
          surfaces_of_[binary].insert(surface);
          grows = true;
        }
      }
  }
}

bool SurfaceSides::may_slide_on(int binary, std::size_t surface) const {
  const auto found = surfaces_of_.find(binary);
  return found != surfaces_of_.end() && found->second.contains(surface);
}

/// By their number, 2^|deciders|, where that is less than looking at all sides.
std::vector<const SurfaceSide*> SurfaceSides::sides_beside(const SurfaceSide& side,
                                                           std::span<const int> deciders) const {
  std::vector<std::size_t> found;
  std::vector<int> flipped;
  if (deciders.size() < 20 && (1UL << deciders.size()) < sides_.size()) {
    for (unsigned long subset = 1; subset < 1UL << deciders.size(); ++subset) {
      std::vector<int> moved;
      for (std::size_t k = 0; k < deciders.size(); ++k)
        if ((subset >> k & 1U) != 0) moved.push_back(deciders[k]);
      flipped.clear();
      std::ranges::set_symmetric_difference(side.flipped, moved, std::back_inserter(flipped));
      if (const auto known = side_with_.find(flipped); known != side_with_.end())
        found.push_back(known->second);
    }
    std::ranges::sort(found);
  } else {
    for (std::size_t other = 0; other < sides_.size(); ++other) {
      flipped.clear();
      std::ranges::set_symmetric_difference(side.flipped, sides_[other].flipped, std::back_inserter(flipped));
      if (!flipped.empty() && std::ranges::includes(deciders, flipped)) found.push_back(other);
    }
  }
  std::vector<const SurfaceSide*> sides;
  sides.reserve(found.size());
  for (const std::size_t other : found) sides.push_back(&sides_[other]);
  return sides;
}

/// By the first of s, Ds, D²s, … that is not zero, as admissibility is decided; neither where the mode does not tell: it slides, or is
/// differentiated.
const SurfaceSides::Course& SurfaceSides::course_at(const SurfaceSide& side, std::size_t surface) const {
  const auto [found, is_new] = courses_.try_emplace({&side, surface});
  Course& course = found->second;
  const ModeSystem& system = *side.verdict.system;
  const int row = is_new && system.graph ? rows_.first_row_on(surfaces_[surface], system) : -1;
  if (row < 0) return course;
  const int orders = orders_of_decision(problem_.model, system);
  for (int k = 0; k <= orders && course.sign == 0; ++k) {
    const Ball number = side.verdict.motion->constraint(row, k);
    if (!(std::abs(number.value) > number.error)) continue;
    const double open = (k + 1) * std::abs(side.verdict.motion->constraint(row, k + 1).value) *
                        problem_.instant.time_uncertainty;
    if (std::abs(number.value) <= number.error + open) return course;
    course.sign = (number.value > 0.0 ? 1 : -1) * rows_.sign_on(surfaces_[surface], system, row);
    course.deciders = problem_.outputs().deciders_behind(
        binaries_behind_signals(system, problem_.model, problem_.dependencies, row, k));
  }
  return course;
}

/// At all sides of a position, 0 for every side: the sign is 0 unless all go somewhere.
const SurfaceSides::Course& SurfaceSides::course_at_all(std::size_t surface, int position) const {
  const auto [found, is_new] = courses_at_all_.try_emplace({surface, position});
  Course& all = found->second;
  if (!is_new) return all;
  all.sign = 1;
  for (const SurfaceSide& side : sides_) {
    if (position != 0 && side.position[surface] != position) continue;
    const Course& course = course_at(side, surface);
    if (course.sign == 0) all.sign = 0;
    all.deciders.insert(all.deciders.end(), course.deciders.begin(), course.deciders.end());
  }
  sort_distinct(all.deciders);
  return all;
}

bool SurfaceSides::is_left(std::size_t surface, std::span<const std::size_t> sliding) const {
  const Course& course = course_at_all(surface, -1);
  return course.sign != 0 && std::ranges::none_of(course.deciders, [&](int binary) {
           return std::ranges::any_of(sliding,
                                      [&](std::size_t other) { return may_slide_on(binary, other); });
         });
}

/// The sign that the courses at all sides blended by the groups have in common. Along each weight a derivative of s is a
/// linear function, or a quotient of two, and so between its values at the ends: what has one sign at all vertices has it
/// within.
int SurfaceSides::common_course(const SurfaceSide& below, std::span<const Slide> groups,
                                std::size_t surface) const {
  constexpr std::size_t most_groups = 10;
  const int sign = course_at(below, surface).sign;
  if (sign == 0) return 0;
  const std::vector<int>& deciders = course_at_all(surface, 0).deciders;
  std::vector<const Slide*> taking_part;
  for (const Slide& group : groups)
    if (std::ranges::any_of(group.binaries, [&](int b) { return std::ranges::binary_search(deciders, b); }))
      taking_part.push_back(&group);
  if (taking_part.size() > most_groups) return 0;
  for (unsigned subset = 1; subset < 1U << taking_part.size(); ++subset) {
    std::vector<int> moved, flipped;
    for (std::size_t k = 0; k < taking_part.size(); ++k)
      if ((subset >> k & 1U) != 0)
        moved.insert(moved.end(), taking_part[k]->binaries.begin(), taking_part[k]->binaries.end());
    std::ranges::sort(moved);
    std::ranges::set_symmetric_difference(below.flipped, moved, std::back_inserter(flipped));
    const SurfaceSide* const side = find_side(flipped);
    if (side == nullptr || course_at(*side, surface).sign != sign) return 0;
  }
  return sign;
}

bool SurfaceSides::is_ruled_out(const SurfaceSide& below, std::span<const Slide> groups,
                                std::span<const std::size_t> chosen) const {
  for (std::size_t surface = 0; surface < surfaces_.size(); ++surface) {
    const bool slides = std::ranges::find(chosen, surface) != chosen.end();
    const int position = below.position[surface];
    if (!slides && (position == 0 || course_at(below, surface).sign != -position)) continue;
    const int sign = common_course(below, groups, surface);
    if (slides ? sign != 0 : sign == -position) return true;
  }
  return false;
}

int SurfaceSides::row_on(const SurfaceSide& side, std::size_t surface) const {
  const int row = rows_.first_row_on(surfaces_[surface], *side.verdict.system);
  return row >= 0 ? row : surfaces_[surface].constraint;
}

}  // namespace mti
