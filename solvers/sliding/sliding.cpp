#include "solvers/sliding/sliding.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/mode/surface_columns.hpp"
#include "solvers/sliding/sliding_sides.hpp"

namespace mti {
namespace {

/// With more binaries only sides within two flips are examined, and with more binaries or surfaces than these pivoting
/// comes before enumeration, which has 3^surfaces motions to judge.
constexpr std::size_t largest_full_enumeration = 10, most_surfaces_enumerated_first = 4;
/// The largest number of surfaces of a motion in which weights are pinned.
constexpr std::size_t most_surfaces_pinned = 6;
constexpr long most_combinations = 1'000'000;  ///< of sides, looked at in one search

/// A sliding motion to be judged.
struct Proposal {
  Mode mode;
  std::vector<int> leaving;  ///< binaries whose value is not that of z⁻
};

/// Enumerates the sliding motions of A: every choice of k surfaces, k = 1, 2, …, with every choice of sides around
/// them.
class SlidingSearch {
 public:
  SlidingSearch(const SwitchingProblem& problem, const SlidingQuery& query)
      : problem_(problem), query_(query), A_(problem.outputs().deciders_behind(query.A)) {}

  SlidingMotion run() {
    const bool few_binaries = A_.size() <= largest_full_enumeration;
    if (!few_binaries && pivots()) return std::move(result_);
    sides_.emplace(problem_, query_.before, A_, few_binaries ? A_.size() : 2);
    const std::size_t surfaces = sides_->surfaces().size();
    if (few_binaries && surfaces > most_surfaces_enumerated_first && pivots()) return std::move(result_);
    // Fewest surfaces first, for each equation s = 0 takes a degree of freedom from the motion.
    for (std::size_t k = 1; k <= surfaces && !result_.found; ++k) {
      proposals_.clear();
      seen_.clear();
      std::vector<std::size_t> chosen;
      choose_surfaces(k, 0, chosen);
      judge_proposals();
    }
    const bool all_looked_at =
        few_binaries && combinations_ <= most_combinations && result_.tried < query_.limit;
    if (!result_.found && !all_looked_at && surfaces > 0)
      result_.given_up = "sliding over " + std::to_string(A_.size()) + " binaries on " +
                         std::to_string(surfaces) + " surfaces was not looked for in all combinations (" +
                         std::to_string(result_.tried) + " motions judged)";
    if (!result_.found) result_.contradicting = sides_->contradicting();
    return std::move(result_);
  }

 private:
  /// The search is over: a sliding motion was found, or A has to grow first.
  bool pivots() {
    SlidingMotion found = find_sliding_by_pivoting(
        problem_, {query_.before, A_, query_.limit - result_.tried, query_.accepted});
    found.tried += result_.tried;
    found.rejected.insert(found.rejected.end(), std::make_move_iterator(result_.rejected.begin()),
                          std::make_move_iterator(result_.rejected.end()));
    result_ = std::move(found);
    return result_.found || result_.hindered_elsewhere;
  }

  /// Every k of the surfaces, each choice from every side that lies below all of them.
  void choose_surfaces(std::size_t k, std::size_t first, std::vector<std::size_t>& chosen) {
    if (++combinations_ > most_combinations) return;
    check_budget();
    if (chosen.size() == k) {
      if (std::ranges::any_of(chosen, [&](std::size_t s) { return sides_->is_left(s, chosen); })) return;
      for (const SurfaceSide& side : sides_->sides())
        if (std::ranges::all_of(chosen, [&](std::size_t s) { return side.position[s] == -1; }))
          choose_groups(side, chosen, {}, {});
      return;
    }
    const std::vector<std::size_t>& surfaces = sides_->surfaces();
    for (std::size_t next = first; next < surfaces.size(); ++next) {
      chosen.push_back(surfaces[next]);
      choose_surfaces(k, next + 1, chosen);
      chosen.pop_back();
    }
  }

  /// Filippov's combination on k surfaces blends 2^k sides. By the multilinear extension k + 1 of them are enough to
  /// say which: `base` below all surfaces, and for each surface one that is above this one and below the others.
  /// Where it differs from `base` is the group of that surface, ζ_i = below_i + θ (above_i − below_i); groups share no
  /// binary, since a binary has one weight.
  void choose_groups(const SurfaceSide& base, const std::vector<std::size_t>& chosen,
                     std::vector<Slide> slides, const std::set<int>& taken) {
    if (slides.size() == chosen.size()) {
      if (sides_->is_ruled_out(base, slides, chosen)) return;
      for (std::size_t s = 0; s < slides.size(); ++s) slides[s].constraint = sides_->row_on(base, chosen[s]);
      propose(base, std::move(slides), taken);
      return;
    }
    check_budget();
    const std::size_t next = chosen[slides.size()];
    std::vector<int> members;  // that have a row on the surface, and no place in another group
    for (const int binary : A_)
      if (!taken.contains(binary) && sides_->may_slide_on(binary, next)) members.push_back(binary);
    for (const SurfaceSide* other : sides_->sides_beside(base, members)) {
      if (++combinations_ > most_combinations) return;
      if (!std::ranges::all_of(chosen,
                               [&](std::size_t s) { return other->position[s] == (s == next ? 1 : -1); }))
        continue;
      Slide slide = group_between(base, *other);
      std::set<int> more = taken;
      more.insert(slide.binaries.begin(), slide.binaries.end());
      std::vector<Slide> extended = slides;
      extended.push_back(std::move(slide));
      choose_groups(base, chosen, std::move(extended), more);
    }
  }

