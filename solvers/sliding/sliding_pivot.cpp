#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/mode/surface_columns.hpp"
#include "solvers/search/assignment_order.hpp"
#include "solvers/sliding/sliding.hpp"
#include "solvers/sliding/surface_rows.hpp"

namespace mti {
namespace {

/// A group of so many binaries, or a part of a larger one, has 2^8 assignments, among which its two sides are sought.
constexpr std::size_t most_members = 8;

/// Where a surface's binaries are held.
enum class Place : char { below, above, slides };

/// A surface and the binaries that switch on it.
struct Group {
  SurfaceRow surface;
  std::set<int> members = {};  ///< deciders with a row on the surface
  Slide slide = {};
};

/// The linear complementarity problem behind many surfaces at once. With q_i = Ds_i where all groups are at `below`
/// and M = −∂(Ds)/∂θ, every surface i is to fulfil one of
///
///     θ_i = 0, Ds_i ≤ 0 (below)      0 ≤ θ_i ≤ 1, Ds_i = q_i − (Mθ)_i = 0 (slides)      θ_i = 1, Ds_i ≥ 0 (above)
///
/// Principal pivoting holds each surface at one of the three, solves, and moves those that break their inequality.
/// If M is a P-matrix, one choice of places fulfils all of them, and pivoting one by one ends there [murty1988].
class Pivoting {
 public:
  Pivoting(const SwitchingProblem& problem, const SlidingQuery& query)
      : problem_(problem),
        query_(query),
        A_(problem.outputs().deciders_behind(query.A)),
        rows_(problem, query.before, A_) {}

  SlidingMotion run() {
    find_surfaces();
    keep_groups_with_two_sides();
    if (groups_.empty()) return std::move(result_);
    // From all surfaces sliding, as relays do that chatter together; where that does not end, from z⁻.
    for (const Place first : {Place::slides, Place::below}) {
      std::vector<Place> places;
      for (const Group& group : groups_)
        places.push_back(first == Place::slides ? first : place_before(group));
      pivot(std::move(places));
      if (result_.found || result_.hindered_elsewhere) break;
    }
    return std::move(result_);
  }

 private:
  /// The rows of A that are zero at z⁻ or one flip from it, those on one surface together. 1 + |A| modes have to be
  /// solved for that, where enumeration needs 2^|A|.
  void find_surfaces() {
    std::vector<Admissibility> sides;
    const auto add = [&](const Mode& mode) {
      ++result_.tried;
      Admissibility verdict = problem_.check(mode);
      if (!verdict.admissible())
        problem_.tell(verdict);  // an admissible one need not press on what it slides on
      if (verdict.motion && verdict.system->broken_constraints.empty()) sides.push_back(std::move(verdict));
    };
    Mode mode = query_.before;
    problem_.outputs().settle(mode);
    add(mode);
    for (const int binary : A_) {
      Mode flipped = mode;
      flipped.z[at(binary)] ^= 1;
      problem_.outputs().settle(flipped);
      if (!flipped.slides.empty()) follow_slides(problem_.model.signature, problem_.outputs(), flipped);
      add(flipped);
    }
    for (const Admissibility& side : sides) {
      std::set<int> met(side.near.begin(), side.near.end());
      met.insert(side.constraints.begin(), side.constraints.end());
      for (const int row : met) {
        if (!rows_.may_be_surface(*side.system, row)) continue;
        auto group = std::ranges::find_if(groups_, [&](const Group& known) {
          return rows_.sign_on(known.surface, *side.system, row) != 0;
        });
        if (group == groups_.end()) {
          groups_.push_back({{side.system, row}});
          group = groups_.end() - 1;
        }
        for (const int binary : problem_.dependencies.of_constraint(row))
          if (std::ranges::binary_search(A_, binary)) group->members.insert(binary);
      }
    }
  }

  /// Surfaces without a side below and one above, or that share binaries with others, cannot be pivoted: moving one
  /// of them would move the other.
  void keep_groups_with_two_sides() {
    std::map<int, int> shared;
    for (const Group& group : groups_)
      for (const int binary : group.members) ++shared[binary];
    std::erase_if(groups_, [&](Group& group) {
      const bool alone = std::ranges::all_of(group.members, [&](int binary) { return shared[binary] == 1; });
      return !alone || !find_sides(group);
    });
  }

