#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solvers/mode/mode_cache.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {

/// A motion may come to rest at the end of the domain of a function that is 0 there, in finite time, as h of h' = -sqrt(h) does.
/// Its slope is infinite there and no integrator goes on; but with s = sqrt(a) held at 0,
///
///     s = 0,    a = 0,    a' = 0
///
/// is a motion of the mode as long as nothing moves a. Functions are named by their places in model.functions, as in
/// Mode::resting.

/// Some function of the model is 0 at the end of its domain, where its slope is not finite.
[[nodiscard]] bool has_functions_that_may_rest(const Model& model);

/// What an argument a at the end of its domain, within ε, does with its function at 0.
enum class Rest {
  stays,    ///< it moves by less than ε in the whole run
  touches,  ///< or at least not by more beyond the end, −a'²/(2 a''), before it comes back
};

/// The motion from `here` in `mode` with the functions held at 0 that rest in this sense; null if there are no more than in
/// `mode`.
[[nodiscard]] std::shared_ptr<Motion> motion_at_rest(const Model& model, ModeCache& cache,
                                                     const Accuracy& accuracy, const Instant& here,
                                                     const Mode& mode, Rest how);

/// `mode` with functions at rest that stay at the end of their domain since it slides there: sqrt(abs(x)) on x = 0.
[[nodiscard]] Mode with_those_on_surfaces_at_rest(const Model& model, ModeCache& cache,
                                                  const Accuracy& accuracy, const Instant& here,
                                                  const Mode& mode);

/// `mode` with all functions held that are 0 at the end of their domain, within ε, whether they stay there or not: what f is at
/// the instant itself.
[[nodiscard]] Mode with_ends_held(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                                  const Instant& here, const Mode& mode);

/// The same where nothing but states is known yet.
[[nodiscard]] std::shared_ptr<Motion> motion_that_begins_at_rest(const Model& model, ModeCache& cache,
                                                                 const Accuracy& accuracy,
                                                                 const Instant& here, const Mode& mode,
                                                                 Rest how);

/// Some function that does not rest in the mode is at the end of its domain, within ε; and either its value is 0 within ε, too, or
/// its argument is nothing but rounding of what it is made of.
[[nodiscard]] bool may_come_to_rest(const Model& model, const ModeSystem& system, const Accuracy& accuracy,
                                    std::span<const double> v);

/// The motion takes an argument away from the end of its domain within some roundings of the time, in which no integrator has
/// room for a step.
[[nodiscard]] bool leaves_end_at_once(const Model& model, Motion& motion, double t);

/// Those of `mode` whose argument is still at the end of its domain, within ε.
[[nodiscard]] std::vector<int> still_at_rest(const Model& model, const Mode& mode, const Accuracy& accuracy,
                                             std::span<const double> v);

/// The first time of a step from `begin` to `end` at which some do not rest any more; v(t) from its dense output.
[[nodiscard]] std::optional<double> end_of_rest(const Model& model, const Mode& mode,
                                                const Accuracy& accuracy, double begin, double end,
                                                const std::function<std::span<const double>(double t)>& v);

}  // namespace mti
