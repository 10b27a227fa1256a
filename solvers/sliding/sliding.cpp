#include "solvers/sliding/sliding.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/surface.hpp"
#include "solvers/mode/surface_columns.hpp"
#include "solvers/sliding/sliding_rows.hpp"

namespace mti {
namespace {

/// With more binaries only sides within two flips are examined, and with more binaries or surfaces than these pivoting
/// comes before enumeration, which has 3^surfaces motions to judge.
constexpr std::size_t largest_full_enumeration = 10, most_surfaces_enumerated_first = 4;
/// The largest number of surfaces of a motion in which weights are pinned.
constexpr std::size_t most_surfaces_pinned = 6;
constexpr long most_combinations = 1'000'000;  ///< of sides, looked at in one search

/// An assignment of A whose equations have a solution.
struct Side {
  std::vector<char> z;
  Admissibility verdict;
  std::vector<int> position;  ///< to each surface: −1 below, 1 above, 0 neither
};

/// A surface by one of the rows that vanish on it.
struct SurfaceRow {
  std::shared_ptr<const ModeSystem> system;
  int constraint = -1;
};

/// A sliding motion to be judged.
struct Proposal {
  Mode mode;
  std::vector<int> leaving;  ///< binaries whose value is not that of z⁻
};

class SlidingSearch {
 public:
  SlidingSearch(const Model& model, ModeCache& cache, const Accuracy& accuracy, const Dependencies& influence,
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
    if (A_.size() > largest_full_enumeration && pivots()) return std::move(result_);
    collect_sides();
    find_surfaces();
    for (Side& side : sides_) locate(side);
    keep_surfaces_with_two_sides();
    const bool many = usable_.size() > most_surfaces_enumerated_first;
    if (many && A_.size() <= largest_full_enumeration && pivots()) return std::move(result_);
    for (std::size_t k = 1; k <= usable_.size() && !result_.found; ++k) {
      proposals_.clear();
      seen_.clear();
      std::vector<std::size_t> chosen;
      choose_surfaces(k, 0, chosen);
      check_proposals();
    }
    const bool all_looked_at =
        A_.size() <= largest_full_enumeration && combinations_ <= most_combinations && result_.tried < limit_;
    if (!result_.found && !all_looked_at && !usable_.empty())
      result_.given_up = "sliding over " + std::to_string(A_.size()) + " binaries on " +
                         std::to_string(usable_.size()) +
                         " surfaces was not looked for in all combinations (" +
                         std::to_string(result_.tried) + " motions judged)";
    return std::move(result_);
  }

 private:
  /// The search is over: a sliding motion was found, or A has to grow first.
  bool pivots() {
    SlidingMotion found = find_sliding_by_pivoting(model_, cache_, accuracy_, influence_, instant_, before_,
                                                   A_, limit_ - result_.tried, accepted_);
    found.tried += result_.tried;
    found.rejected.insert(found.rejected.end(), std::make_move_iterator(result_.rejected.begin()),
                          std::make_move_iterator(result_.rejected.end()));
    result_ = std::move(found);
    return result_.found || result_.hindered_elsewhere;
  }

  [[nodiscard]] static bool is_live(const ModeSystem& system, int row) {
    return row < static_cast<int>(system.constraint_form.size()) &&
           system.constraint_form[at(row)] == RowForm::live;
  }

  void collect_sides() {
    const std::size_t most_flips = A_.size() <= largest_full_enumeration ? A_.size() : 2;
    std::vector<int> flipped;
    add_side(flipped);
    add_flips(0, most_flips, flipped);
  }

  void add_flips(std::size_t first, std::size_t left, std::vector<int>& flipped) {
    if (left == 0) return;
    for (std::size_t i = first; i < A_.size(); ++i) {
      flipped.push_back(A_[i]);
      add_side(flipped);
      add_flips(i + 1, left - 1, flipped);
      flipped.pop_back();
    }
  }

  void add_side(const std::vector<int>& flipped) {
    Mode mode = before_;
    for (const int binary : flipped) mode.z[at(binary)] ^= 1;
    outputs().settle(mode);
    Admissibility verdict = check_admissibility(model_, cache_.get(mode), accuracy_, instant_);
    if (verdict.motion && verdict.system->broken_constraints.empty())
      sides_.push_back({std::move(mode.z), std::move(verdict), {}});
  }

