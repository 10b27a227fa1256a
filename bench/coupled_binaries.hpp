#pragma once

#include <vector>

#include "mti/model/model.hpp"

namespace mti::bench {

/// A sub-problem of coupled binaries with one admissible assignment, or none. Its unknown signals are y; a
/// state with clock' = 1 makes it a model of a motion.
struct CoupledBinaries {
  Model model;
  std::vector<char> before;  ///< z⁻
  std::vector<char> answer;  ///< the only admissible assignment, `distance` flips from z⁻; empty if none is
};

/// How an instance is drawn. With one seed the feasible one and the infeasible one differ in what makes the
/// latter infeasible only.
struct Draw {
  unsigned seed = 1;
  int binaries = 40;
  int distance = 20;
  bool feasible = true;
};

/// Logic: equations z_a xor z_b xor z_c = c until they have full rank over GF(2), so that one solution is
/// left; clauses of three literals and cardinalities of eight binaries that it fulfils besides. Infeasible:
/// one more clause of three literals, which the solution breaks.
[[nodiscard]] CoupledBinaries logic_network(const Draw& draw);

/// Complementarity: nodes of potential v_i joined by conductances g (a ladder, and `chords` more at random),
/// each held at or below E_i by an ideal diode of current a_i,
///
///     Σ_j g_ij (v_j − v_i) − h_i v_i + s_i = a_i,    0 ≤ a_i ⊥ E_i − v_i ≥ 0.
///
/// With k = E − v this is 0 ≤ k ⊥ q + M k ≥ 0 with an M-matrix, which has one solution for all data.
/// Infeasible: the current of one conducting diode is limited to half of what it is.
[[nodiscard]] CoupledBinaries diode_ladder(const Draw& draw, int chords = 0);

/// Relays in a linear algebraic loop: w = b + K z + L w, z_i on above hi and off below lo,
///
///     (w_i − hi)(1 − z_i) ≤ 0,    (lo − w_i) z_i ≤ 0.
///
/// Solved for w it is w = c + T z with entries of both signs; in an order that is drawn, what the later
/// relays of a row add is less than what its sum keeps away from lo and hi, so that one solution is left.
/// `neighbours` earlier relays enter each row of T (all that there are: dense); L couples each w with the
/// next one. Infeasible: the relay that comes last turns itself on when off and off when on.
[[nodiscard]] CoupledBinaries relay_loop(const Draw& draw, int neighbours);

}  // namespace mti::bench
