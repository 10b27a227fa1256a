#include "solvers/integration/newton_convergence.hpp"

#include <algorithm>
#include <cmath>

namespace mti {
namespace {

constexpr double share_of_the_first = 0.01, share_of_any_other = 0.05;
constexpr double least_S = 0.1;
constexpr double largest_rho = 0.9;

}  // namespace

NewtonConvergence::Verdict NewtonConvergence::judge(int m, double norm, double tolerance) {
  if (m == 0) {
    first_ = norm;
    return norm <= share_of_the_first * tolerance ? Verdict::converged : Verdict::goes_on;
  }
  if (norm <= share_of_any_other * tolerance) return Verdict::converged;
  const double rho = std::pow(norm / first_, 1.0 / m);
  if (!(rho <= largest_rho)) return Verdict::diverges;
  const double S = std::max(rho / (1.0 - rho), least_S);
  return S * norm <= tolerance ? Verdict::converged : Verdict::goes_on;
}

}  // namespace mti
