#pragma once

#include <functional>
#include <span>
#include <vector>

#include "solvers/influence.hpp"
#include "solvers/mode_cache.hpp"
#include "solvers/verdict.hpp"

namespace mti {

/// Verdict on a mode, with what sliding asks beyond a to c: both sides of every surface press on it.
///
/// `base`, if given, is the verdict on another mode at the same instant. Pressing is judged with the other
/// surfaces' binaries held at their equivalent values: with the surface's own binaries at `below`, s ≥ 0 or,
/// where s does not depend on them, Ds ≥ 0; at `above` the other way round.
[[nodiscard]] Verdict judge_mode(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                                 const Instant& instant, const Mode& mode, const Verdict* base = nullptr);

/// A motion on surfaces that both sides press on (spec 2, "Sliding").
struct SlidingMotion {
  bool found = false;
  Mode mode = {};
  Verdict verdict = {};
  long tried = 0;
  std::vector<Verdict> rejected = {};  ///< sliding motions that were turned down
};

/// What counts as good enough of a verdict.
using AcceptedVerdict = std::function<bool(const Verdict&)>;

/// Looks for sliding over A where no assignment of A is admissible.
///
/// A side is an assignment of A whose equations can be solved; its rows that vanish on a common surface say
/// on which side of it they hold. From a side that lies below k surfaces, flipping a group of binaries for
/// each must lead to a side that lies above that one alone; the groups then slide. Order of preference:
/// fewest surfaces, fewest binaries that leave z⁻, the binaries declared first. `limit` bounds the sliding
/// motions that are judged; sides come from at most 10 binaries, or two flips of more.
[[nodiscard]] SlidingMotion find_sliding_together(const Model& model, ModeCache& cache,
                                                  const Accuracy& accuracy, const Influence& influence,
                                                  const Instant& instant, const Mode& before,
                                                  std::span<const int> A, long limit,
                                                  const AcceptedVerdict& accepted);

/// The same where parts of A that neither share a row nor a slope of what they break are decided one after
/// the other, each by the nearest assignment or else by sliding that leaves nothing of its own broken; the
/// whole is judged at the end, and sought together if that fails. `first` is the verdict on `before`.
[[nodiscard]] SlidingMotion find_sliding(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                                         const Influence& influence, const Instant& instant,
                                         const Mode& before, std::span<const int> A, long limit,
                                         const Verdict& first);

}  // namespace mti
