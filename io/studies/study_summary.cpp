#include "io/studies/study_summary.hpp"

#include <algorithm>

#include "mti/common/at.hpp"

namespace mti {

std::vector<double> factor_values(const StudyPlan& plan, const StudyPoints& points, std::size_t factor,
                                  const std::vector<long>& runs) {
  std::vector<double> values;
  values.reserve(runs.size());
  for (const long run : runs)
    values.push_back(plan.factors[factor].tables.empty() ? points.value(run, factor)
                                                         : static_cast<double>(points.level(run, factor)));
  return values;
}

QuantitySummary summary_of(const StudyPlan& plan, const StudyPoints& points, const QuantityColumn& column) {
  QuantitySummary summary;
  if (column.values.empty()) return summary;
  summary.moments = moments_of(column.values);
  std::vector<double> sorted = column.values;
  std::ranges::sort(sorted);
  for (const double p : plan.quantiles) summary.quantiles.emplace_back(p, sample_quantile(sorted, p));
  // Only where factors are independent by design is their influence told apart.
  if (plan.design == StudyDesign::list) return summary;
  const bool whole_grid = plan.design == StudyDesign::grid && column.runs.size() == at(plan.runs);
  constexpr std::size_t two_groups = 4;  // of √n neighbours
  if (!whole_grid && column.runs.size() < two_groups) return summary;
  const Sample sample = whole_grid                          ? Sample::all_combinations
                        : plan.design == StudyDesign::sobol ? Sample::low_discrepancy
                                                            : Sample::random;
  for (std::size_t j = 0; j < plan.factors.size(); ++j)
    summary.first_order.push_back(
        first_order_index(factor_values(plan, points, j, column.runs), column.values, sample));
  return summary;
}

}  // namespace mti