  /// z⁻ with some members flipped.
  [[nodiscard]] Mode mode_with(std::span<const int> flipped) const {
    Mode mode = query_.before;
    for (const int binary : flipped) mode.z[at(binary)] ^= 1;
    problem_.outputs().settle(mode);
    if (!mode.slides.empty()) follow_slides(problem_.model.signature, problem_.outputs(), mode);
    return mode;
  }

  /// Members that occur in one row, directly or as what its outputs follow from, with the rows in which they do. On which
  /// side of the surface a row holds is for its own members to say, so that in a large group each such part has two
  /// sides by itself: twelve relays on one signal are twelve parts of two assignments, not one of 2^12.
  struct Part {
    std::set<int> members = {};
    std::vector<int> rows = {};
  };
  [[nodiscard]] std::vector<Part> parts_of_group(const Group& group) const {
    if (group.members.size() <= most_members) return {{group.members, rows_.constraints()}};
    std::vector<Part> parts;
    for (const int row : rows_.constraints()) {
      Part part{{}, {row}};
      for (const int binary : problem_.outputs().deciders_behind(problem_.dependencies.of_constraint(row)))
        if (group.members.contains(binary)) part.members.insert(binary);
      if (part.members.empty()) continue;
      const auto apart = std::stable_partition(parts.begin(), parts.end(), [&](const Part& other) {
        return std::ranges::none_of(other.members, [&](int binary) { return part.members.contains(binary); });
      });
      for (auto joined = apart; joined != parts.end(); ++joined) {
        part.members.insert(joined->members.begin(), joined->members.end());
        part.rows.insert(part.rows.end(), joined->rows.begin(), joined->rows.end());
      }
      parts.erase(apart, parts.end());
      parts.push_back(std::move(part));
    }
    return parts;
  }

  /// The flips of a part's members that are nearest to the flips `to` and by which its rows lie at `position`, the other
  /// binaries at z⁻; of equally near ones the first in the order of the search of assignments.
  [[nodiscard]] std::optional<std::vector<int>> nearest_side(const Group& group, const Part& part,
                                                             std::span<const int> to, int position) const {
    if (part.members.size() > most_members) return std::nullopt;
    const std::vector<int> members(part.members.begin(), part.members.end());
    unsigned origin = 0;
    for (std::size_t k = 0; k < members.size(); ++k)
      if (std::ranges::find(to, members[k]) != to.end()) origin |= 1U << k;
    for (const unsigned moves_of_members : sets_in_order(members.size())) {
      const unsigned subset = moves_of_members ^ origin;
      std::vector<int> flipped;
      for (std::size_t k = 0; k < members.size(); ++k)
        if ((subset >> k & 1U) != 0) flipped.push_back(members[k]);
      const auto system = problem_.cache.get(mode_with(flipped));
      if (!system->structurally_solvable() || !system->broken_constraints.empty()) continue;
      if (side_of(rows_.rows_on(group.surface, *system, part.rows)) == position) return flipped;
    }
    return std::nullopt;
  }

  /// The assignments of the group's members, the others at z⁻: below the surface the one nearest to z⁻, above it the
  /// one nearest to that, part by part.
  bool find_sides(Group& group) const {
    std::vector<int> below, above;
    for (const Part& part : parts_of_group(group)) {
      const auto low = nearest_side(group, part, {}, -1);
      if (!low) return false;
      const auto high = nearest_side(group, part, *low, 1);
      if (!high) return false;
      below.insert(below.end(), low->begin(), low->end());
      above.insert(above.end(), high->begin(), high->end());
    }
    const Mode low = mode_with(below), high = mode_with(above);
    const auto lies_at = [&](const Mode& mode, int position) {
      const auto system = problem_.cache.get(mode);
      return system->structurally_solvable() && system->broken_constraints.empty() &&
             side_of(rows_.rows_on(group.surface, *system, rows_.constraints())) == position;
    };
    if (!lies_at(low, -1) || !lies_at(high, 1)) return false;
    group.slide.constraint = rows_.first_row_on(group.surface, *problem_.cache.get(low));
    for (const int binary : group.members) {
      if (low.z[at(binary)] == high.z[at(binary)]) continue;
      group.slide.binaries.push_back(binary);
      group.slide.below.push_back(low.z[at(binary)]);
      group.slide.above.push_back(high.z[at(binary)]);
    }
    return group.slide.constraint >= 0 && !group.slide.binaries.empty();
  }

  [[nodiscard]] Place place_before(const Group& group) const {
    for (std::size_t i = 0; i < group.slide.binaries.size(); ++i)
      if (query_.before.z[at(group.slide.binaries[i])] != group.slide.above[i]) return Place::below;
    return Place::above;
  }

