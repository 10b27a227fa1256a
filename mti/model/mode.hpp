#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "mti/common/at.hpp"

namespace mti {

/// Binaries that slide together on one surface s = 0 (docs/theory.md, "Sliding").
///
/// s is the constraint with the binaries at `below`; `below` are their values where s ≤ 0, `above` where
/// s ≥ 0. On the surface they are ζ_i = below_i + θ (above_i − below_i) with one weight θ ∈ [0, 1], and so
/// is every product of them: θ·(product above) + (1 − θ)·(product below).
struct Slide {
  int constraint = -1;
  std::vector<int> binaries;  ///< ascending
  std::vector<char> below, above;
  /// θ, where the equations leave it open although the motion is unique: s = 0 follows from other surfaces.
  std::optional<double> pinned = {};

  friend bool operator==(const Slide&, const Slide&) = default;
};

/// The values of everything a model is frozen in: binaries z, remembered binaries pre(z), binary inputs; which binaries
/// slide instead; and which functions rest.
struct Mode {
  std::vector<char> z;              ///< q entries, 0 or 1; of a sliding binary the side it came from
  std::vector<char> pre;            ///< r entries, in the order of Signature::pre()
  std::vector<char> binary_inputs;  ///< one per binary input, in declared order
  std::vector<Slide> slides = {};   ///< ascending by constraint
  std::vector<int> blended = {};    ///< outputs of logic that follow several surfaces; ascending
  std::vector<int> resting =
      {};  ///< functions of the model that stay at the end of their domain, at 0; ascending

  friend bool operator==(const Mode&, const Mode&) = default;
};

struct ModeHash {
  [[nodiscard]] std::size_t operator()(const Mode& mode) const noexcept {
    std::size_t hash = 1469598103934665603ULL;
    for (const auto* bits : {&mode.z, &mode.pre, &mode.binary_inputs}) {
      for (const char bit : *bits) hash = (hash ^ at(bit + 1)) * 1099511628211ULL;
      hash = (hash ^ 7U) * 1099511628211ULL;
    }
    for (const Slide& slide : mode.slides)
      for (const int binary : slide.binaries)
        hash = (hash ^ at(binary + slide.constraint + 2)) * 1099511628211ULL;
    for (const int function : mode.resting) hash = (hash ^ at(function + 3)) * 1099511628211ULL;
    return hash;  // `blended` follows from these
  }
};

}  // namespace mti
