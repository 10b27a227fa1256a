#pragma once

#include <string>
#include <utility>
#include <vector>

#include "io/study_plans/study_plan.hpp"
#include "io/study_plans/study_points.hpp"
#include "solvers/sampling/sample_statistics.hpp"

namespace mti {

/// The values of a kept quantity, and the runs that have it, ascending.
struct QuantityColumn {
  std::vector<long> runs;
  std::vector<double> values;
};

/// What the runs say of a quantity (sample_statistics.hpp); nothing but `moments.count` where no run has it.
struct QuantitySummary {
  SampleMoments moments;
  std::vector<std::pair<double, double>> quantiles;  ///< order and value
  /// Of each factor; empty where factors are not independent, by design or in what there is of it.
  std::vector<double> first_order;
  std::vector<double>
      total;  ///< of each factor, with all that it does together with others; of a design that tells it
  std::string
      first_order_note;  ///< why it is left out, or what it is of; empty where all of the design is there
};

/// `made`: how many runs of the plan there are, whether they have the quantity or not.
[[nodiscard]] QuantitySummary summary_of(const StudyPlan& plan, const StudyPoints& points,
                                         const QuantityColumn& column, long made);

/// The value of a factor in each of these runs; of tables their numbers from 0.
[[nodiscard]] std::vector<double> factor_values(const StudyPlan& plan, const StudyPoints& points,
                                                std::size_t factor, const std::vector<long>& runs);

}  // namespace mti
