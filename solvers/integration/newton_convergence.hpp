#pragma once

namespace mti {

/// Whether Newton's iteration of one step has converged: with ‖δ_m‖ the norm of its m-th change in units of the
/// tolerances,
///
///     S ‖δ_m‖ ≤ tolerance ,   S = ρ/(1 − ρ) ,   ρ = (‖δ_m‖/‖δ_0‖)^(1/m)          (Brenan, Campbell, Petzold 1996, 5.2.2)
///
/// where ρ is measured in this step alone, and S ≥ 0.1. The first change says nothing of ρ, so that it is the last one
/// only if it is a hundredth of the tolerance; a later one is if it is a twentieth, whatever ρ, which rounding may make
/// (rounding_floor.hpp). IDA would take S from the step before: where all rows but one are linear, S falls to rounding as
/// soon as that one rests, and from then on whatever a function makes of a large argument passes for solved.
class NewtonConvergence {
 public:
  enum class Verdict { converged, goes_on, diverges };

  [[nodiscard]] Verdict judge(int m, double norm, double tolerance);

 private:
  double first_ = 0.0;
};

}  // namespace mti
