#include "solvers/identification/rank_search.hpp"

#include <algorithm>
#include <numbers>
#include <span>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/identification/alternating_least_squares.hpp"
#include "solvers/sampling/random_bits.hpp"

namespace mti {
namespace {

/// Random angles, one after the other.
class AngleDraws {
 public:
  AngleDraws(const RankSearchOptions& options, int start)
      : options_(options), next_(static_cast<std::uint64_t>(start) << 32U) {}

  double angle() {
    const double u = unit();
    constexpr double half_pi = std::numbers::pi / 2.0;
    return options_.signs == Signs::nonnegative ? u * half_pi : (2.0 * u - 1.0) * half_pi;
  }
  Eigen::Index below(Eigen::Index count) {
    return static_cast<Eigen::Index>(unit() * static_cast<double>(count));
  }

 private:
  double unit() {
    return unit_number(random_bits(options_.seed, RandomUse::value, options_.stream, next_++));
  }
  const RankSearchOptions& options_;
  std::uint64_t next_;
};

Eigen::MatrixXd start_angles(Eigen::Index N, int rank, int start, const RankSearchOptions& options,
                             const CpFactors* lower, const std::optional<CpFit>& best) {
  AngleDraws draws(options, start);
  Eigen::MatrixXd angle(N, rank);
  for (double& value : std::span(angle.data(), at(angle.size()))) value = draws.angle();
  if (start == 0 && lower != nullptr && lower->rank() <= rank)
    angle.leftCols(lower->rank()) = lower->angle;
  else if (start % 3 == 2 && best && rank > 1) {
    const Eigen::Index exchanged = draws.below(rank);
    const Eigen::VectorXd fresh = angle.col(exchanged);
    angle = best->factors.angle;
    angle.col(exchanged) = fresh;
  }
  return angle;
}

}  // namespace

std::optional<RankFit> search_rank(const RegressionData& data, int rank, const RankSearchOptions& options,
                                   const CpFactors* lower) {
  constexpr int sweeps = 20, fewest_starts = 40, steps_of_search = 100, steps_at_the_end = 200;
  constexpr double same = 1e-3, tolerance_of_search = 1e-4, tolerance_at_the_end = 1e-13,
                   exact_at_the_end = 1e-32;
  const double exact = exact_cost * data.Y.squaredNorm();
  std::optional<CpFit> best;
  RankFit result;
  while (result.starts < options.starts) {
    check_budget();
    auto angle =
        alternating_least_squares(start_angles(data.W.cols(), rank, result.starts++, options, lower, best),
                                  data, options.signs, sweeps);
    if (!angle) continue;
    auto fit = gauss_newton(*angle, data, {options.signs, steps_of_search, tolerance_of_search});
    if (!fit) continue;
    if (!best || fit->cost < best->cost) {
      if (!best || fit->cost < (1.0 - same) * best->cost) result.times_best = 0;
      best = std::move(fit);
      ++result.times_best;
    } else if (fit->cost <= (1.0 + same) * best->cost) {
      ++result.times_best;
    }
    if (best->cost <= exact || best->cost <= options.good_enough) break;
    if (result.starts >= fewest_starts && 3 * result.times_best >= result.starts) break;
  }
  if (!best) return std::nullopt;
  auto fit = gauss_newton(best->factors.angle, data,
                          {options.signs, steps_at_the_end, tolerance_at_the_end, exact_at_the_end});
  result.fit = fit && fit->cost <= best->cost ? std::move(*fit) : std::move(*best);
  result.unsure = result.times_best < 2 && !(result.fit.cost <= std::max(exact, options.good_enough));
  return result;
}

}  // namespace mti
