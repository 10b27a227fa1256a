#pragma once

#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "mti/cp_kernel.hpp"
#include "mti/freeze.hpp"
#include "mti/model.hpp"
#include "mti/row_map.hpp"
#include "solvers/solution_plan.hpp"

namespace mti {

/// A model frozen in a mode with everything that depends on the mode alone: the plan by which (ẋ, y, ζ) is
/// found, what cannot be found, and the rows that are fulfilled or broken for any values.
///
/// With sliding binaries ζ, f has more rows than the model: the surfaces s = 0 first, then what ties binaries
/// of one surface to one weight θ; g has −θ ≤ 0 and θ − 1 ≤ 0 of every surface.
struct ModeSystem {
  /// f and g are the model's own, given so that they are made once for all modes.
  ModeSystem(const Model& model, const CpMap& model_f, const CpMap& model_g, Mode mode);
  /// The same with sliding binaries held at given values, so that nothing is asked of the surfaces; the rows
  /// of g after the model's are then the surfaces' own s. This is what pressing on a surface is judged in.
  ModeSystem(const Model& model, const CpMap& model_f, const CpMap& model_g, Mode mode,
             std::vector<FixedSignal> held);

  Mode mode;
  std::vector<FixedSignal> held;  ///< sliding binaries that do not slide here
  FrozenModel frozen;
  RowMap f, g;
  SolutionPlan plan;
  std::vector<int> undetermined;        ///< rows of y that no equation fixes; they keep their last value
  std::vector<int> ambiguous;           ///< unknowns that are not fixed although ẋ or a constraint needs them
  std::vector<int> broken_equations;    ///< reduced to "non-zero = 0"
  std::vector<int> broken_constraints;  ///< reduced to "positive ≤ 0"
  std::vector<int> live_constraints;    ///< hold at least one signal: can change along a motion
  std::vector<char> has_unknowns;       ///< for every constraint: ẋ, y or ζ occur in it
  std::vector<int> sliding;             ///< rows of the binaries that are unknowns, ascending
  bool forbidden = false;               ///< an invariant of the model is false

  /// (ẋ, y) can be found for given x, u as far as structure tells.
  [[nodiscard]] bool structurally_solvable() const {
    return plan.over_determined.empty() && ambiguous.empty() && broken_equations.empty() && !forbidden;
  }

 private:
  void add_surfaces(const CpMap& model_g, const Signature& signature);
  void find_live_rows(const Signature& signature, std::vector<int>& live_equations,
                      std::vector<char>& in_constraint);
  void drop_relations(const Signature& signature);

  int ties = 0;  ///< rows of f after those of the surfaces
};

/// Row of g, or of what a mode adds to it, in the model's names: a bound of θ is named by its surface.
[[nodiscard]] const std::string& constraint_name(const Model& model, const Mode& mode, int row);
/// Row of f, or of what a mode adds to it.
[[nodiscard]] std::string equation_name(const Model& model, const Mode& mode, int row);
/// The constraint itself, or the one whose surface a bound of θ belongs to.
[[nodiscard]] int constraint_index(const Model& model, const Mode& mode, int row);

/// The mode systems of a run, made when first asked for. Memory is bounded: the least recently used go first.
class ModeCache {
 public:
  explicit ModeCache(const Model& model, std::size_t capacity = 512)
      : model_(model), f_(model.f()), g_(model.g()), capacity_(capacity) {}

  [[nodiscard]] std::shared_ptr<const ModeSystem> get(const Mode& mode);
  /// The mode with sliding binaries held; not kept.
  [[nodiscard]] std::shared_ptr<const ModeSystem> with_held(const Mode& mode,
                                                            std::vector<FixedSignal> held) const;
  /// Distinct modes made so far (a mode dropped and made again counts again).
  [[nodiscard]] long made() const noexcept { return made_; }

 private:
  using Entry = std::pair<Mode, std::shared_ptr<const ModeSystem>>;
  const Model& model_;
  CpMap f_, g_;
  std::size_t capacity_;
  long made_ = 0;
  std::list<Entry> recent_;
  std::unordered_map<Mode, std::list<Entry>::iterator, ModeHash> by_mode_;
};

}  // namespace mti
