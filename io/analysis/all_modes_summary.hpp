#pragma once

#include <string>
#include <vector>

#include "io/analysis/all_modes_names.hpp"
#include "mti/model/model.hpp"
#include "solvers/multimode/multimode_analysis.hpp"

namespace mti {

/// What is so, and in which modes.
struct SummaryRow {
  std::string what;
  ModeSet modes;
};
using SummaryRows = std::vector<SummaryRow>;

/// The lists of an analysis of all modes in the model's names, as JSON, text and report show them. What is so
/// in no mode is not in them.
struct AllModesSummary {
  AllModesSummary(const Model& model, const MultimodeAnalysis& analysis);

  /// By the names of equations and signals.
  struct Part {
    SummaryRows equations, signals;
  };
  Part overdetermined, underdetermined;
  SummaryRows absent;  ///< by the names of signals

  /// The pairs of modes for which a signal jumps, or carries an impulse; one of them may be empty.
  struct Change {
    std::string signal;
    ModeSet jumps, impulses;
  };
  std::vector<Change> changes;
  SummaryRows new_constraints;  ///< by the names of equations: pairs of modes

  struct Law {
    std::string name;  ///< "reach(floor)"
    ModeSet underdetermined, overdetermined;
    SummaryRows signals, equations, own_equations;
  };
  std::vector<Law> laws;

  /// Signals and equations may be derivatives.
  struct Scenario {
    std::string name;
    ModeSet modes, singular, determined, underdetermined, overdetermined;
    SummaryRows signals, equations, own_equations;
    SummaryRows starts;  ///< fixed ones that are too many
  };
  std::vector<Scenario> scenarios;
};

/// By name: the sets that are not empty.
template <class Name>
[[nodiscard]] SummaryRows named_rows(const std::vector<ModeSet>& sets, const Name& name) {
  SummaryRows rows;
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (!sets[i].empty()) rows.push_back({name(static_cast<int>(i)), sets[i]});
  return rows;
}

// The rows to be read by people, without the modes.

/// "equation a", "signal b".
[[nodiscard]] SummaryRows rows_of(const AllModesSummary::Part& part);
/// "x jumps" and "x carries an impulse", one of which may be of no pair of modes.
[[nodiscard]] SummaryRow jump_of(const AllModesSummary::Change& change);
[[nodiscard]] SummaryRow impulse_of(const AllModesSummary::Change& change);
/// "reach(floor) determines the instant", or that it leaves `undetermined` undetermined, contradicts
/// `contradicted`; of regular modes.
[[nodiscard]] SummaryRows rows_of(const AllModesSummary::Law& law, const std::string& undetermined,
                                  const std::string& contradicted);
/// "at rest: determines a start", "at rest: leaves x undetermined" …; `singular` says that a mode is singular.
[[nodiscard]] SummaryRows rows_of(const AllModesSummary::Scenario& scenario, const std::string& singular);

}  // namespace mti
