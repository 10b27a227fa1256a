#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/studies/study_summary.hpp"
#include "io/study_plans/study_plan.hpp"
#include "io/study_plans/study_points.hpp"

namespace mti {

/// What the pages of studies have in them, and pages of others do not.
inline constexpr const char* study_pages_mark = R"(name="generator" content="mti study")";

/// The style of the pages of studies.
[[nodiscard]] std::string_view study_page_style();

/// The page of a study, one file without scripts that any browser opens without a network: of each kept quantity a
/// histogram with its quantiles, the part of its variance that each factor explains, and its values over each factor; of values
/// at several times of a signal a fan of quantiles over time; the runs that failed.
class StudyReport {
 public:
  /// Both outlive it.
  StudyReport(const StudyPlan& plan, const StudyPoints& points) : plan_(plan), points_(points) {}

  /// A run that has failed, by its cells; the first hundred are shown.
  void add_failure(std::vector<std::string> cells);
  void add(const KeptQuantity& quantity, const QuantityColumn& column, const QuantitySummary& summary);
  /// `ends`: how runs ended, as a line of text. `explored`: there is a page beside this one to go between the runs.
  [[nodiscard]] std::string html(const std::string& ends, bool explored) const;

 private:
  /// The quantiles of a signal at one time.
  struct FanPoint {
    double time = 0.0;
    std::vector<std::pair<double, double>> quantiles;
  };
  [[nodiscard]] std::string fans() const;
  [[nodiscard]] std::string failure_table() const;

  const StudyPlan& plan_;
  const StudyPoints& points_;
  std::string sections_;
  std::vector<std::pair<std::string, std::vector<FanPoint>>> fans_;  ///< by signal
  std::vector<std::vector<std::string>> failures_;
  long failure_count_ = 0;
};

}  // namespace mti
