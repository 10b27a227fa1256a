#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solvers/admissibility/switching_problem.hpp"
#include "solvers/logic/outputs.hpp"

namespace mti {

/// One step of a sequence that memory makes of an instant, if there is one.
struct CausalStep {
  std::optional<Mode> mode = {};  ///< after the step, its pre(z) unchanged
  std::string given_up = {};      ///< what was not looked at where there is none, if anything was left out
};

/// Where memory leaves no simultaneous solution, an instant is a sequence. An overcurrent trip
///
///     o = s or pre(o),   s = [i ≥ i_max],   o cuts i off
///
/// has none: s comes on, o latches, s goes off. One step of such a sequence: the deciders in the rows that z⁻
/// breaks flip by these rows, judged along the motion of z⁻; binaries that are tied to them by rows of
/// binaries alone, and outputs, follow with the pre(z) of the step; nothing else is asked. pre(z) := z is the
/// caller's. docs/theory.md, "Memory".
class CausalSteps {
 public:
  CausalSteps(const Model& model, const SignalRows& rows, const Dependencies& influence,
              const Outputs& outputs);

  /// No mode if no binary with memory depends on a triggered one, if the triggered rows hold for no values of
  /// their deciders, or if nothing changes. `first` is the verdict on `before`, z⁻ with the outputs in place.
  [[nodiscard]] CausalStep find(const SwitchingProblem& problem, const Admissibility& first,
                                const Mode& before) const;

 private:
  class Step;

  /// A condition on binaries, pre(z) and binary inputs alone that defines no output.
  struct Tie {
    enum class Kind { equation, constraint, invariant } kind;
    int index = -1;
    std::vector<int> binaries;  ///< ascending
  };

  void add_tie(Tie::Kind kind, int index, std::span<const int> binaries);
  /// What follows from some deciders or is tied to them, directly or through others, ascending.
  [[nodiscard]] std::vector<int> reached_from(std::span<const int> deciders) const;
  /// Those of the deciders that memory follows from, or that share a row with one of these.
  [[nodiscard]] std::vector<int> with_memory(const std::vector<int>& deciders) const;

  const Model& model_;
  const SignalRows& rows_;
  const Dependencies& influence_;
  const Outputs& outputs_;
  std::vector<Tie> ties_;
  std::vector<std::vector<int>> ties_with_;  ///< by binary
  std::vector<char> remembered_;             ///< by binary: pre(z) occurs in the model
};

}  // namespace mti
