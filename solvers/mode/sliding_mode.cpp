#include "solvers/mode/sliding_mode.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/multilinear/cp_rows.hpp"
#include "solvers/mode/surface_columns.hpp"
#include "solvers/surfaces/affine_relations.hpp"
#include "solvers/surfaces/surface.hpp"

namespace mti {
namespace {

/// The nominal value of each row of S, of ẋ that of x.
std::vector<double> nominal_sizes(const Signature& signature) {
  std::vector<double> sizes(at(signature.size()), 1.0);
  const auto enter = [&](const std::vector<Signal>& signals, int first_row) {
    for (std::size_t i = 0; i < signals.size(); ++i) sizes[at(first_row) + i] = signals[i].nominal;
  };
  enter(signature.states(), signature.derivative_row(0));
  enter(signature.states(), signature.state_row(0));
  enter(signature.inputs(), signature.input_row(0));
  enter(signature.algebraic(), signature.algebraic_row(0));
  return sizes;
}

/// The map without the relations of binaries alone: these are required on the sides of the surfaces, where
/// they hold, not in between (z1 z2 = z3).
CpMap without_relations(const CpMap& f, const SurfaceColumns& columns, const std::vector<int>& weights) {
  const RowMap rows(f);
  std::vector<char> dropped(at(rows.rows()), 0);
  for (int row = 0; row < rows.rows(); ++row)
    if (!rows.terms(row).empty() && is_relation_of(rows, row, weights) &&
        (columns.determines_output(row) || relation_holds_on_sides(rows, row)))
      dropped[at(row)] = 1;
  if (std::find(dropped.begin(), dropped.end(), 1) == dropped.end()) return f;
  SparseColumns Phi = f.Phi();
  Phi.prune([&](Eigen::Index row, Eigen::Index, double) { return dropped[at(row)] == 0; });
  return {f.S(), std::move(Phi), f.functions()};
}

/// ζ_i − below_i ∓ θ = 0 of the binaries after the first of each surface, with θ = ±(ζ₀ − below₀).
CpMap ties(const Signature& signature, const std::vector<Slide>& slides) {
  int count = 0;
  for (const Slide& slide : slides) count += static_cast<int>(slide.binaries.size()) - 1;
  CpBuilder builder(signature.size(), count);
  int row = 0;
  for (const Slide& slide : slides) {
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

/// Those with no value for their binaries.
std::vector<Slide> slides_without_values(const Signature& signature, const Mode& mode,
                                         std::span<const FixedSignal> values) {
  std::vector<Slide> free = mode.slides;
  std::erase_if(free, [&](const Slide& slide) {
    const int first = signature.binary_row(slide.binaries[0]);
    return std::ranges::any_of(values, [&](const FixedSignal& value) { return value.row == first; });
  });
  return free;
}

/// s = 0 of the surfaces `free`, θ − (its value) = 0 where that is pinned. `surfaces` are all of the mode.
CpMap surface_equations(const Signature& signature, const Mode& mode, const std::vector<Slide>& free,
                        const CpMap& surfaces) {
  CpMap equations = CpBuilder(signature.size(), 0).build();
  for (const Slide& slide : free) {
    const auto index = static_cast<int>(std::ranges::find(mode.slides, slide) - mode.slides.begin());
    CpMap row = select_rows(surfaces, std::span(&index, 1));
    if (slide.pinned) {
      CpBuilder builder(signature.size(), 1);
      const double sign = slide.above[0] - slide.below[0], origin = slide.below[0];
      const AffineFactor own{signature.binary_row(slide.binaries[0]), -sign * origin - *slide.pinned, sign};
      builder.add(0, 1.0, std::span(&own, 1));
      row = builder.build();
    }
    equations = stack_rows(equations, row);
  }
  return equations;
}

/// −θ ≤ 0 and θ − 1 ≤ 0 of every surface.
CpMap bounds(const Signature& signature, const std::vector<Slide>& slides) {
  CpBuilder builder(signature.size(), 2 * static_cast<int>(slides.size()));
  int row = 0;
  for (const Slide& slide : slides) {
    const int first = signature.binary_row(slide.binaries[0]);
    const double sign = slide.above[0] - slide.below[0], origin = slide.below[0];
    const AffineFactor minus_theta{first, sign * origin, -sign};
    builder.add(row++, 1.0, std::span(&minus_theta, 1));
    const AffineFactor theta_minus_one{first, -sign * origin - 1.0, sign};
    builder.add(row++, 1.0, std::span(&theta_minus_one, 1));
  }
  return builder.build();
}

/// s of every surface: its constraint with the binaries of the surface itself at `below`.
CpMap surface_rows(const CpMap& g, const Mode& mode, SurfaceColumns& columns) {
  CpMap surfaces;
  for (std::size_t s = 0; s < mode.slides.size(); ++s) {
    const CpMap row = select_rows(g, std::span(&mode.slides[s].constraint, 1));
    const CpMap surface = columns.interpolate(row, static_cast<int>(s));
    surfaces = surfaces.rows() == 0 ? surface : stack_rows(surfaces, surface);
  }
  return surfaces;
}

}  // namespace

/// The rows of a sliding mode before they are examined.
struct SlidingMode::Rows {
  FrozenModel maps;
  std::vector<int> sliding;
  bool entangled = false;
  bool held = false;

  Rows(const Model& model, const Outputs& outputs, const Mode& mode, std::span<const FixedSignal> values)
      : held(!values.empty()) {
    const Signature& signature = model.signature;
    const CpMap f = model.f(), g = model.g();

    // Between its sides a product of sliding binaries is interpolated as a whole (Filippov's combination), so that
    // θ enters where the model's own columns would hold θ².
    SurfaceColumns columns(signature, outputs, mode);
    maps = {columns.interpolate(f), columns.interpolate(g)};
    std::vector<int> blended;
    for (const int binary : mode.blended) blended.push_back(signature.binary_row(binary));
    sliding = blended;
    for (const Slide& slide : mode.slides)
      for (const int binary : slide.binaries) sliding.push_back(signature.binary_row(binary));
    std::sort(sliding.begin(), sliding.end());
    maps.f = without_relations(maps.f, columns, sliding);

    const CpMap surfaces = surface_rows(g, mode, columns);
    const CpMap blends = columns.blends();
    entangled = columns.entangled();
    const std::vector<Slide> free = slides_without_values(signature, mode, values);
    // One equation for each ζ: s = 0 gives θ, from which ties and blends give the others.
    const CpMap equations = surface_equations(signature, mode, free, surfaces);
    maps.f = stack_rows(stack_rows(maps.f, equations), stack_rows(ties(signature, free), blends));
    maps.g = stack_rows(maps.g, held ? surfaces : bounds(signature, free));
    if (!held) return;
    maps = {freeze(maps.f, values), freeze(maps.g, values)};
    std::erase_if(sliding, [&](int row) {
      return std::ranges::any_of(values, [&](const FixedSignal& value) { return value.row == row; });
    });
  }
};

SlidingMode::SlidingMode(const SignalRows& rows, const Outputs& outputs, const Mode& mode,
                         std::span<const FixedSignal> values)
    : SlidingMode(rows, mode, Rows(rows.model, outputs, mode, values)) {}

SlidingMode::SlidingMode(const SignalRows& rows, const Mode& mode, Rows sliding)
    : maps(std::move(sliding.maps)),
      frozen(rows, mode, RowMap(maps.f), RowMap(maps.g), std::move(sliding.sliding)),
      entangled(sliding.entangled),
      held(sliding.held) {
  const Model& model = rows.model;
  if (!frozen.idle.empty()) maps.f = without_definitions(maps.f, frozen.idle);
  if (held || frozen.sliding.empty()) {
    frozen.find_implied(model.constraints());
    return;
  }
  // Such a row is zero along the whole motion: only rounding would decide its sign.
  std::vector<int> all(at(frozen.f.rows()));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> live = frozen.live_constraints;
  const std::span<const int> equations = std::span(all).first(at(model.equations()));
  const HeldSurfaces surfaces(frozen.f, model.equations(), static_cast<int>(mode.slides.size()),
                              AffineRelations(frozen.f, equations, model.signature),
                              JoiningEquations(frozen.f, all, signals_of(frozen.g, live), model.signature),
                              nominal_sizes(model.signature));
  for (const int row : live)
    if (row < model.constraints() && surfaces.contain(maps.g, row, frozen.sliding))
      frozen.drop_constraint(row);
  frozen.find_implied(model.constraints());
}

int constraint_index(const Model& model, const Mode& mode, int row) {
  if (row < model.constraints()) return row;
  return mode.slides[at((row - model.constraints()) / 2)].constraint;
}

const std::string& constraint_name(const Model& model, const Mode& mode, int row) {
  return model.constraint_names[at(constraint_index(model, mode, row))];
}

std::string equation_name(const Model& model, const Mode& mode, int row) {
  if (row < model.equations()) return model.equation_names[at(row)];
  const auto surface = at(row - model.equations());
  if (surface >= mode.slides.size()) return "the common weight of sliding binaries";
  return "the surface of " + model.constraint_names[at(mode.slides[surface].constraint)];
}

}  // namespace mti
