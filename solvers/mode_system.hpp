#pragma once

#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "mti/cp_kernel.hpp"
#include "mti/freeze.hpp"
#include "mti/model.hpp"
#include "mti/row_map.hpp"

namespace mti {

/// Equations that are solved together for as many unknowns of (ẋ, y).
struct SolutionBlock {
  std::vector<int> equations;
  std::vector<int> unknowns;  ///< rows of S
  bool linear = true;         ///< no column of its equations holds two of its unknowns
};

/// A model frozen in a mode with everything that depends on the mode alone: the plan by which (ẋ, y) is
/// found block after block, what cannot be found, and the rows that are fulfilled or broken for any values.
struct ModeSystem {
  /// f and g are the model's own, given so that they are made once for all modes.
  ModeSystem(const Model& model, const CpMap& model_f, const CpMap& model_g, Mode mode);

  Mode mode;
  FrozenModel frozen;
  RowMap f, g;
  std::vector<SolutionBlock> blocks;  ///< block lower triangular order
  std::vector<int> undetermined;      ///< rows of y that no equation fixes; they keep their last value
  std::vector<int> over_determined;   ///< equations left when all unknowns are matched
  std::vector<int> ambiguous;         ///< unknowns that are not fixed although ẋ or a constraint needs them
  std::vector<int> broken_equations;  ///< reduced to "non-zero = 0"
  std::vector<int> broken_constraints;  ///< reduced to "positive ≤ 0"
  std::vector<int> live_constraints;    ///< hold at least one signal: can change along a motion
  std::vector<char> has_unknowns;       ///< for every constraint: ẋ or y occur in it
  bool forbidden = false;               ///< an invariant of the model is false

  /// (ẋ, y) can be found for given x, u as far as structure tells.
  [[nodiscard]] bool structurally_solvable() const {
    return over_determined.empty() && ambiguous.empty() && broken_equations.empty() && !forbidden;
  }
};

/// The mode systems of a run, made when first asked for. Memory is bounded: the least recently used go first.
class ModeCache {
 public:
  explicit ModeCache(const Model& model, std::size_t capacity = 512)
      : model_(model), f_(model.f()), g_(model.g()), capacity_(capacity) {}

  [[nodiscard]] std::shared_ptr<const ModeSystem> get(const Mode& mode);
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
