#include "solvers/integration/segment_unknowns.hpp"

#include "mti/common/at.hpp"

namespace mti {
namespace {

constexpr long largest_derivative = 64;

long key(int row, int order) { return row * largest_derivative + order; }

}  // namespace

SegmentUnknowns::SegmentUnknowns(const Signature& signature, const std::vector<int>& sliding,
                                 const DummyDerivatives& selection)
    : states_(signature.n()), first_state_(signature.state_row(0)), base_(at(signature.size())) {
  const auto add = [&](int row, int order) {
    slots_.push_back({row, order});
    return static_cast<int>(slots_.size()) - 1;
  };
  for (int i = 0; i < signature.n(); ++i) {
    const int slot = add(signature.state_row(i), 0);
    base_[at(signature.state_row(i))] = {slot, false};
    base_[at(signature.derivative_row(i))] = {slot, true};
  }
  for (int i = 0; i < signature.p(); ++i)
    base_[at(signature.algebraic_row(i))] = {add(signature.algebraic_row(i), 0), false};
  for (const int row : sliding) base_[at(row)] = {add(row, 0), false};

  for (std::size_t j = 0; j < selection.unknowns.size(); ++j) {
    const int row = selection.unknowns[j];
    const bool state = row < states_;
    // PositionProjection along the chain of derivatives: 0 is x or y itself, `highest` what the plan solves for.
    const int highest = selection.orders[j] + (state ? 1 : 0);
    int below = base_[at(state ? row + states_ : row)].slot;
    for (int position = 1; position <= highest; ++position) {
      const int order = state ? position - 1 : position;
      const bool dummy = position > highest - selection.dummies[j];
      Place place{below, true};
      if (dummy || position < highest - selection.dummies[j]) {
        const int slot = add(row, order);
        if (!dummy) ties_.push_back({below, slot});
        place = {slot, false};
        below = slot;
      }
      if (order == 0)
        base_[at(row)] = place;
      else
        higher_[key(row, order)] = place;
    }
  }
}

SegmentUnknowns::Place SegmentUnknowns::place(int row, int order) const {
  if (order > 0 && row >= first_state_ && row < first_state_ + states_)
    return place(row - states_, order - 1);
  if (order == 0) return base_[at(row)];
  const auto found = higher_.find(key(row, order));
  return found == higher_.end() ? Place{} : found->second;
}

}  // namespace mti
