#pragma once

#include <string>

#include "mti/model/model.hpp"
#include "solvers/orbits/orbit_branch.hpp"

namespace mti {

inline constexpr const char* branch_page_name = "branch.html";

/// The bifurcation diagram, one file without scripts that any browser opens without a network: over the parameter the lowest and highest
/// values of each state, the period and the magnitudes of the multipliers, lines in full where orbits are stable, and a table of what happens.
[[nodiscard]] std::string branch_page(const Model& model, const OrbitBranch& branch);

}  // namespace mti
