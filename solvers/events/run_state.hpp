#pragma once

#include <memory>
#include <span>

#include "solvers/blocks/instant.hpp"
#include "solvers/mode/mode_system.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {

/// Where a run of continuous time stands.
struct RunState {
  Instant here;  ///< right limits of inputs
  Mode mode;
  std::shared_ptr<const ModeSystem> system = {};
  std::shared_ptr<Motion> motion = {};  ///< that begins at `here` in `mode`
};

/// The mode to the left of an instant: where inputs have taken their new pieces v still holds their old values.
[[nodiscard]] Mode mode_at_left(const RunState& state, bool inputs_are_new, const Signature& signature);

/// The weights of sliding binaries lie in [0, 1]; what rounding adds to that is taken off.
void keep_weights_in_range(const ModeSystem& system, std::span<double> v);

/// Some transition law waits for a constraint that is reached, or for a binary that rises or falls; some law of the one or
/// other kind moves what a motion has left.
[[nodiscard]] bool has_reach_laws(const Model& model);
[[nodiscard]] bool has_change_laws(const Model& model);
[[nodiscard]] bool has_laws_of_motions(const Model& model);

}  // namespace mti
