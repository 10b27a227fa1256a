#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/linearization/linearization_points.hpp"

namespace mti {

/// The point with (ẋ, y) solved for from f = 0 in its mode, at time t with the inputs of the model there, and at x instead of
/// its own if that is given. Errors: those of consistent_point(); InvalidOption (id `bad-option`) in discrete time, for a t that
/// is no number, and for an x that is not n numbers.
[[nodiscard]] LinearizationPoint solved_at(const Model& model, LinearizationPoint point, double t,
                                           std::optional<std::span<const double>> x);

/// (ẋ, y) of a point, y without auxiliary signals.
[[nodiscard]] std::vector<double> rates_of(const Model& model, const LinearizationPoint& point);

/// ∂(ẋ, y)/∂(x, u) = [A B; C D] at a point that is solved.
[[nodiscard]] SparseColumns rates_jacobian(const Model& model, const LinearizationPoint& point);

}  // namespace mti
