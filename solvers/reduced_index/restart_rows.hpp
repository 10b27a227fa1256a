#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "solvers/reduced_index/replicates.hpp"

namespace mti {

/// What states are where a mode begins that binds them anew, as equations that hold all the time, of what they would be: in the
/// modes `where`, with offsets c, d and J = ∂f/∂x^(d),
///
///     Σ_j J_ij w_j = 0   for c_i = 0,        f_i^(c_i − 1) = 0 at the values after   for c_i > 0,
///     w_j = x_j^(d_j − 1) after − before   for d_j > 0,   the weight of a Dirac impulse for d_j = 0:
///
/// the balance of impulses, with what is new of the constraints. Linear in w, so that any tool solves it.
struct RestartRows {
  struct After {
    Replicate replicate;
    std::string name = {};
  };
  ModeSet where;
  std::vector<After> after = {};                               ///< of d_j > 0
  std::vector<std::string> impulses = {};                      ///< names of weights
  std::map<std::string, std::string> weights = {};             ///< w_j by the name of what leads
  std::vector<std::pair<std::string, std::string>> rows = {};  ///< name, residual
};

/// One for each choice of binaries that a set of coupled equations with new constraints depends on. Where all that is new
/// are boundaries at which the mode before ends, states do not change there: `rows` is empty, `after` says which do not.
/// Throws InvalidModel (id `modelica-unwritable`) where an impulse is no formula: a coefficient jumps with it, or it
/// multiplies another.
[[nodiscard]] std::vector<RestartRows> restart_rows(Replicates& replicates);

}  // namespace mti
