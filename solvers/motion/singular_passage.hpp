#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solvers/mode/mode_system.hpp"

namespace mti {

/// Where steps of an integrator lead over a point at which the equations no longer determine their unknowns,
///
///     sign det J(before) ≠ sign det J(now),    y grows, and is on the other side of 0 behind it,
///
/// J the system Jacobian of a block (SystemJacobian) and y one of its unknowns. Steps may pass such a pole of y, as a multiplier of a
/// mechanism has where its constraint loses the direction to push in, for what is integrated is small and smooth on both sides; y
/// behind it belongs to no motion that comes from before. Where y does not grow, the equations have a common factor, as
/// x y = x sin(t), and the motion goes on.
class SingularPassage {
 public:
  /// `states`: n of the model, rows of S below it are ẋ.
  explicit SingularPassage(int states) : states_(states) {}

  /// A segment begins at v; what is known of the one before stays, if it is of the same mode.
  void begin(const std::shared_ptr<const ModeSystem>& system, std::span<const double> v);
  /// v where a step begins, of an integrator that does not pass poles.
  void note(std::span<const double> v);
  struct Pole {
    double t = 0.0;
    int signal = -1;  ///< row of S
  };
  /// Where a step from `begin` to `end` has led over one; v(t) from its dense output.
  [[nodiscard]] std::optional<Pole> in_step(double begin, double end,
                                            const std::function<std::span<const double>(double t)>& v);
  /// The motion goes on from somewhere else.
  void forget() { system_.reset(); }

 private:
  int states_;
  std::shared_ptr<const ModeSystem> system_;
  std::array<std::vector<double>, 2> before_;  ///< the earlier one first; empty: not known
};

}  // namespace mti
