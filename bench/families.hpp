#pragma once

#include "mti/source/source.hpp"

namespace mti::bench {

/// A ring of N two-point controlled tanks, each with its own inlet and heat exchange with both neighbours:
///
///     c m ẋ_i = −γ x_i + α (x_{i−1} + x_{i+1}) + α u − c f_v (x_i − u_in) open_i
///     (low_i − x_i)(1 − open_i + shut_i) ≤ 0,    (x_i − high_i)(1 − shut_i + open_i) ≤ 0
///
/// 2N binaries. Start values and bands differ from tank to tank (multiples of the golden ratio), so that no
/// two limits are met at one instant. With `band` beyond a few hundred kelvin nothing ever switches.
[[nodiscard]] Source tank_ring(int tanks, double band = 10.0);

/// Brake line of a train of n cars (B. Caillaud; Siconos examples/control/train_brakes): reservoirs u_i, v_i,
/// line resistance R, and one check valve with resistance S per car,
///
///     j_{i−1} − k_i − l_i − j_i = 0,   w_i = u_i + v_i,   w_{i−1} − R j_{i−1} − w_i = 0,   j_n = 0
///     h_i + S k_i = v_i,   C u̇_i = k_i + l_i,   D v̇_i = l_i,   0 ≤ k_i ⊥ −h_i ≥ 0
///
/// with the pressure w_0 = 10 up to half of `T`, 0 after. At the start the line is at w_i = −ρ u_0 and the
/// reservoirs at u_i = u_0 (1 − ρ + ρ (i − 1)/n): for n = 3 the published initial values.
[[nodiscard]] Source train_brake_line(int cars, double T = 10.0);

/// `copies` of a model beside each other that share nothing: each name with the prefix c1., c2., …
///
/// The states of copy i start higher by up to `shift`, each copy by another part of it, so that their events
/// do not coincide. For models of equations as text, without transitions and invariants.
[[nodiscard]] Source copies_of(const Source& model, int copies, double shift = 0.0);

/// ManyEvents(N, M) of the ScalableTestSuite (F. Casella): ẋ_i = M/(N + 1 − i) from 0; where x_i passes 1 an
/// indicator is set for good; v counts them. Indicators with (N + 1 − i)/M ≤ 1 are set, at these times.
[[nodiscard]] Source many_events(int N, int M);

}  // namespace mti::bench
