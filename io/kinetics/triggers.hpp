#pragma once

#include <map>
#include <string>

#include "io/kinetics/source_writer.hpp"

namespace mti::sbml {

/// Comparisons of triggers as states of values 0 and 1 that laws set, and triggers as products of them.
///
/// Of a > b with s = a − b the flag f has the rows
///
///     der(f) = 0,    s·(1 − f) <= 0 (its law: f = 1),    −s·f <= 0 (its law: f = 0)
///
/// Both vanish with their law, so that it is due once. Equal comparisons share a flag. Flags are states and no binaries, for
/// laws at one instant are applied one after the other, and what a trigger says has to follow each of them.
/// What takes whole numbers only is compared with a half more or less, as in formulas.
/// Refusals: `sbml-event` (an event assigns exactly what a trigger compares with), `sbml-equality`, `sbml-condition`, `sbml-piecewise` and those of formulas.
class Triggers {
 public:
  explicit Triggers(SourceWriter& writer) : writer_(writer) {}

  /// The text of a trigger: a number that is 0 or 1.
  [[nodiscard]] std::string text(const Math& condition, const std::string& event);
  /// On which side what it compares is at the start, no formula of parameters and start values says: what algebraic rules determine,
  /// and concentrations whose state is an amount. Events wait then until the run has found it, which `started()` tells: 0, and 1
  /// from there on. Up to there a comparison that begins at its threshold counts as below it: it comes true with the motion.
  [[nodiscard]] bool waits_for_start(const Math& condition) const;
  [[nodiscard]] std::string started();
  /// The name of the flag of one comparison.
  [[nodiscard]] std::string flag(const Math& greater, const Math& smaller, bool strict,
                                 const std::string& event);

 private:
  [[nodiscard]] std::string comparison(const Math& condition, const std::string& event);
  [[nodiscard]] std::string margin_at_start(const std::string& margin, const Math& greater,
                                            const Math& smaller);
  void refuse_ties(const Math& a, const Math& b, const std::string& event);
  [[nodiscard]] std::string pieces(const Math& condition, const std::string& event);

  SourceWriter& writer_;
  std::map<std::string, std::string> flags_;
  std::map<std::string, int> count_;
  bool has_start_ = false;  ///< `events.started` is there
};

}  // namespace mti::sbml
