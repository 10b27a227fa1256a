// What may follow, but only where nothing else does; and what logic and comparisons do that nothing moves.
#include <algorithm>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/switching/successor_search.hpp"

namespace mti {

/// Outputs that pre(z) remembers have other values than before: the next pose will see another pre(z).
bool SuccessorRun::logic_still_moves() const {
  return std::ranges::any_of(problem_.model.signature.pre(),
                             [&](int binary) { return z_minus_.z[at(binary)] != as_it_came_.z[at(binary)]; });
}

/// A comparison keeps its value until its p leaves zero the other way (spec of z = [p ≥ 0]). One that changes is caused where
/// z⁻, or the same candidate without its change, breaks its own row, or where that candidate has no motion. Otherwise both of its
/// values are admissible as far as it is concerned, and what the event is about, the other binaries tell.
bool SuccessorRun::is_without_cause(const std::vector<int>& flipped, const Admissibility& verdict) {
  const bool begins = !problem_.instant.has_past && !problem_.model.is_discrete();
  if (begins || !verdict.admissible() || flipped.empty()) return false;
  const auto breaks = [](const Admissibility& mode, int row) {
    return std::ranges::find(mode.constraints, row) != mode.constraints.end();
  };
  const std::vector<Comparison>& comparisons = problem_.dependencies.comparisons();
  return std::ranges::any_of(flipped, [&](int binary) {
    const auto one = std::ranges::lower_bound(comparisons, binary, {}, &Comparison::binary);
    if (one == comparisons.end() || one->binary != binary) return false;
    const int row = z_minus_.z[at(binary)] != 0 ? one->while_on : one->while_off;
    if (breaks(*first_, row) || breaks(*of_z_minus_, row)) return false;
    std::vector<int> others = flipped;
    std::erase(others, binary);
    if (others.empty()) return of_z_minus_->motion != nullptr;
    const Admissibility without = check_mode(problem_, with_flips(others), base_);
    return without.motion && !breaks(without, row);
  });
}

/// The nearest candidate that was put aside, if nothing else follows.
void SuccessorRun::take_doubtful() {
  if (record_.decided() || !record_.has_doubtful()) return;
  record_.take_doubtful();
  if (gave_up_beside_doubtful_)
    record_.leave_open(
        "what follows leaves some constraint open by more than its signals' tolerances, and was taken "
        "after " +
        std::to_string(most_judged_beside_a_doubtful_one) +
        " other candidates (most_judged_beside_a_doubtful_one): whether one of the rest is "
        "admissible was not looked for");
}

void SuccessorRun::take_last_resort() {
  if (record_.found()) return;
  if (!last_resort_) {
    take_doubtful();
    if (uncaused_ && !record_.decided())
      record_.add(uncaused_->mode, uncaused_->distance, uncaused_->verdict);
    take_doubtful();
    return;
  }
  const bool gave_up = is_at_limit();
  record_.resume();
  record_.add(*std::move(last_resort_));
  if (gave_up)
    record_.leave_open(
        "a motion that slides along a surface was taken after " + std::to_string(most_judged_beside_a_slide) +
        " other candidates (most_judged_beside_a_slide): whether one of the rest is admissible, which "
        "would come first, was not looked for");
}

}  // namespace mti
