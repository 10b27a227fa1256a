#include "solvers/successor.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace mti {
namespace {

constexpr std::size_t most_rejected_kept = 64;

/// Combinations of k out of `size` positions in lexicographic order.
class Combinations {
 public:
  Combinations(std::size_t size, std::size_t k) : size_(size), chosen_(k) {
    std::iota(chosen_.begin(), chosen_.end(), 0U);
    valid_ = k <= size;
  }
  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] const std::vector<std::size_t>& chosen() const { return chosen_; }
  void advance() {
    const std::size_t k = chosen_.size();
    std::size_t i = k;
    while (i > 0 && chosen_[i - 1] == size_ - k + i - 1) --i;
    valid_ = i > 0;
    if (!valid_) return;
    ++chosen_[i - 1];
    for (std::size_t j = i; j < k; ++j) chosen_[j] = chosen_[j - 1] + 1;
  }

 private:
  std::size_t size_;
  std::vector<std::size_t> chosen_;
  bool valid_ = true;
};

/// One search: its candidates so far and what they broke.
class Search {
 public:
  Search(const Model& model, ModeCache& cache, const Accuracy& accuracy, const Influence& influence,
         const Instant& instant, const Mode& before, long limit)
      : model_(model),
        cache_(cache),
        accuracy_(accuracy),
        influence_(influence),
        instant_(instant),
        before_(before),
        limit_(limit) {}

  Successor run() {
    const Verdict first = try_candidate({});
    if (result_.status == Successor::Status::found) return std::move(result_);
    result_.triggered = first.constraints;
    triggered_.insert(first.constraints.begin(), first.constraints.end());
    triggered_equations_.insert(first.equations.begin(), first.equations.end());
    for (const int row : first.constraints) {
      const std::vector<int> binaries = influence_.of_trigger(row);
      A_.insert(binaries.begin(), binaries.end());
    }
    for (const int row : first.equations) add(influence_.of_equation(row));
    if (first.rejection == Rejection::not_unique)
      for (const int row : first.unknowns) add(influence_.of_unknown(row));
    if (first.rejection == Rejection::forbidden) add(of_broken_invariants(before_));
    // What z⁻ breaks is what triggered the event, so only other candidates' rows extend A.
    extension_.clear();
    for (;;) {
      search_assignments();
      if (result_.status == Successor::Status::found || result_.status == Successor::Status::limit) break;
      const std::size_t size = A_.size();
      A_.insert(extension_.begin(), extension_.end());
      if (A_.size() == size) break;
    }
    if (result_.status == Successor::Status::dead_end && reduction_needed_)
      result_.status = Successor::Status::needs_reduction;
    return std::move(result_);
  }

 private:
  void add(std::span<const int> binaries) { A_.insert(binaries.begin(), binaries.end()); }

  /// Binaries of the invariants that are false in `mode`.
  [[nodiscard]] std::vector<int> of_broken_invariants(const Mode& mode) const {
    const Signature& signature = model_.signature;
    std::vector<double> v(static_cast<std::size_t>(signature.size()), 0.0);
    write_mode(signature, mode, v);
    std::vector<int> binaries;
    for (const BooleanFormula& formula : model_.invariants) {
      if (formula.evaluate([&](int row) { return v[static_cast<std::size_t>(row)] != 0.0; })) continue;
      for (const BooleanFormula::Step& step : formula.steps) {
        const int binary = step.row - signature.binary_row(0);
        if (step.row >= 0 && binary >= 0 && binary < signature.q()) binaries.push_back(binary);
      }
    }
    return binaries;
  }

  Verdict try_candidate(const std::vector<int>& flipped) {
    Mode mode = before_;
    for (const int binary : flipped) mode.z[static_cast<std::size_t>(binary)] ^= 1;
    ++result_.tried;
    std::shared_ptr<const ModeSystem> system = cache_.get(mode);
    Verdict verdict = judge(model_, system, accuracy_, instant_);
    if (verdict.admissible()) {
      if (result_.status == Successor::Status::found) {
        result_.ties.push_back(flipped);
      } else {
        result_.status = Successor::Status::found;
        result_.mode = std::move(mode);
        result_.system = std::move(system);
        result_.motion = verdict.motion;
        result_.flipped = flipped;
      }
      return verdict;
    }
    if (result_.rejected.size() < most_rejected_kept) result_.rejected.push_back({flipped, verdict});
    reduction_needed_ = reduction_needed_ || verdict.rejection == Rejection::needs_reduction;
    for (const int row : verdict.equations)
      if (!triggered_equations_.contains(row)) extend(influence_.of_equation(row));
    for (const int row : verdict.constraints)
      if (!triggered_.contains(row)) extend(influence_.of_trigger(row));
    if (verdict.rejection == Rejection::not_unique)
      for (const int row : verdict.unknowns) extend(influence_.of_unknown(row));
    if (verdict.rejection == Rejection::forbidden) extend(of_broken_invariants(mode));
    return verdict;
  }

  void extend(std::span<const int> binaries) { extension_.insert(binaries.begin(), binaries.end()); }

  /// All assignments of A by distance; those tried in an earlier, smaller A are left out.
  void search_assignments() {
    const std::vector<int> A(A_.begin(), A_.end());
    for (std::size_t distance = 1; distance <= A.size(); ++distance) {
      for (Combinations combination(A.size(), distance); combination.valid(); combination.advance()) {
        std::vector<int> flipped;
        for (const std::size_t position : combination.chosen()) flipped.push_back(A[position]);
        const bool tried_before = std::all_of(flipped.begin(), flipped.end(),
                                              [&](int binary) { return searched_.contains(binary); });
        if (tried_before) continue;
        if (result_.tried >= limit_) {  // a successor that was found stays; some of its ties may be missing
          if (result_.status != Successor::Status::found) result_.status = Successor::Status::limit;
          return;
        }
        try_candidate(flipped);
      }
      if (result_.status == Successor::Status::found) return;
    }
    searched_ = A_;
  }

  const Model& model_;
  ModeCache& cache_;
  const Accuracy& accuracy_;
  const Influence& influence_;
  const Instant& instant_;
  const Mode& before_;
  long limit_;
  Successor result_;
  bool reduction_needed_ = false;
  std::set<int> A_, searched_, extension_, triggered_, triggered_equations_;
};

}  // namespace

SuccessorSearch::SuccessorSearch(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                                 long max_candidates)
    : model_(model), cache_(cache), accuracy_(accuracy), influence_(model), max_candidates_(max_candidates) {}

Successor SuccessorSearch::find(const Instant& instant, const Mode& before) const {
  return Search(model_, cache_, accuracy_, influence_, instant, before, max_candidates_).run();
}

std::string diagnosis(const Successor& successor, const Mode& before, const Model& model) {
  std::string text;
  for (const RejectedCandidate& candidate : successor.rejected) {
    std::string name;
    for (const int binary : candidate.flipped) {
      const auto i = static_cast<std::size_t>(binary);
      name += (name.empty() ? "" : ", ") + model.signature.binaries()[i].name + " = " +
              std::to_string(1 - static_cast<int>(before.z[i]));
    }
    text += (text.empty() ? "" : "; ") + (name.empty() ? std::string("unchanged") : name) + ": " +
            describe(candidate.verdict, model);
  }
  const long left = successor.tried - static_cast<long>(successor.rejected.size());
  if (left > 0) text += "; and " + std::to_string(left) + " more candidates";
  return text;
}

}  // namespace mti
