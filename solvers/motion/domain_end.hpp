#pragma once

#include <optional>
#include <string>

#include "mti/model/model.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {

/// Where a motion leaves the domain of a function, or divides by 0.
struct DomainEnd {
  double t = 0.0;
  std::string text;  ///< "log(y1 - 2), whose argument y1 - 2 is 0 there"
};

/// The end that a run which could not go on from `here` has come to. With the margin m of the argument (0 at the end of
/// the domain) and its rate,
///
///     m ≤ 10 δ |m'|, m falling,    or    m ≤ ε of the argument,
///
/// δ being the resolution of time; of several the one that is next. Nothing if no domain ends there.
[[nodiscard]] std::optional<DomainEnd> domain_end(const Model& model,
                                                  const std::shared_ptr<const ModeSystem>& system,
                                                  const Accuracy& accuracy, const Instant& here);

}  // namespace mti
