#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/transform/recovery.hpp"
#include "tests/mti/multilinear/random_map.hpp"

/// Whether a transformed model has the values of the original one.
namespace mti::test {

/// A random point of a model: its binaries, binary inputs and pre(z) are 0 or 1.
inline std::vector<double> random_point(const Signature& signature, Random& random) {
  std::vector<double> v = random.point(signature.size());
  for (int row = signature.binary_row(0); row < signature.size(); ++row) v[at(row)] = random.index(2);
  for (int i = 0; i < signature.m(); ++i)
    if (signature.inputs()[at(i)].binary) v[at(signature.input_row(i))] = random.index(2);
  return v;
}

/// max_j |f_j(v) − factor_j f'_j(v')| / (value of |Φ|, |S| at |v|, and at |v'|), v = values(v'), over random
/// v': the change of f or g relative to what its rounding is relative to.
inline double largest_change(const CpMap& before, const CpMap& after, const std::vector<RowOrigin>& origins,
                             const Transformed& transformed, int points, Random& random) {
  double largest = 0.0;
  const CpMap before_size = absolute(before), after_size = absolute(after);
  for (int i = 0; i < points; ++i) {
    const std::vector<double> v_after = random_point(transformed.model.signature, random);
    const std::vector<double> v = transformed.recovery.values(v_after);
    const auto f = naive_value(before, v), f_after = naive_value(after, v_after);
    const auto size = naive_value(before_size, absolute(v)),
               size_after = naive_value(after_size, absolute(v_after));
    for (std::size_t j = 0; j < f.size(); ++j) {
      const auto row = at(origins[j].row);
      const bool gone = origins[j].row < 0;
      const long double expected = gone ? 0.0L : origins[j].factor * f_after[row];
      const long double scale = size[j] + (gone ? 0.0L : std::abs(origins[j].factor) * size_after[row]);
      if (scale > 0.0L)
        largest = std::max(largest, static_cast<double>(std::abs(f[j] - expected) / scale));
      else if (f[j] != expected)
        largest = std::numeric_limits<double>::infinity();
    }
  }
  return largest;
}

/// The larger of both, for f and for g.
inline double largest_change(const Model& model, const Transformed& transformed, int points = 1000,
                             std::uint64_t seed = 1) {
  Random random(seed);
  EXPECT_EQ(transformed.recovery.equations.size(), at(model.equations()));
  EXPECT_EQ(transformed.recovery.constraints.size(), at(model.constraints()));
  return std::max(largest_change(model.f(), transformed.model.f(), transformed.recovery.equations,
                                 transformed, points, random),
                  largest_change(model.g(), transformed.model.g(), transformed.recovery.constraints,
                                 transformed, points, random));
}

}  // namespace mti::test
