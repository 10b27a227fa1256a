#include "solvers/sliding/decided_binaries.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/admissibility/conflicts.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {
namespace {

/// With more binaries than these, what no single one of them changes counts as what none of their assignments does.
constexpr std::size_t most_binaries_by_structure = 6;

class Decision {
 public:
  Decision(const SwitchingProblem& problem, const Mode& before, std::span<const int> A)
      : problem_(problem), mode_(before), open_(A.begin(), A.end()) {
    for (const Slide& slide : before.slides) sliding_.insert(slide.binaries.begin(), slide.binaries.end());
  }

  DecidedBinaries make() && {
    decide_by_structure();
    bool by_single_flips = false;
    while (open_.size() > most_binaries_by_structure && flip(refused_with_each_flip())) {
      by_single_flips = true;
      decide_by_structure();
    }
    settle_outputs(problem_.outputs(), mode_);
    return {std::move(mode_), {open_.begin(), open_.end()}, by_single_flips};
  }

 private:
  void decide_by_structure() {
    for (bool grows = true; grows && !open_.empty();) {
      grows = false;
      while (flip(refused_in(mode_))) grows = true;
      for (const int binary : std::set<int>(open_))
        if (refused_in(with_flip(binary)).contains(binary)) grows = open_.erase(binary) > 0;
    }
  }

  [[nodiscard]] Mode with_flip(int binary) const {
    Mode mode = mode_;
    mode.z[at(binary)] ^= 1;
    return mode;
  }

  /// Gives each the other value, for good.
  bool flip(const std::set<int>& refused) {
    for (const int binary : refused) {
      mode_.z[at(binary)] ^= 1;
      open_.erase(binary);
    }
    return !refused.empty();
  }

  /// A verdict on the mode by its equations on one side of what slides, for there they have a motion also where a flip leaves
  /// nothing that could slide; no motion if that does not help.
  [[nodiscard]] Admissibility on_one_side(Mode mode) const {
    mode.slides.clear();
    settle_outputs(problem_.outputs(), mode);
    Admissibility verdict = problem_.check(mode);
    if (verdict.rejection == Rejection::restart_refused) verdict.motion.reset();
    return verdict;
  }

  /// A row with g_l > margin: its error and what the time of the event leaves open.
  struct BrokenRow {
    int row, binary;  ///< the only open one that it holds
    double margin;
  };
  [[nodiscard]] std::vector<BrokenRow> clearly_broken(const Admissibility& verdict) const {
    constexpr double other_slope = 100.0;  // that other modes may have
    std::vector<BrokenRow> broken;
    for (std::size_t i = 0; verdict.motion && i < verdict.constraints.size(); ++i) {
      const int row = verdict.constraints[i];
      if (verdict.decided_at[i] < 0 || row >= problem_.model.constraints())
        continue;  // an impulse; 0 ≤ θ ≤ 1
      const Ball g = verdict.motion->constraint(row, 0);
      const double margin = g.error + other_slope * std::abs(verdict.motion->constraint(row, 1).value) *
                                          problem_.instant.time_uncertainty;
      if (!(g.value > margin)) continue;
      const std::vector<int> own = open_behind(problem_.dependencies.of_constraint(row));
      if (own.size() == 1) broken.push_back({row, own.front(), margin});
    }
    return broken;
  }

  /// Of the binaries, or the deciders behind them, those that are still open or slide.
  [[nodiscard]] std::vector<int> open_behind(std::span<const int> binaries) const {
    std::vector<int> open = problem_.outputs().deciders_behind(binaries);
    std::erase_if(open, [&](int binary) { return !open_.contains(binary) && !sliding_.contains(binary); });
    return open;
  }

  /// The binaries that are refused their values in the mode by rows whose signals depend on no open one, not in any mode, or not in
  /// this one. Signals that follow from the binary itself may be zero where it slides.
  [[nodiscard]] std::set<int> refused_in(const Mode& mode) const {
    std::set<int> refused;
    const Admissibility verdict = on_one_side(mode);
    for (const BrokenRow& broken : clearly_broken(verdict))
      if (open_behind(problem_.dependencies.of_signals(broken.row)).empty() ||
          (verdict.system->graph && open_behind(binaries_behind_signals(*verdict.system, problem_.model,
                                                                        problem_.dependencies, broken.row, 0))
                                        .empty()))
        refused.insert(broken.binary);
    std::erase_if(refused, [&](int binary) { return !open_.contains(binary); });
    return refused;
  }

  /// The same by rows that the values of their signals on no side with a single flip fulfil.
  [[nodiscard]] std::set<int> refused_with_each_flip() const {
    std::set<int> refused;
    const Admissibility verdict = on_one_side(mode_);
    std::vector<BrokenRow> broken = clearly_broken(verdict);
    for (const int flipped : open_) {
      const Admissibility there = on_one_side(with_flip(flipped));
      if (!there.motion) continue;
      const std::span<const double> v = there.motion->v();
      std::erase_if(broken, [&](const BrokenRow& row) {
        return !(verdict.motion->system().g.value(row.row, v) > row.margin);
      });
    }
    for (const BrokenRow& row : broken)
      if (open_.contains(row.binary)) refused.insert(row.binary);
    return refused;
  }

  const SwitchingProblem& problem_;
  Mode mode_;
  std::set<int> open_;
  std::set<int> sliding_;  ///< on surfaces that are kept
};

}  // namespace

DecidedBinaries decided_by_rows(const SwitchingProblem& problem, const Mode& before, std::span<const int> A) {
  // pre(z) of what slides is the value of the other side, which no single mode shows.
  const std::vector<int> remembered = problem.outputs().deciders_behind(problem.model.signature.pre());
  const auto is_remembered = [&](int binary) { return std::ranges::binary_search(remembered, binary); };
  if (std::ranges::any_of(A, is_remembered) || std::ranges::any_of(before.slides, [&](const Slide& slide) {
        return std::ranges::any_of(problem.outputs().deciders_behind(slide.binaries), is_remembered);
      }))
    return {before, {A.begin(), A.end()}, false};
  return Decision(problem, before, A).make();
}

}  // namespace mti