  /// Its row is still to be found.
  [[nodiscard]] Slide group_between(const SurfaceSide& below, const SurfaceSide& above) const {
    Slide slide{-1, {}, {}, {}};
    for (const int binary : A_) {
      const auto i = at(binary);
      if (below.z[i] == above.z[i]) continue;
      slide.binaries.push_back(binary);
      slide.below.push_back(below.z[i]);
      slide.above.push_back(above.z[i]);
    }
    return slide;
  }

  /// The motion on the chosen surfaces: groups slide, all other deciders of A are as in `base`, which may mean that
  /// some leave z⁻ without sliding. Surfaces that z⁻ slides on already are kept.
  void propose(const SurfaceSide& base, std::vector<Slide> slides, const std::set<int>& sliding) {
    Proposal proposal{query_.before, {}};
    for (const int binary : A_) {
      const auto i = at(binary);
      if (sliding.contains(binary) || base.z[i] == query_.before.z[i]) continue;
      proposal.mode.z[i] = base.z[i];
      proposal.leaving.push_back(binary);
    }
    // A binary that slides leaves z⁻ as well as one that flips.
    proposal.leaving.insert(proposal.leaving.end(), sliding.begin(), sliding.end());
    std::ranges::sort(proposal.leaving);
    slides.insert(slides.end(), query_.before.slides.begin(), query_.before.slides.end());
    std::ranges::sort(slides, {}, &Slide::constraint);
    proposal.mode.slides = std::move(slides);
    // Several sides may lead to the same motion: binaries that slide and those that flip give one proposal each.
    std::vector<int> key = proposal.leaving;
    for (const Slide& slide : proposal.mode.slides) {
      key.push_back(-1);
      key.insert(key.end(), slide.binaries.begin(), slide.binaries.end());
    }
    if (!seen_.insert(std::move(key)).second) return;
    problem_.outputs().settle(proposal.mode);
    follow_slides(problem_.model.signature, problem_.outputs(), proposal.mode);
    proposals_.push_back(std::move(proposal));
  }

  /// Those of k surfaces, by the deciders that leave z⁻ and then by their declaration.
  void judge_proposals() {
    std::ranges::stable_sort(proposals_, [](const Proposal& a, const Proposal& b) {
      return a.leaving.size() != b.leaving.size() ? a.leaving.size() < b.leaving.size()
                                                  : a.leaving < b.leaving;
    });
    for (const Proposal& proposal : proposals_) {
      if (result_.tried >= query_.limit) return;
      ++result_.tried;
      Admissibility verdict = check_mode(problem_, proposal.mode);
      problem_.tell(verdict);
      if (query_.accepted(verdict)) {
        accept(proposal.mode, std::move(verdict));
        return;
      }
      // No motion: s = 0 of one surface may follow from those of others, which leaves weights open.
      if (!verdict.motion && verdict.rejection != Rejection::forbidden && pins(proposal.mode)) return;
      result_.rejected.push_back(std::move(verdict));
    }
  }

  bool pins(const Mode& mode) {
    if (mode.slides.size() < 2 || mode.slides.size() > most_surfaces_pinned) return false;
    SlidingMotion found = pin_open_weights(problem_, mode, query_.limit - result_.tried, query_.accepted);
    result_.tried += found.tried;
    if (found.found) accept(std::move(found.mode), std::move(found.verdict));
    return found.found;
  }

  void accept(Mode mode, Admissibility verdict) {
    result_.found = true;
    result_.mode = std::move(mode);
    result_.verdict = std::move(verdict);
  }

  const SwitchingProblem& problem_;
  const SlidingQuery& query_;
  const std::vector<int> A_;  ///< deciders
  std::optional<SurfaceSides> sides_;
  long combinations_ = 0;
  std::vector<Proposal> proposals_;  ///< of the number of surfaces under way
  std::set<std::vector<int>> seen_;
  SlidingMotion result_;
};

}  // namespace

SlidingDoubt doubt_of(const Admissibility& sliding, const Mode& before, const Model& model) {
  SlidingDoubt worst = SlidingDoubt::none;
  for (const int s : sliding.run_along) {
    const std::vector<int>& binaries = sliding.system->mode.slides[at(s)].binaries;
    const bool is_kept =
        std::ranges::any_of(binaries, [&](int binary) { return slide_of(before, binary) != nullptr; });
    if (is_kept) continue;
    worst = SlidingDoubt::last_resort;
    const auto is_left_out = [&](const Transition& law) {
      return law.when != Transition::When::reach && std::ranges::count(binaries, law.target) > 0;
    };
    if (std::ranges::any_of(model.transitions, is_left_out)) return SlidingDoubt::not_a_slide;
  }
  return worst;
}

SlidingMotion find_sliding_together(const SwitchingProblem& problem, const SlidingQuery& query) {
  return SlidingSearch(problem, query).run();
}

}  // namespace mti
