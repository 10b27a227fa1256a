#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/restart/restart.hpp"

namespace mti {

/// Laws that hold at one instant; of equal ones the first.
using DueLaws = std::vector<const Transition*>;

/// The laws `reach` of these constraints.
[[nodiscard]] DueLaws reach_laws(const Model& model, std::span<const int> constraints);
/// Of the rows that are reached now those whose law is due. One that has not been inside since its law was applied, and is
/// among `answered`, is not reached again: another mode has to answer, of which the law knows nothing. `answered` keeps those
/// that are still reached.
[[nodiscard]] std::vector<int> reached_anew(const std::vector<int>& reached, std::vector<int>& answered);
/// The laws `rise` and `fall` that a change of binaries makes due; z_before may be empty, then none is.
[[nodiscard]] DueLaws change_laws(const Model& model, std::span<const char> z_before,
                                  std::span<const char> z_after);

/// The laws `risen` of a change of binaries that has been made.
struct RisenLaws {
  DueLaws due = {};                       ///< those that have equations
  std::vector<std::string> emitted = {};  ///< what events say of them
  std::vector<std::string> names = {};    ///< of all: by what they emit, or by their binaries
};
[[nodiscard]] RisenLaws risen_laws(const Model& model, std::span<const char> z_before,
                                   std::span<const char> z_after);

/// Some law of the model is due where a binary has become 1.
[[nodiscard]] bool has_risen_laws(const Model& model);
/// A law is due where this binary has become 1.
[[nodiscard]] bool has_risen_law(const Model& model, int binary);

/// A row of S stands in the equations of a law.
[[nodiscard]] bool holds(const Transition& law, int row);
/// Adds x and what stands behind it at the right of an instant in a row of a law's equations: what such a row is named after.
void add_states(const RowMap& law, int row, const Signature& signature, std::vector<int>& states);

/// The rows of f that the laws may put out of force in a mode: those that they name or, of laws that name none, all that hold
/// der(s) of their "s = …".
[[nodiscard]] std::set<int> replaced_rows(const DueLaws& laws, const RowMap& f);

/// Of the mode that ends, `reach` and `risen`: it need not go on from x⁺. Or of the one that begins, `rise` and `fall`.
enum class LawsOf { last_mode, next_mode };

/// The restart of a mode under laws (docs/restarts.md, "Transition laws"): stage −1 of its plan, as in restart(), with
/// the rows that the laws replace left out and the laws' equations in their place,
///
///     L(x⁺, Y, pre(v)) = 0
///
/// in which a state has its right limit, an algebraic signal its Dirac weight if the other rows leave it one,
/// else its value. A law that names no rows replaces, for s = …, the row that holds der(s): of several those that the other
/// signals can do without, such as the motion, and not a = der(v); a state whose der is in such rows alone keeps its
/// value. Signals that are left undetermined, and rows that contradict each other, are named by structure, or else by rank.
///
/// In a mode that slides no weight of a surface is impulsive. A mode that laws lead to must have its surfaces met at x⁺.
[[nodiscard]] Restart restart_under_laws(const RestartPlace& place, const DueLaws& laws, LawsOf laws_of);

}  // namespace mti
