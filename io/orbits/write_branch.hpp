#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/orbits/orbit_branch.hpp"

namespace mti {

inline constexpr const char* branch_table_name = "branch.csv";

/// "stable", "marginal" or "unstable".
[[nodiscard]] std::string_view stability_word(const BranchPoint& point);

/// What happens at a point in words: "grazing of floor"; empty where nothing does.
[[nodiscard]] std::string special_text(const Model& model, const BranchPoint& point);

/// A line for each point: the parameter, period, stability, kind, constraints (split by blanks) and number of events; multipliers μ1 re,
/// μ1 im, …; of each state its start and its lowest and highest value over one period. Numbers have all digits.
[[nodiscard]] std::string branch_csv(const Model& model, const OrbitBranch& branch);

/// Where the branch goes and what happens on it, as text, and as JSON with all points (docs/sensitivities.md, "Branches").
[[nodiscard]] std::string branch_text(const Model& model, const OrbitBranch& branch);
[[nodiscard]] std::string branch_json(const Model& model, const OrbitBranch& branch);

}  // namespace mti
