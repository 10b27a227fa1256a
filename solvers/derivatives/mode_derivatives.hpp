#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mti/derivatives/parameter_derivative.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/logic/outputs.hpp"
#include "solvers/mode/mode_system.hpp"

namespace mti {

/// f_p and g_p of a mode: ∂/∂p of the rows that a ModeSystem has, at fixed v, sliding or not, recombined or not.
///
/// Frozen and interpolated as f and g are. A recombined row f_i := Σ_j u_j D^(k_j) f_j has the derivative
/// Σ_j u_j D^(k_j) f_j,p: the numbers u_j may depend on p as well, but what they multiply is 0 along the motion.
class ModeDerivatives {
 public:
  ModeDerivatives(const Model& model, const Outputs& outputs, const ModeSystem& system,
                  std::span<const ParameterDerivative> parameters);

  /// k-th time derivative of ∂f_i/∂p along the series, whose order 0 is v.
  [[nodiscard]] double equation(std::size_t parameter, int row, const TaylorSeries& series, int k) const;
  /// The same for k = 0.
  [[nodiscard]] double equation(std::size_t parameter, int row, std::span<const double> v) const;
  /// ∂g_l/∂p.
  [[nodiscard]] double constraint(std::size_t parameter, int row, std::span<const double> v) const;
  /// What multiplies δ(t) in ∂f_i/∂p: Σ_b ∂f_i,p/∂v_b · (Dirac part of v_b).
  [[nodiscard]] double dirac_part(std::size_t parameter, int row, std::span<const double> v,
                                  std::span<const double> dirac) const;
  /// A row that was dropped since it follows from others, Σ_j u_j f_j = 0, has Σ_j u_j f_j,p ≠ 0: with another p it does not
  /// follow, and there is no motion.
  [[nodiscard]] bool contradicts(std::size_t parameter, std::span<const double> v) const;
  /// f_p of this parameter has no entries: it occurs in starts and inputs alone.
  [[nodiscard]] bool is_empty(std::size_t parameter) const { return maps_[parameter].f_is_empty; }
  /// ∂f_i/∂p has entries.
  [[nodiscard]] bool occurs(std::size_t parameter, int row) const;
  /// A recombined row holds time derivatives of a row that p occurs in: f_p cannot be told from here.
  [[nodiscard]] bool is_unknown(std::size_t parameter) const { return maps_[parameter].is_unknown; }

 private:
  struct Part {
    int row = 0;  ///< of the map
    double factor = 1.0;
  };
  struct Maps {
    RowMap f, g;
    bool f_is_empty = true, is_unknown = false;
  };
  [[nodiscard]] Maps maps_of(const Model& model, const Outputs& outputs, const ModeSystem& system,
                             const ParameterDerivative& parameter) const;
  void combine(const ModeSystem& system);

  std::vector<Maps> maps_;  ///< by parameter
  std::vector<std::vector<Part>> dropped_;
  std::vector<std::vector<Part>> parts_;  ///< by row of f, where rows were recombined; else empty
};

}  // namespace mti
