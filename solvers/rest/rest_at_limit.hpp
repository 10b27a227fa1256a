#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/blocks/instant.hpp"
#include "solvers/mode/mode_system.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {

/// What is known where switches accumulate.
struct LimitPlace {
  const Model& model;
  std::shared_ptr<const ModeSystem> system;  ///< of the last motion before the limit
  const Accuracy& accuracy;
  Instant instant;                    ///< there, with the point that the states lead to
  std::span<const int> rows;          ///< of g that were met again and again
  std::span<const char> takes_part;   ///< by state: it may be moved
  std::span<const double> uncertain;  ///< by state, by so much
};

/// Those of `rows` whose motion turns back: from the last event its rate is used up by its own slope within the time that is
/// left, |Dg| ≤ |D²g| (t∞ − t). Rates of a relay, which changes their sign, are not.
[[nodiscard]] std::vector<int> rows_that_turn_back(Motion& motion, std::span<const int> rows, double left);

/// Puts states on g = 0 and Dg = 0: a motion that is turned back ever sooner has no rate at the limit, whatever is left of it by
/// an extrapolation. By the smallest move in the metric of the uncertainties, where that is within them; else false, and nothing moves.
bool put_to_rest(const LimitPlace& place, std::span<double> v);

}  // namespace mti