  [[nodiscard]] Mode mode_at(const std::vector<Place>& places) const {
    Mode mode = query_.before;
    for (std::size_t s = 0; s < groups_.size(); ++s) {
      const Slide& slide = groups_[s].slide;
      if (places[s] == Place::slides)
        mode.slides.push_back(slide);
      else
        for (std::size_t i = 0; i < slide.binaries.size(); ++i)
          mode.z[at(slide.binaries[i])] = places[s] == Place::above ? slide.above[i] : slide.below[i];
    }
    std::ranges::sort(mode.slides, {}, &Slide::constraint);
    problem_.outputs().settle(mode);
    follow_slides(problem_.model.signature, problem_.outputs(), mode);
    return mode;
  }

  /// Surfaces that break their inequality, and where they go. Of one that slides −θ ≤ 0 or θ − 1 ≤ 0 is broken: it goes
  /// to that side. Of one at a side its own row is broken, the motion leaves through it: it slides.
  [[nodiscard]] std::vector<std::pair<std::size_t, Place>> moves(const Admissibility& verdict,
                                                                 const std::vector<Place>& places) const {
    std::vector<std::pair<std::size_t, Place>> result;
    const Mode& mode = verdict.system->mode;
    for (const int row : verdict.constraints) {
      if (row >= problem_.model.constraints()) {
        const int bound = row - problem_.model.constraints();
        const Slide& slide = mode.slides[at(bound / 2)];
        for (std::size_t s = 0; s < groups_.size(); ++s)
          if (groups_[s].slide.constraint == slide.constraint && places[s] == Place::slides)
            result.emplace_back(s, bound % 2 == 0 ? Place::below : Place::above);
        continue;
      }
      for (std::size_t s = 0; s < groups_.size(); ++s)
        if (places[s] != Place::slides && rows_.sign_on(groups_[s].surface, *verdict.system, row) != 0)
          result.emplace_back(s, Place::slides);
    }
    std::ranges::sort(result);
    return result;
  }

  /// All moves at once as long as that leads to something new: block pivots take a few tries where single ones take one
  /// for each surface, but may come back to where they were. Then only the surface of least index moves each time,
  /// which ends for every P-matrix, if not always soon: the number of pivots is bounded.
  void pivot(std::vector<Place> places) {
    const std::size_t most_pivots = 50 + 10 * groups_.size();
    std::set<std::vector<Place>> seen;
    bool one_by_one = false;
    for (std::size_t pivots = 0; pivots < most_pivots && result_.tried < query_.limit; ++pivots) {
      if (!seen.insert(places).second) {
        if (one_by_one) return;
        one_by_one = true;
        seen.clear();
      }
      const Mode mode = mode_at(places);
      ++result_.tried;
      const Admissibility verdict = problem_.check(mode);
      if (!verdict.admissible()) problem_.tell(verdict);
      if (!verdict.motion) return;
      const auto next = moves(verdict, places);
      if (next.empty()) {
        finish(mode);
        return;
      }
      for (const auto& [surface, place] : next) {
        places[surface] = place;
        if (one_by_one) break;
      }
    }
    result_.given_up = "pivoting over " + std::to_string(groups_.size()) + " surfaces came to no end";
  }

  /// All inequalities of the surfaces hold; what else a sliding motion needs is asked here. If only rows without a
  /// binary of A are in its way, no other choice of places removes them, but a larger A may.
  void finish(const Mode& mode) {
    ++result_.tried;
    Admissibility verdict = check_mode(problem_, mode);
    problem_.tell(verdict);
    if (query_.accepted(verdict)) {
      result_.found = true;
      result_.mode = mode;
      result_.verdict = std::move(verdict);
      return;
    }
    result_.hindered_elsewhere = verdict.motion && !verdict.constraints.empty() &&
                                 std::ranges::none_of(verdict.constraints, [&](int row) {
                                   return row >= problem_.model.constraints() || rows_.contains(row);
                                 });
    result_.rejected.push_back(std::move(verdict));
  }

  const SwitchingProblem& problem_;
  const SlidingQuery& query_;
  const std::vector<int> A_;  ///< deciders
  const SurfaceRows rows_;
  std::vector<Group> groups_;
  SlidingMotion result_;
};

}  // namespace

SlidingMotion find_sliding_by_pivoting(const SwitchingProblem& problem, const SlidingQuery& query) {
  return Pivoting(problem, query).run();
}

}  // namespace mti
