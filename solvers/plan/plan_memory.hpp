#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "mti/model/signature.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/plan/solution_plan.hpp"

namespace mti {

/// Plans by the structure that they follow from: which signals the terms of a mode's equations hold, not their numbers. So
/// the modes of many runs of one model, whose parameters differ, share their plans; a coefficient that becomes 0 makes
/// another structure, and another plan.
///
/// Runs that follow each other have one. It changes no answer. Its size is bounded; it forgets everything where a new plan
/// would exceed that.
class PlanMemory {
 public:
  struct Known {
    std::shared_ptr<const SolutionPlan> plan;
    std::shared_ptr<const BlockGraph> graph;  ///< null where the mode has none
  };

  /// The runs that follow are of a model with the equations f: what was kept is about them if they hold the same signals.
  void begin(const RowMap& f, const Signature& signature);

  /// What decides the plan for the rows `equations` of f, which are some of the model's or of what a mode makes of them,
  /// and these unknowns.
  using Key = std::vector<int>;
  [[nodiscard]] static Key key(const RowMap& f, std::span<const int> equations,
                               std::span<const int> unknowns);
  /// Null if nothing is known. Valid until the next keep() or begin().
  [[nodiscard]] const Known* find(const Key& key) const;
  void keep(Key key, Known known);
  [[nodiscard]] std::size_t plans() const noexcept { return plans_.size(); }

 private:
  struct Hash {
    [[nodiscard]] std::size_t operator()(const Key& key) const noexcept;
  };
  /// Of all keys; a plan takes about as many.
  static constexpr std::size_t most_numbers = 1U << 20U;

  std::vector<int> model_;  ///< the structure of f and the numbers of signals
  std::unordered_map<Key, Known, Hash> plans_;
  std::size_t numbers_ = 0;
};

}  // namespace mti
