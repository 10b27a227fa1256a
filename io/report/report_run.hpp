#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "io/report/report.hpp"
#include "io/report/report_columns.hpp"
#include "io/report/report_constraints.hpp"
#include "io/report/report_events.hpp"
#include "io/report/report_rows.hpp"
#include "io/report/thinned_series.hpp"
#include "mti/model/model.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// What a page keeps of a run, gathered while its rows and events come, in bounded memory.
///
/// A run of no more than 50,000 values is kept whole. Of a longer one the page has a limited number of signals, lanes
/// and constraints, each thinned (ThinnedSeries) to 4,000 points or fewer, about 30,000 in all.
class ReportRun {
 public:
  /// Of rows like those of `like`, from `start` to `stop`. `model` outlives it.
  ReportRun(const Model& model, const Trajectory& like, double start, double stop);

  /// The rows and events of a part of the run.
  void add(const Trajectory& part);

  /// Binary columns count among the thinned ones if some of their changes are left out.
  [[nodiscard]] ReportColumns columns() const;
  /// "events", "time", "side", "values", "constraints": members of a JSON object (io/report/report_data.hpp).
  [[nodiscard]] std::string members() const;

 private:
  [[nodiscard]] std::size_t channels() const { return columns_.shown.size() + constraints_.shown.size(); }
  [[nodiscard]] bool is_thinned() const noexcept { return !series_.empty(); }
  void evaluate(const Trajectory& part, std::size_t row);
  void begin_to_thin();
  void thin(double time, int side, std::span<const double> values);
  void append_whole(std::string& text) const;
  void append_thinned(std::string& text) const;

  const Model& model_;
  double start_, stop_;
  ReportRows rows_;
  RowMap g_;
  ReportColumns columns_;
  ReportConstraints constraints_;
  ReportEvents events_;
  std::size_t count_ = 0;              ///< rows so far
  std::vector<double> time_, side_;    ///< of the rows of a run that is kept whole
  std::vector<double> whole_;          ///< channels of them, row by row
  std::vector<ThinnedSeries> series_;  ///< channels of one that is not
  std::vector<std::size_t> changes_;   ///< of each of them so far
  std::vector<double> before_;         ///< their values at the row before
  std::vector<double> v_, values_;     ///< of the present row: all signals, the channels
};

/// Writes a page as write_report() of io/report/report.hpp does, of a run whose rows and events went into `run`;
/// `trajectory` has the rest.
void write_report(std::ostream& out, const Model& model, const ReportRun& run, const Trajectory& trajectory,
                  const Structure& structure, const SimulationOptions& options, const ReportContext& context);

}  // namespace mti
