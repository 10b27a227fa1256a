#include "solvers/sliding/surface_rows.hpp"

#include <algorithm>

#include "mti/common/at.hpp"
#include "solvers/mode/surface.hpp"

namespace mti {

SurfaceRows::SurfaceRows(const SwitchingProblem& problem, std::span<const int> deciders)
    : scale_(at(problem.model.signature.size()), 1.0), v_(problem.instant.v) {
  for (int row = 0; row < problem.model.constraints(); ++row)
    if (std::ranges::any_of(problem.dependencies.of_constraint(row),
                            [&](int binary) { return std::ranges::binary_search(deciders, binary); }))
      constraints_.push_back(row);
  // ε/rtol = |v| + (atol/rtol)·nominal: a length by which rows of different units can be compared around v.
  for (int row = 0; row < problem.model.signature.size(); ++row) {
    const double size = problem.accuracy.of(row, v_[at(row)]) / problem.accuracy.rtol;
    if (size > 0.0) scale_[at(row)] = size;
  }
}

bool SurfaceRows::contains(int row) const { return std::ranges::binary_search(constraints_, row); }

bool SurfaceRows::may_be_surface(const ModeSystem& system, int row) const {
  return contains(row) && std::ranges::binary_search(system.live_constraints, row);
}

int SurfaceRows::sign_on(const SurfaceRow& surface, const ModeSystem& system, int row) const {
  return orientation(surface.system->g, surface.constraint, system.g, row, v_, scale_);
}

std::vector<SurfaceRows::SignedRow> SurfaceRows::rows_on(const SurfaceRow& surface,
                                                         const ModeSystem& system) const {
  std::vector<SignedRow> rows;
  for (const int row : constraints_) {
    if (!std::ranges::binary_search(system.live_constraints, row)) continue;
    if (const int sign = sign_on(surface, system, row); sign != 0) rows.push_back({row, sign});
  }
  return rows;
}

int SurfaceRows::first_row_on(const SurfaceRow& surface, const ModeSystem& system) const {
  const auto found = std::ranges::find_if(constraints_, [&](int row) {
    return std::ranges::binary_search(system.live_constraints, row) && sign_on(surface, system, row) != 0;
  });
  return found == constraints_.end() ? -1 : *found;
}

int side_of(std::span<const SurfaceRows::SignedRow> rows) {
  const bool below =
      std::ranges::any_of(rows, [](const SurfaceRows::SignedRow& row) { return row.sign > 0; });
  const bool above =
      std::ranges::any_of(rows, [](const SurfaceRows::SignedRow& row) { return row.sign < 0; });
  return below == above ? 0 : (below ? -1 : 1);
}

}  // namespace mti
