// Transitions that come again.
#include <algorithm>
#include <utility>
#include <vector>

#include "solvers/switching/successor_search.hpp"

namespace mti {

/// Whether the assignments of A₀ follow each other in an order that verdicts alone decide. For more of them reasons and
/// bounds play a part, and bounds hold for the numbers of one instant.
bool SuccessorRun::may_remember() const {
  const bool by_constraints = first_->rejection == Rejection::constraint_violated ||
                              first_->rejection == Rejection::constraint_rising;
  return options_.remember && !options_.explain && !problem_.instant.ends_domain && base_ != nullptr &&
         by_constraints && A_.size() <= most_binaries_without_reasons;
}

/// The search as it went the last time: every candidate is judged again, those that a constraint turned down by that
/// constraint. False, with nothing changed, if one of them has another fate now, or none that is clear.
bool SuccessorRun::repeat_transition(const TransitionKey& key) {
  const KnownTransition* const known = memory_.find(key);
  if (known == nullptr || record_.tried() + std::ssize(*known) > most_candidates_) return false;
  struct Following {
    Mode mode;
    std::size_t distance;
    Admissibility verdict;
  };
  std::vector<Following> following;
  for (const JudgedCandidate& candidate : *known) {
    Mode mode = with_flips(candidate.flipped);
    if (candidate.fate == JudgedCandidate::Fate::excluded) {
      if (!is_excluded_by(problem_.model, problem_.cache.rows(), problem_.cache.get(mode), problem_.accuracy,
                          problem_.instant, *base_, candidate.constraint))
        return false;
      continue;
    }
    Admissibility verdict = check_mode(problem_, mode, base_);
    const bool follows = candidate.fate == JudgedCandidate::Fate::follows;
    const bool follows_now = verdict.admissible() && !is_without_cause(candidate.flipped, verdict);
    if (follows_now != follows || verdict.rejection == Rejection::restart_refused) return false;
    if (follows) following.push_back({std::move(mode), candidate.flipped.size(), std::move(verdict)});
  }
  // The first one decides how far the search went.
  const auto first = std::ranges::find_if(
      following, [](const Following& each) { return each.verdict.doubt != Doubt::let_pass; });
  if (first == following.end() || first->distance != following.back().distance) return false;
  record_.repeat(std::ssize(*known) - std::ssize(following));
  for (const Following& each : following) record_.add(each.mode, each.distance, each.verdict);
  record_.take_doubtful();
  return true;
}

/// What slides was not found among the assignments, and a refused restart leaves open what comes next.
void SuccessorRun::keep_transition(TransitionKey key) {
  using Fate = JudgedCandidate::Fate;
  const bool follows = std::ranges::any_of(
      judged_, [](const JudgedCandidate& candidate) { return candidate.fate == Fate::follows; });
  if (follows && !record_.refuses()) memory_.keep(std::move(key), std::move(judged_));
}

}  // namespace mti
