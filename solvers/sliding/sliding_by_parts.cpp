#include <algorithm>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/mode/surface_columns.hpp"
#include "solvers/search/assignment_order.hpp"
#include "solvers/sliding/decided_binaries.hpp"
#include "solvers/sliding/sliding.hpp"
#include "solvers/sliding/sliding_parts.hpp"

namespace mti {
namespace {

constexpr std::size_t largest_part = 10;
/// The sides of so few binaries are sooner judged than asked about.
constexpr std::size_t most_not_asked_about = 3;

bool meet(std::span<const int> a, std::span<const int> b) {
  return std::any_of(a.begin(), a.end(),
                     [&](int binary) { return std::binary_search(b.begin(), b.end(), binary); });
}

/// Nothing that the verdict holds against the mode concerns the part.
bool leaves_alone(const Admissibility& verdict, const SwitchingProblem& problem, std::span<const int> part) {
  if (!verdict.motion) return false;
  return std::ranges::none_of(verdict.constraints, [&](int row) {
    const int bound = row - problem.model.constraints();
    return bound < 0 ? meet(problem.dependencies.of_trigger(row), part)
                     : meet(verdict.system->mode.slides[at(bound / 2)].binaries, part);
  });
}

/// Puts the part to its nearest assignment that is accepted, the first one in the order of the search of assignments, the
/// other binaries as they are in `found`. Of many
/// binaries none is tried: pivoting finds assignments as well.
bool assign_part(const SwitchingProblem& problem, std::span<const int> part, const AcceptedVerdict& accepted,
                 SlidingMotion& found) {
  if (part.size() > largest_part) return false;
  for (const unsigned subset : sets_in_order(part.size())) {
    if (subset == 0) continue;  // has been judged
    Mode mode = found.mode;
    for (std::size_t k = 0; k < part.size(); ++k)
      if ((subset >> k & 1U) != 0) mode.z[at(part[k])] ^= 1;
    problem.outputs().settle(mode);
    if (!mode.slides.empty()) follow_slides(problem.model.signature, problem.outputs(), mode);
    ++found.tried;
    Admissibility verdict = check_mode(problem, mode);
    problem.tell(verdict);
    if (!accepted(verdict)) continue;
    found.mode = std::move(mode);
    found.verdict = std::move(verdict);
    return true;
  }
  return false;
}

/// Decides one part after the other. No Ds of one part depends on a θ or a binary of a later one, so M = −∂(Ds)/∂θ is block
/// triangular in the parts, and what was decided stays right: about Σ 3^|part| motions instead of 3^Σ|part|. False if
/// one of them has neither an assignment nor a sliding motion.
bool decide_parts(const SwitchingProblem& problem, const std::vector<std::vector<int>>& parts, long limit,
                  SlidingMotion& found) {
  for (const std::vector<int>& part : parts) {
    const AcceptedVerdict accepted = [&](const Admissibility& verdict) {
      return leaves_alone(verdict, problem, part);
    };
    if (accepted(found.verdict) || assign_part(problem, part, accepted, found)) continue;
    SlidingMotion sliding = find_sliding_together(problem, {found.mode, part, limit - found.tried, accepted});
    found.tried += sliding.tried;
    if (!sliding.found) return false;
    found.mode = std::move(sliding.mode);
    found.verdict = std::move(sliding.verdict);
  }
  return true;
}

/// Over A, which are deciders.
SlidingMotion find_sliding_over(const SwitchingProblem& problem, const Mode& before, std::span<const int> A,
                                long limit, const Admissibility& first, const AcceptedVerdict& accepted) {
  const std::vector<std::vector<int>> parts = sliding_parts(problem, A, first);
  SlidingMotion found;
  if (parts.size() > 1 && first.motion) {
    found.mode = before;
    found.verdict = check_mode(problem, before);
    found.found =
        decide_parts(problem, parts, limit, found) && accepted(found.verdict) && !found.mode.slides.empty();
    if (found.found) return found;
  }
  // What parts depend on was read off slopes; where the whole is not admissible all of it is sought at once.
  SlidingMotion together =
      find_sliding_together(problem, {before, A, std::max(limit - found.tried, 0L), accepted});
  together.tried += found.tried;
  return together;
}

}  // namespace

SlidingMotion find_sliding(const SwitchingProblem& problem, const Mode& before,
                           std::span<const int> concerned, long limit, const Admissibility& first,
                           const AcceptedVerdict& accepted) {
  const std::vector<int> A = problem.outputs().deciders_behind(concerned);
  if (all_are_continuous(problem.dependencies.comparisons(), A)) return {};
  if (A.size() > most_not_asked_about) {
    const DecidedBinaries decided = decided_by_rows(problem, before, A);
    if (decided.open.size() < A.size()) {
      SlidingMotion found;
      if (!decided.open.empty())
        found = find_sliding_over(problem, decided.mode, decided.open, limit, problem.check(decided.mode),
                                  accepted);
      if (decided.by_single_flips && !found.found && found.given_up.empty())
        found.given_up = "sliding was looked for over " + std::to_string(decided.open.size()) + " of " +
                         std::to_string(A.size()) +
                         " binaries, for rows decide the others whichever single one flips "
                         "(most_binaries_by_structure)";
      return found;
    }
  }
  return find_sliding_over(problem, before, A, limit, first, accepted);
}

}  // namespace mti
