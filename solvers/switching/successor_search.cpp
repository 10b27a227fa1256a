#include "solvers/switching/successor_search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/admissibility/conflicts.hpp"
#include "solvers/admissibility/explain.hpp"
#include "solvers/mode/mode_outputs.hpp"

namespace mti {
namespace {

constexpr std::size_t most_rejected_kept = 64;

constexpr std::size_t most_ties = 1000;
constexpr long most_judged_before_pivoting = 1000;

std::vector<int> within(const std::vector<int>& binaries, const std::vector<int>& all) {
  std::vector<int> both;
  std::set_intersection(binaries.begin(), binaries.end(), all.begin(), all.end(), std::back_inserter(both));
  return both;
}

}  // namespace

Successor SuccessorRun::run(const Mode& before) {
  z_minus_ = before.z;
  at_.before = before;
  settle_outputs(tools_.outputs, at_.before);
  mode_values_.assign(instant_.v.size(), 0.0);
  write_mode(model_.signature, at_.before, mode_values_);
  const Admissibility first = try_candidate({});
  first_ = first;
  if (at_.before.slides.empty() && first.motion) base_ = first;
  if (found()) return std::move(result_);
  const std::vector<int> rows = first.constraints;
  for (const int row : rows) {
    const int constraint = constraint_index(model_, at_.before, row);  // both sides of a surface have one
    if (std::ranges::find(result_.triggered, constraint) == result_.triggered.end())
      result_.triggered.push_back(constraint);
  }
  if (options_.causal && first.rejection == Rejection::constraint_rising && logic_still_moves()) {
    // Logic comes to rest before the motion goes anywhere.
    take_step(at_.before);
    return std::move(result_);
  }
  begin_with(first);
  const Mode as_it_came = at_.before;
  release(rows, first.rejection);
  if (at_.only_z_minus_left) learn(first);
  // What memory makes of it comes before A grows, but after all surfaces were given up.
  if (!at_.only_z_minus_left) try_candidate({});  // z⁻ with fewer surfaces is a candidate of its own
  search_once();
  const bool may_release = !at_.before.slides.empty();
  if (!decided() && options_.causal) {
    CausalStep next = tools_.causal_steps.find(first, tools_.accuracy, instant_, as_it_came);
    if (!next.mode) {
      result_.given_up = std::move(next.given_up);
    } else {
      if (may_release) {
        const Stage kept = at_;
        release_all();
        search_once();
        if (!decided()) at_ = kept;
      }
      if (!decided()) take_step(*next.mode);
    }
  }
  if (!decided()) grow();
  if (!decided() && !at_.before.slides.empty()) {
    release_all();
    search_once();
    if (!decided()) grow();
  }
  if (result_.status == Successor::Status::dead_end && off_position_)
    result_.status = Successor::Status::refused;
  if (refused_at_ <= (found() ? distance_ : std::numeric_limits<std::size_t>::max() - 1))
    result_.status = Successor::Status::refused;
  return std::move(result_);
}

Successor SuccessorRun::slide_over(const Mode& before, std::span<const int> binaries) {
  z_minus_ = before.z;
  at_.before = before;
  settle_outputs(tools_.outputs, at_.before);
  mode_values_.assign(instant_.v.size(), 0.0);
  write_mode(model_.signature, at_.before, mode_values_);
  first_ = check_mode(model_, tools_.cache, tools_.accuracy, instant_, at_.before);
  for (const int row : first_->constraints) {
    const int constraint = constraint_index(model_, at_.before, row);
    if (std::ranges::find(result_.triggered, constraint) == result_.triggered.end())
      result_.triggered.push_back(constraint);
  }
  add_to_A(binaries);
  std::erase_if(at_.A, [&](int binary) { return slides(binary); });
  search_sliding();
  return std::move(result_);
}

/// Outputs that pre(z) remembers have other values than before: the next pose will see another pre(z).
bool SuccessorRun::logic_still_moves() const {
  const std::vector<int>& remembered = model_.signature.pre();
  return std::any_of(remembered.begin(), remembered.end(),
                     [&](int binary) { return at_.before.z[at(binary)] != z_minus_[at(binary)]; });
}

void SuccessorRun::take_step(const Mode& mode) {
  result_.status = Successor::Status::step;
  result_.mode = mode;
  result_.flipped = changed_from_z_minus(mode);
  if (options_.explain) result_.explained.push_back(explain_step(mode));
}

void SuccessorRun::add_to_A(std::span<const int> binaries) {
  const bool with_outputs = std::any_of(binaries.begin(), binaries.end(),
                                        [&](int binary) { return tools_.outputs.is_output(binary); });
  if (!with_outputs) {
    at_.A.insert(binaries.begin(), binaries.end());
    return;
  }
  const std::vector<int> deciders = tools_.outputs.deciders_behind(binaries);
  at_.A.insert(deciders.begin(), deciders.end());
}

/// A from what z⁻ breaks.
void SuccessorRun::begin_with(const Admissibility& first) {
  for (const int row : first.constraints) {
    if (row >= model_.constraints()) continue;
    triggered_.insert(row);
    add_to_A(tools_.influence.of_trigger(row));
  }
  for (const int row : first.failure.equations) {
    if (row >= model_.equations()) continue;
    triggered_equations_.insert(row);
    add_to_A(tools_.influence.of_equation(row));
  }
  if (first.rejection == Rejection::not_unique)
    for (const int row : first.failure.signals) add_to_A(tools_.influence.of_unknown(row));
  if (first.rejection == Rejection::forbidden)
    for (const std::vector<int>& binaries : binaries_of_broken_invariants(model_, at_.before))
      add_to_A(binaries);
  // What z⁻ breaks is what triggered the event, so only other candidates' rows extend A.
  at_.broken.clear();
}

/// Surfaces whose weight leaves [0, 1] are given up at once; binaries that go on sliding are not in A.
void SuccessorRun::release(const std::vector<int>& rows, Rejection rejection) {
  if (at_.before.slides.empty()) return;
  std::set<int> given_up;
  for (const int row : rows)
    if (row >= model_.constraints()) given_up.insert((row - model_.constraints()) / 2);
  const bool structural = rejection != Rejection::constraint_violated &&
                          rejection != Rejection::constraint_rising && rejection != Rejection::not_attracting;
  std::vector<Slide> kept;
  for (std::size_t s = 0; s < at_.before.slides.size(); ++s)
    if (structural || given_up.contains(static_cast<int>(s)))
      add_to_A(at_.before.slides[s].binaries);
    else
      kept.push_back(at_.before.slides[s]);
  at_.only_z_minus_left = kept.size() == at_.before.slides.size();
  for (const Slide& slide : kept)
    for (const int binary : slide.binaries) at_.A.erase(binary);
  if (!at_.only_z_minus_left)  // what kept a surface of a pinned weight may be gone
    for (Slide& slide : kept) slide.pinned.reset();
  at_.before.slides = std::move(kept);
  settle_outputs(tools_.outputs, at_.before);
}

void SuccessorRun::release_all() {
  for (const Slide& slide : at_.before.slides) add_to_A(slide.binaries);
  at_.before.slides.clear();
  settle_outputs(tools_.outputs, at_.before);
  at_.learned.clear();
  at_.judged.clear();
  at_.only_z_minus_left = false;
  try_candidate({});
}

/// Assignments of A, then sliding over A.
void SuccessorRun::search_once() {
  if (decided()) return;
  search_assignments();
  if (!decided() && options_.sliding) search_sliding();
}

/// A larger A, as long as there is something to add.
void SuccessorRun::grow() {
  while (!decided()) {
    check_out();
    const std::size_t size = at_.A.size();
    std::vector<int> more;
    for (const int binary : at_.broken)
      if (!slides(binary)) more.push_back(binary);
    add_to_A(more);
    std::erase_if(at_.A, [&](int binary) { return slides(binary); });
    if (at_.A.size() == size) return;
    search_once();
  }
}

bool SuccessorRun::slides(int binary) const {
  const std::vector<int>& blended = at_.before.blended;
  return slide_of(at_.before, binary) != nullptr ||
         std::binary_search(blended.begin(), blended.end(), binary);
}

void SuccessorRun::search_sliding() {
  SlidingMotion sliding =
      find_sliding(model_, tools_.cache, tools_.accuracy, tools_.influence, instant_, at_.before, A(),
                   std::max(options_.max_candidates - result_.tried, 0L), *first_);
  result_.tried += sliding.tried;
  for (Admissibility& verdict : sliding.rejected) {
    note(verdict);
    reject(std::move(verdict));
  }
  if (!sliding.given_up.empty()) result_.given_up = std::move(sliding.given_up);
  if (!sliding.found) return;
  note(sliding.verdict);
  accept(std::move(sliding.mode), std::move(sliding.verdict));
}

std::vector<int> SuccessorRun::changed_from_z_minus(const Mode& mode) const {
  std::vector<int> changed;
  for (std::size_t i = 0; i < mode.z.size(); ++i)
    if (mode.z[i] != z_minus_[i]) changed.push_back(static_cast<int>(i));
  return changed;
}

void SuccessorRun::accept(Mode mode, Admissibility verdict) {
  result_.status = Successor::Status::found;
  result_.flipped = changed_from_z_minus(mode);
  result_.mode = std::move(mode);
  result_.system = std::move(verdict.system);
  result_.motion = std::move(verdict.motion);
}

void SuccessorRun::reject(Admissibility verdict) {
  note_unresolved(verdict);
  verdict.motion.reset();
  if (result_.rejected.size() < most_rejected_kept) result_.rejected.push_back({std::move(verdict)});
}

ExplainedCandidate SuccessorRun::explain_step(const Mode& mode) const {
  ExplainedCandidate candidate;
  for (const int binary : changed_from_z_minus(mode))
    candidate.changed.emplace_back(model_.signature.binaries()[at(binary)].name, mode.z[at(binary)]);
  candidate.accepted = true;
  candidate.why = "a step of memory: pre(z) := z before the problem is posed again";
  return candidate;
}

void SuccessorRun::note(const Admissibility& verdict) {
  if (options_.explain) result_.explained.push_back(explain(verdict, model_, instant_, at_.before));
}

Admissibility SuccessorRun::try_candidate(const std::vector<int>& flipped) {
  Mode mode = with_flips(flipped);
  ++result_.tried;
  at_.judged.insert(flipped);
  Admissibility verdict =
      check_mode(model_, tools_.cache, tools_.accuracy, instant_, mode, base_ ? &*base_ : nullptr);
  jumps_seen_ = jumps_seen_ || (verdict.motion && !verdict.motion->restart().impulsive_parts().empty());
  note(verdict);
  if (verdict.admissible()) {
    if (found()) {
      result_.ties.push_back(changed_from_z_minus(mode));
    } else {
      distance_ = flipped.size();
      accept(std::move(mode), verdict);
    }
    return verdict;
  }
  reject(verdict);
  if (!flipped.empty() || !at_.A.empty()) learn(verdict);
  off_position_ = off_position_ || verdict.failure.kind == SolveFailure::Kind::off_position;
  if (verdict.rejection == Rejection::restart_refused) refused_at_ = std::min(refused_at_, flipped.size());
  extend_by(verdict);
  return verdict;
}

void SuccessorRun::learn(const Admissibility& verdict) {
  constexpr std::size_t few = 4;  // so few assignments are sooner judged than reasoned about
  std::vector<std::vector<int>> reasons;
  if (at_.A.size() > few) reasons = reasons_of(verdict, model_, tools_.influence);
  for (std::vector<int>& reason : reasons)
    at_.learned.push_back({verdict.system->mode.z, std::move(reason), false});
  if (reasons.empty()) at_.learned.push_back({verdict.system->mode.z, {}, true});
}

/// The assignments of A that nothing excludes, by distance, until the nearest admissible ones are known.
void SuccessorRun::search_assignments() {
  if (found()) return;
  const std::vector<int> A = this->A();
  states_known_ =
      !jumps_seen_ && (!tools_.influence.states_may_jump() || A.size() > most_binaries_judged_out);
  // Many relays that are met at once have no admissible assignment, which is dear to prove, but slide.
  const bool may_slide = options_.sliding && A.size() > most_binaries_judged_out;
  candidate_limit_ = may_slide
                         ? std::min(options_.max_candidates, result_.tried + most_judged_before_pivoting)
                         : options_.max_candidates;
  while (search_assignments(A)) states_known_ = false;
  candidate_limit_ = options_.max_candidates;
  if (!may_slide || result_.status != Successor::Status::limit) return;
  result_.status = Successor::Status::dead_end;
  result_.limit.clear();
  pivot(A);
  if (found()) return;
  while (search_assignments(A)) states_known_ = false;
}

/// True if the search has to begin again, since a candidate has shown that states may jump.
bool SuccessorRun::search_assignments(const std::vector<int>& A) {
  std::vector<int> outputs = tools_.outputs.outputs_behind(A);
  std::erase_if(outputs, [&](int output) { return slides(output); });
  std::sort(outputs.begin(), outputs.end());
  std::vector<int> concerned;
  std::merge(A.begin(), A.end(), outputs.begin(), outputs.end(), std::back_inserter(concerned));
  AssignmentSearch assignments(
      tools_.model_rows, [this](int signal) { return known(signal); }, A, at_.before.z, {},
      std::move(outputs));
  std::size_t used = 0;  // of what has been learned
  for (;;) {
    if (states_known_ && jumps_seen_) return true;
    for (; used < at_.learned.size(); ++used) {
      const Nogood& learned = at_.learned[used];
      assignments.exclude(learned.z, learned.alone ? A : within(learned.binaries, concerned));
    }
    const AssignmentSearch::Result next = assignments.next();
    if (next.status == AssignmentSearch::Result::Status::none) {
      if (A.size() > most_binaries_judged_out) result_.excluded_among = A.size();
      return false;
    }
    const bool too_many = next.status == AssignmentSearch::Result::Status::limit ||
                          result_.tried >= candidate_limit_ || result_.ties.size() >= most_ties;
    if (too_many) {  // a successor that was found stays; some of its ties may be missing
      if (found()) return false;
      result_.status = Successor::Status::limit;
      result_.limit = next.status == AssignmentSearch::Result::Status::limit
                          ? "the search of assignments gave up after " + std::to_string(assignments.nodes()) +
                                " partial assignments of " + std::to_string(A.size()) + " binaries"
                          : "the limit of " + std::to_string(options_.max_candidates) +
                                " candidates (max_candidates) was reached";
      return false;
    }
    if (found() && next.flipped.size() > distance_) return false;
    if (at_.judged.contains(next.flipped)) {
      at_.learned.push_back({with_flips(next.flipped).z, {}, true});
      continue;
    }
    if (try_candidate(next.flipped).admissible())
      at_.learned.push_back({with_flips(next.flipped).z, {}, true});
  }
}

/// Value and error of an entry of v for the bounds of the assignment search.
Ball SuccessorRun::known(int signal) const {
  const Signature& signature = model_.signature;
  const auto row = at(signal);
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (signal < signature.state_row(0)) return {0.0, unknown};
  if (signal < signature.input_row(0)) {
    if (!states_known_) return {0.0, unknown};
    // Off by the time of the event as well, and the slope may be another in the mode that follows.
    constexpr double other_slope = 100.0;
    const double slope = instant_.v[row - at(signature.n())];
    return {instant_.v[row], tools_.accuracy.of(signal, instant_.v[row]) +
                                 other_slope * std::abs(slope) * instant_.time_uncertainty};
  }
  if (signal < signature.algebraic_row(0)) {
    const int input = signal - signature.input_row(0);
    if (signature.inputs()[at(input)].binary) return {mode_values_[row], 0.0};
    const InputPiece& piece = instant_.pieces[at(input)];
    const double u = piece.value(instant_.t);
    return {u, tools_.accuracy.of(signal, u) +
                   std::abs(piece.derivative(instant_.t, 1)) * instant_.time_uncertainty};
  }
  if (signal < signature.binary_row(0)) return {0.0, unknown};
  if (const int binary = signal - signature.binary_row(0); binary < signature.q() && slides(binary))
    return {0.5, 0.5};
  return {mode_values_[row], 0.0};
}

Mode SuccessorRun::with_flips(const std::vector<int>& flipped) const {
  Mode mode = at_.before;
  for (const int binary : flipped) mode.z[at(binary)] ^= 1;
  if (!flipped.empty()) settle_outputs(tools_.outputs, mode);
  return mode;
}

}  // namespace mti
