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
  bool rests =
      false;  ///< a function that has a value there, and whose argument moves by less than ε in the whole run
  bool is_singular = false;  ///< `text` is a signal that the equations do not determine there
};

/// "at t = 2 in mode (z = 1) the motion reaches the end of the domain of sqrt(x)"; `in_mode` as of in_mode() (solvers/mode/run_text.hpp).
[[nodiscard]] std::string describe(const DomainEnd& end, const std::string& in_mode);

/// The end that a run which could not go on from `here` has come to. With the margin m of the argument (0 at the end of
/// the domain) and its rate,
///
///     m ≤ 10 δ |m'|, m falling,    or    m ≤ ε of the argument,
///
/// δ being the resolution of time; of several the one that is next, of those that do not rest if there are any. Nothing if no
/// domain ends there.
[[nodiscard]] std::optional<DomainEnd> domain_end(const Model& model,
                                                  const std::shared_ptr<const ModeSystem>& system,
                                                  const Accuracy& accuracy, const Instant& here);

/// Functions whose argument is at the end of their domain, within ε, by whether the motion leaves that into the domain or
/// stays there, or would leave the domain; of those that the mode does without nothing is asked.
struct AtDomainEnds {
  std::vector<std::size_t> entered, kept;  ///< places in model.functions
};
[[nodiscard]] AtDomainEnds at_domain_ends(const Model& model, Motion& motion);
/// The motion takes the argument of a function from the end of its domain, or beside it, inside.
[[nodiscard]] bool enters(const Model& model, Motion& motion, std::size_t function);

/// The function has no value beyond: what multiplies it, or its argument, may be another number in another mode.
[[nodiscard]] SolveFailure at_end_of(const FunctionText& function, const ModeSystem& system);

/// Where steps of an integrator lead a motion v(t) over a divisor of 0, or over a pole: from b > ε to b < −ε, or back, with ε
/// of the signal. Steps that are short beside the pole may pass it, for b is smooth there, and so may a segment that begins
/// anew. What decays to 0 changes its sign by errors alone, within ε.
class PassedPoles {
 public:
  /// Both outlive it.
  PassedPoles(const Model& model, const Accuracy& accuracy);

  /// The first one of a step from `begin` to `end`; `begin` where b was within ε there already.
  [[nodiscard]] std::optional<DomainEnd> in_step(double begin, double end, const FrozenMode& mode,
                                                 const std::function<std::span<const double>(double t)>& v);
  /// One side of an event: its mode, v, and the slopes of signals, if they are known.
  struct BesideEvent {
    const FrozenMode& mode;
    std::span<const double> v;
    std::function<std::optional<double>(int signal)> slope;
  };
  /// A divisor or pole that two modes meet at an event: with b ≤ ε, and by its slope within 10 δ of 0,
  ///
  ///     in use on both sides, as of u/|u|, which has no value there, or
  ///     on one side, where |q b| > 100 ε, as of 1/x: what follows does without it, but nothing has led past it.
  ///
  /// sin(x)/x beside a mode that does without it is none, and what x^(−1/2) adds up to there is finite.
  [[nodiscard]] std::optional<DomainEnd> at_event(double t, double resolution, const BesideEvent& before,
                                                  const BesideEvent& after) const;
  /// An event, at which signals may jump to another side of a pole: this is no passage.
  void jump(std::span<const double> left, std::span<const double> right);
  /// The motion goes on from somewhere else.
  void forget() { before_.clear(); }
  [[nodiscard]] bool empty() const noexcept { return watched_.empty(); }

 private:
  /// What changes its sign where a signal passes a pole.
  struct Watched {
    int signal;
    int result;     ///< row of S of the quotient, or the function; a mode may do without it
    bool is_angle;  ///< of a tangent
    bool is_divisor;
    std::string text;
    [[nodiscard]] double of(std::span<const double> v) const;
  };
  /// b, or 0 where its sign is not known, or nobody asks for it.
  [[nodiscard]] std::vector<double> significant(const FrozenMode& mode, std::span<const double> v) const;

  const Accuracy& accuracy_;
  std::vector<Watched> watched_;
  std::vector<double> before_;  ///< the last b whose sign was known
};

}  // namespace mti
