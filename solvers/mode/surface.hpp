#pragma once

#include <optional>
#include <span>

#include "mti/multilinear/cp_map.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// The factor r with a = r·b for rows of two maps that are given by the same columns up to it; nothing
/// otherwise. Equal functions that are written in different columns are not recognised.
[[nodiscard]] std::optional<double> ratio_of_rows(const RowMap& a, int row_of_a, const RowMap& b,
                                                  int row_of_b);

/// Row `row` of `map` holds no signals but the sliding binaries.
[[nodiscard]] bool is_relation_of(const RowMap& map, int row, std::span<const int> sliding);

/// A relation of sliding binaries alone holds on all sides of the surfaces that it holds weights of.
[[nodiscard]] bool relation_holds_on_sides(const RowMap& map, int row);

/// Row `row` of g, in which sliding binaries are signals, is at each of their vertices a multiple of some
/// surface: as long as the motion slides it stays zero.
[[nodiscard]] bool lies_on_surfaces(const CpMap& g, int row, std::span<const int> sliding,
                                    const RowMap& surfaces, int first_surface, int number_of_surfaces);

/// Whether two rows vanish on one surface near a point: −1 with opposite signs, 1 with the same, 0 if not.
///
/// Multiples of each other are recognised as they are. Otherwise both are compared at points around v that
/// lie on the first one: there the other must vanish too, with parallel gradients. v has one entry per row of
/// S; `scale` says how far a step of each goes.
[[nodiscard]] int orientation(const RowMap& a, int row_of_a, const RowMap& b, int row_of_b,
                              std::span<const double> v, std::span<const double> scale);

}  // namespace mti
