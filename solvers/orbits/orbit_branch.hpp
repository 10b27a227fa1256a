#pragma once

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "mti/derivatives/parameter_derivative.hpp"
#include "solvers/orbits/orbit.hpp"

namespace mti {

/// A model at a value of a parameter p, with the derivative by p alone.
using ModelOfParameter = std::function<DifferentiatedModel(double)>;

struct BranchOptions {
  OrbitOptions orbit = {};      ///< of the first orbit
  double from = 0.0, to = 1.0;  ///< of p
  int steps = 40;               ///< at least so many from one end to the other, where all else stands still
  int most_points = 1000;       ///< and 25·steps at least
};

/// A periodic orbit at a value of the parameter.
struct BranchPoint {
  enum class Kind {
    regular,
    fold,             ///< the branch turns: a multiplier passes 1
    branching,        ///< a multiplier passes 1, and the branch goes on
    period_doubling,  ///< a multiplier passes −1
    torus,            ///< a pair of multipliers passes the unit circle
    grazing,          ///< beyond, events come or go
    corner,           ///< beyond, the same events come in another order
    rest,             ///< the orbit has shrunk to a point of rest (a Hopf bifurcation)
    halving           ///< the orbit has become one of half the period, from which it branches off
  };
  Kind kind = Kind::regular;
  double parameter = 0.0, period = 0.0;
  bool stable = false, marginal = false;  ///< as of Orbit
  std::vector<std::complex<double>> multipliers = {};
  std::vector<double> x = {};                     ///< x(0), n
  std::vector<double> lowest = {}, highest = {};  ///< of each state over one period, n
  int events = 0;                                 ///< of one period
  std::vector<int> constraints =
      {};  ///< of a grazing: those whose events come or go; of a corner: those that change places
};
[[nodiscard]] std::string to_string(BranchPoint::Kind kind);  ///< "period doubling"

struct OrbitBranch {
  std::string parameter;
  std::vector<BranchPoint> points;  ///< along the branch
  bool complete = false;            ///< it has come to an end of the range
  std::string message;              ///< why it ends before
};

/// Follows a periodic orbit while a parameter p varies, through folds (pseudo-arclength): from an orbit at `from` on, to `to` or, behind a
/// fold, back to `from`,
///
///     x(T; x0, p) = x0,    ẋ(0)ᵀ (x0 − x0*) = 0,    τᵀ (w − w*) = s,    w = (x0, T, p)
///
/// by Newton's method, where * is the last point and τ the direction of the branch there, in units of nominal values, of T and of
/// |to − from|. Between two points of one sequence of events a multiplier that passes the unit circle is located, and where the
/// sequence changes, the parameter at which it does: to 10⁻⁷ of |to − from|. Multipliers beyond a grazing jump, or the branch ends there.
///
/// Errors: those of find_orbit(); InvalidOption, id `bad-option` (a range that is none); those of `model_at`. NotReached is not
/// thrown once there is a point: the branch ends then, and says why.
/// Source: [seydel2010], ch. 4 and 7; [dibernardo2008], ch. 2 (grazing, corners).
[[nodiscard]] OrbitBranch follow_orbit(const ModelOfParameter& model_at, const BranchOptions& options);

}  // namespace mti
