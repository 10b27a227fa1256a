#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {

/// Where a motion leaves the domain of a function, or divides by 0.
struct DomainEnd {
  double t = 0.0;
  std::string text;  ///< "log(y1 - 2), whose argument y1 - 2 is 0 there"
};

/// "at t = 2 in mode (z = 1) the motion reaches the end of the domain of sqrt(x)"; `in_mode` as of in_mode() (solvers/mode/run_text.hpp).
[[nodiscard]] std::string describe(const DomainEnd& end, const std::string& in_mode);

/// The end that a run which could not go on from `here` has come to. With the margin m of the argument (0 at the end of
/// the domain) and its rate,
///
///     m ≤ 10 δ |m'|, m falling,    or    m ≤ ε of the argument,
///
/// δ being the resolution of time; of several the one that is next. Nothing if no domain ends there.
[[nodiscard]] std::optional<DomainEnd> domain_end(const Model& model,
                                                  const std::shared_ptr<const ModeSystem>& system,
                                                  const Accuracy& accuracy, const Instant& here);

/// Where steps of an integrator lead a motion v(t) over a divisor of 0, or over a pole: b(t) = 0 with b of other signs before
/// and after. Steps that are short beside the pole may pass it, for b is smooth there, and so may a segment that begins anew.
class PassedPoles {
 public:
  explicit PassedPoles(const Model& model);

  /// The first one of a step from `begin` to `end`.
  [[nodiscard]] std::optional<DomainEnd> in_step(double begin, double end,
                                                 const std::function<std::span<const double>(double t)>& v);
  /// At an event, where signals may jump.
  void forget() { before_.clear(); }

 private:
  /// What changes its sign where a signal passes a pole.
  struct Watched {
    int signal;
    bool is_angle;  ///< of a tangent
    std::string text;
    [[nodiscard]] double of(std::span<const double> v) const;
  };
  std::vector<Watched> watched_;
  std::vector<double> before_;  ///< at the end of the last step
};

}  // namespace mti
