#include "solvers/events/way_to_limit.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"
#include "mti/polynomials/polynomial_roots.hpp"
#include "solvers/rest/on_surfaces.hpp"

namespace mti {

std::vector<double> point_on(const WayToLimit& way, const RunState& event, const Signature& signature,
                             double t) {
  const Instant& here = event.here;
  const RowMap& g = event.system->g;
  const double covered = (t - here.t) / (way.time - here.t);
  std::vector<double> v = here.v;
  for (int row = 0; row < signature.binary_row(0); ++row) {
    if (row >= signature.input_row(0) && row < signature.algebraic_row(0)) continue;
    const int state = row - signature.state_row(0);
    const bool takes_part = state >= 0 && state < signature.n() && way.point.takes_part[at(state)] != 0;
    v[at(row)] = takes_part ? here.v[at(row)] + covered * (way.v[at(row)] - here.v[at(row)])
                            : value_of(course_of(*event.motion, row), t - here.t);
  }
  put_inputs(here, signature, t, v);
  std::vector<int> beyond;
  for (const int row : way.found.constraints)
    if (g.value(row, v) > 0.0) beyond.push_back(row);
  put_on_surfaces(g, beyond, signature, way.weights, v);
  return v;
}

Course course_of(Motion& motion, int row) {
  Course c{};
  for (int k = 0; k <= course_degree; ++k) c[at(k)] = motion.signal(row, k).value;
  return c;
}

double left_open(const Course& c, double tau) {
  return std::max(std::abs(c[course_degree - 1]), std::abs(c[course_degree]) * tau) *
         std::pow(tau, course_degree - 1);
}

void put_inputs(const Instant& here, const Signature& signature, double t, std::span<double> v) {
  for (int i = 0; i < signature.m(); ++i)
    if (!signature.inputs()[at(i)].binary) v[at(signature.input_row(i))] = here.pieces[at(i)].value(t);
}

}  // namespace mti
