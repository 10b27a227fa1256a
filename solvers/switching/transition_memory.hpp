#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "solvers/admissibility/admissibility.hpp"

namespace mti {

/// What became of one candidate of a search, and what shows it the soonest.
struct JudgedCandidate {
  enum class Fate {
    follows,   ///< admissible
    excluded,  ///< one constraint turns it down, whatever the others do
    turned_down,
  };

  JudgedCandidate(std::vector<int> flipped, const Admissibility& verdict, int model_constraints);

  std::vector<int> flipped;  ///< deciders that differ from z⁻, ascending
  Fate fate = Fate::turned_down;
  int constraint = -1;  ///< of one that is excluded
};

/// The candidates that one search has judged, in their order, without z⁻.
using KnownTransition = std::vector<JudgedCandidate>;

/// What a search begins with, as far as it decides which candidates come in which order:
///
///     the constraints that z⁻ breaks, A₀, and z⁻ on A₀ .
///
/// Candidates are judged again wherever they are taken from memory, so that what else the mode holds, pre(z) and the
/// states need not be told apart. That makes a transition of a large model one of its parts.
struct TransitionKey {
  TransitionKey(const std::vector<int>& broken, const std::vector<int>& A, const Mode& z_minus);

  std::vector<int> numbers;

  friend bool operator==(const TransitionKey&, const TransitionKey&) = default;
};

/// The searches of a run, or of runs one after the other, that ended among the assignments of A₀, by what they began with
/// (docs/theory.md, "Transitions that come again").
///
/// It is told and asked by SuccessorRun, and proposes only: an entry that no longer holds is replaced by what the
/// search finds then. Its size is bounded; it forgets everything where a new entry would exceed that.
class TransitionMemory {
 public:
  /// The run that follows is of a model with so many constraints and binaries: entries of others are forgotten. Those of
  /// another model with as many only propose, as do those of the same one elsewhere.
  void begin(int constraints, int binaries);
  /// Null if nothing is known. Valid until the next keep().
  [[nodiscard]] const KnownTransition* find(const TransitionKey& key) const;
  void keep(TransitionKey key, KnownTransition transition);
  /// Of all entries, about.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

  /// bytes() ≤ most_bytes, except that one entry always has room.
  static constexpr std::size_t most_bytes = 4U << 20U;

 private:
  struct Hash {
    [[nodiscard]] std::size_t operator()(const TransitionKey& key) const noexcept;
  };

  std::unordered_map<TransitionKey, KnownTransition, Hash> transitions_;
  std::size_t bytes_ = 0;
  int constraints_ = 0, binaries_ = 0;
};

}  // namespace mti
