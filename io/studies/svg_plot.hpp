#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mti {

/// Text as it stands in HTML.
[[nodiscard]] std::string html_text(std::string_view text);

/// First, step and last of at most about seven round numbers within [low, high]: steps are 1, 2 or 5 times a power of ten.
[[nodiscard]] std::vector<double> round_numbers(double low, double high);

/// A small drawing with axes: points of [x_low, x_high] × [y_low, y_high] on a rectangle of pixels. Ranges of no length
/// are widened.
class SvgPlot {
 public:
  using Point = std::pair<double, double>;
  struct Range {
    double low = 0.0, high = 1.0;
  };
  SvgPlot(Range x, Range y, std::string x_label);

  void bar(double x_begin, double x_end, double height);
  void dots(const std::vector<Point>& points);
  void line(const std::vector<Point>& points, std::string_view style);
  void area(const std::vector<Point>& outline, std::string_view style);
  /// A vertical line over the whole height, with what it is as its tooltip.
  void mark(double x, std::string_view title);
  [[nodiscard]] std::string svg(std::string_view description) const;

 private:
  [[nodiscard]] std::string place(const Point& point) const;
  [[nodiscard]] std::string places(const std::vector<Point>& points) const;
  [[nodiscard]] double pixel_x(double x) const;
  [[nodiscard]] double pixel_y(double y) const;

  Range x_, y_;
  std::string x_label_, shapes_;
};

}  // namespace mti
