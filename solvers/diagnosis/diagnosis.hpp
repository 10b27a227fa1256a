#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "mti/model/model.hpp"

namespace mti {

/// One thing that a diagnosis found. Ids are listed in docs/errors.md.
struct Remark {
  bool is_error = false;  ///< with it the model cannot be run
  std::string id = {};
  std::string message = {};
  std::string where = {};  ///< the modes meant, as a formula of binaries; empty: not of modes
  std::string modes = {};  ///< their number, in decimal digits
  std::vector<std::string> equations = {};  ///< concerned, in the model's names
  std::vector<std::string> signals = {};
};

/// What is to be said of a model that is well formed: whether it can be run, and what looks like a slip.
struct Diagnosis {
  /// Numbers of modes in decimal digits: all, those that the rules for binaries leave, and those of them in
  /// which structure lets a motion be found and no numbers are known to exclude one.
  struct Modes {
    std::string all, considered, solvable;
  };
  std::optional<Modes> modes;   ///< nothing: they were not examined; a remark says why
  std::vector<Remark> remarks;  ///< errors first

  [[nodiscard]] std::size_t errors() const;
};

/// Work that a diagnosis may take. What is left out is said by a remark that names the bound.
struct DiagnosisLimits {
  long long nodes = 20'000'000;  ///< of decision diagrams looked at, for all modes at once
  double max_seconds = 10.0;     ///< for finding out whether a run can begin
  std::stop_token stop_token = {};
};

/// Diagnoses a model:
///
/// * rules for binaries that leave no mode, modes with too many equations or unknowns, named by the parts of
///   one mode of each kind (solvers/mode/mode_balance.hpp): errors where no mode can be run, else warnings;
/// * equations that follow from others and are left out (solvers/solvability/redundant_rows.hpp): they make no mode
///   over-determined;
/// * modes whose numbers contradict each other although structure is regular (solvers/solvability/contradictions.hpp),
///   errors in the same case;
/// * whether a run can begin with the start values: the consistent start itself is tried;
/// * Jacobians that are singular although structure is not, if there are few modes and few unknowns; rows
///   that a run puts together anew for that (solvers/plan/recombination.hpp);
/// * binaries that nothing decides (solvers/structure/undecided_binaries.hpp);
/// * signals that occur nowhere, are absent in some modes or keep their values there.
///
/// Cost: that of one analysis of all modes and of one start, within `limits`.
[[nodiscard]] Diagnosis diagnose(const Model& model, const DiagnosisLimits& limits = {});

}  // namespace mti