  /// Every row that excludes a side may be a surface.
  void find_surfaces() {
    for (const Side& side : sides_)
      for (const int row : side.verdict.constraints) {
        if (!is_live(*side.verdict.system, row)) continue;
        if (row >= model_.constraints() ||
            !std::binary_search(rows_.constraints.begin(), rows_.constraints.end(), row))
          continue;
        const RowMap& g = side.verdict.system->g;
        const bool known = std::any_of(surfaces_.begin(), surfaces_.end(), [&](const SurfaceRow& surface) {
          return orientation(surface.system->g, surface.constraint, g, row, instant_.v, rows_.scale) != 0;
        });
        if (!known) surfaces_.push_back({side.verdict.system, row});
      }
  }

  void locate(Side& side) {
    const ModeSystem& system = *side.verdict.system;
    for (std::size_t s = 0; s < surfaces_.size(); ++s) {
      const SurfaceRow& surface = surfaces_[s];
      bool below = false, above = false;
      for (const int row : rows_.constraints) {
        if (!std::binary_search(system.live_constraints.begin(), system.live_constraints.end(), row))
          continue;
        const int sign =
            orientation(surface.system->g, surface.constraint, system.g, row, instant_.v, rows_.scale);
        below = below || sign > 0;
        above = above || sign < 0;
        if (sign != 0)
          for (const int binary : influence_.of_constraint(row)) surfaces_of_[binary].insert(s);
      }
      side.position.push_back(below == above ? 0 : (below ? -1 : 1));
    }
  }

  void keep_surfaces_with_two_sides() {
    for (std::size_t s = 0; s < surfaces_.size(); ++s) {
      const auto some_are = [&](int position) {
        return std::any_of(sides_.begin(), sides_.end(),
                           [&](const Side& side) { return side.position[s] == position; });
      };
      if (some_are(-1) && some_are(1)) usable_.push_back(s);
    }
  }

  void choose_surfaces(std::size_t k, std::size_t first, std::vector<std::size_t>& chosen) {
    if (++combinations_ > most_combinations) return;
    check_budget();
    if (chosen.size() == k) {
      for (const Side& side : sides_)
        if (std::all_of(chosen.begin(), chosen.end(), [&](std::size_t s) { return side.position[s] == -1; }))
          choose_groups(side, chosen, {}, {});
      return;
    }
    for (std::size_t next = first; next < usable_.size(); ++next) {
      chosen.push_back(usable_[next]);
      choose_surfaces(k, next + 1, chosen);
      chosen.pop_back();
    }
  }

  /// Sides above the next chosen surface and below the others: what differs from `base` is its group.
  void choose_groups(const Side& base, const std::vector<std::size_t>& chosen, std::vector<Slide> slides,
                     const std::set<int>& taken) {
    if (slides.size() == chosen.size()) {
      propose(base, std::move(slides), taken);
      return;
    }
    check_budget();
    const std::size_t next = chosen[slides.size()];
    for (const Side& other : sides_) {
      if (++combinations_ > most_combinations) return;
      if (!std::all_of(chosen.begin(), chosen.end(),
                       [&](std::size_t s) { return other.position[s] == (s == next ? 1 : -1); }))
        continue;
      Slide slide{-1, {}, {}, {}};
      bool free = true;
      for (const int binary : A_) {
        const auto i = at(binary);
        if (base.z[i] == other.z[i]) continue;
        free = free && !taken.contains(binary) && may_slide_on(binary, next);
        slide.binaries.push_back(binary);
        slide.below.push_back(base.z[i]);
        slide.above.push_back(other.z[i]);
      }
      if (!free) continue;
      slide.constraint = row_on(base, next);
      std::set<int> more = taken;
      more.insert(slide.binaries.begin(), slide.binaries.end());
      std::vector<Slide> extended = slides;
      extended.push_back(std::move(slide));
      choose_groups(base, chosen, std::move(extended), more);
    }
  }

