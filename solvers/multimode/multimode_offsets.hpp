#pragma once

#include <vector>

#include "solvers/multimode/multimode_matching.hpp"
#include "solvers/multimode/symbolic_incidence.hpp"

namespace mti {

/// A number ≥ 0 that depends on the mode: levels[k] are the modes in which it is more than k. Each is part of
/// the one before.
struct ModeNumber {
  std::vector<ModeSet> levels;

  /// The modes in which it is `value`, as far as `where` goes.
  [[nodiscard]] ModeSet equals(int value, const ModeSet& where = ModeSet::all()) const;
  /// One more in the modes `where`.
  void raise(const ModeSet& where);
};

/// The matching that all else grows from: equations with signals in the pattern of equality for c = 0,
/// d_j = max_i σ_ij, and what is left of each equation. Most of most models is matched by it, with the most
/// differentiated signals of each equation, along short paths.
struct FirstMatching {
  FirstMatching(const SymbolicIncidence& incidence, const Considered& considered);

  std::vector<ModeNumber> d;  ///< max_i σ_ij of each signal
  ConditionalPattern pattern;
  MultimodeMatching matching;
  std::vector<ModeSet> unmatched;  ///< of each equation
};

/// Which modes are singular, and what is over- and under-determined there: Dulmage–Mendelsohn for all modes.
/// A signal that occurs in no equation of a mode is no unknown there and makes no mode singular.
struct MultimodeParts {
  ModeSet singular;
  std::vector<ModeSet> absent;  ///< of each signal: where it occurs in no equation
  std::vector<ModeSet> over_equations, over_signals, under_equations, under_signals;
};
/// Of each signal the considered modes in which it occurs in no equation.
[[nodiscard]] std::vector<ModeSet> absent_signals(const SymbolicIncidence& incidence,
                                                  const Considered& considered);
[[nodiscard]] MultimodeParts multimode_parts(const SymbolicIncidence& incidence, const Considered& considered,
                                             const FirstMatching& first);

/// Offsets c, d of all regular modes at once, as Pryce's Σ-method gives them for each
/// (solvers/structure/sigma_method.hpp), and the leading system with a perfect matching. In singular modes all of it is
/// meaningless.
struct MultimodeOffsets {
  std::vector<ModeNumber> c, d;  ///< one per equation, one per signal
  ConditionalPattern leading;    ///< entries where d_j − c_i = σ_ij
  MultimodeMatching matching;
};
/// Starts from c = 0, d_j = max_i σ_ij and matches equation by equation in the pattern of equality. Where
/// that fails, the equations on alternating paths outnumber their signals, so that every solution
/// differentiates them further: c and d of the part rise by one there, in those modes.
[[nodiscard]] MultimodeOffsets multimode_offsets(const SymbolicIncidence& incidence,
                                                 const Considered& considered, FirstMatching first,
                                                 const ModeSet& singular);

}  // namespace mti
