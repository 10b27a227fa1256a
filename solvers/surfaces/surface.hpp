#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mti/multilinear/cp_map.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/surfaces/affine_relations.hpp"
#include "solvers/surfaces/joining_equations.hpp"

namespace mti {

/// The factor r with a = r·b for rows of two maps that are given by the same columns up to it; nothing
/// otherwise. Equal functions that are written in different columns are not recognised.
[[nodiscard]] std::optional<double> ratio_of_rows(const RowMap& a, int row_of_a, const RowMap& b,
                                                  int row_of_b);

/// Row `row` of `map` holds no signals but the sliding binaries.
[[nodiscard]] bool is_relation_of(const RowMap& map, int row, std::span<const int> sliding);

/// A relation of sliding binaries alone holds on all sides of the surfaces that it holds weights of.
[[nodiscard]] bool relation_holds_on_sides(const RowMap& map, int row);

/// Surfaces s = 0 that a motion slides on, and which rows of g are zero as long as it does.
class HeldSurfaces {
 public:
  /// Rows first, first + 1, … of f, which outlives it, are the surfaces; `relations` hold beside them, and so do all of
  /// `equations`, which are rows of f too, surfaces among them. `sizes` says for each row of S what is large: rows of
  /// different units are told apart where their terms are.
  HeldSurfaces(const RowMap& f, int first, int number, const AffineRelations& relations,
               JoiningEquations equations, std::vector<double> sizes);

  /// Row `row` of g, in which sliding binaries are signals, is at each of their vertices a multiple of some
  /// surface, as it is written or wherever the relations hold, or it vanishes where surfaces and equations do.
  [[nodiscard]] bool contain(const CpMap& g, int row, std::span<const int> sliding) const;

 private:
  /// A row's values and magnitudes at the points.
  struct Sample {
    std::vector<double> values, magnitudes;
  };
  [[nodiscard]] Sample sample(const RowMap& map, int row) const;
  [[nodiscard]] static bool are_multiples(const Sample& a, const Sample& b);

  const RowMap& f_;
  int first_, number_;
  std::vector<double> sizes_;  ///< by row of S
  JoiningEquations equations_;
  std::vector<std::vector<double>>
      points_;                   ///< some v without pattern that fulfil the relations, if there are any
  std::vector<Sample> samples_;  ///< of each surface
};

/// Whether two rows vanish on one surface near a point: −1 with opposite signs, 1 with the same, 0 if not.
///
/// Multiples of each other are recognised as they are. Otherwise both are compared at points around v that
/// lie on the first one: there the other must vanish too, with parallel gradients. Points and gradients are those of
/// the signals that `relations` leave free: so y is x where y = x holds. v has one entry per row of S; `scale` says how
/// far a step of each goes. Of a row F·v the sign is that of F, which may be another on another side: `v_of_b`, if it is given, are
/// the values where b counts, and v those where a does; at points the two differ by as much.
[[nodiscard]] int orientation(const RowMap& a, int row_of_a, const RowMap& b, int row_of_b,
                              std::span<const double> v, std::span<const double> scale,
                              const AffineRelations& relations = {}, std::span<const double> v_of_b = {});

}  // namespace mti
