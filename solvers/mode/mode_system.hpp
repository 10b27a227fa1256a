#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mti/model/freeze.hpp"
#include "mti/model/frozen_rows.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/mode/outputs.hpp"
#include "solvers/plan/recombination.hpp"
#include "solvers/plan/solution_plan.hpp"

namespace mti {

struct AllModes;

/// A model's f and g row by row, before freezing, and which rows hold which signal.
struct UnfrozenRows {
  explicit UnfrozenRows(const Model& model);

  RowMap f, g;
  std::vector<std::vector<int>> f_with, g_with;  ///< by row of S; ascending
  Outputs outputs;                               ///< of its logic
};

/// What is left of a row after freezing.
enum class RowForm : char { vanished, constant, live };

/// A model frozen in a mode with everything that depends on the mode alone: the plan by which (ẋ, y, ζ) is
/// found, what cannot be found, and the rows that are fulfilled or broken for any values.
///
/// With sliding binaries ζ the columns are those of SurfaceColumns, and f has more rows than the model: the
/// surfaces s = 0 first, then what ties binaries of one surface to one weight θ, then what blended outputs
/// are; g has −θ ≤ 0 and θ − 1 ≤ 0 of every surface.
struct ModeSystem {
  ///
  /// With the structure of all modes at hand, `all`, the plan is read off where the mode has one there.
  ModeSystem(const Model& model, const UnfrozenRows& rows, Mode mode, const AllModes* all = nullptr);
  /// The same from the system of another mode in which only `changed_signals` (rows of S of z, pre(z) and
  /// binary inputs) have other values: rows without them are taken over, and so is the plan if it holds.
  ModeSystem(const Model& model, const UnfrozenRows& rows, Mode mode, const ModeSystem& other,
             std::span<const int> changed_signals, const AllModes* all = nullptr);
  /// With sliding binaries held at given values, so that nothing is asked of the surfaces; the rows of g
  /// after the model's are then the surfaces' own s. This is what pressing on a surface is judged in.
  ModeSystem(const Model& model, const UnfrozenRows& rows, Mode mode, std::vector<FixedSignal> held);

  Mode mode;
  std::vector<FixedSignal> held = {};  ///< sliding binaries that do not slide here
  RowMap f, g;
  std::optional<FrozenModel> extended = {};  ///< f and g as maps, if surfaces were added to them
  std::shared_ptr<const SolutionPlan> plan = {};
  std::shared_ptr<const BlockGraph> graph = {};  ///< of a plain plan; none with surfaces
  std::vector<RowForm> equation_form = {}, constraint_form = {};
  /// Rows of y that no equation fixes and of absent states x: they keep their last value.
  std::vector<int> undetermined = {};
  std::vector<int> ambiguous = {};  ///< unknowns that are not fixed although ẋ or a constraint needs them
  std::vector<int> broken_equations = {};    ///< reduced to "non-zero = 0"
  std::vector<int> broken_constraints = {};  ///< reduced to "positive ≤ 0"
  std::vector<int> live_constraints = {};    ///< hold at least one signal: can change along a motion
  std::vector<char> has_unknowns = {};       ///< for every constraint: ẋ, y or ζ occur in it
  std::vector<int> sliding = {};             ///< rows of the binaries that are unknowns, ascending
  bool forbidden = false;                    ///< an invariant of the model is false
  bool entangled = false;                    ///< a product joins more surfaces than can be expanded
  bool plan_taken_over = false;              ///< from the other system: nothing had to be planned
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
  [[nodiscard]] std::shared_ptr<const ModeSystem> known_recombined() const { return recombined_; }

  /// (ẋ, y) can be found for given x, u as far as structure tells.
  [[nodiscard]] bool structurally_solvable() const {
    return plan->over_determined.empty() && ambiguous.empty() && broken_equations.empty() && !forbidden &&
           !entangled;
  }

 private:
  void add_surfaces(const Model& model, const Outputs& outputs);
  void examine_all(const Model& model);
  void examine_constraint(int row, const Signature& signature);
  void list_rows();
  void make_plan(const Model& model, const UnfrozenRows& rows, const AllModes* all);
  void find_undetermined(const Signature& signature);

  int weights = 0;                 ///< rows of f after those of the surfaces
  mutable bool examined_ = false;  ///< `recombined_` is what there is
  mutable std::shared_ptr<const ModeSystem> recombined_ = {};
};

/// The system with recombined rows where they have been made, else the system itself.
[[nodiscard]] std::shared_ptr<const ModeSystem> preferred(std::shared_ptr<const ModeSystem> system);

/// The derivatives of inputs that f of a mode holds, by their rows after the model's.
[[nodiscard]] std::span<const InputDerivative> input_derivatives(const ModeSystem& system);

/// "b follows from a, c", of an equation that recombination has dropped.
[[nodiscard]] std::string redundancy_text(const ModeSystem& system, int row, const Model& model);

/// Row of g, or of what a mode adds to it, in the model's names: a bound of θ is named by its surface.
[[nodiscard]] const std::string& constraint_name(const Model& model, const Mode& mode, int row);
/// Row of f, or of what a mode adds to it.
[[nodiscard]] std::string equation_name(const Model& model, const Mode& mode, int row);
/// The constraint itself, or the one whose surface a bound of θ belongs to.
[[nodiscard]] int constraint_index(const Model& model, const Mode& mode, int row);

}  // namespace mti
