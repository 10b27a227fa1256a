#include "solvers/sampling/unit_design.hpp"

#include <boost/random/sobol.hpp>

#include <numeric>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/sampling/random_bits.hpp"

namespace mti {
namespace {

constexpr int sobol_digits = 32;  // of the index of a point

/// A random permutation of 0 … n − 1: each element changes places with one of those before it, or with none.
std::vector<std::int32_t> permutation(long n, std::uint64_t seed, int dimension) {
  std::vector<std::int32_t> order(at(n));
  std::iota(order.begin(), order.end(), 0);
  for (long last = n - 1; last > 0; --last) {
    const std::uint64_t bits =
        random_bits(seed, RandomUse::permutation, static_cast<std::uint32_t>(dimension), at(last));
    const auto other = static_cast<long>(unit_number(bits) * static_cast<double>(last + 1));
    std::swap(order[at(last)], order[at(other)]);
  }
  return order;
}

}  // namespace

std::vector<std::uint64_t> sobol_directions(int dimensions) {
  boost::random::sobol_engine<std::uint64_t, 64> engine(at(dimensions));
  std::vector<std::uint64_t> directions;
  for (int k = 0; k < sobol_digits; ++k) {
    // Boost leaves out point 0: what it counts as n is point n + 1. Gray's code of point 2^(k+1) − 1 is 2^k.
    engine.seed((std::uint64_t{1} << (k + 1)) - 2);
    for (int j = 0; j < dimensions; ++j) directions.push_back(engine());
  }
  return directions;
}

std::uint64_t sobol_coordinate(const std::vector<std::uint64_t>& directions, int dimensions, long i, int j) {
  const std::uint64_t index = at(i);
  std::uint64_t digits = index ^ (index >> 1U), coordinate = 0;
  for (int k = 0; digits != 0; ++k, digits >>= 1U)
    if ((digits & 1U) != 0) coordinate ^= directions[at(k) * at(dimensions) + at(j)];
  return coordinate;
}

UnitDesign::UnitDesign(Spread spread, long points, int dimensions, std::uint64_t seed)
    : spread_(spread), points_(points), dimensions_(dimensions), seed_(seed) {
  if (spread == Spread::latin_hypercube)
    for (int j = 0; j < dimensions; ++j) permutations_.push_back(permutation(points, seed, j));
  if (spread == Spread::sobol) directions_ = sobol_directions(dimensions);
}

double UnitDesign::coordinate(long i, int j) const {
  const auto bits = [&](RandomUse use, long index) {
    return random_bits(seed_, use, static_cast<std::uint32_t>(j), at(index));
  };
  if (spread_ == Spread::sobol)
    return unit_number(sobol_coordinate(directions_, dimensions_, i, j) ^ bits(RandomUse::shift, 0));
  const double within = unit_number(bits(RandomUse::value, i));
  if (spread_ == Spread::random) return within;
  return (permutations_[at(j)][at(i)] + within) / static_cast<double>(points_);
}

}  // namespace mti
