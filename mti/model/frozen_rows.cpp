#include "mti/model/frozen_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "mti/common/at.hpp"
#include "mti/multilinear/merged_sum.hpp"

namespace mti {
namespace {

/// Freezes one row after the other into a row map, with buffers that are used again.
class RowFreezer {
 public:
  RowFreezer(const RowMap& map, const HeldSignals& held) : map_(map), held_(held) {}

  void freeze(int row, RowMap::Builder& builder) {
    factors_.clear();
    parts_.clear();
    applications_.clear();
    for (const RowMap::Term& term : map_.terms(row)) {
      const std::size_t begin = factors_.size();
      double weight = term.Phi;
      if (const ElementaryFunction* const phi = map_.function_of(term.column)) {
        const int signal = map_.factors(term.column)[0].signal;
        if (held_.holds(signal)) {
          weight *= phi->value(held_.value(signal));
          if (weight != 0.0) parts_.push_back({begin, begin, weight});
        } else {
          applications_.push_back(&term);
        }
        continue;
      }
      double scale = 1.0;  // the weight comes last, as in freeze(), so that both round alike
      for (const RowMap::Factor& factor : map_.factors(term.column)) {
        if (held_.holds(factor.signal))
          scale *= 1.0 - std::abs(factor.S) + factor.S * held_.value(factor.signal);
        else
          factors_.push_back(factor);
        if (scale == 0.0) break;
      }
      weight *= scale;
      if (weight != 0.0) parts_.push_back({begin, factors_.size(), weight});
    }
    sort();
    builder.begin_row();
    for (auto part = parts_.begin(); part != parts_.end();) {
      const auto first = part;
      merged_.clear();
      for (; part != parts_.end() && !precedes(*first, *part); ++part) merged_.push_back(part->weight);
      const double sum = merged_sum(merged_), rest = rest_of(merged_, sum);
      if (sum != 0.0) builder.add_term(sum, factors_of(*first));
      if (rest != 0.0) builder.add_term(rest, factors_of(*first));
    }
    for (const RowMap::Term* const term : applications_)
      builder.add_term(term->Phi, map_.factors(term->column), map_.function_of(term->column));
  }

 private:
  /// weight · Π of these factors, by their places.
  struct Part {
    std::size_t begin, end;
    double weight;
  };

  [[nodiscard]] std::span<const RowMap::Factor> factors_of(const Part& part) const {
    return std::span(factors_).subspan(part.begin, part.end - part.begin);
  }
  [[nodiscard]] bool precedes(const Part& a, const Part& b) const {
    const auto left = factors_of(a), right = factors_of(b);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(),
                                        [](const RowMap::Factor& l, const RowMap::Factor& r) {
                                          return l.signal != r.signal ? l.signal < r.signal : l.S < r.S;
                                        });
  }
  /// By their factors, those of the same factors in the order of the map. Few, as in most rows, without room for it.
  void sort() {
    constexpr std::size_t few = 16;
    const auto less = [this](const Part& a, const Part& b) { return precedes(a, b); };
    if (parts_.size() > few) return std::stable_sort(parts_.begin(), parts_.end(), less);
    for (auto part = parts_.begin(); part != parts_.end(); ++part)
      std::rotate(std::upper_bound(parts_.begin(), part, *part, less), part, part + 1);
  }

  const RowMap& map_;
  const HeldSignals& held_;
  std::vector<RowMap::Factor> factors_;
  std::vector<Part> parts_;
  std::vector<const RowMap::Term*> applications_;  ///< of functions whose arguments vary
  std::vector<double> merged_;
};

}  // namespace

HeldSignals::HeldSignals(int signals, std::span<const FixedSignal> fixed)
    : held_(at(signals), 0), value_(at(signals), 0.0) {
  for (const FixedSignal& signal : fixed) {
    held_[at(signal.row)] = 1;
    value_[at(signal.row)] = signal.value;
  }
}

RowMap freeze_rows(const RowMap& map, const HeldSignals& held) {
  RowFreezer freezer(map, held);
  RowMap::Builder builder;
  builder.reserve(map);
  for (int row = 0; row < map.rows(); ++row) freezer.freeze(row, builder);
  return builder.build();
}

RowMap refreeze_rows(const RowMap& frozen, const RowMap& map, std::span<const int> rows,
                     const HeldSignals& held) {
  RowFreezer freezer(map, held);
  RowMap::Builder builder;
  builder.reserve(frozen);
  int taken = 0;
  for (const int row : rows) {
    builder.add_rows(frozen, taken, row);
    freezer.freeze(row, builder);
    taken = row + 1;
  }
  builder.add_rows(frozen, taken, frozen.rows());
  return builder.build();
}

}  // namespace mti
