#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "solvers/sliding/sliding.hpp"
#include "solvers/sliding/surface_rows.hpp"

namespace mti {

/// An assignment of the deciders of A whose equations have a solution at the instant.
struct SurfaceSide {
  std::vector<char> z;
  std::vector<int> flipped;  ///< the deciders by which it differs from `before`, ascending
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
  /// Sides that differ from `side` by some of these deciders alone, in the order of sides().
  [[nodiscard]] std::vector<const SurfaceSide*> sides_beside(const SurfaceSide& side,
                                                             std::span<const int> deciders) const;
  /// Where s goes at every side below the surface, up or down, no binary of the surfaces `sliding` has a part in that: no
  /// weights keep this one.
  [[nodiscard]] bool is_left(std::size_t surface, std::span<const std::size_t> sliding) const;
  /// No weights of these groups, the other binaries as in `below`, make a motion on the chosen surfaces: with every side
  /// that the groups blend one of them is left the same way, or one of the others is passed.
  [[nodiscard]] bool is_ruled_out(const SurfaceSide& below, std::span<const Slide> groups,
                                  std::span<const std::size_t> chosen) const;
  /// The row by which the surface is s = 0 in the mode of the side.
  [[nodiscard]] int row_on(const SurfaceSide& side, std::size_t surface) const;

 private:
  /// On which side of the surface the motion of a side goes on, above (1), below (−1), or neither within the errors (0); and the deciders behind the slopes of its
  /// signals.
  struct Course {
    int sign = 0;
    std::vector<int> deciders = {};
  };

  void add_flips(std::size_t first, std::size_t left, std::vector<int>& flipped);
  [[nodiscard]] std::optional<SurfaceSide> side_with_flips(const std::vector<int>& flipped) const;
  void add_side(const std::vector<int>& flipped);
  [[nodiscard]] const SurfaceSide* find_side(const std::vector<int>& flipped) const;
  void find_surfaces();
  void locate(SurfaceSide& side);
  void list_usable();
  void let_determined_deciders_join();
  [[nodiscard]] const Course& course_at(const SurfaceSide& side, std::size_t surface) const;
  [[nodiscard]] const Course& course_at_all(std::size_t surface, int position) const;
  [[nodiscard]] int common_course(const SurfaceSide& below, std::span<const Slide> groups,
                                  std::size_t surface) const;

  const SwitchingProblem& problem_;
  const Mode& before_;
  std::span<const int> A_;
  bool flips_are_complete_;  ///< every assignment of A was looked at
  SurfaceRows rows_;
  std::vector<SurfaceSide> sides_;
  std::map<std::vector<int>, std::size_t> side_with_;  ///< by what is flipped
  /// Others that were asked for; nothing where the equations have no solution.
  mutable std::map<std::vector<int>, std::optional<SurfaceSide>> further_ = {};
  std::vector<SurfaceRow> surfaces_;
  std::vector<std::size_t> usable_;
  std::vector<int> contradicting_;
  std::map<int, std::set<std::size_t>> surfaces_of_;                                   ///< by binary
  mutable std::map<std::pair<const SurfaceSide*, std::size_t>, Course> courses_ = {};  ///< once asked for
  mutable std::map<std::pair<std::size_t, int>, Course> courses_at_all_ = {};          ///< likewise
};

}  // namespace mti
