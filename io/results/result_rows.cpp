#include "io/results/result_rows.hpp"

#include <utility>

namespace mti {

ResultRows::ResultRows(ResultColumns columns, OutputTimes times, bool event_rows)
    : columns_(std::move(columns)),
      times_(std::move(times)),
      event_rows_(event_rows),
      values_(columns_.list().size()) {}

/// Events come between output times as they like; the row of one that happens at such a time has taken its place.
std::optional<double> ResultRows::output_time(double time, int side) {
  if (side < 0) return std::nullopt;
  if (waits_ && time == time_) return shown_;
  if (side > 0 && !times_.coincide(times_.next(), time)) return std::nullopt;
  double found = time;
  while (times_.next() <= time || times_.coincide(times_.next(), time)) {
    if (times_.coincide(times_.next(), time)) found = times_.next();
    times_.advance();
  }
  return found;
}

void ResultRows::add(const Trajectory& part, const Use& use) {
  for (std::size_t row = 0; row < part.size(); ++row) {
    const double time = part.time(row);
    if (event_rows_) {
      columns_.read(part, row, values_);
      use(time, part.side(row), values_);
      continue;
    }
    if (waits_ && time != time_) end(use);
    const std::optional<double> shown = output_time(time, part.side(row));
    if (!shown) continue;
    columns_.read(part, row, values_);
    waits_ = true;
    time_ = time;
    shown_ = *shown;
  }
}

void ResultRows::end(const Use& use) {
  if (std::exchange(waits_, false)) use(shown_, 0, values_);
}

}  // namespace mti
