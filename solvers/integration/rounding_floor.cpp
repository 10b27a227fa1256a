#include "solvers/integration/rounding_floor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"

namespace mti {

std::vector<double> rounding_of_rows(const DaeSystem& system, std::span<const double> w,
                                     std::span<const double> J) {
  const SparsePattern& of = system.pattern;
  std::vector<double> rounding(w.size(), 0.0);
  for (std::size_t column = 0; column < w.size(); ++column)
    for (auto place = at(of.column_start[column]); place < at(of.column_start[column + 1]); ++place)
      rounding[at(of.row[place])] += std::abs(J[place] * w[column]);
  for (double& sum : rounding) sum *= machine_epsilon;
  for (std::size_t row = 0; row < system.rounding.size(); ++row) rounding[row] += system.rounding[row];
  return rounding;
}

bool floor_of(std::span<const double> rounding, std::vector<double>& floor,
              const std::function<std::span<const double>(std::span<const double> b)>& solve) {
  // Newton's iteration is taken to have converged at 0.33/20 of the tolerance while its rate is not known.
  constexpr double margin = 64.0;
  constexpr std::size_t most_columns = 40, signs = 3;
  const std::size_t size = rounding.size();
  floor.assign(size, 0.0);
  std::vector<double> b(size, 0.0);
  const auto add = [&](double factor, bool sum) {
    const std::span<const double> x = solve(b);
    if (x.size() != size) return false;
    for (std::size_t i = 0; i < size; ++i) {
      const double part = factor * std::abs(x[i]);
      if (std::isfinite(part)) floor[i] = sum ? floor[i] + part : std::max(floor[i], part);
    }
    return true;
  };
  if (size <= most_columns) {
    for (std::size_t row = 0; row < size; ++row) {
      if (rounding[row] == 0.0) continue;
      b[row] = rounding[row];
      if (!add(margin, true)) return false;
      b[row] = 0.0;
    }
    return true;
  }
  // Exactly it takes a solve for every row; the largest of some patterns of signs, doubled, will do.
  for (std::size_t period = 1; period <= signs; ++period) {
    for (std::size_t row = 0; row < size; ++row)
      b[row] = period > 1 && row % period == 0 ? -rounding[row] : rounding[row];
    if (!add(2.0 * margin, false)) return false;
  }
  return true;
}

}  // namespace mti
