#pragma once

#include <vector>

#include "mti/source/source.hpp"

namespace mti::bench {

/// What closes clutch i between bodies i and i + 1 (from 1) at t = i · interval.
enum class Closing {
  by_input,       ///< a binary input p_i with a table
  by_constraint,  ///< contact x_i = x_{i+1}, and a binary z_i that stays set: couplings of rolling wagons
};

/// N bodies in a row with N − 1 clutches that close one after the other:
///
///     J_i ẇ_i = τ_{i−1} − τ_i − γ J_i w_i,    p_i (w_i − w_{i+1}) + (1 − p_i) τ_i = 0,    τ_0 = τ_N = 0
///
/// Speeds between the bodies that are not coupled yet differ, so that each closing is a jump: k + 1 speeds
/// and k impulses. The first `closed` clutches are closed from the start. With contacts, γ = 0, ẋ_i = w_i,
/// and the distances are such that contact i is made at i · interval (after those closed from the start:
/// later by as many intervals less).
struct ClutchChain {
  int bodies = 10;
  int closed = 0;
  Closing closing = Closing::by_input;
  double interval = 1e-2;
  double drag = 0.1;  ///< γ, of clutches closed by inputs

  [[nodiscard]] double inertia(int body) const;      ///< J_i, 1-based
  [[nodiscard]] double start_speed(int body) const;  ///< w_i(0)
  [[nodiscard]] double rate() const { return closing == Closing::by_input ? drag : 0.0; }
  /// Time at which clutch i closes, i > closed.
  [[nodiscard]] double closing_time(int clutch) const { return (clutch - closed) * interval; }
  [[nodiscard]] Source source() const;
};

/// Speeds of all bodies and impulses of all torques right after clutch `k` has closed, k > closed, by hand:
/// each closing is w⁺ = (M w + J_{k+1} w_{k+1})/(M + J_{k+1}) for M = J_1 + … + J_k and the impulses follow
/// from body to body, O(k). All clutches before k have closed at their times.
struct ChainState {
  double time = 0.0;
  std::vector<double> speeds;    ///< w_1 … w_N
  std::vector<double> impulses;  ///< of τ_1 … τ_{N−1}
};
class ClutchChainByHand {
 public:
  explicit ClutchChainByHand(const ClutchChain& chain);
  /// Goes on to the next closing and carries it out.
  const ChainState& close_next();
  [[nodiscard]] const ChainState& state() const { return state_; }
  /// Σ J_i w_i.
  [[nodiscard]] double momentum() const;

 private:
  ClutchChain chain_;
  int closed_;
  ChainState state_;
};

}  // namespace mti::bench