  /// A decider slides on surfaces that its own rows vanish on; only outputs go along with others.
  [[nodiscard]] bool may_slide_on(int binary, std::size_t surface) const {
    const auto found = surfaces_of_.find(binary);
    return found != surfaces_of_.end() && found->second.contains(surface);
  }

  [[nodiscard]] const Outputs& outputs() const { return cache_.outputs(); }

  /// A row of the side that vanishes on the surface.
  [[nodiscard]] int row_on(const Side& side, std::size_t s) const {
    const ModeSystem& system = *side.verdict.system;
    for (const int row : rows_.constraints)
      if (is_live(system, row) && orientation(surfaces_[s].system->g, surfaces_[s].constraint, system.g, row,
                                              instant_.v, rows_.scale) != 0)
        return row;
    return surfaces_[s].constraint;
  }

  void propose(const Side& base, std::vector<Slide> slides, const std::set<int>& sliding) {
    Proposal proposal{before_, {sliding.begin(), sliding.end()}};
    for (const int binary : A_) {
      const auto i = at(binary);
      if (sliding.contains(binary) || base.z[i] == before_.z[i]) continue;
      proposal.mode.z[i] = base.z[i];
      proposal.leaving.push_back(binary);
    }
    std::sort(proposal.leaving.begin(), proposal.leaving.end());
    slides.insert(slides.end(), before_.slides.begin(), before_.slides.end());
    std::sort(slides.begin(), slides.end(),
              [](const Slide& a, const Slide& b) { return a.constraint < b.constraint; });
    proposal.mode.slides = std::move(slides);
    std::vector<int> key = proposal.leaving;  // binaries that slide and those that flip: one proposal each
    for (const Slide& slide : proposal.mode.slides) {
      key.push_back(-1);
      key.insert(key.end(), slide.binaries.begin(), slide.binaries.end());
    }
    if (!seen_.insert(std::move(key)).second) return;
    outputs().settle(proposal.mode);
    follow_slides(model_.signature, outputs(), proposal.mode);
    if (holds_with_other_memory(model_, cache_, proposal.mode)) proposals_.push_back(std::move(proposal));
  }

  void check_proposals() {
    std::stable_sort(proposals_.begin(), proposals_.end(), [](const Proposal& a, const Proposal& b) {
      return a.leaving.size() != b.leaving.size() ? a.leaving.size() < b.leaving.size()
                                                  : a.leaving < b.leaving;
    });
    for (const Proposal& proposal : proposals_) {
      if (result_.tried >= limit_) return;
      ++result_.tried;
      Admissibility verdict = check_mode(model_, cache_, accuracy_, instant_, proposal.mode);
      if (accepted_(verdict)) {
        result_.found = true;
        result_.mode = proposal.mode;
        result_.verdict = std::move(verdict);
        return;
      }
      if (!verdict.motion && pins(proposal.mode)) return;
      result_.rejected.push_back(std::move(verdict));
    }
  }

  bool pins(const Mode& mode) {
    if (mode.slides.size() < 2 || mode.slides.size() > most_surfaces_pinned) return false;
    SlidingMotion found =
        pin_open_weights(model_, cache_, accuracy_, instant_, mode, limit_ - result_.tried, accepted_);
    result_.tried += found.tried;
    if (!found.found) return false;
    result_.found = true;
    result_.mode = std::move(found.mode);
    result_.verdict = std::move(found.verdict);
    return true;
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
  std::vector<Side> sides_;
  std::vector<SurfaceRow> surfaces_;
  std::vector<std::size_t> usable_;  ///< surfaces with sides below and above
  long combinations_ = 0;
  std::map<int, std::set<std::size_t>> surfaces_of_;  ///< by binary
  std::vector<Proposal> proposals_;
  std::set<std::vector<int>> seen_;
  SlidingMotion result_;
};

}  // namespace

SlidingMotion find_sliding_together(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                                    const Dependencies& influence, const Instant& instant, const Mode& before,
                                    std::span<const int> A, long limit, const AcceptedVerdict& accepted) {
  return SlidingSearch(model, cache, accuracy, influence, instant, before, A, limit, accepted).run();
}

}  // namespace mti
