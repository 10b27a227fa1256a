#include "io/study_plans/study_points.hpp"

#include <algorithm>

#include "mti/common/at.hpp"

namespace mti {
namespace {

Spread spread_of(StudyDesign design) {
  return design == StudyDesign::sobol || design == StudyDesign::saltelli ? Spread::sobol
         : design == StudyDesign::latin_hypercube                        ? Spread::latin_hypercube
                                                                         : Spread::random;
}

}  // namespace

StudyPoints::StudyPoints(const StudyPlan& plan) : plan_(plan) {
  const std::size_t factors = plan.factors.size();
  if (plan.design == StudyDesign::grid) {
    strides_.assign(factors, 1);
    for (std::size_t j = factors; j-- > 1;)
      strides_[j - 1] = strides_[j] * static_cast<long>(plan.factors[j].levels());
  } else if (plan.design == StudyDesign::saltelli) {
    spread_.emplace(Spread::sobol, plan.runs / static_cast<long>(factors + 2), static_cast<int>(2 * factors),
                    plan.seed);
  } else if (plan.design != StudyDesign::list) {
    spread_.emplace(spread_of(plan.design), plan.runs, static_cast<int>(factors), plan.seed);
  }
}

double StudyPoints::coordinate(long run, std::size_t factor) const {
  if (plan_.design != StudyDesign::saltelli) return spread_->coordinate(run, static_cast<int>(factor));
  const std::size_t factors = plan_.factors.size(), kind = at(run) % (factors + 2);
  const bool is_of_B = kind == factors + 1 || kind == factor + 1;
  return spread_->coordinate(run / static_cast<long>(factors + 2),
                             static_cast<int>(is_of_B ? factors + factor : factor));
}

std::size_t StudyPoints::level(long run, std::size_t factor) const {
  const std::size_t levels = plan_.factors[factor].levels();
  if (plan_.design == StudyDesign::list) return at(run);
  if (plan_.design == StudyDesign::grid) return at(run / strides_[factor]) % levels;
  const double u = coordinate(run, factor);
  return std::min(static_cast<std::size_t>(u * static_cast<double>(levels)), levels - 1);
}

double StudyPoints::value(long run, std::size_t factor) const {
  const StudyFactor& varied = plan_.factors[factor];
  if (!varied.distribution) return varied.values[level(run, factor)];
  return quantile_of(*varied.distribution, coordinate(run, factor));
}

}  // namespace mti
