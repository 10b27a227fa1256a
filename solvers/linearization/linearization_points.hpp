#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"

namespace mti {

/// A point at which a model is to be linearised: v and the mode it is frozen in.
struct LinearizationPoint {
  double time = 0.0;
  int side = 0;  ///< −1, 1: left, right limit at an event; 0 elsewhere
  Mode mode;
  std::vector<double> v;  ///< one entry per row of S
};

/// Which points of one run are asked for.
struct PointsOfRun {
  std::vector<double> times = {};   ///< in any order; right limits where an event is
  bool events = false;              ///< both sides of every event after the initialisation
  std::optional<double> stop = {};  ///< of the run; default: the latest of `times`, else the model's
  std::stop_token stop_token = {};  ///< stop requested: NotReached, id `interrupted`
};

/// Points of one run from the model's start, ascending in time; all signals solved for anew there, so that
/// they are as consistent as rounding allows. In discrete time these are samples: the last one up to each of
/// `times`, and those whose binaries or binary inputs are not those of the sample before.
///
/// Errors: NotReached with the run's message where it ends before; InvalidOption, id `bad-option`, for a time
/// before the start.
[[nodiscard]] std::vector<LinearizationPoint> points_of_run(const Model& model, const PointsOfRun& wanted);

/// v by rows of S where a run of the model begins: points_of_run at the start time, with values of signals that the mode
/// does without (give_absent_signals).
[[nodiscard]] std::vector<double> start_of_run(const Model& model);

/// The start values in a mode that is given: x as declared, u at the model's start time, ẋ = 0, y the
/// declared guesses. Nothing is solved. Throws InvalidOption (id `bad-option`) where initial equations determine x.
[[nodiscard]] LinearizationPoint start_point(const Model& model, const Mode& mode);

/// The point with the mode `mode` put in place of its own, x and u kept.
[[nodiscard]] LinearizationPoint in_mode(const Model& model, LinearizationPoint point, const Mode& mode);

/// The point with ẋ and y (and ζ of sliding binaries) solved for from f = 0 in its mode, x and u given. In a
/// mode of higher index x is first put on what constrains it, as at a restart. Throws InvalidModel (id
/// `inconsistent-mode`) naming equations or signals where there is no such point, or more than one.
[[nodiscard]] LinearizationPoint consistent_point(const Model& model, LinearizationPoint point);

/// Of the signals in these rows of S their derivatives by time, along the motion from such a point, whatever its index. Errors: those
/// of consistent_point().
[[nodiscard]] std::vector<double> slopes_at(const Model& model, const LinearizationPoint& point,
                                            std::span<const int> rows);

/// The mode that the entries of z, pre(z) and binary inputs in v tell. Throws InvalidOption (id `not-binary`)
/// for a value that is neither 0 nor 1.
[[nodiscard]] Mode mode_of(const Model& model, std::span<const double> v);

}  // namespace mti
