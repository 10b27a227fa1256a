#include "io/report/report_run.hpp"

#include <algorithm>

#include "io/report/report_text.hpp"
#include "mti/common/at.hpp"

namespace mti {
namespace {

using Points = std::vector<ThinnedSeries::Point>;

/// A value takes some 20 bytes of a page; with its row, and its time where no other signal has a point there, up to 50.
constexpr std::size_t most_whole = 50'000, most_thinned_in_all = 30'000, most_points_of_a_curve = 4000;
/// Channels of a run that is thinned, so that each has some hundred points.
constexpr std::size_t most_thinned_signals = 60, most_thinned_lanes = 60, most_thinned_constraints = 20;

/// Of a lane the points where it changes: it is drawn in steps.
Points changes_of(const Points& points) {
  Points changes;
  for (const ThinnedSeries::Point& point : points)
    if (changes.empty() || changes.back().value != point.value) changes.push_back(point);
  return changes;
}

void append_points(std::string& text, bool thinned, const Points& points,
                   const std::vector<std::size_t>& rows) {
  text += thinned ? R"({"thinned":true,"rows":)" : R"({"rows":)";
  append_numbers(text, points.size(), [&](std::size_t i) {
    return static_cast<double>(std::ranges::lower_bound(rows, points[i].row) - rows.begin());
  });
  text += ",\"values\":";
  append_numbers(text, points.size(), [&](std::size_t i) { return points[i].value; });
  text += '}';
}

}  // namespace

ReportRun::ReportRun(const Model& model, const Trajectory& like, double start, double stop)
    : model_(model),
      start_(start),
      stop_(stop),
      rows_(model, like),
      g_(model.g()),
      columns_(report_columns(model, like)),
      constraints_(report_constraints(model, g_, rows_)),
      v_(at(model.signature.size())),
      values_(channels()) {}

void ReportRun::add(const Trajectory& part) {
  events_.add(part.events);
  for (std::size_t row = 0; row < part.size(); ++row) {
    evaluate(part, row);
    if (!is_thinned() && (count_ + 1) * std::max<std::size_t>(1, values_.size()) > most_whole)
      begin_to_thin();
    const double time = part.time(row);
    if (is_thinned()) {
      thin(time, part.side(row), values_);
    } else {
      time_.push_back(time);
      side_.push_back(part.side(row));
      whole_.insert(whole_.end(), values_.begin(), values_.end());
    }
    ++count_;
  }
}

/// The channels at a row: columns, then constraints.
void ReportRun::evaluate(const Trajectory& part, std::size_t row) {
  values_.resize(channels());
  rows_.fill(part, row, v_);
  std::size_t next = 0;
  for (const ReportColumn& column : columns_.shown)
    values_[next++] = column.column >= 0 ? part.value(row, at(column.column))
                                         : v_[at(model_.signature.input_row(column.input))];
  for (const int constraint : constraints_.shown) values_[next++] = g_.value(constraint, v_);
}

/// The channels that the page has from now on, and the rows so far.
void ReportRun::begin_to_thin() {
  const std::size_t width = channels(), rows = count_;
  std::vector<std::size_t> kept;  // channels
  std::size_t signals = 0, lanes = 0;
  std::vector<ReportColumn> shown;
  for (std::size_t i = 0; i < columns_.shown.size(); ++i) {
    const bool lane = columns_.shown[i].held == Held::changes;
    if (lane ? ++lanes > most_thinned_lanes : ++signals > most_thinned_signals) continue;
    kept.push_back(i);
    shown.push_back(columns_.shown[i]);
    if (!lane) shown.back().held = Held::thinned;
  }
  columns_.left_out += columns_.shown.size() - shown.size();
  const std::size_t shown_constraints = std::min(constraints_.shown.size(), most_thinned_constraints);
  for (std::size_t k = 0; k < shown_constraints; ++k) kept.push_back(columns_.shown.size() + k);
  constraints_.left_out += constraints_.shown.size() - shown_constraints;
  constraints_.shown.resize(shown_constraints);
  columns_.thinned = std::min(signals, most_thinned_signals);
  columns_.shown = std::move(shown);

  const std::size_t points =
      std::min(most_points_of_a_curve, most_thinned_in_all / std::max<std::size_t>(1, kept.size()));
  series_.assign(std::max<std::size_t>(1, kept.size()), ThinnedSeries(points, start_, stop_));
  const auto chosen = [&](std::span<const double> all) {
    std::vector<double> values;
    for (const std::size_t channel : kept) values.push_back(all[channel]);
    return values;
  };
  count_ = 0;
  for (; count_ < rows; ++count_)
    thin(time_[count_], static_cast<int>(side_[count_]),
         chosen(std::span(whole_).subspan(count_ * width, width)));
  values_ = chosen(values_);
  time_ = side_ = whole_ = {};
}

void ReportRun::thin(double time, int side, std::span<const double> values) {
  changes_.resize(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    series_[k].add({count_, time, side, values[k]});
    if (k >= before_.size() || before_[k] != values[k]) ++changes_[k];
  }
  before_.assign(values.begin(), values.end());
}

ReportColumns ReportRun::columns() const {
  ReportColumns columns = columns_;
  for (std::size_t k = 0; is_thinned() && k < columns.shown.size(); ++k)
    if (columns.shown[k].held == Held::changes && changes_of(series_[k].points()).size() < changes_[k])
      ++columns.thinned;
  return columns;
}

std::string ReportRun::members() const {
  std::string text = events_.members(model_);
  if (is_thinned())
    append_thinned(text);
  else
    append_whole(text);
  return text;
}

void ReportRun::append_whole(std::string& text) const {
  const std::size_t width = channels();
  const auto channel = [&](std::size_t k) {
    return [this, width, k](std::size_t row) { return whole_[row * width + k]; };
  };
  text += "\"time\":";
  append_numbers(text, count_, [&](std::size_t row) { return time_[row]; });
  text += ",\"side\":";
  append_numbers(text, count_, [&](std::size_t row) { return side_[row]; });
  text += ",\"values\":[";
  std::size_t next = 0;
  for (const ReportColumn& column : columns_.shown) {
    if (next > 0) text += ',';
    append_held(text, column.held, count_, channel(next++));
  }
  text += "],\"constraints\":";
  append_for_script(text, constraints_head(model_, constraints_));
  for (std::size_t k = 0; k < constraints_.shown.size(); ++k) {
    if (k > 0) text += ',';
    append_numbers(text, count_, channel(next++));
  }
  text += "]}";
}

void ReportRun::append_thinned(std::string& text) const {
  std::vector<Points> channels;
  std::vector<ThinnedSeries::Point> all;
  for (std::size_t k = 0; k < series_.size(); ++k) {
    const bool lane = k < columns_.shown.size() && columns_.shown[k].held == Held::changes;
    channels.push_back(lane ? changes_of(series_[k].points()) : series_[k].points());
    all.insert(all.end(), channels.back().begin(), channels.back().end());
  }
  std::ranges::sort(all, {}, &ThinnedSeries::Point::row);
  const auto same = [](const auto& a, const auto& b) { return a.row == b.row; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  std::vector<std::size_t> rows;
  for (const ThinnedSeries::Point& point : all) rows.push_back(point.row);

  text += "\"time\":";
  append_numbers(text, all.size(), [&](std::size_t i) { return all[i].time; });
  text += ",\"side\":";
  append_numbers(text, all.size(), [&](std::size_t i) { return static_cast<double>(all[i].side); });
  text += ",\"values\":[";
  std::size_t next = 0;
  for (const ReportColumn& column : columns_.shown) {
    if (next > 0) text += ',';
    append_points(text, column.held == Held::thinned, channels[next], rows);
    ++next;
  }
  text += "],\"constraints\":";
  append_for_script(text, constraints_head(model_, constraints_));
  for (std::size_t k = 0; k < constraints_.shown.size(); ++k) {
    if (k > 0) text += ',';
    append_points(text, true, channels[next++], rows);
  }
  text += "]}";
}

}  // namespace mti
