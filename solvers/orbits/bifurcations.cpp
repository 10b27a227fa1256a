#include "solvers/orbits/bifurcations.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>

namespace mti {
namespace {

using Kind = BranchPoint::Kind;

/// The sign counts; no factor beyond 1 takes the product out of the range of numbers.
double product_of(const std::vector<std::complex<double>>& factors) {
  std::complex<double> product = 1.0;
  for (const std::complex<double>& factor : factors) product *= factor / std::max(1.0, std::abs(factor));
  return product.real();
}

double test(Kind kind, const BranchOrbit& orbit) {
  const std::vector<Multiplier>& mu = orbit.stability.multipliers;
  if (kind == Kind::fold) return orbit.turn();
  std::vector<std::complex<double>> factors;
  for (std::size_t i = 0; i < mu.size(); ++i) {
    if (kind != Kind::torus) factors.push_back(mu[i].value + (kind == Kind::period_doubling ? 1.0 : -1.0));
    for (std::size_t j = 0; kind == Kind::torus && j < i; ++j)
      factors.push_back(mu[i].value * mu[j].value - 1.0);
  }
  return product_of(factors);
}

/// How many multipliers lie outside of the unit circle, by more than they may be wrong: left of −1, right of 1, and in pairs.
struct Outside {
  int left = 0, right = 0, paired = 0;
};

Outside outside(const BranchOrbit& orbit) {
  Outside result;
  for (const Multiplier& one : orbit.stability.multipliers) {
    if (!(std::abs(one.value) > 1.0 + one.error)) continue;
    ++(one.value.imag() != 0.0 ? result.paired : one.value.real() < 0.0 ? result.left : result.right);
  }
  return result;
}

constexpr double accuracy = 1e-7;  // in units of the branch

std::optional<BranchPassage> locate(Kind kind, const BranchOrbit& a, const BranchOrbit& b, double length,
                                    const std::function<BranchOrbit(double)>& orbit_at) {
  double low = 0.0, high = length, f_low = test(kind, a), f_high = test(kind, b), p_low = a.parameter,
         p_high = b.parameter;
  const double size = std::max(std::abs(f_low), std::abs(f_high));
  double f_best = std::min(std::abs(f_low), std::abs(f_high));
  BranchPassage best{kind, std::abs(f_low) < std::abs(f_high) ? 0.0 : length,
                     std::abs(f_low) < std::abs(f_high) ? a : b};
  constexpr double small = 1e-3;
  if (!(f_low * f_high < 0.0)) {  // one of the two is where it happens, on either side of it
    if (f_best <= small * size) return best;
    return std::nullopt;
  }
  // Enters an orbit of the bracket; false where there is none.
  const auto look_at = [&](double place) {
    BranchOrbit trial = orbit_at(place);
    if (!trial.map.is_defined()) return false;
    const double f = test(kind, trial), p = trial.parameter;
    if (std::abs(f) < f_best) {
      f_best = std::abs(f);
      best = {kind, place, std::move(trial)};
    }
    const bool is_low = (f < 0.0) == (f_low < 0.0);
    (is_low ? low : high) = place;
    (is_low ? f_low : f_high) = f;
    (is_low ? p_low : p_high) = p;
    return true;
  };
  constexpr int most = 60;
  for (int k = 0; k < most && high - low > accuracy && f_best > 0.0; ++k) {
    double part = f_low / (f_low - f_high);
    constexpr double margin = 0.01;
    if (!(part > margin && part < 1.0 - margin) || k % 4 == 3) part = 0.5;
    bool found = false;
    // Beside a singular orbit Newton's method may find none.
    for (const double other : {part, 0.3, 0.7, 0.1, 0.9}) {
      found = look_at(low + other * (high - low));
      if (found) break;
    }
    if (!found) break;
  }
  if (f_best <= small * size || high - low <= accuracy) {
    if (f_best <= 0.1 * size) return best;
    return std::nullopt;  // a jump, and no zero
  }
  if (kind == Kind::fold || high - low > small) return std::nullopt;
  // Between the last orbits on both sides.
  best.orbit.parameter = p_low + f_low / (f_low - f_high) * (p_high - p_low);
  return best;
}

int sign_of_odd(int change) { return change % 2 == 0 ? 0 : change > 0 ? 1 : -1; }

}  // namespace

std::optional<std::vector<BranchPassage>> passages_between(
    const BranchOrbit& a, const BranchOrbit& b, double length,
    const std::function<BranchOrbit(double)>& orbit_at) {
  const Outside before = outside(a), after = outside(b);
  const int left = after.left - before.left, right = after.right - before.right,
            paired = after.paired - before.paired;
  const bool turns = a.turn() * b.turn() < 0.0;
  std::vector<Kind> kinds;
  if (turns) kinds.push_back(Kind::fold);
  if (left % 2 != 0) kinds.push_back(Kind::period_doubling);
  if (right % 2 != 0 && !turns) kinds.push_back(Kind::branching);
  // Of the others pairs may have passed; or they have come together outside, and none has.
  if (const int others = left + right + paired - sign_of_odd(left) - sign_of_odd(right);
      std::abs(others) == 2)
    kinds.push_back(Kind::torus);
  std::vector<BranchPassage> passages;
  for (const Kind kind : kinds) {
    std::optional<BranchPassage> passage = locate(kind, a, b, length, orbit_at);
    if (!passage) return std::nullopt;
    if (kind == Kind::fold && right % 2 == 0) passage->kind = Kind::rest;
    passages.push_back(std::move(*passage));
  }
  std::ranges::sort(passages, {}, &BranchPassage::place);
  return passages;
}

}  // namespace mti
