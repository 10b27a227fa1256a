#include "solvers/admissibility/doubt.hpp"

#include <cmath>
#include <map>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"

namespace mti {

double tolerance_of_row(const RowMap& g, int row, std::span<const double> v, const Signature& signature,
                        const Accuracy& accuracy) {
  std::map<int, double> slopes;  // a signal may stand in several columns
  g.gradient(row, v, [&](int signal, double slope) {
    if (signal < signature.binary_row(0)) slopes[signal] += slope;
  });
  double sum = 0.0;
  for (const auto& [signal, slope] : slopes) sum += std::abs(slope) * accuracy.of(signal, v[at(signal)]);
  return sum;
}

Doubt doubt_of(const Signature& signature, Motion& motion, int row, double time_uncertainty, bool is_open) {
  constexpr double several = 4.0, far_more = 1e3, rounded = 8.0 * machine_epsilon;
  const RowMap& g = motion.system().g;
  if (row >= g.rows()) return Doubt::none;
  const Ball value = motion.constraint(row, 0);
  if (!(value.value > 0.0) && !is_open) return Doubt::none;
  const double allowed = rounded * g.magnitude(row, motion.v()) +
                         tolerance_of_row(g, row, motion.v(), signature, motion.accuracy());
  const Doubt otherwise = is_open && !(value.error <= far_more * allowed) ? Doubt::open : Doubt::none;
  if (value.value <= several * allowed) return otherwise;
  const double rate = time_uncertainty > 0.0 ? motion.rate_of_beginning(row) : 0.0;
  const bool is_explained =
      std::isfinite(rate) && value.value <= several * (allowed + rate * time_uncertainty);
  return is_explained ? otherwise : Doubt::let_pass;
}

}  // namespace mti
