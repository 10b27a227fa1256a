#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "solvers/sliding/sliding.hpp"
#include "solvers/sliding/surface_rows.hpp"

namespace mti {

/// An assignment of the deciders of A whose equations have a solution at the instant.
struct SurfaceSide {
  std::vector<char> z;
  Admissibility verdict;
  std::vector<int> position;  ///< to each surface: −1 below, 1 above, 0 neither
};

/// The sides of A and the surfaces between them: the rows that exclude some side, those on one surface being one
/// (docs/theory.md, "Sliding").
class SurfaceSides {
 public:
  /// Sides that differ from `before` by at most `most_flips` of the deciders `A`, ascending.
  SurfaceSides(const SwitchingProblem& problem, const Mode& before, std::span<const int> A,
               std::size_t most_flips);

  [[nodiscard]] const std::vector<SurfaceSide>& sides() const noexcept { return sides_; }
  /// Surfaces with sides below and sides above: on others no two sides can press against each other.
  [[nodiscard]] const std::vector<std::size_t>& surfaces() const noexcept { return usable_; }
  /// The constraints of sides that lie on no side of a surface since their rows contradict each other there, ascending.
  [[nodiscard]] const std::vector<int>& contradicting() const noexcept { return contradicting_; }
  /// A decider slides on surfaces that its own rows vanish on, or those of the binaries that determine it by logic;
  /// only outputs go along with others.
  [[nodiscard]] bool may_slide_on(int binary, std::size_t surface) const;
  /// The row by which the surface is s = 0 in the mode of the side.
  [[nodiscard]] int row_on(const SurfaceSide& side, std::size_t surface) const;

 private:
  void add_flips(std::size_t first, std::size_t left, std::vector<int>& flipped);
  void add_side(const std::vector<int>& flipped);
  void find_surfaces();
  void locate(SurfaceSide& side);
  void list_usable();
  void let_determined_deciders_join();

  const SwitchingProblem& problem_;
  const Mode& before_;
  std::span<const int> A_;
  SurfaceRows rows_;
  std::vector<SurfaceSide> sides_;
  std::vector<SurfaceRow> surfaces_;
  std::vector<std::size_t> usable_;
  std::vector<int> contradicting_;
  std::map<int, std::set<std::size_t>> surfaces_of_;  ///< by binary
};

}  // namespace mti
