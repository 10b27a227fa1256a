#include "solvers/switching/successor_search.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/sliding/surface_rows.hpp"

namespace mti {
namespace {

constexpr long most_judged_before_pivoting = 1000;
/// Where many binaries may move states.
constexpr long most_judged_with_jumps = 500;
constexpr std::size_t most_flips_judged = 200;
constexpr std::size_t most_ties = 1000;

}  // namespace

SuccessorRun::SuccessorRun(const SwitchingProblem& problem, const CausalSteps& causal_steps,
                           const SearchOptions& options, const Mode& before, TransitionMemory& memory)
    : problem_(problem),
      causal_steps_(causal_steps),
      options_(options),
      as_it_came_(before),
      z_minus_(before),
      A_(problem_),
      record_(problem_, before, options.explain),
      memory_(memory),
      most_candidates_(options.max_candidates) {
  settle_outputs(problem.outputs(), z_minus_);
  if (options.explain)
    problem_.told = [this](const Admissibility& verdict) { record_.explain_verdict(verdict); };
}

/// The steps of docs/theory.md, "The successor problem", in its words.
Successor SuccessorRun::find() {
  // 1. "z⁻ is judged. If it is admissible, it follows."
  first_ = judge({});
  const Admissibility& first = *first_;
  if (record_.found()) return record_.conclude();
  if (z_minus_.slides.empty() && first.motion) base_ = &first;
  record_.trigger(first.constraints, z_minus_);

  // 2. "Logic comes to rest before the motion goes anywhere." With g = 0 and Dg > 0 nothing is violated yet, and what
  // remembers the outputs that have moved may keep the motion inside.
  if (options_.causal && problem_.instant.has_past && first.rejection == Rejection::constraint_rising &&
      logic_still_moves()) {
    record_.take_step(z_minus_);
    return record_.conclude();
  }

  // 3. "A := the binaries of what z⁻ breaks. Surfaces whose θ has left [0, 1] are given up." Without them z⁻ is a
  // candidate of its own; with all of them it has been judged above.
  A_.begin_with(first);
  std::optional<TransitionKey> key;
  if (may_remember()) key.emplace(first.constraints, A_.binaries(), z_minus_);
  if (key && repeat_transition(*key)) return record_.conclude();
  const std::size_t size_of_A0 = A_.size();
  const Mode settled = z_minus_;
  if (give_up_left_surfaces(first))
    judge({});
  else
    learn(first);

  // 4. "Search A: its assignments by distance, then sliding over A."
  search();
  // What is met together by equations of the whole mode is not in the key.
  if (key && record_.found() && A_.size() == size_of_A0) keep_transition(*std::move(key));

  // 5. "If nothing follows, take a causal step, if there is one."
  if (!record_.decided() && options_.causal && !last_resort_) make_causal_step(first, settled);

  // 6. "A := A ∪ the binaries of other rows that candidates of A break; search A; until A stays as it is."
  grow();

  // 7. "Give up all surfaces that are left; search A; let it grow."
  if (!record_.decided() && !z_minus_.slides.empty()) {
    give_up_all_surfaces();
    search();
    grow();
  }

  // 8. "What was doubtful follows if nothing else does."
  take_last_resort();
  return record_.conclude();
}

Successor SuccessorRun::slide_over(std::span<const int> binaries) {
  first_ = of_z_minus_ = check_mode(problem_, z_minus_);
  record_.trigger(first_->constraints, z_minus_);
  A_.add(binaries);
  A_.remove_sliding(z_minus_);
  search_sliding();
  take_last_resort();
  return record_.conclude();
}

/// Gives up the surfaces whose row −θ ≤ 0 or θ − 1 ≤ 0 the verdict breaks, or all of them where it says nothing of
/// single ones, since the equations of z⁻ have no motion at all. False if all are kept.
bool SuccessorRun::give_up_left_surfaces(const Admissibility& first) {
  if (z_minus_.slides.empty()) return false;
  const bool motion_exists = problem_.instant.ends_domain ||  // up to there it has been that of z⁻
                             first.rejection == Rejection::constraint_violated ||
                             first.rejection == Rejection::constraint_rising ||
                             first.rejection == Rejection::not_attracting;
  const int bounds = problem_.model.constraints();  // rows from here on are those of θ, two for each surface
  std::set<std::size_t> left;
  for (const int row : first.constraints)
    if (row >= bounds) left.insert(at((row - bounds) / 2));
  std::vector<Slide> kept;
  for (std::size_t s = 0; s < z_minus_.slides.size(); ++s)
    if (!motion_exists || left.contains(s))
      A_.add(z_minus_.slides[s].binaries);
    else
      kept.push_back(z_minus_.slides[s]);
  const bool some_left = kept.size() < z_minus_.slides.size();
  // A pinned weight is one of a surface that others keep; those may be gone.
  if (some_left)
    for (Slide& slide : kept) slide.pinned.reset();
  z_minus_.slides = std::move(kept);
  A_.remove_sliding(z_minus_);
  settle_outputs(problem_.outputs(), z_minus_);
  return some_left;
}

/// z⁻ is a plain mode from here on. What was learned on surfaces does not hold without them: there s = 0 was an
/// equation, and ζ of their binaries an unknown.
void SuccessorRun::give_up_all_surfaces() {
  for (const Slide& slide : z_minus_.slides) A_.add(slide.binaries);
  z_minus_.slides.clear();
  settle_outputs(problem_.outputs(), z_minus_);
  nogoods_.clear();
  judge({});
}

/// Assignments of A, then what slides over A, then what has been put aside.
void SuccessorRun::search() {
  search_plain_and_sliding();
  if (!last_resort_) take_doubtful();
}

void SuccessorRun::search_plain_and_sliding() {
  if (A_.size() > most_binaries_without_reasons && substitute_forward(true)) return;
  search_assignments();
  if (record_.decided() || !options_.sliding) return;
  const std::size_t size = A_.size();
  A_.add(binaries_met_with(problem_, z_minus_, first_->constraints, A_.binaries()));
  A_.remove_sliding(z_minus_);
  if (A_.size() != size) search_assignments();
  if (!record_.decided()) search_sliding();
}

void SuccessorRun::search_assignments() {
  if (record_.decided()) return;
  const std::vector<int> A = A_.binaries();
  // That many relays which are met at once have no admissible assignment takes long to prove, and if they slide it
  // is not needed. So the proof is put off until pivoting has had its turn.
  const bool may_slide = options_.sliding && A.size() > most_binaries_judged_out;
  const long most_tried = may_slide
                              ? std::min(most_candidates_, record_.tried() + most_judged_before_pivoting)
                              : most_candidates_;
  judge_assignments(A, most_tried);
  if (!may_slide || !record_.stopped()) return;
  record_.resume();
  pivot(A);
  if (record_.found())
    record_.leave_open(
        "sliding over " + std::to_string(A.size()) + " binaries was found by pivoting after " +
        std::to_string(most_judged_before_pivoting) +
        " of their assignments (most_judged_before_pivoting): whether another one is admissible, "
        "which would come first, was not looked for");
  else
    judge_assignments(A, most_candidates_);
}

/// Judges the assignments of A, the nearest first, until the nearest admissible ones are known. What the set leaves
/// out between two candidates is known to be inadmissible: by a nogood, whose reason holds for it too, or by a row
/// that bounds prove to be broken. So the first admissible one is that of enumerating all 2^|A|.
///
/// Bounds need x⁻. Where many binaries may move states, so that there are hardly any, the assignments that are left where
/// none jumps are looked at before the search is given up; what is found then may not be the nearest.
void SuccessorRun::judge_assignments(const std::vector<int>& A, long most_tried) {
  std::vector<int> moving = problem_.outputs().outputs_behind(A);
  moving.insert(moving.end(), A.begin(), A.end());
  if (A.size() > most_binaries_judged_out && problem_.dependencies.jumps().may_move_by(moving)) {
    judge_assignments(A, std::min(most_tried, record_.tried() + most_judged_with_jumps),
                      Beginnings::as_foreseen);
    if (!record_.stopped()) return;
    record_.resume();
    judge_assignments(A, most_tried, Beginnings::all_at_x);
    if (record_.found())
      record_.leave_open(
          "what follows was found among those assignments of " + std::to_string(A.size()) +
          " binaries by which no state jumps, after " + std::to_string(most_judged_with_jumps) +
          " of all (most_judged_with_jumps): a nearer one that moves a state was not looked for");
    if (record_.decided()) return;
  }
  judge_assignments(A, most_tried, Beginnings::as_foreseen);
}

void SuccessorRun::judge_assignments(const std::vector<int>& A, long most_tried, Beginnings beginnings) {
  // Whether a candidate moves x is known from the structure of f and from the laws; numbers may make a matrix singular
  // that structure does not, which shows with the first candidate that jumps all the same.
  if (!record_.jumps_foreseen()) beginnings = Beginnings::unknown;
  CandidateSet candidates(problem_, z_minus_, A, beginnings);
  const long tried_before = record_.tried();
  for (;;) {
    if (beginnings != Beginnings::unknown && !record_.jumps_foreseen())
      return judge_assignments(A, most_tried, Beginnings::unknown);
    const AssignmentSearch::Result next = candidates.next(nogoods_);
    if (next.status == AssignmentSearch::Result::Status::none) {
      if (A.size() > most_binaries_judged_out) record_.exclude_others_among(A.size());
      return;
    }
    const bool gave_up = next.status == AssignmentSearch::Result::Status::limit;
    const bool beside_doubtful =
        record_.has_doubtful() && record_.tried() >= tried_before + most_judged_beside_a_doubtful_one;
    if (gave_up || beside_doubtful || record_.tried() >= most_tried || record_.ties() >= most_ties) {
      gave_up_beside_doubtful_ = record_.has_doubtful();
      if (record_.found() || record_.has_doubtful()) return;  // it stays; some of its ties may be missing
      record_.stop_at(gave_up
                          ? "the search of assignments gave up after " + std::to_string(candidates.nodes()) +
                                " partial assignments of " + std::to_string(A.size()) + " binaries"
                          : "the limit of " + std::to_string(most_candidates_) +
                                " candidates (max_candidates) was reached");
      return;
    }
    // Candidates come by distance: those behind the first admissible one are ties as long as they are no farther. An
    // admissible one is excluded like the others, or the set would offer it again.
    if (record_.found() && next.flipped.size() > record_.distance()) return;
    if (!record_.found() && record_.has_open_nearer_than(next.flipped.size())) return take_doubtful();
    if (nogoods_.is_judged(next.flipped) || judge(next.flipped).admissible())
      nogoods_.exclude_alone(with_flips(next.flipped).z);
  }
}

/// A doubtful motion is kept for the end, and others are looked for.
bool SuccessorRun::accepts(const Admissibility& sliding) {
  if (!sliding.admissible()) return false;
  const SlidingDoubt doubt = doubt_of(sliding, z_minus_, problem_.model);
  if (doubt == SlidingDoubt::last_resort && !last_resort_) {
    last_resort_ = SlidingMotion{.found = true, .mode = sliding.system->mode, .verdict = sliding};
    most_candidates_ = std::min(most_candidates_, record_.tried() + most_judged_beside_a_slide);
  }
  return doubt == SlidingDoubt::none;
}

void SuccessorRun::search_sliding() {
  SlidingMotion sliding =
      find_sliding(problem_, z_minus_, A_.binaries(), std::max(most_candidates_ - record_.tried(), 0L),
                   *first_, [this](const Admissibility& verdict) { return accepts(verdict); });
  A_.collect_constraints(sliding.contradicting);
  record_.add(std::move(sliding));
}

void SuccessorRun::pivot(const std::vector<int>& A) {
  SlidingMotion sliding = find_sliding_by_pivoting(
      problem_,
      {z_minus_, A, most_candidates_, [this](const Admissibility& verdict) { return accepts(verdict); }});
  // Assignments and sliding motions are sought next: what is turned down here is no answer yet.
  sliding.rejected.clear();
  sliding.given_up.clear();
  record_.add(std::move(sliding));
}

/// What memory makes of the instant comes before A grows, for a larger A might hold an assignment that nothing in the
/// triggered rows has caused; but only after all surfaces were given up. `settled` is z⁻ with all of its surfaces.
void SuccessorRun::make_causal_step(const Admissibility& first, const Mode& settled) {
  CausalStep next = causal_steps_.find(problem_, first, settled);
  if (!next.mode) {
    record_.give_up(std::move(next.given_up));
    return;
  }
  if (!z_minus_.slides.empty()) {
    give_up_all_surfaces();
    search();
  }
  if (!record_.decided()) record_.take_step(*next.mode);
}

void SuccessorRun::grow() {
  while (!record_.decided()) {
    if (A_.size() > most_binaries_without_reasons && substitute_forward(false)) return;
    judge_the_rest();
    if (is_at_limit()) return;
    if (!A_.grow(z_minus_)) return;
    search();
  }
  if (record_.found() && std::ranges::any_of(record_.flipped(), [&](int b) { return A_.is_presumed(b); }))
    record_.leave_open(
        "binaries change since candidates may break rows that hold them; of more than " +
        std::to_string(most_binaries_judged_out) +
        " binaries (most_binaries_judged_out) not every candidate is judged, so that none need break "
        "these rows");
}

/// A grows by what its candidates break, those included that were excluded without being judged: a nogood says that
/// they are not admissible, but not which other rows they break.
void SuccessorRun::judge_the_rest() {
  const std::vector<int> A = A_.binaries();
  if (A.size() > most_binaries_judged_out) {
    for (std::size_t i = 0; i < std::min(A.size(), most_flips_judged); ++i)
      if (!nogoods_.is_judged({A[i]})) judge({A[i]});
    A_.collect_dependents(z_minus_);
    return;
  }
  for (unsigned flips = 1; flips < 1U << A.size() && !is_at_limit(); ++flips) {
    std::vector<int> flipped;
    for (std::size_t i = 0; i < A.size(); ++i)
      if ((flips >> i & 1U) != 0) flipped.push_back(A[i]);
    if (!nogoods_.is_judged(flipped)) judge(flipped);
  }
}

/// The only place where a candidate is judged: the verdict is a function of the mode and the instant, and what it means
/// for A, the nogoods and the result is theirs to draw.
Admissibility SuccessorRun::judge(const std::vector<int>& flipped) {
  const Mode mode = with_flips(flipped);
  Admissibility verdict = check_mode(problem_, mode, base_);
  nogoods_.mark_judged(flipped);
  if (flipped.empty()) of_z_minus_ = verdict;
  const bool is_uncaused = is_without_cause(flipped, verdict);
  if (is_uncaused) {
    if (!uncaused_ || flipped.size() < uncaused_->distance)
      uncaused_ = Uncaused{mode, flipped.size(), verdict};
    verdict.rejection = Rejection::forbidden;
    verdict.reason = "changes a comparison without a cause";
  }
  const bool jumps_foreseen = record_.jumps_foreseen();
  problem_.tell(verdict);
  record_.add(mode, flipped.size(), verdict);
  if (jumps_foreseen && !record_.jumps_foreseen()) nogoods_.forget_reasons();
  if (!flipped.empty() && may_remember())
    judged_.emplace_back(flipped, verdict, problem_.model.constraints());
  if (is_uncaused) nogoods_.exclude_alone(mode.z);
  if (verdict.admissible() || is_uncaused) return verdict;
  if (!flipped.empty() || !A_.empty()) learn(verdict);  // of z⁻ itself once A₀ is known
  if (first_) A_.collect(verdict);                      // A begins with what z⁻ breaks
  return verdict;
}

Mode SuccessorRun::with_flips(const std::vector<int>& flipped) const {
  Mode mode = z_minus_;
  for (const int binary : flipped) mode.z[at(binary)] ^= 1;
  if (!flipped.empty()) settle_outputs(problem_.outputs(), mode);
  return mode;
}

}  // namespace mti
