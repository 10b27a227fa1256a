#include "io/studies/svg_plot.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/number.hpp"

namespace mti {
namespace {

constexpr double plot_width = 320, plot_height = 190, left = 52, right = 10, top = 8, bottom = 38;

/// A tenth of a pixel is enough.
std::string pixels(double value) { return text::format_number(std::round(value * 10) / 10); }

/// Numbers that agree in nine digits are one: nothing but rounding could be seen between them.
SvgPlot::Range widened(SvgPlot::Range range) {
  constexpr double same = 1e-9;
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (range.high - range.low > same * size) return range;
  const double margin = size == 0.0 ? 1.0 : 0.05 * size;
  return {range.low - margin, range.high + margin};
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string html;
  for (const char c : text) {
    if (c == '&')
      html += "&amp;";
    else if (c == '<')
      html += "&lt;";
    else if (c == '>')
      html += "&gt;";
    else if (c == '"')
      html += "&quot;";
    else
      html += c;
  }
  return html;
}

std::vector<double> round_numbers(double low, double high) {
  constexpr double most = 7;
  const double coarse = (high - low) / most;
  if (!(coarse > 0.0) || !std::isfinite(coarse)) return {low};
  double step = std::pow(10.0, std::floor(std::log10(coarse)));
  for (const double factor : {2.0, 2.5, 2.0})  // 2, 5, 10 times the power of ten
    if (step < coarse) step *= factor;
  const double first = std::ceil(low / step);
  std::vector<double> numbers;
  // Counted, for a range of a few roundings has whole numbers of steps that cannot be told apart.
  for (int i = 0; i <= static_cast<int>(most) && (first + i) * step <= high; ++i)
    numbers.push_back(first + i == 0.0 ? 0.0 : (first + i) * step);
  return numbers;
}

SvgPlot::SvgPlot(Range x, Range y, std::string x_label)
    : x_(widened(x)), y_(widened(y)), x_label_(std::move(x_label)) {}

double SvgPlot::pixel_x(double x) const {
  return left + (x - x_.low) / (x_.high - x_.low) * (plot_width - left - right);
}

double SvgPlot::pixel_y(double y) const {
  return plot_height - bottom - (y - y_.low) / (y_.high - y_.low) * (plot_height - top - bottom);
}

std::string SvgPlot::place(const Point& point) const {
  return pixels(pixel_x(point.first)) + ',' + pixels(pixel_y(point.second));
}

std::string SvgPlot::places(const std::vector<Point>& points) const {
  std::string text;
  for (const Point& point : points) text += (text.empty() ? "" : " ") + place(point);
  return text;
}

void SvgPlot::bar(double x_begin, double x_end, double height) {
  const double begin = pixel_x(x_begin), end = pixel_x(x_end), upper = pixel_y(height);
  shapes_ += R"(<rect class="bar" x=")" + pixels(begin) + R"(" y=")" + pixels(upper) + R"(" width=")" +
             pixels(std::max(end - begin - 1.0, 1.0)) + R"(" height=")" + pixels(pixel_y(y_.low) - upper) +
             R"("><title>)" + html_text(text::format_number(x_begin, 6)) + " to " +
             html_text(text::format_number(x_end, 6)) + ": " + text::format_number(height, 6) +
             "</title></rect>";
}

void SvgPlot::dots(const std::vector<Point>& points) {
  // One path for all of them: a stroke of no length with round ends is a dot.
  shapes_ += R"(<path class="dots" d=")";
  for (const Point& point : points) shapes_ += "M" + place(point) + "h0";
  shapes_ += R"("/>)";
}

void SvgPlot::line(const std::vector<Point>& points, std::string_view style) {
  shapes_ += R"(<polyline class=")" + std::string(style) + R"(" points=")" + places(points) + R"("/>)";
}

void SvgPlot::area(const std::vector<Point>& outline, std::string_view style) {
  shapes_ += R"(<polygon class=")" + std::string(style) + R"(" points=")" + places(outline) + R"("/>)";
}

void SvgPlot::mark(double x, std::string_view title) {
  shapes_ += R"(<path class="mark" d="M)" + place({x, y_.low}) + "V" + pixels(top) + R"("><title>)" +
             html_text(title) + "</title></path>";
}

std::string SvgPlot::svg(std::string_view description) const {
  std::string text = R"(<svg viewBox="0 0 )" + pixels(plot_width) + ' ' + pixels(plot_height) +
                     R"(" role="img" aria-label=")" + html_text(description) + R"(">)";
  for (const double x : round_numbers(x_.low, x_.high))
    text += R"(<path class="grid" d="M)" + place({x, y_.low}) + "V" + pixels(top) +
            R"("/><text class="x" x=")" + pixels(pixel_x(x)) + R"(" y=")" +
            pixels(plot_height - bottom + 14) + R"(">)" + text::format_number(x, 6) + "</text>";
  for (const double y : round_numbers(y_.low, y_.high))
    text += R"(<path class="grid" d="M)" + place({x_.low, y}) + "H" + pixels(plot_width - right) +
            R"("/><text class="y" x=")" + pixels(left - 5) + R"(" y=")" + pixels(pixel_y(y) + 4) + R"(">)" +
            text::format_number(y, 6) + "</text>";
  return text + shapes_ + R"(<text class="label" x=")" + pixels((left + plot_width - right) / 2) +
         R"(" y=")" + pixels(plot_height - 6) + R"(">)" + html_text(x_label_) + "</text></svg>";
}

}  // namespace mti
