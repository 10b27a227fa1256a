#pragma once

#include <span>
#include <utility>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/signature.hpp"
#include "mti/multilinear/cp_map.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/logic/outputs.hpp"

namespace mti {

/// Lets the outputs of logic go along with the surfaces that what determines them slides on: they join the
/// slide of the one surface they depend on, or `blended` where there are several. Whatever outputs stood in
/// the slides is replaced; z and pre(z) of the mode say what the others are. On a side pre(z) = z.
void follow_slides(const Signature& signature, const Outputs& outputs, Mode& mode);

/// Outputs in an order in which each comes after the others that its equation holds, as z or as pre(z). Where they need
/// each other in a loop, which only pre(z) makes, it is entered with the one that is solved first.
[[nodiscard]] std::vector<int> after_what_they_need(const Outputs& outputs,
                                                    const std::vector<int>& following);

/// Whether chattering stays between the sides of the mode's surfaces: with pre(z) := the values of the other
/// side, a side's outputs come back to what they are there. (A latch does not: o = s or pre(o).)
[[nodiscard]] bool chatters(const Signature& signature, const Outputs& outputs, const Mode& mode);

/// A model's columns in a mode that slides. With t_s the value of the first binary of surface s, its factors
/// being numbers a at t_s = 0 and b at t_s = 1,
///
///     Π (factors of binaries of s)            →  a (1 − t_s) + b t_s
///     Π (factors that depend on a set of surfaces together)
///                                             →  Σ over the sides σ of these, Π(σ) Π_s (1 − t_s or t_s)
///
/// and products of different surfaces multiply: Filippov's combination on one surface, its multilinear
/// extension on several. pre(z) of a sliding binary has the value of its side. A blended output stays a
/// signal where no other factor of its column depends on the same surfaces.
class SurfaceColumns {
 public:
  SurfaceColumns(const Signature& signature, const Outputs& outputs, const Mode& mode);

  /// More surfaces than this are not expanded together.
  static constexpr std::size_t most_joined = 12;

  /// The map with what the mode fixes as numbers and sliding binaries as above; binaries of the slide
  /// `pinned` are at `below`.
  [[nodiscard]] CpMap interpolate(const CpMap& map, int pinned = -1);
  /// ζ − (what its equation makes of it) = 0 for every blended output.
  [[nodiscard]] CpMap blends();
  /// Some column joins more than `most_joined` surfaces.
  [[nodiscard]] bool entangled() const noexcept { return entangled_; }
  /// It is the equation of an output that slides.
  [[nodiscard]] bool determines_output(int equation) const;

 private:
  using Surfaces = std::vector<int>;
  using Factors = std::vector<std::pair<int, double>>;
  using Clusters = std::vector<std::pair<Surfaces, Factors>>;

  /// The sliding binary that a row of S stands for, by itself or as pre(z); −1: none.
  [[nodiscard]] int binary_of(int row) const;
  [[nodiscard]] bool is_blended(int binary) const;
  void put_on_vertex(const Surfaces& surfaces, unsigned vertex);
  [[nodiscard]] double on_vertex(int row) const;
  void expand(int row, double coefficient, const Factors& factors, int pinned, CpBuilder& builder);
  void expand_clusters(int row, double coefficient, std::vector<AffineFactor>& done, const Clusters& clusters,
                       std::size_t next, CpBuilder& builder);
  void expand_solution(int row, int output, CpBuilder& builder);
  /// t_s at one side of a surface, as a factor that is 1 there and 0 on the other.
  [[nodiscard]] AffineFactor indicator(int slide, bool above) const;

  const Signature& signature_;
  const Outputs& outputs_;
  const Mode& mode_;
  std::vector<double> fixed_;      ///< by row of S: what does not slide; NaN: a signal
  std::vector<Surfaces> depends_;  ///< by binary
  std::vector<int> blended_;       ///< in the order of their solution
  std::vector<double> vertex_;     ///< by binary: values on the vertex that was put last
  bool entangled_ = false;
};

}  // namespace mti
