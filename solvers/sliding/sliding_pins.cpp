#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/sliding/sliding.hpp"

namespace mti {
namespace {

constexpr double middle = 0.5;

/// θ of every surface of a motion.
std::vector<double> weights_of(const Signature& signature, const Motion& motion) {
  std::vector<double> weights;
  for (const Slide& slide : motion.system().mode.slides) {
    const double zeta = motion.v()[at(signature.binary_row(slide.binaries[0]))];
    weights.push_back(slide.above[0] != 0 ? zeta : 1.0 - zeta);
  }
  return weights;
}

/// Both motions begin with the same slopes.
bool same_motion(const Signature& signature, Motion& a, Motion& b) {
  for (int i = 0; i < signature.n(); ++i) {
    const int row = signature.derivative_row(i);
    const Ball of_a = a.signal(row, 0), of_b = b.signal(row, 0);
    if (std::abs(of_a.value - of_b.value) > of_a.error + of_b.error) return false;
  }
  return true;
}

/// Weights that the equations of a mode leave open: if s_i = 0 follows from other surfaces, as ẋ = 0 does from x = 0,
/// there are fewer equations than weights, although all weights that fulfil them give the same ẋ.
class Pinning {
 public:
  Pinning(const SwitchingProblem& problem, long limit, const AcceptedVerdict& accepted)
      : problem_(problem), limit_(limit), accepted_(accepted) {}

  /// As few pins as possible: every other surface is then kept by its own equation.
  SlidingMotion run(const Mode& mode) {
    for (std::size_t pins = 1; pins < mode.slides.size() && !result_.found && result_.tried < limit_;
         ++pins) {
      std::vector<std::size_t> chosen;
      choose(mode, pins, 0, chosen);
    }
    return std::move(result_);
  }

 private:
  void choose(const Mode& mode, std::size_t pins, std::size_t first, std::vector<std::size_t>& chosen) {
    if (chosen.size() == pins) {
      try_pins(mode, chosen);
      return;
    }
    for (std::size_t s = first; s < mode.slides.size() && result_.tried < limit_; ++s) {
      if (mode.slides[s].pinned) continue;
      chosen.push_back(s);
      choose(mode, pins, s + 1, chosen);
      chosen.pop_back();
    }
  }

  Admissibility check(const Mode& mode) {
    ++result_.tried;
    return problem_.check(mode);
  }

  /// Of pins that do not even give one motion.
  void tell_depends_on(Admissibility verdict) const {
    if (verdict.motion) {
      verdict.rejection = Rejection::forbidden;
      verdict.reason = "the motion depends on weights that its equations leave open";
      verdict.constraints.clear();
    }
    problem_.tell(verdict);
  }

  void try_pins(Mode mode, const std::vector<std::size_t>& pins) {
    for (const std::size_t s : pins) mode.slides[s].pinned = middle;
    const Admissibility at_middle = check(mode);
    const auto& motion = at_middle.motion;
    if (!motion) return tell_depends_on(at_middle);
    // θ_i = centre_i + Σ_k slope_ki (θ_k − ½) of all surfaces by the pinned ones: one difference quotient for each pin.
    // It is exact where no product holds two of them, for the equations are affine in each weight. A pin on which ẋ
    // depends decides about the motion, and is none that may be chosen.
    const std::vector<double> centre = weights_of(problem_.model.signature, *motion);
    std::vector<std::vector<double>> slope;
    for (const std::size_t s : pins) {
      constexpr double step = 0.25;
      Mode moved = mode;
      moved.slides[s].pinned = middle + step;
      const auto other = check(moved).motion;
      if (!other || !same_motion(problem_.model.signature, *motion, *other))
        return tell_depends_on(at_middle);
      slope.push_back(weights_of(problem_.model.signature, *other));
      for (std::size_t i = 0; i < centre.size(); ++i) slope.back()[i] = (slope.back()[i] - centre[i]) / step;
    }
    const std::vector<double> chosen = closest_to_middle(centre, slope);
    for (std::size_t k = 0; k < pins.size(); ++k) mode.slides[pins[k]].pinned = middle + chosen[k];
    ++result_.tried;
    Admissibility verdict = check_mode(problem_, mode);
    problem_.tell(verdict);
    if (!accepted_(verdict)) return;
    // Of several, the one that keeps most by equations, hidden ones included: with x = 0 kept, ẋ = 0 follows as its
    // derivative, but of ẋ = 0 alone x would drift away.
    if (result_.found && verdict.system->plan->depth <= result_.verdict.system->plan->depth) return;
    result_.found = true;
    result_.mode = std::move(mode);
    result_.verdict = std::move(verdict);
  }

  /// How far the pinned weights are to be moved so that Σ (θ_i − ½)² is least with all θ_i in [0, 1] where
  /// that can be had: one coordinate after the other, which comes to rest since the sum is convex. Coordinate k alone
  /// is least at −(slope_k · (θ − ½)) / |slope_k|², and [least, most] is where it keeps every θ_i in [0, 1].
  static std::vector<double> closest_to_middle(const std::vector<double>& centre,
                                               const std::vector<std::vector<double>>& slope) {
    constexpr int sweeps = 100;
    std::vector<double> moved(slope.size(), 0.0), theta = centre;
    for (int sweep = 0; sweep < sweeps; ++sweep)
      for (std::size_t k = 0; k < slope.size(); ++k) {
        double across = 0.0, along = 0.0, least = -1.0, most = 1.0;
        for (std::size_t i = 0; i < theta.size(); ++i) {
          across += slope[k][i] * (theta[i] - middle);
          along += slope[k][i] * slope[k][i];
          if (slope[k][i] == 0.0) continue;
          const double to_0 = -theta[i] / slope[k][i], to_1 = (1.0 - theta[i]) / slope[k][i];
          least = std::max(least, std::min(to_0, to_1));
          most = std::min(most, std::max(to_0, to_1));
        }
        double step = -across / along;
        if (least <= most) step = std::clamp(step, least, most);
        moved[k] += step;
        for (std::size_t i = 0; i < theta.size(); ++i) theta[i] += step * slope[k][i];
      }
    return moved;
  }

  const SwitchingProblem& problem_;
  long limit_;
  const AcceptedVerdict& accepted_;
  SlidingMotion result_;
};

}  // namespace

SlidingMotion pin_open_weights(const SwitchingProblem& problem, const Mode& mode, long limit,
                               const AcceptedVerdict& accepted) {
  return Pinning(problem, limit, accepted).run(mode);
}

}  // namespace mti
