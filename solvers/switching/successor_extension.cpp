#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/admissibility/conflicts.hpp"
#include "solvers/switching/successor_search.hpp"

namespace mti {

/// The binaries of what a candidate breaks, other than the triggered rows.
void SuccessorRun::extend_by(const Admissibility& verdict) {
  for (const int row : verdict.equations)
    if (row < model_.equations() && !triggered_equations_.contains(row))
      extend(tools_.influence.of_equation(row));
  for (const int row : verdict.constraints)
    if (row < model_.constraints() && !triggered_.contains(row)) extend(tools_.influence.of_trigger(row));
  if (verdict.rejection == Rejection::not_unique)
    for (const int row : verdict.unknowns) extend(tools_.influence.of_unknown(row));
  if (verdict.rejection == Rejection::forbidden)
    for (const std::vector<int>& binaries : binaries_of_broken_invariants(model_, verdict.system->mode))
      extend(binaries);
}

/// What candidates break that were excluded without being judged.
void SuccessorRun::check_out() {
  const std::vector<int> A = this->A();
  if (A.size() > most_binaries_judged_out) {
    extend_by_all_that_depends_on(A);
    return;
  }
  for (unsigned flips = 1; flips < 1U << A.size(); ++flips) {
    std::vector<int> flipped;
    for (std::size_t i = 0; i < A.size(); ++i)
      if ((flips >> i & 1U) != 0) flipped.push_back(A[i]);
    if (!at_.judged.contains(flipped)) try_candidate(flipped);
  }
}

/// Too many to judge. What A and its outputs occur in, and what hangs on unknowns that they move, is broken
/// by some of them.
void SuccessorRun::extend_by_all_that_depends_on(const std::vector<int>& A) {
  const std::shared_ptr<const ModeSystem> system = tools_.cache.get(at_.before);
  const SignalRows& rows = tools_.cache.rows();
  std::set<int> constraints, blocks;
  std::vector<int> open, concerned = tools_.outputs.outputs_behind(A);
  concerned.insert(concerned.end(), A.begin(), A.end());
  const auto reach = [&](int block) {
    if (block >= 0 && blocks.insert(block).second) open.push_back(block);
  };
  for (const int binary : concerned) {
    const int row = model_.signature.binary_row(binary);
    const std::span<const int> with = rows.g.with(row);
    constraints.insert(with.begin(), with.end());
    for (const int equation : rows.f.with(row)) {
      if (!triggered_equations_.contains(equation)) extend(tools_.influence.of_equation(equation));
      if (system->graph) reach(system->graph->solver_of(equation));
    }
  }
  while (!open.empty()) {
    const int block = open.back();
    open.pop_back();
    for (const int unknown : system->plan->blocks[at(block)].unknowns) {
      const std::span<const int> with = rows.g.with(unknown);
      constraints.insert(with.begin(), with.end());
    }
    for (const int dependent : system->graph->dependents(block)) reach(dependent);
  }
  for (const int constraint : constraints)
    if (!triggered_.contains(constraint)) extend(tools_.influence.of_trigger(constraint));
}

void SuccessorRun::pivot(const std::vector<int>& A) {
  SlidingMotion sliding = find_sliding_by_pivoting(
      model_, tools_.cache, tools_.accuracy, tools_.influence, instant_, at_.before, A,
      options_.max_candidates, [](const Admissibility& verdict) { return verdict.admissible(); });
  result_.tried += sliding.tried;
  if (!sliding.found) return;
  note(sliding.verdict);
  accept(std::move(sliding.mode), std::move(sliding.verdict));
}

void SuccessorRun::note_unresolved(const Admissibility& verdict) {
  constexpr double rounding = 1e-14;
  if (verdict.rejection != Rejection::constraint_rising || !verdict.motion) return;
  const ModeSystem& system = verdict.motion->system();
  for (const int row : verdict.constraints) {
    const Ball g = verdict.motion->constraint(row, 0);
    const double size = std::abs(g.value);
    if (size <= g.error && size > rounding * system.g.magnitude(row, verdict.motion->v()))
      result_.unresolved.insert(constraint_name(model_, system.mode, row));
  }
}

}  // namespace mti
