#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/admissibility/conflicts.hpp"
#include "solvers/mode/surface_columns.hpp"
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

std::vector<std::vector<int>> parts_of(const Model& model, const ModeCache& cache,
                                       const Dependencies& influence, std::span<const int> A,
                                       const Admissibility& first) {
  Classes classes(A);
  for (const int binary : A) {
    const int row = model.signature.binary_row(binary);
    for (const int equation : cache.rows().f.with(row)) classes.join(influence.of_equation(equation));
    for (const int constraint : cache.rows().g.with(row)) classes.join(influence.of_constraint(constraint));
  }
  // What decides whether a surface is pressed on is its first derivative.
  Admissibility of_slopes = first;
  for (int& order : of_slopes.decided_at) order = std::min(order, 1);
  const std::vector<std::vector<int>> reasons = reasons_of(of_slopes, model, influence);
  for (const std::vector<int>& reason : reasons) classes.join(reason);
  if (reasons.empty()) classes.join(A);
  return classes.all();
}

/// Nothing that the verdict holds against the mode concerns the part.
bool leaves_alone(const Admissibility& verdict, const Model& model, const Dependencies& influence,
                  std::span<const int> part) {
  if (!verdict.motion) return false;
  for (const int row : verdict.constraints) {
    if (row >= model.constraints()) {
      const auto slide = at((row - model.constraints()) / 2);
      if (meet(verdict.system->mode.slides[slide].binaries, part)) return false;
    } else if (meet(influence.of_trigger(row), part)) {
      return false;
    }
  }
  return true;
}

}  // namespace

SlidingMotion find_sliding(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                           const Dependencies& influence, const Instant& instant, const Mode& before,
                           std::span<const int> concerned, long limit, const Admissibility& first) {
  const Outputs& outputs = cache.outputs();
  const std::vector<int> A = outputs.deciders_behind(concerned);
  const AcceptedVerdict admissible = [](const Admissibility& verdict) { return verdict.admissible(); };
  const auto together = [&](long tried) {
    SlidingMotion whole = find_sliding_together(model, cache, accuracy, influence, instant, before, A,
                                                std::max(limit - tried, 0L), admissible);
    whole.tried += tried;
    return whole;
  };
  const std::vector<std::vector<int>> parts = parts_of(model, cache, influence, A, first);
  if (parts.size() < 2 || !first.motion) return together(0);
  SlidingMotion result;
  result.mode = before;
  result.verdict = check_mode(model, cache, accuracy, instant, result.mode);
  for (const std::vector<int>& part : parts) {
    const AcceptedVerdict accepted = [&](const Admissibility& verdict) {
      return leaves_alone(verdict, model, influence, part);
    };
    if (accepted(result.verdict)) continue;
    bool settled = false;
    const Mode base = result.mode;
    // Of many binaries pivoting finds assignments as well.
    std::vector<unsigned> assignments(part.size() <= largest_part ? 1U << part.size() : 0U);
    std::iota(assignments.begin(), assignments.end(), 0U);
    std::stable_sort(assignments.begin(), assignments.end(),
                     [](unsigned a, unsigned b) { return std::popcount(a) < std::popcount(b); });
    for (std::size_t i = 1; i < assignments.size() && !settled; ++i) {
      Mode mode = base;
      for (std::size_t k = 0; k < part.size(); ++k)
        if ((assignments[i] >> k & 1U) != 0) mode.z[at(part[k])] ^= 1;
      outputs.settle(mode);
      if (!mode.slides.empty()) follow_slides(model.signature, outputs, mode);
      Admissibility verdict = check_mode(model, cache, accuracy, instant, mode);
      settled = accepted(verdict);
      if (!settled) continue;
      result.mode = std::move(mode);
      result.verdict = std::move(verdict);
    }
    if (settled) continue;
    SlidingMotion sliding = find_sliding_together(model, cache, accuracy, influence, instant, base, part,
                                                  limit - result.tried, accepted);
    result.tried += sliding.tried;
    if (!sliding.found) return together(result.tried);
    result.mode = std::move(sliding.mode);
    result.verdict = std::move(sliding.verdict);
  }
  result.found = result.verdict.admissible() && !result.mode.slides.empty();
  return result.found ? result : together(result.tried);
}

}  // namespace mti
