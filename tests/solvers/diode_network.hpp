#pragma once

#include <Eigen/Dense>

#include <optional>
#include <string>
#include <vector>

#include "mti/source/source.hpp"
#include "tests/solvers/wong_sequences.hpp"

namespace mti::test {

/// A linear network with ideal diodes, in the signals x:
///
///     E ẋ + A x = b,    z_d u_d + (1 − z_d) i_d = 0,    u_d = U_d x ≤ 0,    −i_d = −I_d x ≤ 0
///
/// with a row of U and I per diode. In each mode z it is a square linear pencil.
struct DiodeNetwork {
  Eigen::MatrixXd E, A;  ///< as many rows as signals less diodes
  Eigen::VectorXd b;
  Eigen::MatrixXd U, I;
  Eigen::VectorXd x_minus;
  std::vector<char> z_minus;

  [[nodiscard]] Eigen::Index signals() const { return E.cols(); }
  [[nodiscard]] int diodes() const { return static_cast<int>(U.rows()); }
  /// Signals x1, x2, …, binaries z1, z2, …
  [[nodiscard]] Source source() const;
};

/// What a mode makes of x⁻, judged by its quasi-Weierstrass form.
struct NetworkVerdict {
  bool regular = false;
  bool values_allowed = false;  ///< u ≤ 0, i ≥ 0 right after the restart and along the motion that starts
  bool impulses_allowed =
      false;          ///< the leading impulse of each u and i has an allowed sign, or there is none
  bool clear = true;  ///< no number was so small that it could be zero as well
  LinearRestart restart;

  [[nodiscard]] bool admissible() const { return regular && values_allowed && impulses_allowed; }
};

[[nodiscard]] NetworkVerdict check_admissibility(const DiodeNetwork& network, const std::vector<char>& z);

/// All 2^d modes.
struct NetworkAnswer {
  std::vector<std::vector<char>> admissible;
  int allowed_by_values = 0;  ///< modes that values alone would admit
  bool clear = true;
  /// The admissible mode of the smallest Hamming distance to z⁻, of several the one that flips the diode
  /// declared first; nothing if none is admissible.
  std::optional<std::vector<char>> nearest;
};
[[nodiscard]] NetworkAnswer enumerate_modes(const DiodeNetwork& network);

/// x after one step of the implicit Euler method from x⁻,
///
///     E (x − x⁻)/h + A x = b,    0 ≤ −U x ⊥ I x ≥ 0,
///
/// by all 2^d assignments; of a network without sources of energy there is one, and h → 0 gives where x⁻ jumps to. Nothing where no
/// assignment solves it.
[[nodiscard]] std::optional<Eigen::VectorXd> implicit_step(const DiodeNetwork& network, double h);

/// Capacitors, inductors, resistors and sources on 2 to 4 nodes with 1 to 4 diodes that form no loop; x⁻ and
/// z⁻ at random.
[[nodiscard]] DiodeNetwork draw_network(unsigned seed);

/// Benveniste, Caillaud, Malandain (RR 9334), (195): two coils, two capacitors, two diodes. Signals j1, j2,
/// v1, v2, i1, i2, u1, u2.
[[nodiscard]] DiodeNetwork rldc2(const Eigen::Vector2d& j, const Eigen::Vector2d& v);

}  // namespace mti::test
