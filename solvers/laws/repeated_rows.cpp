#include "solvers/laws/repeated_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"

namespace mti {

bool RepeatedRows::repeats(const RowMap& law, int row, std::span<const double> point) {
  const int size = signature_.size();
  std::map<int, double> slopes;  // by signals at the right
  bool is_affine = true;
  for (const RowMap::Term& term : law.terms(row))
    for (const RowMap::Factor& factor : law.factors(term.column))
      if (factor.signal < size) {
        slopes.try_emplace(factor.signal, 0.0);
        is_affine = is_affine && law.is_affine(term.column);
      }
  if (slopes.size() != 1 || !is_affine) return false;
  const int signal = slopes.begin()->first;
  if (signal < signature_.state_row(0) || signal >= signature_.input_row(0)) return false;
  double slope = 0.0;
  law.gradient(row, point, [&](int other, double of_other) { slope += other == signal ? of_other : 0.0; });
  if (slope == 0.0) return false;
  constexpr double roundings = 64.0;
  const double value = point[at(signal)] - law.value(row, point) / slope;
  const double uncertain = roundings * machine_epsilon * (law.magnitude(row, point) / std::abs(slope));
  const auto [before, is_new] = values_.try_emplace(signal, value);
  compared_ = compared_ || !is_new;
  return !is_new && std::abs(value - before->second) <= uncertain;
}

}  // namespace mti
