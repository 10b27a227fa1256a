#pragma once

#include <span>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/signature.hpp"
#include "solvers/motion/motion.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// Binaries and binary inputs whose value or whose sliding changed; v holds their values.
[[nodiscard]] std::vector<Change> changes_between(const Signature& signature, const Mode& before,
                                                  std::span<const double> v_before, const Mode& after,
                                                  std::span<const double> v_after);

/// Anything but a posed problem to which the answer is that all goes on as it was.
[[nodiscard]] inline bool has_happened(const Event& event) {
  return !event.changed.empty() || !event.steps.empty() || !event.jumps.empty() || !event.impulses.empty() ||
         !event.emitted.empty();
}
/// A switch of the motion itself, of which infinitely many may accumulate.
[[nodiscard]] inline bool is_switch(EventKind kind) {
  return kind != EventKind::initial && kind != EventKind::input && kind != EventKind::zeno;
}
/// The motion begins to slide on several surfaces at one instant. These are met one after the other, ever faster, until
/// all are within their error bounds: only an accumulation ends like that.
[[nodiscard]] bool gathers_surfaces(const Mode& before, const Mode& after);

/// The kind of an event that was posed as one of `kind`: what slides may have changed.
[[nodiscard]] EventKind kind_of(EventKind kind, const Mode& before, const Mode& after);

/// Enters which states jump at the beginning of a motion from `here`, and the impulses. False if none jumps.
bool note_restart(const Motion& motion, const Instant& here, const Signature& signature, Event& event);

/// Whether states stand elsewhere than before by more than rounding, however small that is beside the errors.
[[nodiscard]] bool moves_states(const Motion& motion, const Instant& here, const Signature& signature);

/// The states that jumped get their limits at the left and the right of the instant; impulses of several steps of it
/// add up.
void complete_jumps(Event& event, std::span<const double> left, std::span<const double> right);

}  // namespace mti
