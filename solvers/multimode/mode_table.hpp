#pragma once

#include <optional>
#include <vector>

#include "solvers/multimode/all_modes.hpp"

namespace mti {

/// A term of a sum over conditions: `weight` in the modes `where`, 0 elsewhere.
struct ConditionalTerm {
  int weight = 0;
  ModeSet where;
};

/// A number of regular modes as constant + Σ weight·[where]: each set once, in the order of their first
/// variables.
struct ConditionalSum {
  int constant = 0;
  std::vector<ConditionalTerm> terms;
};
/// Σ d_j − Σ c_i of all regular modes.
[[nodiscard]] ConditionalSum degrees_of_freedom(const AllModes& modes);

/// Regular modes with the same index and degrees of freedom.
struct ModeClass {
  int index = 0;                                   ///< max c_i
  bool differentiation_index_is_one_more = false;  ///< some d_j = 0
  int degrees_of_freedom = 0;
  ModeSet where;
};
/// The classes by index, then degrees of freedom; nothing if there are more than `most` different numbers of
/// degrees of freedom (a model of N parts that each have or lack one has N + 1, of as large sets).
[[nodiscard]] std::optional<std::vector<ModeClass>> mode_classes(const AllModes& modes,
                                                                 std::size_t most = 40);

/// The considered regular modes by index alone: the modes for index 0, 1, …
[[nodiscard]] std::vector<ModeSet> modes_by_index(const AllModes& modes);

}  // namespace mti
