#include "io/results/growing_rows.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "io/model/write_model.hpp"
#include "io/netcdf/netcdf_library.hpp"
#include "io/runs/write_summary.hpp"
#include "mti/common/at.hpp"
#include "mti/printing/print.hpp"
#include "solvers/run_options/run_output_times.hpp"

namespace mti {
namespace {

const std::array<std::string, 3> file_names = {"trajectory.csv", "trajectory.nc", "trajectory.mat"};
/// What stands at the beginning of those that mti has written.
constexpr std::array<std::string_view, 3> marks = {"time,side", "written by mti", "Aclass"};

/// Between two files that are shown, and of the time that a run takes, at most a twentieth for them.
constexpr std::chrono::milliseconds least_between_shows{200};
constexpr int part_of_time = 20;

/// Of a large model the file of the model says more.
constexpr int most_equations = 2000;

}  // namespace

void GrowingRows::require(RowFile file) {
  if (file == RowFile::netcdf) static_cast<void>(netcdf::library());
}

const std::string& GrowingRows::name_of(RowFile file) { return file_names[at(static_cast<int>(file))]; }

std::vector<std::string> GrowingRows::others(const std::filesystem::path& directory, RowFile file) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < file_names.size(); ++i)
    if (file_names[i] != name_of(file) && begins_with(directory / file_names[i], marks[i]))
      found.push_back(file_names[i]);
  return found;
}

GrowingRows::GrowingRows(const std::filesystem::path& directory, StagedFiles& files, const Model& model,
                         const SimulationOptions& options, const Trajectory& like,
                         const ResultSelection& selection)
    : files_(files),
      file_(selection.file),
      rows_(ResultColumns(model, like, selection), output_times(options, resolve(model, options)),
            selection.event_rows),
      next_show_(Clock::now() + least_between_shows) {
  const std::vector<ResultColumns::Column>& columns = rows_.columns().list();
  switch (file_) {
    case RowFile::csv:
      files_.append(name_of(file_), csv_header(rows_.columns().names()));
      csv_.emplace(columns.size());
      break;
    case RowFile::mat: {
      const ResolvedOptions resolved = resolve(model, options);
      mat_.emplace(columns, resolved.start, resolved.stop);
      files_.append(name_of(file_), mat_->header());
      break;
    }
    case RowFile::netcdf:
      netcdf_.emplace(files_.begin(name_of(file_)), directory / name_of(file_), model, columns);
      netcdf_->describe("Conventions", "CF-1.8");
      netcdf_->describe("title", model.name);
      if (model.equations() <= most_equations) netcdf_->describe("model", to_json(to_equations(model)));
      break;
  }
}

TextSink GrowingRows::to_file() {
  return [this](std::string_view piece) { files_.append(name_of(file_), piece); };
}

ResultRows::Use GrowingRows::writing() {
  return [this](double time, int side, std::span<const double> values) {
    if (csv_) csv_->add(time, side, values, to_file());
    if (mat_) mat_->add(time, values, to_file());
    if (netcdf_) netcdf_->add(time, side, values);
  };
}

void GrowingRows::flush() {
  if (csv_) csv_->flush(to_file());
  if (mat_) mat_->flush(to_file());
}

void GrowingRows::add(const Trajectory& part) {
  if (netcdf_) netcdf_->make_room(part.events);
  rows_.add(part, writing());
  if (netcdf_)
    for (const Event& event : part.events) netcdf_->add(event);
  flush();
}

bool GrowingRows::is_to_be_shown() const { return netcdf_ && Clock::now() >= next_show_; }

void GrowingRows::show(std::span<const std::string> superseded) {
  const Clock::time_point begin = Clock::now();
  netcdf_->synchronize();
  was_shown_ = files_.show(name_of(file_), superseded) || was_shown_;
  const Clock::time_point end = Clock::now();
  next_show_ = end + std::max<Clock::duration>(least_between_shows, part_of_time * (end - begin));
}

void GrowingRows::end(const Trajectory& run) {
  rows_.end(writing());
  flush();
  if (mat_) files_.overwrite(name_of(file_), mat_->place_of_count(), mat_->count());
  if (!netcdf_) return;
  netcdf_->describe("outcome", to_string(run.outcome.kind));
  netcdf_->describe("message", run.outcome.message);
  netcdf_->close();
}

}  // namespace mti
