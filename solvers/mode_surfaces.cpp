#include <algorithm>
#include <utility>

#include "mti/cp_rows.hpp"
#include "solvers/mode_system.hpp"
#include "solvers/surface.hpp"

namespace mti {

/// Freezes what is held and appends the rows of surfaces.
void ModeSystem::add_surfaces(const CpMap& model_f, const CpMap& model_g, const Signature& signature) {
  const std::vector<FixedSignal> fixed = fixed_signals(signature, mode);
  FrozenModel frozen{freeze(model_f, fixed), freeze(model_g, fixed)};
  for (const Slide& slide : mode.slides)
    for (const int binary : slide.binaries) sliding.push_back(signature.binary_row(binary));
  std::sort(sliding.begin(), sliding.end());
  drop_relations(frozen.f, signature);
  for (const Slide& slide : mode.slides) ties += static_cast<int>(slide.binaries.size()) - 1;
  CpBuilder tie_builder(signature.size(), ties);
  CpBuilder bound_builder(signature.size(), 2 * static_cast<int>(mode.slides.size()));
  int tie = 0, bound = 0;
  CpMap all_surfaces;
  for (const Slide& slide : mode.slides) {
    std::vector<FixedSignal> at_below = fixed;
    at_below.insert(at_below.end(), held.begin(), held.end());
    for (std::size_t i = 0; i < slide.binaries.size(); ++i) {
      const int row = signature.binary_row(slide.binaries[i]);
      std::erase_if(at_below, [&](const FixedSignal& signal) { return signal.row == row; });
      at_below.push_back({row, static_cast<double>(slide.below[i])});
    }
    const int constraint = slide.constraint;
    const CpMap surface = freeze(select_rows(model_g, std::span(&constraint, 1)), at_below);
    all_surfaces = all_surfaces.rows() == 0 ? surface : stack_rows(all_surfaces, surface);

    // θ = ±(ζ₀ − below₀), ζ_i = below_i ± θ.
    const int first = signature.binary_row(slide.binaries[0]);
    const double sign = slide.above[0] - slide.below[0], origin = slide.below[0];
    for (std::size_t i = 1; i < slide.binaries.size(); ++i, ++tie) {
      const double slope = (slide.above[i] - slide.below[i]) * sign;
      const AffineFactor own{signature.binary_row(slide.binaries[i]), -static_cast<double>(slide.below[i]),
                             1.0};
      const AffineFactor other{first, slope * origin, -slope};
      tie_builder.add(tie, 1.0, std::span(&own, 1));
      tie_builder.add(tie, 1.0, std::span(&other, 1));
    }
    const AffineFactor minus_theta{first, sign * origin, -sign};
    bound_builder.add(bound++, 1.0, std::span(&minus_theta, 1));
    const AffineFactor theta_minus_one{first, -sign * origin - 1.0, sign};
    bound_builder.add(bound++, 1.0, std::span(&theta_minus_one, 1));
  }
  if (!held.empty()) {
    frozen.f = freeze(frozen.f, held);
    frozen.g = stack_rows(freeze(frozen.g, held), all_surfaces);
    sliding.clear();
  } else {
    frozen.f = stack_rows(stack_rows(frozen.f, all_surfaces), tie_builder.build());
    frozen.g = stack_rows(frozen.g, bound_builder.build());
  }
  f = RowMap(frozen.f);
  g = RowMap(frozen.g);
  extended = std::move(frozen);
}

/// What binaries are to each other is asked of them on the sides of the surfaces, not in between: z1 + z2
/// = 1.
void ModeSystem::drop_relations(CpMap& frozen_f, const Signature& signature) const {
  const RowMap rows(frozen_f);
  std::vector<char> dropped(static_cast<std::size_t>(rows.rows()), 0);
  for (int row = 0; row < rows.rows(); ++row)
    dropped[static_cast<std::size_t>(row)] = !rows.terms(row).empty() && is_relation_of(rows, row, sliding) &&
                                             relation_holds_on_sides(rows, row, signature, mode);
  if (std::find(dropped.begin(), dropped.end(), 1) == dropped.end()) return;
  SparseColumns Phi = frozen_f.Phi();
  Phi.prune(
      [&](Eigen::Index row, Eigen::Index, double) { return dropped[static_cast<std::size_t>(row)] == 0; });
  frozen_f = {frozen_f.S(), std::move(Phi)};
}

}  // namespace mti
