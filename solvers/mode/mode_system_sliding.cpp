#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/multilinear/cp_rows.hpp"
#include "solvers/mode/mode_system.hpp"
#include "solvers/mode/surface.hpp"
#include "solvers/mode/surface_columns.hpp"

namespace mti {
namespace {

/// The map without the relations of binaries alone: these are required on the sides of the surfaces, where
/// they hold, not in between (z1 z2 = z3).
CpMap without_relations(const CpMap& f, const SurfaceColumns& columns, const std::vector<int>& weights) {
  const RowMap rows(f);
  std::vector<char> dropped(at(rows.rows()), 0);
  for (int row = 0; row < rows.rows(); ++row)
    dropped[at(row)] = !rows.terms(row).empty() && is_relation_of(rows, row, weights) &&
                       (columns.determines_output(row) || relation_holds_on_sides(rows, row));
  if (std::find(dropped.begin(), dropped.end(), 1) == dropped.end()) return f;
  SparseColumns Phi = f.Phi();
  Phi.prune([&](Eigen::Index row, Eigen::Index, double) { return dropped[at(row)] == 0; });
  return {f.S(), std::move(Phi)};
}

/// ζ_i − below_i ∓ θ = 0 of the binaries after the first of each surface, with θ = ±(ζ₀ − below₀).
CpMap ties(const Signature& signature, const Mode& mode) {
  int count = 0;
  for (const Slide& slide : mode.slides) count += static_cast<int>(slide.binaries.size()) - 1;
  CpBuilder builder(signature.size(), count);
  int row = 0;
  for (const Slide& slide : mode.slides) {
    const int first = signature.binary_row(slide.binaries[0]);
    const double sign = slide.above[0] - slide.below[0], origin = slide.below[0];
    for (std::size_t i = 1; i < slide.binaries.size(); ++i, ++row) {
      const double slope = (slide.above[i] - slide.below[i]) * sign;
      const AffineFactor own{signature.binary_row(slide.binaries[i]), -static_cast<double>(slide.below[i]),
                             1.0};
      const AffineFactor other{first, slope * origin, -slope};
      builder.add(row, 1.0, std::span(&own, 1));
      builder.add(row, 1.0, std::span(&other, 1));
    }
  }
  return builder.build();
}

/// s = 0 of every surface, θ − (its value) = 0 where that is pinned.
CpMap surface_equations(const Signature& signature, const Mode& mode, const CpMap& surfaces) {
  CpMap equations;
  for (std::size_t s = 0; s < mode.slides.size(); ++s) {
    const Slide& slide = mode.slides[s];
    const int index = static_cast<int>(s);
    CpMap row = select_rows(surfaces, std::span(&index, 1));
    if (slide.pinned) {
      CpBuilder builder(signature.size(), 1);
      const double sign = slide.above[0] - slide.below[0], origin = slide.below[0];
      const AffineFactor own{signature.binary_row(slide.binaries[0]), -sign * origin - *slide.pinned, sign};
      builder.add(0, 1.0, std::span(&own, 1));
      row = builder.build();
    }
    equations = s == 0 ? std::move(row) : stack_rows(equations, row);
  }
  return equations;
}

/// −θ ≤ 0 and θ − 1 ≤ 0 of every surface.
CpMap bounds(const Signature& signature, const Mode& mode) {
  CpBuilder builder(signature.size(), 2 * static_cast<int>(mode.slides.size()));
  int row = 0;
  for (const Slide& slide : mode.slides) {
    const int first = signature.binary_row(slide.binaries[0]);
    const double sign = slide.above[0] - slide.below[0], origin = slide.below[0];
    const AffineFactor minus_theta{first, sign * origin, -sign};
    builder.add(row++, 1.0, std::span(&minus_theta, 1));
    const AffineFactor theta_minus_one{first, -sign * origin - 1.0, sign};
    builder.add(row++, 1.0, std::span(&theta_minus_one, 1));
  }
  return builder.build();
}

}  // namespace

/// Interpolates the columns of sliding binaries and appends the rows of surfaces.
void ModeSystem::add_surfaces(const Model& model, const Outputs& outputs) {
  const Signature& signature = model.signature;
  const CpMap model_f = model.f(), model_g = model.g();
  SurfaceColumns columns(signature, outputs, mode);
  FrozenModel frozen{columns.interpolate(model_f), columns.interpolate(model_g)};
  std::vector<int> blended;
  for (const int binary : mode.blended) blended.push_back(signature.binary_row(binary));
  sliding = blended;
  for (const Slide& slide : mode.slides)
    for (const int binary : slide.binaries) sliding.push_back(signature.binary_row(binary));
  std::sort(sliding.begin(), sliding.end());
  frozen.f = without_relations(frozen.f, columns, sliding);

  CpMap surfaces;
  for (std::size_t s = 0; s < mode.slides.size(); ++s) {
    const CpMap row = select_rows(model_g, std::span(&mode.slides[s].constraint, 1));
    const CpMap surface = columns.interpolate(row, static_cast<int>(s));
    surfaces = surfaces.rows() == 0 ? surface : stack_rows(surfaces, surface);
  }
  const CpMap blends = columns.blends(model_f);
  entangled = columns.entangled();
  if (!held.empty()) {
    frozen.f = freeze(stack_rows(frozen.f, blends), held);
    frozen.g = freeze(stack_rows(frozen.g, surfaces), held);
    sliding = std::move(blended);
  } else {
    const CpMap tied = ties(signature, mode);
    weights = tied.rows() + blends.rows();
    const CpMap equations = surface_equations(signature, mode, surfaces);
    frozen.f = stack_rows(stack_rows(frozen.f, equations), stack_rows(tied, blends));
    frozen.g = stack_rows(frozen.g, bounds(signature, mode));
  }
  f = RowMap(frozen.f);
  g = RowMap(frozen.g);
  extended = std::move(frozen);
}

}  // namespace mti
