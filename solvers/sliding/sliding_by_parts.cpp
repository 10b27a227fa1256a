#include <algorithm>
#include <map>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/admissibility/conflicts.hpp"
#include "solvers/mode/surface_columns.hpp"
#include "solvers/search/assignment_order.hpp"
#include "solvers/sliding/sliding.hpp"

namespace mti {
namespace {

constexpr std::size_t largest_part = 10;

bool meet(std::span<const int> a, std::span<const int> b) {
  return std::any_of(a.begin(), a.end(),
                     [&](int binary) { return std::binary_search(b.begin(), b.end(), binary); });
}

/// Classes of A: binaries that belong together, directly or through others.
class Classes {
 public:
  explicit Classes(std::span<const int> A) {
    for (const int binary : A) parent_[binary] = binary;
  }

  /// Those of `binaries` that are in A belong together.
  void join(std::span<const int> binaries) {
    int first = -1;
    for (const int binary : binaries) {
      if (!parent_.contains(binary)) continue;
      if (first >= 0) parent_[root(binary)] = root(first);
      first = binary;
    }
  }

  [[nodiscard]] std::vector<std::vector<int>> all() {
    std::map<int, std::vector<int>> members;
    for (const auto& [binary, parent] : parent_) members[root(binary)].push_back(binary);
    std::vector<std::vector<int>> classes;
    for (auto& [first, list] : members) classes.push_back(std::move(list));
    return classes;
  }

 private:
  int root(int binary) {
    while (parent_[binary] != binary) binary = parent_[binary];
    return binary;
  }
  std::map<int, int> parent_;
};

/// Binaries in one row belong together, and so do those that the same slope depends on. What decides whether a
/// surface is pressed on is Ds, so a reason counts up to the first derivative only: relays that see each other by Dⁿs
/// with n > 1 are parts of their own.
std::vector<std::vector<int>> parts_of(const SwitchingProblem& problem, std::span<const int> A,
                                       const Admissibility& first) {
  Classes classes(A);
  for (const int binary : A) {
    const int row = problem.model.signature.binary_row(binary);
    for (const int equation : problem.cache.rows().f.with(row))
      classes.join(problem.dependencies.of_equation(equation));
    for (const int constraint : problem.cache.rows().g.with(row))
      classes.join(problem.dependencies.of_constraint(constraint));
  }
  Admissibility of_slopes = first;
  for (int& order : of_slopes.decided_at) order = std::min(order, 1);
  const std::vector<std::vector<int>> reasons = reasons_of(of_slopes, problem.model, problem.dependencies);
  for (const std::vector<int>& reason : reasons) classes.join(reason);
  if (reasons.empty()) classes.join(A);  // nothing is known of what depends on what
  return classes.all();
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

/// Decides one part after the other. No Ds of one part depends on a θ or a binary of another, so M = −∂(Ds)/∂θ is block
/// diagonal in the parts, and what was decided stays right: about Σ 3^|part| motions instead of 3^Σ|part|. False if
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

}  // namespace

SlidingMotion find_sliding(const SwitchingProblem& problem, const Mode& before,
                           std::span<const int> concerned, long limit, const Admissibility& first,
                           const AcceptedVerdict& accepted) {
  const std::vector<int> A = problem.outputs().deciders_behind(concerned);
  const std::vector<std::vector<int>> parts = parts_of(problem, A, first);
  SlidingMotion found;
  if (parts.size() > 1 && first.motion) {
    found.mode = before;
    found.verdict = check_mode(problem, before);
    found.found =
        decide_parts(problem, parts, limit, found) && accepted(found.verdict) && !found.mode.slides.empty();
    if (found.found) return found;
  }
  // That parts are independent was read off slopes; where the whole is not admissible all of it is sought at once.
  SlidingMotion together =
      find_sliding_together(problem, {before, A, std::max(limit - found.tried, 0L), accepted});
  together.tried += found.tried;
  return together;
}

}  // namespace mti
