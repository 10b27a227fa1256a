#include "io/report/thinned_series.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// Points of a window, in windows of both kinds.
constexpr std::size_t points_of_a_window = 5, kinds = 2;

}  // namespace

void ThinnedSeries::Window::take(const Point& point) {
  if (empty) first = least = greatest = point;
  empty = false;
  // What is no number has no place among the others.
  if (point.value < least.value || std::isnan(least.value)) least = point;
  if (point.value > greatest.value || std::isnan(greatest.value)) greatest = point;
}

void ThinnedSeries::Window::take_jump(const Point& left, const Point& right) {
  const double height = std::abs(right.value - left.value);
  if (!(height > jump)) return;
  jump = height;
  before = left;
  after = right;
}

void ThinnedSeries::Window::merge(const Window& later) {
  for (const Point& point : {later.least, later.greatest}) take(point);
  if (later.jump > jump) take_jump(later.before, later.after);
}

ThinnedSeries::ThinnedSeries(std::size_t most_points, double start, double stop)
    : start_(start), stop_(stop) {
  most_windows_ = std::max<std::size_t>(2, most_points / (points_of_a_window * kinds) / 2 * 2);
  row_windows_.reserve(most_windows_);
  time_windows_.resize(most_windows_);
}

ThinnedSeries::Window& ThinnedSeries::by_time(double time) {
  const double part = stop_ > start_ ? (time - start_) / (stop_ - start_) : 0.0;
  const auto last = static_cast<double>(most_windows_ - 1);
  return time_windows_[static_cast<std::size_t>(
      std::clamp(std::floor(part * static_cast<double>(most_windows_)), 0.0, last))];
}

void ThinnedSeries::add(const Point& point) {
  if (count_ % length_ == 0) {
    if (row_windows_.size() == most_windows_) {
      for (std::size_t i = 0; i < most_windows_ / 2; ++i) {
        Window merged = row_windows_[2 * i];
        merged.merge(row_windows_[2 * i + 1]);
        row_windows_[i] = merged;
      }
      row_windows_.resize(most_windows_ / 2);
      length_ *= 2;
    }
    row_windows_.emplace_back();
  }
  for (Window* window : {&row_windows_.back(), &by_time(point.time)}) {
    window->take(point);
    if (count_ > 0 && last_.side < 0 && point.side > 0) window->take_jump(last_, point);
  }
  last_ = point;
  ++count_;
}

std::vector<ThinnedSeries::Point> ThinnedSeries::points() const {
  std::vector<Point> points;
  if (count_ > 0) points.push_back(last_);
  for (const std::vector<Window>* windows : {&row_windows_, &time_windows_})
    for (const Window& window : *windows) {
      if (window.empty) continue;
      points.insert(points.end(), {window.first, window.least, window.greatest});
      if (window.jump > 0.0) points.insert(points.end(), {window.before, window.after});
    }
  std::ranges::sort(points, {}, &Point::row);
  const auto same = [](const Point& a, const Point& b) { return a.row == b.row; };
  points.erase(std::unique(points.begin(), points.end(), same), points.end());
  return points;
}

}  // namespace mti
