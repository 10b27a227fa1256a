#pragma once

#include <span>
#include <string>
#include <vector>

#include "solvers/blocks/instant.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// The steps of one instant, and whether they go round in circles: a step leads from (mode, pre(z), x) to the
/// next, and nothing else, so that the first that comes again comes again for ever. A falling row of dominoes
/// is as long as it is, so there is no other bound.
///
/// Kept is one point of the way, moved on after 1, 2, 4, … steps; a circle of length λ that is entered after
/// μ steps is noticed within 3 (μ + λ) of them. Source: Brent 1980 (10.1007/BF01933190).
class InstantSteps {
 public:
  InstantSteps(const Signature& signature, const Accuracy& accuracy, Mode mode, std::span<const double> v);

  /// Takes a step, `changes`, that leads to a mode and the states of v. False if it closes a circle.
  [[nodiscard]] bool take(const std::vector<Change>& changes, const Mode& mode, std::span<const double> v);
  /// Steps of the circle that was closed.
  [[nodiscard]] std::size_t period() const noexcept { return round_.size(); }
  /// The binaries that change in it.
  [[nodiscard]] std::vector<int> binaries() const;
  /// "2 steps: s: 0 > 1, o: 0 > 1; s: 1 > 0": the first of its steps and changes.
  [[nodiscard]] std::string text() const;

 private:
  const Signature* signature_;
  const Accuracy* accuracy_;
  Mode kept_;
  std::vector<double> x_;
  std::size_t next_keeping_ = 1;
  std::vector<std::vector<Change>> round_;  ///< steps since the point that is kept
};

}  // namespace mti
