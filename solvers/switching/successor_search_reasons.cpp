// What a search learns of a candidate that is turned down, and what follows from that alone.
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/admissibility/conflicts.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/switching/reasons_at_an_instant.hpp"
#include "solvers/switching/sharper_reasons.hpp"
#include "solvers/switching/successor_search.hpp"

namespace mti {

void SuccessorRun::learn(const Admissibility& verdict) {
  const bool reasons_hold = record_.jumps_foreseen() && A_.size() > most_binaries_without_reasons;
  nogoods_.learn(verdict.system->mode.z,
                 reasons_hold ? reasons_for(verdict) : std::vector<std::vector<int>>());
}

std::vector<std::vector<int>> SuccessorRun::reasons_for(const Admissibility& verdict) {
  const bool many = A_.size() > most_binaries_judged_out;
  std::vector<std::vector<int>> reasons = base_ != nullptr && many
                                              ? sharper_reasons(problem_, verdict, *base_, looks_ahead_)
                                              : reasons_of(verdict, problem_.model, problem_.dependencies);
  if (reasons.empty() || many)
    for (std::vector<int>& reason : reasons_at_an_instant(problem_, verdict))
      if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(std::move(reason));
  return reasons;
}

/// Where comparators follow each other, w_k+1 = φ(w_k, [w_k > θ]), each is decided by those before it: a reason all of whose
/// binaries but one are decided decides that one. What is flipped so is flipped in every assignment that is admissible, so that
/// the one that is found is the nearest. A binary keeps its value where the other value is turned down for such a reason.
/// Not where a row of what is decided is broken, for there something may slide.
bool SuccessorRun::substitute_forward(bool within_A) {
  if (base_ == nullptr || !z_minus_.slides.empty() || !record_.jumps_foreseen()) return false;
  const Outputs& outputs = problem_.outputs();
  std::set<int> decided, flipped;
  const auto open_in = [&](const std::vector<int>& reason) {
    std::vector<int> open;
    std::ranges::set_difference(reason, decided, std::back_inserter(open));
    return open;
  };
  // What a reason rests on, and what is left open by a restart that is refused, are for the search.
  const auto is_told = [&](const Admissibility& verdict) {
    return verdict.rejection != Rejection::restart_refused &&
           (!verdict.motion || record_.foresees_jumps_of(*verdict.motion));
  };
  const auto keeps_its_value = [&](int binary) {
    std::set<int> other = flipped;
    other.insert(binary);
    const Admissibility verdict = check_mode(problem_, with_flips({other.begin(), other.end()}), base_);
    if (verdict.admissible() || !is_told(verdict)) return false;
    const std::vector<std::vector<int>> reasons = reasons_for(verdict);
    return std::ranges::any_of(
        reasons, [&](const std::vector<int>& reason) { return open_in(reason) == std::vector{binary}; });
  };
  const std::vector<int> A = A_.binaries();
  Admissibility verdict = *first_;
  for (std::size_t left = at(2 * problem_.model.signature.q()); left > 0; --left) {
    std::vector<int> narrowest;
    std::set<int> more;
    for (const std::vector<int>& reason : reasons_for(verdict)) {
      const std::vector<int> open = open_in(reason);
      if (open.empty() || std::ranges::any_of(open, [&](int b) { return outputs.is_output(b); }))
        return false;
      if (open.size() == 1) more.insert(open.front());
      if (narrowest.empty() || open.size() < narrowest.size()) narrowest = open;
    }
    if (more.empty()) {
      narrowest.resize(std::min(narrowest.size(), most_binaries_judged_out));
      const auto kept = std::ranges::find_if(narrowest, keeps_its_value);
      if (kept == narrowest.end()) return false;
      decided.insert(*kept);
      continue;
    }
    decided.insert(more.begin(), more.end());
    flipped.insert(more.begin(), more.end());
    const std::vector<int> flips(flipped.begin(), flipped.end());
    if (within_A && !std::ranges::includes(A, flips)) return false;
    verdict = check_mode(problem_, with_flips(flips), base_);
    if (!is_told(verdict)) return false;
    if (verdict.admissible()) {
      // No other one comes into question.
      const bool follows = judge(flips).admissible();
      take_doubtful();
      return follows;
    }
  }
  return false;
}

}  // namespace mti
