#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"

namespace mti {

/// A model at rest, ẋ = 0, as a model without states:
///
///     f(0, x, u(t), y, z) = 0,    g(0, x, u(t), y, z) ≤ 0
///
/// where x are algebraic signals before y, with the start values as guesses, and inputs stand still. Binaries, equations and
/// constraints keep their numbers, so that its modes are modes of the model. Laws hold at events only and are left out.
struct RestingModel {
  Model model;
  std::vector<int> row;  ///< for each row of S of the original: that of `model`; −1 of ẋ

  /// `t`: the time at which inputs stand still.
  RestingModel(const Model& original, double t);

  /// v of the original, ẋ = 0.
  [[nodiscard]] std::vector<double> original_v(std::span<const double> v) const;
};

/// A point at rest in one mode by Newton's method with steps of least norm (relative to nominal values) and halving, from
/// the guesses of the model: where equations leave signals open, the point nearest to these, in the limit. Work grows with the cube of the unknowns; a stop that is requested leaves the
/// point unconverged.
struct RestingPoint {
  bool converged = false;
  std::vector<double> v;  ///< of RestingModel::model
  int worst_equation = -1;
};
[[nodiscard]] RestingPoint rest_in_mode(const RestingModel& resting, const Mode& mode,
                                        const std::stop_token& stop = {});

}  // namespace mti
