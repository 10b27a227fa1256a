#pragma once

#include <unordered_map>
#include <vector>

#include "mti/model/signature.hpp"
#include "solvers/integration/dummy_derivatives.hpp"

namespace mti {

/// What the integrator's unknowns w stand for in one segment: signals and some of their derivatives.
///
/// First all x, all y, all sliding ζ. A derivative that is a dummy is an unknown of its own; one that is not
/// is the rate w' of the unknown below it, which has to be an unknown too.
class SegmentUnknowns {
 public:
  /// The derivative of order `order` of the signal in row `row` of S; x by its own row, x' = ẋ by ẋ's.
  struct Slot {
    int row = -1;
    int order = 0;

    friend bool operator==(const Slot&, const Slot&) = default;
  };
  /// Where a value is found: w[slot], or its rate.
  struct Place {
    int slot = -1;
    bool is_rate = false;
  };
  /// w'[rate_of] = w[value].
  struct Tie {
    int rate_of, value;
  };

  SegmentUnknowns() = default;
  SegmentUnknowns(const Signature& signature, const std::vector<int>& sliding,
                  const DummyDerivatives& selection);

  [[nodiscard]] int size() const noexcept { return static_cast<int>(slots_.size()); }
  [[nodiscard]] const std::vector<Slot>& slots() const noexcept { return slots_; }
  [[nodiscard]] const std::vector<Tie>& ties() const noexcept { return ties_; }
  /// Where derivative `order` of row `row` of S (ẋ, x, y or a sliding ζ) is found; slot −1 if nowhere.
  [[nodiscard]] Place place(int row, int order) const;

 private:
  int states_ = 0, first_state_ = 0;
  std::vector<Slot> slots_;
  std::vector<Tie> ties_;
  std::vector<Place> base_;                 ///< order 0 by row of S
  std::unordered_map<long, Place> higher_;  ///< orders above 0
};

}  // namespace mti
