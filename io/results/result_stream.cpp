#include "io/results/result_stream.hpp"

#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/files.hpp"
#include "io/json/writer.hpp"
#include "io/report/report_run.hpp"
#include "io/results/csv_rows.hpp"
#include "io/results/growing_rows.hpp"
#include "io/runs/write_events.hpp"
#include "io/runs/write_summary.hpp"
#include "mti/common/fault.hpp"
#include "solvers/structure/sub_problems.hpp"

namespace mti {
namespace {

const std::string events_file = "events.json", derivatives_file = "sensitivity.csv",
                  summary_file = "summary.json", report_file = "report.html";

}  // namespace

struct ResultStream::Parts {
  Parts(const std::filesystem::path& to, const Model& of, SimulationOptions run_options, bool report_wanted,
        ResultSelection selected)
      : directory(to),
        model(of),
        options(std::move(run_options)),
        with_report(report_wanted),
        selection(std::move(selected)),
        files(to, result_files()) {}
  void begin(const Trajectory& part);
  /// Does what writes to files. Where that fails the rows so far are put in their place, as far as they are whole.
  template <class Work>
  void write(const Work& work);
  void keep_rows();
  void show_rows();
  /// Files of an earlier run that would not go with this one.
  [[nodiscard]] std::vector<std::string> superseded() const;
  /// The same as long as this one has no events and no summary.
  [[nodiscard]] std::vector<std::string> superseded_without_end() const;

  std::filesystem::path directory;
  const Model& model;
  SimulationOptions options;
  bool with_report;
  ResultSelection selection;
  StagedFiles files;
  json::Writer events;
  std::optional<GrowingRows> rows;
  std::optional<CsvRows> derivatives;
  std::optional<ReportRun> report;
};

/// The columns are known from the first part on.
void ResultStream::Parts::begin(const Trajectory& part) {
  if (with_report) {
    const ResolvedOptions resolved = resolve(model, options);
    report.emplace(model, part, resolved.start, resolved.stop);
  }
  if (!part.sensitivities.empty()) {
    files.append(derivatives_file, csv_header(part.sensitivities));
    derivatives.emplace(part.sensitivities.width());
  }
  rows.emplace(directory, files, model, options, part, selection);
}

template <class Work>
void ResultStream::Parts::write(const Work& work) {
  try {
    work();
  } catch (const UnusableFile& unwritable) {
    std::vector<Fault> faults = unwritable.faults();
    try {
      keep_rows();
    } catch (const UnusableFile&) {
      throw unwritable;
    }
    faults.back().message += "; " + (directory / GrowingRows::name_of(selection.file)).string() +
                             " holds the rows that were written before, events and summary are left out";
    throw UnusableFile(std::move(faults));
  }
}

void ResultStream::Parts::keep_rows() {
  if (rows == std::nullopt) throw UnusableFile("file-unwritable", "", "there are no rows yet");
  if (selection.file == RowFile::mat) throw UnusableFile("file-unwritable", "", "a part of it is of no use");
  const bool netcdf = selection.file == RowFile::netcdf;
  if (netcdf && !rows->was_shown()) throw UnusableFile("file-unwritable", "", "no file was shown yet");
  rows.reset();
  for (const std::string& name : {events_file, summary_file}) files.drop(name);
  if (netcdf) files.drop(GrowingRows::name_of(selection.file));
  files.publish(superseded_without_end());
}

/// Who reads the rows while the run goes on, or after it was killed, finds nothing of an earlier run beside them. The part is
/// written already: where memory ends here, it does not come again.
void ResultStream::Parts::show_rows() {
  try {
    if (rows->is_to_be_shown()) rows->show(superseded_without_end());
  } catch (const std::bad_alloc&) {
  }
}

std::vector<std::string> ResultStream::Parts::superseded_without_end() const {
  std::vector<std::string> names = superseded();
  for (const std::string& name : {events_file, summary_file}) names.push_back(name);
  return names;
}

std::vector<std::string> ResultStream::Parts::superseded() const {
  std::vector<std::string> names;
  if (begins_with(directory / report_file, R"(name="generator" content="mti")")) names.push_back(report_file);
  if (!derivatives && begins_with(directory / derivatives_file, "time,side,d("))
    names.push_back(derivatives_file);
  if (begins_with(directory / "results.mat", "written by mti")) names.emplace_back("results.mat");
  for (std::string& other : GrowingRows::others(directory, selection.file)) names.push_back(std::move(other));
  return names;
}

ResultStream::ResultStream(const std::filesystem::path& directory, const Model& model,
                           const SimulationOptions& options, WithReport with_report,
                           ResultSelection selection)
    : parts_(std::make_unique<Parts>(directory, model, options, with_report == WithReport::yes,
                                     std::move(selection))) {
  GrowingRows::require(parts_->selection.file);
  parts_->events.begin_array();
}
ResultStream::~ResultStream() = default;

void ResultStream::add(const Trajectory& part) {
  Parts& to = *parts_;
  if (!to.rows) to.begin(part);
  const json::Writer before = to.events;
  try {
    for (const Event& event : part.events)
      write_event(to.events, to.model, event, WithExplanation::yes, part.sensitivities.parameters());
    if (to.report) to.report->add(part);
  } catch (const std::bad_alloc&) {
    to.events = before;
    to.report.reset();  // the part comes again, and rows count for more than the page
    throw;
  }
  to.write([&] {
    to.files.append(events_file, to.events.take());
    to.rows->add(part);
    if (to.derivatives)
      to.derivatives->write_derivatives(
          part, [&](std::string_view piece) { to.files.append(derivatives_file, piece); });
    to.show_rows();
  });
}

std::string ResultStream::report_page(const Trajectory& run, const ReportContext& context) {
  Parts& to = *parts_;
  if (!to.rows) to.begin(run);
  if (!to.report) return {};
  std::ostringstream page;
  write_report(page, to.model, *to.report, run, analyze_structure(to.model), to.options, context);
  return std::move(page).str();
}

void ResultStream::finish(const Trajectory& run, WithReport with_report, const ReportContext& context) {
  finish(run, with_report == WithReport::yes ? report_page(run, context) : std::string());
}

void ResultStream::finish(const Trajectory& run, std::string_view page) {
  Parts& to = *parts_;
  if (!to.rows) to.begin(run);
  to.events.end_array();
  to.write([&] {
    to.rows->end(run);
    to.files.append(events_file, std::move(to.events).finish());
    to.files.append(summary_file, summary_json(to.model, run, to.options));
  });
  to.files.publish(to.superseded());
  // Data comes first: where there is no room for the page, nothing else is lost with it.
  if (page.empty()) return;
  to.files.append(report_file, page);
  to.files.publish();
}

}  // namespace mti
