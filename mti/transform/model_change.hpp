#pragma once

#include <span>
#include <vector>

#include "mti/transform/recovery.hpp"

namespace mti::transform {

/// An entry of v in the entries of v': v_i = offset + scale · v'_row, or v_i = offset where row = −1.
struct AffineRow {
  int row = -1;
  double offset = 0.0;
  double scale = 1.0;
};

/// Other signals and fewer or reordered rows for a model, applied to every part of it.
///
/// Signals of the new signature keep the names they had. `rows` has an entry for each row of S; those of ẋ
/// (not next(x)), binaries and pre(z) have offset 0, and those of binaries scale 1.
struct ModelChange {
  Signature signature;
  std::vector<AffineRow> rows;
  std::vector<int> kept_equations, kept_constraints;  ///< for each new row the old one
  std::vector<RowOrigin> equations, constraints;      ///< for each old row what becomes of it
  double time_scale = 1.0;                            ///< t = time_scale · t'
};

/// The change that changes nothing.
[[nodiscard]] ModelChange no_change(const Model& model);

/// Leaves out the rows whose flag is 0: `kept` and `origins` of those that stay are numbered anew.
void keep_rows(const std::vector<char>& stays, std::vector<int>& kept, std::vector<RowOrigin>& origins);

/// The same signature without some algebraic signals (flags by index), and the rows of v in it: those of
/// signals that go are left at row −1 for the caller to set.
void leave_out(const std::vector<char>& goes, const Signature& old, ModelChange& change);

/// A map in v' instead of v, with some of its rows.
[[nodiscard]] CpMap in_new_signals(const CpMap& map, std::span<const AffineRow> rows, int signals);

/// f and g one above the other: they share the columns of S.
[[nodiscard]] CpMap rows_of(const Model& model);
[[nodiscard]] SparseColumns stacked_Phi(const Model& model);

/// Gives f and g of `map`, its first `equations` rows being f.
void set_rows(const CpMap& map, int equations, Model& model);

/// The model after the change; one stage of recovery.
[[nodiscard]] Transformed apply(const Model& model, const ModelChange& change);

}  // namespace mti::transform
