#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "solvers/admissibility/switching_problem.hpp"
#include "solvers/surfaces/affine_relations.hpp"
#include "solvers/surfaces/common_zeros.hpp"
#include "solvers/surfaces/joining_equations.hpp"

namespace mti {

/// A surface by one of the rows that vanish on it.
struct SurfaceRow {
  std::shared_ptr<const ModeSystem> system;  ///< in whose g it stands
  int constraint = -1;
};

/// The rows of g in which a decider of A occurs: among them are the surfaces that it can slide on, and by them a mode
/// lies on one side of a surface or the other. Not for several threads at once.
class SurfaceRows {
 public:
  /// `deciders` is ascending; modes to come differ from `before` in these and their outputs.
  SurfaceRows(const SwitchingProblem& problem, const Mode& before, std::span<const int> deciders);

  /// The rows that hold a decider of A, ascending.
  [[nodiscard]] const std::vector<int>& constraints() const noexcept { return constraints_; }
  /// The row holds a decider of A.
  [[nodiscard]] bool contains(int row) const;
  /// It does, and in this mode signals as well, so that it is zero on a surface.
  [[nodiscard]] bool may_be_surface(const ModeSystem& system, int row) const;
  /// 1 if the row of the mode vanishes on the surface with the sign of the surface's own row, −1 with the opposite
  /// one, 0 if it does not (solvers/surfaces/surface.hpp): by itself, by equations of the mode (joined_rows.hpp) in
  /// which no decider of A has a part, so that they hold on every side, or by those of each vertex of A in turn.
  [[nodiscard]] int sign_on(const SurfaceRow& surface, const ModeSystem& system, int row) const;

  struct SignedRow {
    int row = -1, sign = 0;
  };
  /// Those of `among` that are rows of the mode and vanish on the surface, in their order.
  [[nodiscard]] std::vector<SignedRow> rows_on(const SurfaceRow& surface, const ModeSystem& system,
                                               std::span<const int> among) const;
  /// The first of them, if it can be one that holds no signal which follows from deciders of A, for the power P = F·v of a
  /// friction F = sign(v) does not change its sign where v does, and one that says so by itself, and a linear one of states;
  /// −1 if there is none.
  [[nodiscard]] int first_row_on(const SurfaceRow& surface, const ModeSystem& system) const;

 private:
  /// Beyond so many deciders of A the vertices are not looked at one by one.
  static constexpr std::size_t most_deciders_at_vertices = 3;
  /// Equations of one mode.
  struct Relations {
    std::shared_ptr<const ModeSystem> system;  ///< whose f they are rows of
    AffineRelations affine;
    JoiningEquations equations;
  };
  /// A row, and the values of its signals where it counts: those of the mode, if the sign of a factor y may be another there.
  struct PlacedRow {
    MapRow row;
    const std::vector<double>* v;
    int place;  ///< 0 of those of the instant, otherwise by mode
  };
  [[nodiscard]] PlacedRow placed(const ModeSystem& system, int row) const;
  [[nodiscard]] bool needs_own_values(const ModeSystem& system, int row) const;
  [[nodiscard]] bool some_equation_multiplies() const;
  struct Values {
    int place;
    std::vector<double> v;
  };
  [[nodiscard]] const Values& values_in(const ModeSystem& system) const;
  [[nodiscard]] int compare_by_others(const PlacedRow& a, const PlacedRow& b) const;
  [[nodiscard]] int compare(const PlacedRow& a, const PlacedRow& b) const;
  [[nodiscard]] int compare_by(const Relations& relations, const PlacedRow& a, const PlacedRow& b) const;
  [[nodiscard]] int compare_at_vertices(const PlacedRow& a, const PlacedRow& b) const;
  [[nodiscard]] bool may_vanish(const MapRow& row) const;
  [[nodiscard]] int number_of(const PlacedRow& placed) const;
  [[nodiscard]] bool is_affected(int equation) const;
  [[nodiscard]] const std::vector<char>& signals_behind_deciders() const;
  [[nodiscard]] bool is_steady(const ModeSystem& system, int row) const;
  [[nodiscard]] bool is_linear_in_x(const ModeSystem& system, int row) const;
  [[nodiscard]] Relations relations_of(const Mode& mode, std::span<const int> equations) const;
  [[nodiscard]] const Relations& relations_on_all_sides() const;
  [[nodiscard]] const std::vector<Relations>& relations_at_vertices() const;

  const SwitchingProblem& problem_;
  const Mode& before_;
  std::vector<int> deciders_;                        ///< ascending
  mutable std::optional<Relations> relations_ = {};  ///< on all sides, once asked for
  mutable std::optional<bool> multiplies_ = {};      ///< once asked for
  mutable std::vector<char> behind_deciders_ = {};   ///< by row of S, once asked for
  mutable std::optional<std::vector<Relations>> at_vertices_ =
      {};  ///< likewise; empty where they add nothing
  /// A frozen row has few forms in all the modes that are looked at: each is numbered, and each two are compared once.
  mutable std::map<std::vector<double>, int> numbers_ = {};
  mutable std::unordered_map<Mode, Values, ModeHash> values_ = {};  ///< once asked for
  mutable std::map<std::pair<int, int>, int> signs_ = {};           ///< by the numbers of surface and row
  std::vector<int> constraints_;                                    ///< ascending
  std::vector<double> scale_;  ///< what an entry of v is large against; 1 where nothing is known
  const std::vector<double>& v_;
};

/// Binaries of constraints that vanish on the surface of a triggered one by equations of the mode `before`, and
/// go on doing so whatever A and they do. Where y = x they are met at one instant, though the integrator's x and y
/// differ within their errors, so that only one of them may have been triggered. `A` is ascending.
[[nodiscard]] std::vector<int> binaries_met_with(const SwitchingProblem& problem, const Mode& before,
                                                 std::span<const int> triggered, std::span<const int> A);

/// Where a mode with these rows lies: −1 below the surface, 1 above it, 0 if the rows do not say. A row s ≤ 0 holds
/// below, −s ≤ 0 above; a mode with both, or with none, is on no side.
[[nodiscard]] int side_of(std::span<const SurfaceRows::SignedRow> rows);

}  // namespace mti
