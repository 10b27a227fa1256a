#include "mti/model/frozen_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/multilinear/merged_sum.hpp"

namespace mti {
namespace {

using Factors = std::vector<RowMap::Factor>;

bool precedes(const Factors& a, const Factors& b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(), [](const RowMap::Factor& left, const RowMap::Factor& right) {
        return left.signal != right.signal ? left.signal < right.signal : left.S < right.S;
      });
}

/// Freezes one row after the other into a row map, with buffers that are used again.
class RowFreezer {
 public:
  RowFreezer(const RowMap& map, const HeldSignals& held) : map_(map), held_(held) {}

  void freeze(int row, RowMap::Builder& builder) {
    std::size_t count = 0;
    applications_.clear();
    for (const RowMap::Term& term : map_.terms(row)) {
      if (terms_.size() == count) terms_.emplace_back();
      auto& [factors, weight] = terms_[count];
      factors.clear();
      weight = term.Phi;
      if (const ElementaryFunction* const phi = map_.function_of(term.column)) {
        const int signal = map_.factors(term.column)[0].signal;
        if (held_.holds(signal)) {
          weight *= phi->value(held_.value(signal));
          if (weight != 0.0) ++count;
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
          factors.push_back(factor);
        if (scale == 0.0) break;
      }
      weight *= scale;
      if (weight != 0.0) ++count;
    }
    const auto end = terms_.begin() + static_cast<std::ptrdiff_t>(count);
    std::stable_sort(terms_.begin(), end,
                     [](const auto& a, const auto& b) { return precedes(a.first, b.first); });
    builder.begin_row();
    for (auto term = terms_.begin(); term != end;) {
      const auto first = term;
      merged_.clear();
      for (; term != end && !precedes(first->first, term->first); ++term) merged_.push_back(term->second);
      const double sum = merged_sum(merged_), rest = rest_of(merged_, sum);
      if (sum != 0.0) builder.add_term(sum, first->first);
      if (rest != 0.0) builder.add_term(rest, first->first);
    }
    for (const RowMap::Term* const term : applications_)
      builder.add_term(term->Phi, map_.factors(term->column), map_.function_of(term->column));
  }

 private:
  const RowMap& map_;
  const HeldSignals& held_;
  std::vector<std::pair<Factors, double>> terms_;
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
