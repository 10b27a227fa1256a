#pragma once

#include <cstddef>
#include <vector>

namespace mti {

/// Some points of a signal of any length, gathered as they come: of every window of the run the first, the least and
/// the greatest value and both sides of the greatest jump.
///
/// Windows are stretches of as many rows, which grow with the run, and stretches of as much time: the ones show what
/// happens within many events, the others what happens between them. So every extreme of a window is kept, and every
/// jump that is alone in one.
class ThinnedSeries {
 public:
  struct Point {
    std::size_t row = 0;  ///< of the run
    double time = 0.0;
    int side = 0;
    double value = 0.0;
  };
  /// Keeps at most `most_points` points and one, of a run from `start` to `stop`.
  ThinnedSeries(std::size_t most_points, double start, double stop);

  void add(const Point& point);
  /// What is kept, by row, with the last point.
  [[nodiscard]] std::vector<Point> points() const;

 private:
  struct Window {
    bool empty = true;
    Point first = {}, least = {}, greatest = {};
    double jump = 0.0;  ///< |value after − value before| of the greatest
    Point before = {}, after = {};

    void take(const Point& point);
    void take_jump(const Point& left, const Point& right);
    void merge(const Window& later);
  };
  [[nodiscard]] Window& by_time(double time);

  double start_, stop_;
  std::vector<Window> row_windows_, time_windows_;
  std::size_t most_windows_;
  std::size_t length_ = 1;  ///< rows of a window
  std::size_t count_ = 0;
  Point last_;
};

}  // namespace mti
