#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/mode/surface.hpp"
#include "solvers/mode/surface_columns.hpp"
#include "solvers/sliding/sliding.hpp"
#include "solvers/sliding/sliding_rows.hpp"

namespace mti {
namespace {

/// Where a surface's binaries are held.
enum class Place : char { below, above, slides };

struct Group {
  std::shared_ptr<const ModeSystem> system;  ///< in which row `constraint` is s
  int constraint = -1;
  std::set<int> members = {};  ///< deciders with a row on the surface
  Slide slide = {};
};

class Pivoting {
 public:
  Pivoting(const Model& model, ModeCache& cache, const Accuracy& accuracy, const Dependencies& influence,
           const Instant& instant, const Mode& before, std::span<const int> A, long limit,
           const AcceptedVerdict& accepted)
      : model_(model),
        cache_(cache),
        accuracy_(accuracy),
        influence_(influence),
        instant_(instant),
        before_(before),
        A_(cache.outputs().deciders_behind(A)),
        limit_(limit),
        accepted_(accepted),
        rows_(sliding_rows(model, accuracy, influence, instant, A_)) {}

  SlidingMotion run() {
    find_surfaces();
    find_groups();
    if (groups_.empty()) return std::move(result_);
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
  [[nodiscard]] const Outputs& outputs() const { return cache_.outputs(); }

  [[nodiscard]] static bool is_live(const ModeSystem& system, int row) {
    return std::binary_search(system.live_constraints.begin(), system.live_constraints.end(), row);
  }

  [[nodiscard]] int sign_on(const Group& group, const ModeSystem& system, int row) const {
    return orientation(group.system->g, group.constraint, system.g, row, instant_.v, rows_.scale);
  }

  /// The rows of A that are met at z⁻ or one flip from it, those on one surface together.
  void find_surfaces() {
    std::vector<Admissibility> sides;
    const auto add = [&](const Mode& mode) {
      ++result_.tried;
      Admissibility verdict = check_admissibility(model_, cache_.get(mode), accuracy_, instant_);
      if (verdict.motion && verdict.system->broken_constraints.empty()) sides.push_back(std::move(verdict));
    };
    Mode mode = before_;
    outputs().settle(mode);
    add(mode);
    for (const int binary : A_) {
      Mode flipped = mode;
      flipped.z[at(binary)] ^= 1;
      outputs().settle(flipped);
      if (!flipped.slides.empty()) follow_slides(model_.signature, outputs(), flipped);
      add(flipped);
    }
    for (const Admissibility& side : sides) {
      std::set<int> met(side.near.begin(), side.near.end());
      met.insert(side.constraints.begin(), side.constraints.end());
      for (const int row : met) {
        if (!is_live(*side.system, row) ||
            !std::binary_search(rows_.constraints.begin(), rows_.constraints.end(), row))
          continue;
        auto group = std::find_if(groups_.begin(), groups_.end(),
                                  [&](const Group& known) { return sign_on(known, *side.system, row) != 0; });
        if (group == groups_.end()) {
          groups_.push_back({side.system, row});
          group = groups_.end() - 1;
        }
        for (const int binary : influence_.of_constraint(row))
          if (std::binary_search(A_.begin(), A_.end(), binary)) group->members.insert(binary);
      }
    }
  }

  /// For each surface the assignments of its members below and above it, the others at z⁻; surfaces without
  /// both, or that share binaries with others, cannot be pivoted.
  void find_groups() {
    std::map<int, int> shared;
    for (const Group& group : groups_)
      for (const int binary : group.members) ++shared[binary];
    std::erase_if(groups_, [&](Group& group) {
      constexpr std::size_t most_members = 8;
      const bool alone = std::all_of(group.members.begin(), group.members.end(),
                                     [&](int binary) { return shared[binary] == 1; });
      return !alone || group.members.size() > most_members || !find_sides(group);
    });
  }

  bool find_sides(Group& group) const {
    const std::vector<int> members(group.members.begin(), group.members.end());
    std::vector<unsigned> flips(1U << members.size());
    for (unsigned i = 0; i < flips.size(); ++i) flips[i] = i;
    const auto mode_with = [&](unsigned flip) {
      Mode mode = before_;
      for (std::size_t k = 0; k < members.size(); ++k)
        if ((flip >> k & 1U) != 0) mode.z[at(members[k])] ^= 1;
      outputs().settle(mode);
      if (!mode.slides.empty()) follow_slides(model_.signature, outputs(), mode);
      return mode;
    };
    const auto nearest = [&](unsigned to, int position) -> std::optional<unsigned> {
      std::stable_sort(flips.begin(), flips.end(),
                       [&](unsigned a, unsigned b) { return std::popcount(a ^ to) < std::popcount(b ^ to); });
      for (const unsigned flip : flips) {
        const auto system = cache_.get(mode_with(flip));
        if (!system->structurally_solvable() || !system->broken_constraints.empty()) continue;
        bool below = false, above = false;
        for (const int row : rows_.constraints) {
          if (!is_live(*system, row)) continue;
          const int sign = sign_on(group, *system, row);
          below = below || sign > 0;
          above = above || sign < 0;
        }
        if (below != above && position == (below ? -1 : 1)) return flip;
      }
      return std::nullopt;
    };
    const auto below = nearest(0, -1);
    if (!below) return false;
    const auto above = nearest(*below, 1);
    if (!above) return false;
    const Mode low = mode_with(*below), high = mode_with(*above);
    const auto system = cache_.get(low);
    for (const int row : rows_.constraints)
      if (is_live(*system, row) && sign_on(group, *system, row) != 0) {
        group.slide.constraint = row;
        break;
      }
    for (const int binary : members) {
      if (low.z[at(binary)] == high.z[at(binary)]) continue;
      group.slide.binaries.push_back(binary);
      group.slide.below.push_back(low.z[at(binary)]);
      group.slide.above.push_back(high.z[at(binary)]);
    }
    return group.slide.constraint >= 0 && !group.slide.binaries.empty();
  }

  [[nodiscard]] Place place_before(const Group& group) const {
    for (std::size_t i = 0; i < group.slide.binaries.size(); ++i)
      if (before_.z[at(group.slide.binaries[i])] != group.slide.above[i]) return Place::below;
    return Place::above;
  }

  [[nodiscard]] Mode mode_at(const std::vector<Place>& places) const {
    Mode mode = before_;
    for (std::size_t s = 0; s < groups_.size(); ++s) {
      const Slide& slide = groups_[s].slide;
      if (places[s] == Place::slides)
        mode.slides.push_back(slide);
      else
        for (std::size_t i = 0; i < slide.binaries.size(); ++i)
          mode.z[at(slide.binaries[i])] = places[s] == Place::above ? slide.above[i] : slide.below[i];
    }
    std::sort(mode.slides.begin(), mode.slides.end(),
              [](const Slide& a, const Slide& b) { return a.constraint < b.constraint; });
    outputs().settle(mode);
    follow_slides(model_.signature, outputs(), mode);
    return mode;
  }

  /// Surfaces that cannot stay where they are, and where they go.
  [[nodiscard]] std::vector<std::pair<std::size_t, Place>> moves(const Admissibility& verdict,
                                                                 const std::vector<Place>& places) const {
    std::vector<std::pair<std::size_t, Place>> result;
    const Mode& mode = verdict.system->mode;
    for (const int row : verdict.constraints) {
      if (row >= model_.constraints()) {
        const int bound = row - model_.constraints();
        const Slide& slide = mode.slides[at(bound / 2)];
        for (std::size_t s = 0; s < groups_.size(); ++s)
          if (groups_[s].slide.constraint == slide.constraint && places[s] == Place::slides)
            result.emplace_back(s, bound % 2 == 0 ? Place::below : Place::above);
        continue;
      }
      for (std::size_t s = 0; s < groups_.size(); ++s)
        if (places[s] != Place::slides && sign_on(groups_[s], *verdict.system, row) != 0)
          result.emplace_back(s, Place::slides);
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  /// All moves at once as long as that leads to something new, then only the first one each time.
  void pivot(std::vector<Place> places) {
    const std::size_t most_pivots = 50 + 10 * groups_.size();
    std::set<std::vector<Place>> seen;
    bool one_by_one = false;
    for (std::size_t pivots = 0; pivots < most_pivots && result_.tried < limit_; ++pivots) {
      if (!seen.insert(places).second) {
        if (one_by_one) return;
        one_by_one = true;
        seen.clear();
      }
      const Mode mode = mode_at(places);
      ++result_.tried;
      const Admissibility verdict = check_admissibility(model_, cache_.get(mode), accuracy_, instant_);
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

  void finish(const Mode& mode) {
    if (!holds_with_other_memory(model_, cache_, mode)) return;
    ++result_.tried;
    Admissibility verdict = check_mode(model_, cache_, accuracy_, instant_, mode);
    if (!accepted_(verdict)) {
      result_.hindered_elsewhere =
          verdict.motion && !verdict.constraints.empty() &&
          std::none_of(verdict.constraints.begin(), verdict.constraints.end(), [&](int row) {
            return row >= model_.constraints() ||
                   std::binary_search(rows_.constraints.begin(), rows_.constraints.end(), row);
          });
      result_.rejected.push_back(std::move(verdict));
      return;
    }
    result_.found = true;
    result_.mode = mode;
    result_.verdict = std::move(verdict);
  }

  const Model& model_;
  ModeCache& cache_;
  const Accuracy& accuracy_;
  const Dependencies& influence_;
  const Instant& instant_;
  const Mode& before_;
  std::vector<int> A_;
  long limit_;
  const AcceptedVerdict& accepted_;
  SlidingRows rows_;
  std::vector<Group> groups_;
  SlidingMotion result_;
};

}  // namespace

SlidingMotion find_sliding_by_pivoting(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                                       const Dependencies& influence, const Instant& instant,
                                       const Mode& before, std::span<const int> A, long limit,
                                       const AcceptedVerdict& accepted) {
  return Pivoting(model, cache, accuracy, influence, instant, before, A, limit, accepted).run();
}

}  // namespace mti
