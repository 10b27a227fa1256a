#include "solvers/switching/candidate_set.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/switching/influenced_binaries.hpp"

namespace mti {

CandidateSet::CandidateSet(const SwitchingProblem& problem, const Mode& before, std::vector<int> A,
                           Beginnings beginnings)
    : problem_(problem),
      before_(before),
      A_(std::move(A)),
      joining_(outputs_behind_both()),
      outputs_(free_outputs()),
      beginnings_(beginnings),
      mode_values_(problem.instant.v.size(), 0.0),
      assignments_(
          problem.cache.rows(), [this](int signal) { return known(signal); }, A_, before.z, {}, outputs_) {
  write_mode(problem.model.signature, before, mode_values_);
}

/// Outputs that follow from A and from what slides: with a candidate they may join a slide, or leave it.
std::vector<int> CandidateSet::outputs_behind_both() const {
  std::vector<int> sliding, both;
  for (const Slide& slide : before_.slides)
    sliding.insert(sliding.end(), slide.binaries.begin(), slide.binaries.end());
  std::vector<int> of_A = problem_.outputs().outputs_behind(A_),
                   of_slides = problem_.outputs().outputs_behind_in_time(sliding);
  std::ranges::sort(of_A);
  std::ranges::sort(of_slides);
  std::ranges::set_intersection(of_A, of_slides, std::back_inserter(both));
  return both;
}

/// Outputs that follow A alone and have the value 0 or 1 in every candidate.
std::vector<int> CandidateSet::free_outputs() const {
  std::vector<int> outputs = problem_.outputs().outputs_behind(A_);
  std::erase_if(outputs, [&](int output) {
    return is_sliding(before_, output) || std::ranges::binary_search(joining_, output);
  });
  std::ranges::sort(outputs);
  return outputs;
}

AssignmentSearch::Result CandidateSet::next(const NogoodStore& nogoods) {
  // A reason may name binaries outside of A: no candidate changes these, so what is left of the reason says the
  // same of all of them. An output in it counts, for it moves with A; one that may join a slide by the deciders in A
  // that it follows from.
  std::vector<int> variables, reason;
  std::merge(A_.begin(), A_.end(), outputs_.begin(), outputs_.end(), std::back_inserter(variables));
  for (; excluded_ < nogoods.nogoods().size(); ++excluded_) {
    const Nogood& nogood = nogoods.nogoods()[excluded_];
    std::vector<int> named = nogood.binaries, joining;
    std::ranges::set_intersection(named, joining_, std::back_inserter(joining));
    if (!joining.empty()) {
      const std::vector<int> behind = problem_.outputs().deciders_behind(joining);
      named.insert(named.end(), behind.begin(), behind.end());
      sort_distinct(named);
    }
    reason.clear();
    std::ranges::set_intersection(named, variables, std::back_inserter(reason));
    assignments_.exclude(nogood.z, nogood.alone ? A_ : reason);
  }
  return assignments_.next();
}

/// Value and error of an entry of v for the bounds. A bound may exclude only what every judgement would turn
/// down, so the error is the largest that a judgement might grant: infinite for ẋ and y, which differ from
/// candidate to candidate, and for states where one might jump.
Ball CandidateSet::known(int signal) const {
  const Signature& signature = problem_.model.signature;
  const Instant& instant = problem_.instant;
  const auto row = at(signal);
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (signal < signature.state_row(0)) return {0.0, unknown};
  if (signal < signature.input_row(0)) {
    const int state = signal - signature.state_row(0);
    const bool moved =
        beginnings_ == Beginnings::as_foreseen && problem_.dependencies.jumps().may_jump(state);
    if (beginnings_ == Beginnings::unknown || moved) return {0.0, unknown};
    // ε_x and what the time of the event leaves open, |ẋ|·δt, where the slope may be another in the mode that
    // follows.
    constexpr double other_slope = 100.0;
    const double slope = instant.v[row - at(signature.n())];
    return {instant.v[row], problem_.accuracy.of(signal, instant.v[row]) +
                                other_slope * std::abs(slope) * instant.time_uncertainty};
  }
  if (signal < signature.algebraic_row(0)) {
    const int input = signal - signature.input_row(0);
    if (signature.inputs()[at(input)].binary) return {mode_values_[row], 0.0};
    const InputPiece& piece = instant.pieces[at(input)];
    const double u = piece.value(instant.t);
    const double rate = piece.derivative(instant.t, 1);
    return {u, problem_.accuracy.of_input(signal, u, rate) + std::abs(rate) * instant.time_uncertainty};
  }
  if (signal < signature.binary_row(0)) return {0.0, unknown};
  // ζ of a surface that is kept, and pre(z), which is the value of the side in its columns: anywhere in [0, 1].
  const int binary = signal < signature.pre_row(0) ? signal - signature.binary_row(0)
                                                   : signature.pre()[at(signal - signature.pre_row(0))];
  if (is_sliding(before_, binary) || std::ranges::binary_search(joining_, binary)) return {0.5, 0.5};
  return {mode_values_[row], 0.0};
}

}  // namespace mti
