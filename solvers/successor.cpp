#include "solvers/successor.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <set>

#include "solvers/assignment_search.hpp"
#include "solvers/reasons.hpp"

namespace mti {
namespace {

constexpr std::size_t most_rejected_kept = 64;

/// Up to so many binaries every assignment is judged before A is extended, so that all they break counts.
constexpr std::size_t most_binaries_judged_out = 10;
constexpr std::size_t most_ties = 1000;

/// A candidate that was turned down, and with it all that agree with it on these binaries.
struct Learned {
  std::vector<char> z;
  std::vector<int> binaries;  ///< ascending
  bool alone = false;         ///< it alone, whatever it depended on
};

/// One search from a given z⁻ with the surfaces it keeps: its candidates so far and what they broke.
class Search {
 public:
  Search(const Model& model, ModeCache& cache, const Accuracy& accuracy, const Influence& influence,
         const ModelRows& model_rows, const Instant& instant, long limit, bool allow_sliding)
      : model_(model),
        cache_(cache),
        accuracy_(accuracy),
        influence_(influence),
        model_rows_(model_rows),
        instant_(instant),
        limit_(limit),
        allow_sliding_(allow_sliding) {}

  Successor run(const Mode& before) {
    before_ = before;
    mode_values_.assign(instant_.v.size(), 0.0);
    write_mode(model_.signature, before_, mode_values_);
    const Verdict first = try_candidate({});
    first_ = first;
    if (before.slides.empty() && first.motion) base_ = first;
    if (found()) return std::move(result_);
    const std::vector<int> rows = first.constraints;
    for (const int row : rows) result_.triggered.push_back(constraint_index(model_, before, row));
    begin_with(first);
    release(rows, first.rejection);
    if (only_z_minus_left_) learn(first);
    search();
    if (!decided() && !before_.slides.empty()) {
      for (const Slide& slide : before_.slides) add(slide.binaries);
      before_.slides.clear();
      learned_.clear();
      judged_.clear();
      only_z_minus_left_ = false;
      search();
    }
    if (result_.status == Successor::Status::dead_end && off_position_)
      result_.status = Successor::Status::refused;
    if (refused_at_ <= (found() ? result_.flipped.size() : std::numeric_limits<std::size_t>::max() - 1))
      result_.status = Successor::Status::refused;
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool found() const { return result_.status == Successor::Status::found; }
  [[nodiscard]] bool decided() const { return found() || result_.status == Successor::Status::limit; }
  void add(std::span<const int> binaries) { A_.insert(binaries.begin(), binaries.end()); }

  /// A from what z⁻ breaks.
  void begin_with(const Verdict& first) {
    for (const int row : first.constraints) {
      if (row >= model_.constraints()) continue;
      triggered_.insert(row);
      add(influence_.of_trigger(row));
    }
    for (const int row : first.equations) {
      if (row >= model_.equations()) continue;
      triggered_equations_.insert(row);
      add(influence_.of_equation(row));
    }
    if (first.rejection == Rejection::not_unique)
      for (const int row : first.unknowns) add(influence_.of_unknown(row));
    if (first.rejection == Rejection::forbidden)
      for (const std::vector<int>& binaries : binaries_of_broken_invariants(model_, before_)) add(binaries);
    // What z⁻ breaks is what triggered the event, so only other candidates' rows extend A.
    extension_.clear();
  }

  /// Surfaces whose weight leaves [0, 1] are given up at once; binaries that go on sliding are not in A.
  void release(const std::vector<int>& rows, Rejection rejection) {
    if (before_.slides.empty()) return;
    std::set<int> given_up;
    for (const int row : rows)
      if (row >= model_.constraints()) given_up.insert((row - model_.constraints()) / 2);
    const bool structural = rejection != Rejection::constraint_violated &&
                            rejection != Rejection::constraint_rising &&
                            rejection != Rejection::not_attracting;
    std::vector<Slide> kept;
    for (std::size_t s = 0; s < before_.slides.size(); ++s)
      if (structural || given_up.contains(static_cast<int>(s)))
        add(before_.slides[s].binaries);
      else
        kept.push_back(before_.slides[s]);
    only_z_minus_left_ = kept.size() == before_.slides.size();
    for (const Slide& slide : kept)
      for (const int binary : slide.binaries) A_.erase(binary);
    before_.slides = std::move(kept);
  }

  /// Assignments of A, sliding over A, a larger A.
  void search() {
    if (!only_z_minus_left_) try_candidate({});  // z⁻ with fewer surfaces is a candidate of its own
    while (!decided()) {
      search_assignments();
      if (!decided() && allow_sliding_) search_sliding();
      if (decided()) return;
      judge_out();
      const std::size_t size = A_.size();
      for (const int binary : extension_)
        if (!slides(binary)) A_.insert(binary);
      if (A_.size() == size) return;
    }
  }

  [[nodiscard]] bool slides(int binary) const {
    return std::any_of(before_.slides.begin(), before_.slides.end(), [&](const Slide& slide) {
      return std::binary_search(slide.binaries.begin(), slide.binaries.end(), binary);
    });
  }

  void search_sliding() {
    const std::vector<int> A(A_.begin(), A_.end());
    SlidingMotion sliding = find_sliding(model_, cache_, accuracy_, influence_, instant_, before_, A,
                                         std::max(limit_ - result_.tried, 0L), *first_);
    result_.tried += sliding.tried;
    for (Verdict& verdict : sliding.rejected) reject(std::move(verdict));
    if (sliding.found) accept(std::move(sliding.mode), std::move(sliding.verdict));
  }

  void accept(Mode mode, Verdict verdict) {
    result_.status = Successor::Status::found;
    for (std::size_t i = 0; i < mode.z.size(); ++i)
      if (mode.z[i] != before_.z[i]) result_.flipped.push_back(static_cast<int>(i));
    result_.mode = std::move(mode);
    result_.system = std::move(verdict.system);
    result_.motion = std::move(verdict.motion);
  }

  void reject(Verdict verdict) {
    verdict.motion.reset();
    if (result_.rejected.size() < most_rejected_kept) result_.rejected.push_back({std::move(verdict)});
  }

  Verdict try_candidate(const std::vector<int>& flipped) {
    Mode mode = before_;
    mode.z = with_flips(flipped);
    ++result_.tried;
    judged_.insert(flipped);
    Verdict verdict = judge_mode(model_, cache_, accuracy_, instant_, mode, base_ ? &*base_ : nullptr);
    jumps_seen_ = jumps_seen_ || (verdict.motion && !verdict.motion->restart().impulsive_parts().empty());
    if (verdict.admissible()) {
      if (found())
        result_.ties.push_back(flipped);
      else
        accept(std::move(mode), verdict);
      return verdict;
    }
    reject(verdict);
    if (!flipped.empty() || !A_.empty()) learn(verdict);
    off_position_ = off_position_ || verdict.off_position;
    if (verdict.rejection == Rejection::restart_refused) refused_at_ = std::min(refused_at_, flipped.size());
    for (const int row : verdict.equations)
      if (row < model_.equations() && !triggered_equations_.contains(row))
        extend(influence_.of_equation(row));
    for (const int row : verdict.constraints)
      if (row < model_.constraints() && !triggered_.contains(row)) extend(influence_.of_trigger(row));
    if (verdict.rejection == Rejection::not_unique)
      for (const int row : verdict.unknowns) extend(influence_.of_unknown(row));
    if (verdict.rejection == Rejection::forbidden)
      for (const std::vector<int>& binaries : binaries_of_broken_invariants(model_, mode)) extend(binaries);
    return verdict;
  }

  void learn(const Verdict& verdict) {
    constexpr std::size_t few = 4;  // so few assignments are sooner judged than reasoned about
    std::vector<std::vector<int>> reasons;
    if (A_.size() > few) reasons = reasons_of(verdict, model_, influence_);
    for (std::vector<int>& reason : reasons)
      learned_.push_back({verdict.system->mode.z, std::move(reason), false});
    if (reasons.empty()) learned_.push_back({verdict.system->mode.z, {}, true});
  }

  void extend(std::span<const int> binaries) { extension_.insert(binaries.begin(), binaries.end()); }

  /// The assignments of A that nothing excludes, by distance, until the nearest admissible ones are known.
  void search_assignments() {
    if (found()) return;
    const std::vector<int> A(A_.begin(), A_.end());
    states_known_ = !jumps_seen_ && (!influence_.states_may_jump() || A.size() > most_binaries_judged_out);
    while (search_assignments(A)) states_known_ = false;
  }

  /// True if the search has to begin again, since a candidate has shown that states may jump.
  bool search_assignments(const std::vector<int>& A) {
    AssignmentSearch assignments(
        model_rows_, [this](int signal) { return known(signal); }, A, before_.z);
    std::size_t used = 0;  // of what has been learned
    for (;;) {
      if (states_known_ && jumps_seen_) return true;
      for (; used < learned_.size(); ++used)
        assignments.exclude(learned_[used].z, learned_[used].alone ? A : within(learned_[used].binaries, A));
      const AssignmentSearch::Result next = assignments.next();
      if (next.status == AssignmentSearch::Result::Status::none) {
        if (A.size() > most_binaries_judged_out) result_.excluded_among = A.size();
        return false;
      }
      const bool too_many = next.status == AssignmentSearch::Result::Status::limit ||
                            result_.tried >= limit_ || result_.ties.size() >= most_ties;
      if (too_many) {  // a successor that was found stays; some of its ties may be missing
        if (!found()) result_.status = Successor::Status::limit;
        return false;
      }
      if (found() && next.flipped.size() > result_.flipped.size()) return false;
      if (judged_.contains(next.flipped)) {
        learned_.push_back({with_flips(next.flipped), {}, true});
        continue;
      }
      if (try_candidate(next.flipped).admissible()) learned_.push_back({with_flips(next.flipped), {}, true});
    }
  }

  /// What candidates break that were excluded without being judged.
  void judge_out() {
    const std::vector<int> A(A_.begin(), A_.end());
    if (A.size() > most_binaries_judged_out) {
      extend_by_all_that_depends_on(A);
      return;
    }
    for (unsigned flips = 1; flips < 1U << A.size(); ++flips) {
      std::vector<int> flipped;
      for (std::size_t i = 0; i < A.size(); ++i)
        if ((flips >> i & 1U) != 0) flipped.push_back(A[i]);
      if (!judged_.contains(flipped)) try_candidate(flipped);
    }
  }

  /// Too many to judge. What A occurs in, and what hangs on unknowns that A moves, is broken by some of them.
  void extend_by_all_that_depends_on(const std::vector<int>& A) {
    const std::shared_ptr<const ModeSystem> system = cache_.get(before_);
    std::set<int> constraints, blocks;
    std::vector<int> open;
    const auto reach = [&](int block) {
      if (block >= 0 && blocks.insert(block).second) open.push_back(block);
    };
    for (const int binary : A) {
      const auto row = static_cast<std::size_t>(model_.signature.binary_row(binary));
      constraints.insert(cache_.rows().g_with[row].begin(), cache_.rows().g_with[row].end());
      for (const int equation : cache_.rows().f_with[row]) {
        if (!triggered_equations_.contains(equation)) extend(influence_.of_equation(equation));
        if (system->graph) reach(system->graph->solver_of(equation));
      }
    }
    while (!open.empty()) {
      const int block = open.back();
      open.pop_back();
      for (const int unknown : system->plan->blocks[static_cast<std::size_t>(block)].unknowns) {
        const std::vector<int>& with = cache_.rows().g_with[static_cast<std::size_t>(unknown)];
        constraints.insert(with.begin(), with.end());
      }
      for (const int dependent : system->graph->dependents(block)) reach(dependent);
    }
    for (const int constraint : constraints)
      if (!triggered_.contains(constraint)) extend(influence_.of_trigger(constraint));
  }

  /// Value and error of an entry of v for the bounds of the assignment search.
  [[nodiscard]] Carried known(int signal) const {
    const Signature& signature = model_.signature;
    const auto row = static_cast<std::size_t>(signal);
    constexpr double unknown = std::numeric_limits<double>::infinity();
    if (signal < signature.state_row(0)) return {0.0, unknown};
    if (signal < signature.input_row(0)) {
      if (!states_known_) return {0.0, unknown};
      // Off by the time of the event as well, and the slope may be another in the mode that follows.
      constexpr double other_slope = 100.0;
      const double slope = instant_.v[row - static_cast<std::size_t>(signature.n())];
      return {instant_.v[row], accuracy_.of(signal, instant_.v[row]) +
                                   other_slope * std::abs(slope) * instant_.time_uncertainty};
    }
    if (signal < signature.algebraic_row(0)) {
      const int input = signal - signature.input_row(0);
      if (signature.inputs()[static_cast<std::size_t>(input)].binary) return {mode_values_[row], 0.0};
      const InputPiece& piece = instant_.pieces[static_cast<std::size_t>(input)];
      const double u = piece.value(instant_.t);
      return {
          u, accuracy_.of(signal, u) + std::abs(piece.derivative(instant_.t, 1)) * instant_.time_uncertainty};
    }
    if (signal < signature.binary_row(0)) return {0.0, unknown};
    if (const int binary = signal - signature.binary_row(0); binary < signature.q() && slides(binary))
      return {0.5, 0.5};
    return {mode_values_[row], 0.0};
  }

  [[nodiscard]] std::vector<char> with_flips(const std::vector<int>& flipped) const {
    std::vector<char> z = before_.z;
    for (const int binary : flipped) z[static_cast<std::size_t>(binary)] ^= 1;
    return z;
  }

  [[nodiscard]] static std::vector<int> within(const std::vector<int>& binaries, const std::vector<int>& A) {
    std::vector<int> both;
    std::set_intersection(binaries.begin(), binaries.end(), A.begin(), A.end(), std::back_inserter(both));
    return both;
  }

  const Model& model_;
  ModeCache& cache_;
  const Accuracy& accuracy_;
  const Influence& influence_;
  const ModelRows& model_rows_;
  const Instant& instant_;
  Mode before_;  ///< z⁻ with the surfaces that are kept
  long limit_;
  bool allow_sliding_;
  bool states_known_ = true;       ///< x⁻ holds for all candidates: none of them jumps
  bool off_position_ = false;      ///< some candidate would need a jump of positions
  bool jumps_seen_ = false;        ///< some candidate's motion begins with a jump
  bool only_z_minus_left_ = true;  ///< z⁻ with these surfaces has been judged
  std::optional<Verdict> first_;   ///< on z⁻ as it came
  std::optional<Verdict> base_;    ///< the same, if candidates can be compared with it
  Successor result_;
  /// Distance of the nearest candidate whose restart was refused.
  std::size_t refused_at_ = std::numeric_limits<std::size_t>::max();
  std::set<int> A_, extension_, triggered_, triggered_equations_;
  std::vector<Learned> learned_;
  std::set<std::vector<int>> judged_;  ///< flips
  std::vector<double> mode_values_;    ///< of z⁻, in v
};

}  // namespace

SuccessorSearch::SuccessorSearch(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                                 long max_candidates, bool allow_sliding)
    : model_(model),
      cache_(cache),
      accuracy_(accuracy),
      influence_(model),
      model_rows_(model),
      max_candidates_(max_candidates),
      allow_sliding_(allow_sliding) {}

Successor SuccessorSearch::find(const Instant& instant, const Mode& before) const {
  return Search(model_, cache_, accuracy_, influence_, model_rows_, instant, max_candidates_, allow_sliding_)
      .run(before);
}

Verdict SuccessorSearch::judge_unchanged(const Instant& instant, const Mode& before) const {
  return judge_mode(model_, cache_, accuracy_, instant, before);
}

std::string diagnosis(const Successor& successor, const Mode& before, const Model& model) {
  std::string text;
  for (const RejectedCandidate& candidate : successor.rejected) {
    const Mode& mode = candidate.verdict.system->mode;
    std::string name;
    const auto list = [&](const std::string& part) { name += (name.empty() ? "" : ", ") + part; };
    for (std::size_t i = 0; i < mode.z.size(); ++i)
      if (mode.z[i] != before.z[i])
        list(model.signature.binaries()[i].name + " = " + std::to_string(static_cast<int>(mode.z[i])));
    for (const Slide& slide : mode.slides)
      for (const int binary : slide.binaries)
        list(model.signature.binaries()[static_cast<std::size_t>(binary)].name + " sliding");
    text += (text.empty() ? "" : "; ") + (name.empty() ? std::string("unchanged") : name) + ": " +
            describe(candidate.verdict, model);
  }
  const long left = successor.tried - static_cast<long>(successor.rejected.size());
  if (left > 0) text += "; and " + std::to_string(left) + " more candidates";
  if (successor.excluded_among > 0)
    text += "; every other assignment of the " + std::to_string(successor.excluded_among) +
            " binaries concerned is excluded by these or by bounds on the rows they occur in";
  return text;
}

}  // namespace mti
