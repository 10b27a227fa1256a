#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "solvers/admissibility/switching_problem.hpp"

namespace mti {

/// Admissibility on a mode, with what sliding asks beyond a to c: both sides of every surface press on it, and what pre(z)
/// remembers stands while the sides take turns (a toggle does not slide).
///
/// `base`, if given, is the verdict on another mode at the same instant. Pressing is judged with the other
/// surfaces' binaries held at their equivalent values: with the surface's own binaries at `below`, s ≥ 0 or,
/// where s does not depend on them, Ds ≥ 0; at `above` the other way round. With pinned weights, whose
/// surfaces must be kept by the others, the first derivative of s that depends on them counts.
[[nodiscard]] Admissibility check_mode(const SwitchingProblem& problem, const Mode& mode,
                                       const Admissibility* base = nullptr);

/// A motion on surfaces that both sides press on (docs/theory.md, "Sliding").
struct SlidingMotion {
  bool found = false;
  Mode mode = {};
  Admissibility verdict = {};
  long tried = 0;
  std::vector<Admissibility> rejected = {};  ///< sliding motions that were turned down
  std::string given_up = {};                 ///< what was not looked at, if anything was left out
  bool hindered_elsewhere = false;           ///< pivoting came to an end that only rows outside of A exclude
  /// Constraints by which a side lies both above and below a surface: their binaries would have other values there.
  std::vector<int> contradicting = {};
};

/// How far a sliding motion that is admissible may be believed.
enum class SlidingDoubt {
  none,
  /// It follows if nothing else does: one side runs along the surface by itself and does not press on it, so that what slides
  /// moves as on that side, which more binaries than were looked at may admit.
  last_resort,
  /// That side begins with a law of rise(z) or fall(z), which a slide leaves out.
  not_a_slide
};
/// Of the surfaces of an admissible sliding motion the most doubtful counts, but those that `before` slides on already.
[[nodiscard]] SlidingDoubt doubt_of(const Admissibility& sliding, const Mode& before, const Model& model);

/// What counts as good enough of a verdict.
using AcceptedVerdict = std::function<bool(const Admissibility&)>;

/// What a search for a sliding motion is asked for.
struct SlidingQuery {
  const Mode& before;        ///< z⁻
  std::span<const int> A;    ///< may slide or change, an output standing for the deciders behind it
  long limit = 0;            ///< motions that may be judged
  AcceptedVerdict accepted;  ///< which motion ends the search
};

/// The motion of a mode that leaves some weights open, although it is itself unique: of as few surfaces as
/// possible, s = 0 follows from the others, and their weights are pinned where all together are closest to ½.
/// Nothing if there is none that `accepted` accepts.
[[nodiscard]] SlidingMotion pin_open_weights(const SwitchingProblem& problem, const Mode& mode, long limit,
                                             const AcceptedVerdict& accepted);

/// Looks for sliding over many surfaces at once by pivoting: each is held below, above or slides; of a try,
/// weights out of [0, 1] go to that side, and surfaces that a side leaves begin to slide, until nothing
/// changes. Where the slopes of the surfaces fall strictly with their weights (a P-matrix, as of coupled
/// relays), what it finds is the only one there is. Source: Murty, Linear Complementarity, Linear and
/// Nonlinear Programming (1988), ch. 4.
[[nodiscard]] SlidingMotion find_sliding_by_pivoting(const SwitchingProblem& problem,
                                                     const SlidingQuery& query);

/// Looks for sliding over A where no assignment of A is admissible.
///
/// A side is an assignment of the deciders of A whose equations can be solved; its rows that vanish on a
/// common surface say on which side of it they hold. From a side that lies below k surfaces, flipping a group
/// of binaries for each must lead to a side that lies above that one alone; the groups then slide, and
/// outputs go along. Order of preference: fewest surfaces, fewest deciders that leave z⁻, the binaries
/// declared first. Past few surfaces or binaries pivoting comes before that.
[[nodiscard]] SlidingMotion find_sliding_together(const SwitchingProblem& problem, const SlidingQuery& query);

/// The same over the deciders behind `concerned`, A, where parts of A that neither share a row nor a slope of
/// what they break are decided one after the other, each by the nearest assignment or else by sliding that
/// leaves nothing of its own broken; the whole is judged at the end, and sought together if that fails.
/// `first` is the verdict on `before`, `limit` bounds the motions that are judged; `accepted` tells which one is taken.
[[nodiscard]] SlidingMotion find_sliding(const SwitchingProblem& problem, const Mode& before,
                                         std::span<const int> concerned, long limit,
                                         const Admissibility& first, const AcceptedVerdict& accepted);

}  // namespace mti
