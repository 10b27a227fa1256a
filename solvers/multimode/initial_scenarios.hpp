#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solvers/multimode/all_modes.hpp"

namespace mti {

/// Whether an initial scenario determines a start, for all its modes at once.
///
/// A start in a mode is a value for every signal up to its d_j-th derivative that fulfils the equations,
/// every one up to its c_i-th derivative, and the equations of the scenario. By structure: these equations
/// against these unknowns have a perfect matching. Σ (d_j + 1) unknowns, Σ (c_i + 1) equations, the
/// difference being the degrees of freedom. The k-th derivative of an equation holds the (σ + k)-th
/// derivative of a signal, and lower ones where products, or signals that occur both with and without
/// derivative, bring them in. The `initial` equations of the model have the rows x = start beside them, of all starts that
/// are fixed.
/// Source: Benveniste et al., Algorithms for the Structural Analysis of Multimode Modelica Models,
/// Electronics 11 (2022) 2755, chapter 7.
struct ScenarioParts {
  /// Signal j, or equation i, differentiated `order` times.
  struct Derivative {
    int index = 0;
    int order = 0;
    ModeSet where;
  };
  std::string name;
  ModeSet modes;     ///< the modes meant that are considered
  ModeSet singular;  ///< those of them that are singular whatever the start
  ModeSet determined, under_determined, over_determined;  ///< of the others
  std::vector<Derivative> equations;                      ///< of the model, in contradiction or superfluous
  std::vector<Derivative> signals;                        ///< left undetermined
  std::vector<ModeSet> own;  ///< of each equation of the scenario: in contradiction or superfluous
  std::vector<std::pair<int, ModeSet>> fixed;  ///< states whose fixed starts are: of `initial` only
};
[[nodiscard]] std::vector<ScenarioParts> scenario_parts(const AllModes& modes, const Model& model);

}  // namespace mti
