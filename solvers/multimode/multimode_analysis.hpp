#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solvers/mode_sets/formula.hpp"
#include "solvers/multimode/all_modes.hpp"
#include "solvers/multimode/initial_scenarios.hpp"
#include "solvers/multimode/mode_changes.hpp"
#include "solvers/multimode/mode_table.hpp"

namespace mti {

/// Everything that structure says of all modes of a model (docs/all-modes.md, "What is said").
struct MultimodeAnalysis {
  AllModes modes;
  std::string all_modes = {}, considered_modes = {};    ///< numbers of modes, in decimal digits
  std::string regular_modes = {}, singular_modes = {};  ///< of those considered
  /// What is singular of all modes, those included that the model's rules for binaries exclude: what the
  /// rules are needed for. Only with such rules, and if it can be had at moderate cost.
  struct WithoutRules {
    ModeSet singular;
    std::string modes;  ///< their number
  };
  std::optional<WithoutRules> without_rules = {};
  ConditionalSum degrees_of_freedom = {};
  std::vector<ModeSet> by_index = {};
  std::optional<std::vector<ModeClass>> classes = {};
  ModeSet before, after;  ///< the mode changes z → z' asked for
  ModeChanges changes = {};
  std::vector<LawParts> laws = {};
  std::vector<ScenarioParts> scenarios = {};

  /// Number of considered modes in a set.
  [[nodiscard]] std::string count(const ModeSet& set) const;
  /// A set of modes, of regular modes, of pairs of modes in the model's names; of pairs, z is pre(z).
  [[nodiscard]] std::string where(const ModeSet& set) const;
  [[nodiscard]] std::string where_regular(const ModeSet& set) const;
  [[nodiscard]] std::string where_pair(const ModeSet& set) const;
  /// Where an edge of the conditional graph is there, of the modes with both its blocks.
  [[nodiscard]] std::string where_both(const ConditionalEdge& edge) const;
};

/// Analyses all modes at once; of mode changes those from `before` to `after`. Errors: ModeSetTooLarge, for models of
/// discrete time with pre(z) as well, whose modes are not told by z alone, and
/// if the structure takes more than `nodes` nodes of diagrams.
[[nodiscard]] MultimodeAnalysis analyze_all_modes(const Model& model, const BooleanFormula& before = {},
                                                  const BooleanFormula& after = {},
                                                  long long nodes = most_nodes);

}  // namespace mti
