#include "io/studies/study_summary.hpp"

#include <algorithm>

#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"
#include "solvers/sampling/total_effects.hpp"

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

namespace {

/// Of the blocks of a design of Saltelli's of which all runs have the quantity.
void add_effects(QuantitySummary& summary, const StudyPlan& plan, const QuantityColumn& column) {
  const std::size_t block = plan.factors.size() + 2;
  std::vector<double> values;
  for (std::size_t k = 0; k + block <= column.runs.size();) {
    const bool is_whole =
        at(column.runs[k]) % block == 0 && at(column.runs[k + block - 1] - column.runs[k]) == block - 1;
    if (is_whole)
      values.insert(values.end(), column.values.begin() + static_cast<std::ptrdiff_t>(k),
                    column.values.begin() + static_cast<std::ptrdiff_t>(k + block));
    k += is_whole ? block : 1;
  }
  if (values.size() < 2 * block) return;
  Effects effects = effects_of(values, static_cast<int>(plan.factors.size()));
  summary.first_order = std::move(effects.first_order);
  summary.total = std::move(effects.total);
}

}  // namespace

QuantitySummary summary_of(const StudyPlan& plan, const StudyPoints& points, const QuantityColumn& column,
                           long made) {
  QuantitySummary summary;
  if (column.values.empty()) return summary;
  summary.moments = moments_of(column.values);
  std::vector<double> sorted = column.values;
  std::ranges::sort(sorted);
  for (const double p : plan.quantiles) summary.quantiles.emplace_back(p, sample_quantile(sorted, p));
  // Only where factors are independent by design is their influence told apart.
  if (plan.design == StudyDesign::list) return summary;
  const auto had = static_cast<long>(column.runs.size());
  const auto of_all = [&plan](long number) {
    return std::to_string(number) + " of " + counted(plan.runs, "run");
  };
  // Independent draws are so in each part of them that does not look at what came of it. Points that are spread together are
  // not: of Sobol's every second one lies in one half of each factor, of a grid every n-th one may have one level.
  if (had < plan.runs && plan.design == StudyDesign::grid) {
    summary.first_order_note =
        "left out: " + of_all(had) + " have it, and factors are independent in whole grids only";
    return summary;
  }
  if (made < plan.runs && plan.design != StudyDesign::random) {
    summary.first_order_note =
        "left out: " + of_all(made) + " are there, and their points are spread together";
    return summary;
  }
  constexpr long two_groups = 4;  // of √n neighbours
  if (plan.design != StudyDesign::grid && had < two_groups) return summary;
  if (had < made)
    summary.first_order_note = "of " + std::to_string(had) + " of " + counted(made, "run") +
                               ": factors may not be independent where the others have no value";
  if (plan.design == StudyDesign::saltelli) {
    add_effects(summary, plan, column);
    return summary;
  }
  const Sample sample = plan.design == StudyDesign::grid    ? Sample::all_combinations
                        : plan.design == StudyDesign::sobol ? Sample::low_discrepancy
                                                            : Sample::random;
  for (std::size_t j = 0; j < plan.factors.size(); ++j)
    summary.first_order.push_back(
        first_order_index(factor_values(plan, points, j, column.runs), column.values, sample));
  return summary;
}

}  // namespace mti
