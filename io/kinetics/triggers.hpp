#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/kinetics/source_writer.hpp"

namespace mti::sbml {

/// 1 for d > 0 and 0 for d < 0, at 0 what is weak: a number with the derivative 0, which `if` of parameters has not.
///
/// tanh rounds to ±1 beyond ±20. So does what 1e300·tanh(d) ± 400 is for |d| > 1e-297; the difference of two doubles is 0 or above
/// that unless both are below 1e-281. At 400 the square of cosh overflows, and the slope is 0.
[[nodiscard]] std::string sign_text(const std::string& difference, bool strict);

/// Comparisons of triggers as states of values 0 and 1 that laws set, and triggers as products of them.
///
/// Of a > b with s = a − b the flag f has the rows
///
///     der(f) = 0,    s·(1 − f) <= 0 (its law: f = 1),    −s·f <= 0 (its law: f = 0)
///
/// Both vanish with their law, so that it is due once. Equal comparisons share a flag. Flags are states and no binaries, for
/// laws at one instant are applied one after the other, and what a trigger says has to follow each of them.
/// What takes whole numbers only is compared with a half more or less, as in formulas.
/// Refusals: `sbml-equality`, `sbml-condition`, `sbml-piecewise` and those of formulas.
class Triggers {
 public:
  explicit Triggers(SourceWriter& writer) : writer_(writer) {}

  /// The text of a trigger: a number that is 0 or 1.
  [[nodiscard]] std::string text(const Math& condition, const std::string& event);
  /// On which side what it compares is at the start, no formula of parameters and start values says: what algebraic rules determine,
  /// concentrations whose state is an amount, and species of fast reactions. Events wait then until the run has found it, which `started()` tells: 0, and 1
  /// from there on. Up to there a comparison that begins at its threshold counts as below it: it comes true with the motion.
  [[nodiscard]] bool waits_for_start(const Math& condition) const;
  [[nodiscard]] std::string started();
  /// What it compares may jump where a run begins.
  [[nodiscard]] bool follows_balance(const Math& condition) const;
  /// The text of one comparison, 0 or 1.
  [[nodiscard]] std::string compared(const Math& greater, const Math& smaller, bool strict,
                                     const std::string& event);

  /// A comparison of what takes any values, by its flag.
  struct Comparison {
    std::string flag, event;  ///< the event is the one whose trigger or priority has it first
    Math greater, smaller;
    bool strict = false;
  };
  [[nodiscard]] const std::vector<Comparison>& comparisons() const { return made_; }

 private:
  /// The name of the flag of one that holds no choice.
  [[nodiscard]] std::string flag(const Math& greater, const Math& smaller, bool strict,
                                 const std::string& event);
  [[nodiscard]] std::string comparison(const Math& condition, const std::string& event);
  [[nodiscard]] std::string margin_at_start(const std::string& margin, const Math& greater,
                                            const Math& smaller);
  [[nodiscard]] std::string pieces(const Math& condition, const std::string& event);

  SourceWriter& writer_;
  std::map<std::string, std::string> flags_;
  std::map<std::string, int> count_;
  std::vector<Comparison> made_;
  int depth_ = 0;           ///< of comparisons that are being split
  bool has_start_ = false;  ///< `events.started` is there
};

}  // namespace mti::sbml
