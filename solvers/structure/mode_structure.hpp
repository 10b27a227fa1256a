#pragma once

#include <span>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "mti/model/signature.hpp"
#include "mti/multilinear/cp_map.hpp"

namespace mti {

/// Equations with the signals they determine, or fail to determine. Lists ascending.
struct ModePart {
  std::vector<int> equations;  ///< rows of f
  std::vector<int> signals;    ///< rows of S of x and y

  [[nodiscard]] bool empty() const { return equations.empty() && signals.empty(); }
  friend bool operator==(const ModePart&, const ModePart&) = default;
};

/// Structure of one mode, a DAE F(ẋ, x, u, y, t) = 0: how often signals and equations are differentiated.
///
/// σ_ij is the highest derivative order of signal j (a state or an algebraic signal) in equation i. The
/// offsets c, d are the smallest with c ≥ 0, d_j − c_i ≥ σ_ij and equality on a perfect matching. Equation i
/// enters the leading system differentiated c_i times, signal j as its d_j-th derivative.
/// Source: Pryce, A simple structural analysis method for DAEs, BIT Numer. Math. 41 (2001) 364-394.
struct ModeStructure {
  /// As many equations as (ẋ, y), and they can be matched: (ẋ, y) follow from f = 0 for given x, u.
  bool regular = false;
  /// No perfect matching whatever is differentiated. Then there are no offsets and no blocks, and
  /// `overdetermined` and `underdetermined`, otherwise empty, name the parts (Dulmage–Mendelsohn). There
  /// the absent signals count as under-determined.
  bool singular = false;

  std::vector<int> equations;  ///< rows of f that take part, as given
  std::vector<int> signals;    ///< rows of S: all x, then all y
  std::vector<int> absent;     ///< those of them that occur in no equation: no unknowns here, d_j = 0

  std::vector<int> c;  ///< one per entry of `equations`
  std::vector<int> d;  ///< one per entry of `signals`
  int index = 0;       ///< max c_i
  /// Some d_j = 0: the differentiation index is one more than `index`.
  bool differentiation_index_is_one_more = false;
  int degrees_of_freedom = 0;  ///< Σ d_j − Σ c_i

  std::vector<ModePart> blocks;  ///< of the leading system, block lower triangular in solving order
  ModePart overdetermined, underdetermined;

  /// From c, d, signals and absent: index, degrees of freedom, and what else follows. The first `states`
  /// signals are x.
  void conclude(int states);
};

/// Structure of the rows `equations` of a frozen map (mti/model/freeze.hpp). Near-linear, except that it repeats
/// for every level of differentiation; structure cannot see where numbers cancel.
[[nodiscard]] ModeStructure analyze_mode(const CpMap& f, const Signature& signature,
                                         std::span<const int> equations);

/// The model frozen in `mode`, with all equations that do not vanish there. One that has become
/// "number = 0" belongs to the over-determined part.
[[nodiscard]] ModeStructure analyze_mode(const Model& model, const Mode& mode);

}  // namespace mti
