#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solvers/mode/constant_factors.hpp"
#include "solvers/mode/frozen_mode.hpp"
#include "solvers/mode/separate_parts.hpp"
#include "solvers/mode/sliding_mode.hpp"
#include "solvers/plan/plan_memory.hpp"
#include "solvers/plan/recombination.hpp"
#include "solvers/plan/solution_plan.hpp"

namespace mti {

struct AllModes;
class LawStructure;

/// A frozen mode with the plan by which (ẋ, y, ζ) is found at given x and u, and what cannot be found.
struct ModeSystem : FrozenMode {
  /// A mode in which nothing slides. With the structure of all modes at hand, `all`, the plan is read off where
  /// the mode has one there. `plans` may be null.
  ModeSystem(const SignalRows& rows, Mode mode, const AllModes* all = nullptr, PlanMemory* plans = nullptr);
  /// The same from the system of another such mode, whose plan is taken over if it holds.
  ModeSystem(const SignalRows& rows, Mode mode, const ModeSystem& other, const AffectedRows& affected,
             const AllModes* all = nullptr, PlanMemory* plans = nullptr);
  /// A mode that slides, or is held on its surfaces.
  ModeSystem(const SignalRows& rows, SlidingMode slides, PlanMemory* plans = nullptr);
  /// The mode of `other` with its rows put together anew.
  ModeSystem(const Model& model, const ModeSystem& other, Recombination found);

  /// f and g as maps, where they are not the model's frozen rows but hold surfaces or were recombined.
  std::shared_ptr<const FrozenModel> extended = {};
  bool entangled = false;  ///< a product joins more surfaces than can be expanded
  bool held = false;       ///< sliding binaries are held at given values (SlidingMode)
  std::shared_ptr<const SolutionPlan> plan = {};
  std::shared_ptr<const BlockGraph> graph = {};  ///< of a plain plan; none with surfaces
  std::shared_ptr<const SeparateParts> parts = {};
  /// Rows of y that no equation fixes and of absent states x: they keep their last value.
  std::vector<int> undetermined = {};
  std::vector<int> ambiguous = {};  ///< unknowns that are not fixed although ẋ or a constraint needs them
  /// How rows of f were recombined, and which signals they hold beside those of the model; null if none was.
  std::shared_ptr<const Recombination> recombination = {};

  /// Rows of v and of a series in this mode: the model's, then derivatives of inputs that f holds.
  [[nodiscard]] int rows_of_v(const Signature& signature) const {
    return signature.size() + (recombination ? static_cast<int>(recombination->inputs.size()) : 0);
  }
  /// The same mode with rows put together anew (solvers/plan/recombination.hpp), for one that has no solution as
  /// it stands; null if that changes nothing. Made when first asked for; not by several threads at once.
  [[nodiscard]] std::shared_ptr<const ModeSystem> recombined(const Model& model) const;
  /// That system, if it has been asked for and there is one.
  [[nodiscard]] std::shared_ptr<const ModeSystem> known_recombined() const {
    return recombined_.value_or(nullptr);
  }

  /// (ẋ, y) can be found for given x, u as far as structure tells.
  [[nodiscard]] bool structurally_solvable() const {
    return plan->over_determined.empty() && ambiguous.empty() && broken_equations.empty() && !forbidden &&
           !entangled;
  }

  /// One has taken its plan over from the other, being made from it: what was found in the other may be varied.
  [[nodiscard]] bool has_plan_of(const ModeSystem& other) const noexcept {
    return plan == other.plan && remembering_ == other.remembering_;
  }

  /// What its blocks need not compute again; not by several threads at once.
  [[nodiscard]] ConstantFactors& constant_factors() const { return constant_factors_; }
  /// Balances under laws that were asked for in this mode (solvers/laws); not by several threads at once.
  [[nodiscard]] std::vector<std::shared_ptr<const LawStructure>>& law_structures() const {
    return law_structures_;
  }

 private:
  void make_plan(const SignalRows& rows, const AllModes* all, PlanMemory* plans);
  void find_undetermined(const Signature& signature);

  /// Tells modes apart that have the same plan from a PlanMemory, which is of no consequence to a run: each counts as one
  /// that has made its own.
  std::shared_ptr<const PlanMemory::Known> remembering_ = {};
  mutable std::optional<std::shared_ptr<const ModeSystem>> recombined_ = {};  ///< once asked for
  mutable ConstantFactors constant_factors_ = {};
  mutable std::vector<std::shared_ptr<const LawStructure>> law_structures_ = {};
};

/// The system with recombined rows where they have been made, else the system itself.
[[nodiscard]] std::shared_ptr<const ModeSystem> preferred(std::shared_ptr<const ModeSystem> system);

/// The derivatives of inputs that f of a mode holds, by their rows after the model's.
[[nodiscard]] std::span<const DifferentiatedInput> input_derivatives(const ModeSystem& system);

/// "b follows from a, c", of an equation that recombination has dropped.
[[nodiscard]] std::string redundancy_text(const ModeSystem& system, int row, const Model& model);

}  // namespace mti
