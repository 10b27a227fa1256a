// The colours of the curves: told apart by people who see no red or no green, and from the ground.
//
// Source: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A physiologically-based model for simulation of
// color vision deficiency", IEEE TVCG 15 (2009) 1291-1298, matrices of severity 1; CIE 1976 L*a*b*, white D65;
// contrast: WCAG 2.1, 1.4.11.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "io/report/report_files.hpp"

namespace mti::test {
namespace report_palette_test {

using Colour = std::array<double, 3>;
using Matrix = std::array<Colour, 3>;

constexpr Matrix usual = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix protanopia = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix deuteranopia = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix to_xyz = {{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};

Colour times(const Matrix& matrix, const Colour& colour) {
  Colour result = {};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) result[i] += matrix[i][k] * colour[k];
  return result;
}

/// Linear light of "#rrggbb".
Colour linear(const std::string& text) {
  Colour colour = {};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = std::stoi(text.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    colour[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return colour;
}

Colour lab(const Colour& colour) {
  const Colour xyz = times(to_xyz, colour), white = {0.9505, 1.0, 1.089};
  Colour f = {};
  for (std::size_t i = 0; i < 3; ++i) {
    const double t = xyz[i] / white[i];
    f[i] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116.0;
  }
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

/// CIE 1976 difference of two colours as they are seen.
double difference(const Matrix& eye, const std::string& a, const std::string& b) {
  const auto seen = [&](const std::string& text) {
    Colour colour = times(eye, linear(text));
    for (double& c : colour) c = std::clamp(c, 0.0, 1.0);
    return lab(colour);
  };
  const Colour p = seen(a), q = seen(b);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

double contrast(const std::string& a, const std::string& b) {
  const double p = times(to_xyz, linear(a))[1] + 0.05, q = times(to_xyz, linear(b))[1] + 0.05;
  return std::max(p, q) / std::min(p, q);
}

/// Values of a variable in report.css: in light, then in dark colours.
std::vector<std::string> values(const std::string& variable) {
  const std::string text(report_file("report.css"));
  const std::regex pattern("--" + variable + ": (#[0-9a-f]{6});");
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

TEST(ReportPalette, ColoursDifferForEveryEyeAndFromTheGround) {
  const std::vector<std::string> grounds = values("card");
  ASSERT_EQ(grounds.size(), 2U);
  for (const std::size_t scheme : {0U, 1U}) {
    std::vector<std::string> colours;
    for (int i = 0; i < 7; ++i) colours.push_back(values("series-" + std::to_string(i)).at(scheme));
    for (std::size_t i = 0; i < colours.size(); ++i) {
      EXPECT_GE(contrast(colours[i], grounds[scheme]), 3.0) << colours[i];
      for (std::size_t k = 0; k < i; ++k)
        for (const Matrix& eye : {usual, protanopia, deuteranopia})
          EXPECT_GE(difference(eye, colours[i], colours[k]), 20.0) << colours[i] << " " << colours[k];
    }
  }
}

/// The measure itself: red and green of equal lightness are one colour to a deuteranope.
TEST(ReportPalette, MeasureKnowsColoursThatAreConfused) {
  EXPECT_GT(difference(usual, "#c08000", "#80a000"), 30.0);
  EXPECT_LT(difference(deuteranopia, "#c08000", "#80a000"), 20.0);
  EXPECT_NEAR(contrast("#000000", "#ffffff"), 21.0, 1e-9);
}

}  // namespace report_palette_test
}  // namespace mti::test
