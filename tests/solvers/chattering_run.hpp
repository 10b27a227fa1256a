#pragma once

#include <vector>

#include "tests/solvers/hybrid_network.hpp"

namespace mti::test {

/// A network run as a sampled controller would run it, without any notion of events, sliding or modes:
///
///     repeat: pre(z) := z, y from (x, z), each z by its law   until z = pre(z)
///     x := x + h·ẋ(x, y, z, t)
///
/// Relays chatter about their surfaces with amplitude O(h); h → 0 is the limit a sliding motion has to be.
struct ChatteringRun {
  std::vector<std::vector<double>> samples;  ///< x at stop·k/count, k = 1..count
  std::vector<char> binaries;                ///< at the end
  double fastest = 0.0;                      ///< largest |ẋ|
  bool settled = true;                       ///< every instant ended
};

/// `steps` is a multiple of `count`.
[[nodiscard]] ChatteringRun chatter(const HybridNetwork& network, int steps, int count);

}  // namespace mti::test
