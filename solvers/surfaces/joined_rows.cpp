#include "solvers/surfaces/joined_rows.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/scattered.hpp"

namespace mti {
namespace {

/// |b| ≤ this · its magnitude is zero at a point that is known to rounding.
constexpr double value_is_zero = 1e-9;
/// The same for what a step of `scale` changes: a row without a constant part is of no size where it vanishes.
constexpr double step_is_zero = 1e-11;

/// The equations, and all signals in them and in the rows that are asked about.
struct Joined {
  std::vector<MapRow> equations;
  std::vector<int> rows, signals;  ///< ascending
};

Joined joined_by(const JoiningEquations& equations, std::vector<int> signals) {
  Joined joined{{}, equations.joined_to(signals), std::move(signals)};
  for (const int row : joined.rows) {
    joined.equations.push_back({&equations.f(), row});
    std::vector<int> all;
    std::ranges::set_union(joined.signals, signals_of(equations.f(), row), std::back_inserter(all));
    joined.signals = std::move(all);
  }
  return joined;
}

bool is_zero_at(const MapRow& row, std::span<const double> v, double length) {
  return std::abs(row.value(v)) <= value_is_zero * row.magnitude(v) + step_is_zero * length;
}

/// The sign of c in ∇b = c·∇a + Σ λ_i ∇R_i; 0 if it is none, or c is not determined.
int sign_of_coefficient(const CommonZeros& relations, const MapRow& a, const MapRow& b,
                        std::span<const double> v) {
  constexpr double parallel = 1e-8, is_left = 1e-6;
  const Eigen::VectorXd of_a = relations.gradient(a, v), of_b = relations.gradient(b, v);
  const Eigen::MatrixXd normals = relations.normals(v);
  const Eigen::VectorXd a_left = of_a - normals * (normals.transpose() * of_a),
                        b_left = of_b - normals * (normals.transpose() * of_b);
  if (!(a_left.norm() > is_left * of_a.norm()) || !(b_left.norm() > is_left * of_b.norm())) return 0;
  const double cosine = a_left.dot(b_left) / (a_left.norm() * b_left.norm());
  if (!(std::abs(cosine) >= 1.0 - parallel)) return 0;
  return cosine > 0.0 ? 1 : -1;
}

}  // namespace

int joined_orientation(const JoiningEquations& equations, const MapRow& a, const MapRow& b,
                       std::span<const double> v, std::span<const double> scale) {
  if (!equations.are_nonlinear()) return 0;
  std::vector<int> own;
  std::ranges::set_union(signals_of(*a.map, a.row), signals_of(*b.map, b.row), std::back_inserter(own));
  const Joined joined = joined_by(equations, std::move(own));
  if (std::ranges::none_of(joined.rows, [&](int row) { return equations.is_nonlinear(row); })) return 0;

  std::vector<MapRow> with_a = joined.equations;
  with_a.push_back(a);
  const CommonZeros surface(std::move(with_a), joined.signals, scale),
      relations(joined.equations, joined.signals, scale);
  constexpr int points = 4;
  constexpr double far = 0.05;
  int sign = 0;
  for (int point = 0; point < points; ++point) {
    std::vector<double> near(v.begin(), v.end());
    if (point > 0)  // steps without pattern, the same in every run
      for (const int signal : joined.signals)
        near[at(signal)] += far * scale[at(signal)] * scattered(point, signal);
    if (!surface.move_to_zero(near) || !is_zero_at(b, near, relations.gradient(b, near).norm())) return 0;
    const int here = sign_of_coefficient(relations, a, b, near);
    if (here == 0 || (sign != 0 && here != sign)) return 0;
    sign = here;
  }
  return sign;
}

bool vanishes_with(const JoiningEquations& equations, const MapRow& row, int first, int last,
                   std::span<const double> sizes) {
  const Joined joined = joined_by(equations, signals_of(*row.map, row.row));
  if (std::ranges::none_of(joined.rows, [&](int each) { return each >= first && each < last; })) return false;
  const CommonZeros zeros(joined.equations, joined.signals, sizes);
  constexpr int points = 9, most_starts = 27, most_near_ones_lost = 1;
  int found = 0, lost = 0;
  std::vector<double> v(sizes.size(), 0.0);
  for (int start = 0; found < points && start < most_starts; ++start) {
    // By turns within most domains, and where a branch may lie in other units.
    const bool near = start % 3 == 0;
    for (const int signal : joined.signals) {
      const double step = scattered(start, signal);
      v[at(signal)] = sizes[at(signal)] * (near ? 1.0 + 0.5 * step : (start % 3 == 1 ? 3.0 : 30.0) * step);
    }
    if (!zeros.move_to_zero(v)) {
      if (near && ++lost > most_near_ones_lost) return false;
      continue;
    }
    if (!is_zero_at(row, v, zeros.gradient(row, v).norm())) return false;
    ++found;
  }
  return found == points;
}

}  // namespace mti
