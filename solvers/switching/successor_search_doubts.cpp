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

/// A comparison at its threshold keeps its value until its sides part. One that changes although they rest where they are
/// would change without a cause: both of its values are admissible, and of what the event is about the other binaries
/// tell. Its own row, if z⁻ or the same candidate without it breaks that, is a cause.
bool SuccessorRun::changes_what_rests(const std::vector<int>& flipped, const Admissibility& verdict) {
  if (!problem_.instant.has_past || problem_.model.is_discrete() || !verdict.motion || flipped.empty())
    return false;
  const ModeSystem& system = *verdict.system;
  return std::ranges::any_of(problem_.dependencies.comparisons(), [&](const SignBinary& one) {
    if (!std::ranges::binary_search(flipped, one.binary)) return false;
    const bool is_on = system.mode.z[at(one.binary)] != 0;
    const int row = is_on ? one.while_on : one.while_off, row_before = is_on ? one.while_off : one.while_on;
    if (system.constraint_form[at(row)] != RowForm::live ||
        !rests_on(*verdict.motion, row, orders_of_decision(problem_.model, system)))
      return false;
    std::vector<int> others = flipped;
    std::erase(others, one.binary);
    const Admissibility without = others.empty() ? *first_ : check_mode(problem_, with_flips(others), base_);
    return without.motion && std::ranges::find(without.constraints, row_before) == without.constraints.end();
  });
}

void SuccessorRun::take_last_resort() {
  if (record_.found()) return;
  if (!last_resort_) {
    if (uncaused_ && !record_.decided()) record_.add(*std::move(uncaused_));
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
