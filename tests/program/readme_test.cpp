// README.md shows programs, models and what they print: all of it is run here and compared.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "tests/places.hpp"
#include "tests/program/document.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace readme_test {

const std::filesystem::path root = source_dir();
const std::filesystem::path programs = examples_dir();

TEST(Readme, ShowsTheProgramAndItsOutput) {
  Document readme("README.md");
  readme.expect_block("rectifier", read_text(root / "examples/rectifier/run.cpp"));
  readme.expect_block("rectifier output", output_of(programs / "rectifier"));
}

TEST(Readme, ShowsTheModelAndItsOutput) {
  Document readme("README.md");
  const Playground playground;
  readme.expect_block("thermostat", read_text(root / "examples/thermostat/model.json"));
  readme.expect_transcript("thermostat output", playground.path());
}

/// The instant at which `falling` changes its sign on [left, right].
double root_of(const std::function<double(double)>& falling, double left, double right) {
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (left + right);
    (falling(middle) > 0.0 ? left : right) = middle;
  }
  return left;
}

// The rectifier conducts from t = 0 on with C·uC' = (u − uC)/R − uC/load, u = û sin(ωt), uC(0) = 0. With
// k = 1/(R·C) + 1/(load·C) this is uC = û/(R·C·(k² + ω²))·(k sin ωt − ω cos ωt + ω exp(−k·t)). The diode
// blocks when i = (u − uC)/R falls to zero.
TEST(Readme, RectifierBlocksWhenTheClosedFormSaysSo) {
  const double R = 0.5, C = 2e-3, load = 20.0, amplitude = 10.0, omega = 2.0 * std::numbers::pi * 50.0;
  const double k = 1.0 / (R * C) + 1.0 / (load * C);
  const auto current = [&](double t) {
    const double uC = amplitude / (R * C * (k * k + omega * omega)) *
                      (k * std::sin(omega * t) - omega * std::cos(omega * t) + omega * std::exp(-k * t));
    return (amplitude * std::sin(omega * t) - uC) / R;
  };
  const double blocks = root_of(current, 0.002, 0.01);
  const std::string output = output_of(programs / "rectifier");
  double first = -1.0, second = -1.0;
  ASSERT_EQ(std::sscanf(output.c_str(), "t = %lf s: conducts = 1\nt = %lf s: conducts = 0", &first, &second),
            2)
      << output;
  EXPECT_EQ(first, 0.0);
  // Printed with six decimals; the run itself is far more accurate.
  EXPECT_NEAR(second, blocks, 0.6e-6);
  EXPECT_GT(std::abs(second - 0.5 / 50.0 / 2.0), 1e-4) << "not the peak of the source";
}

}  // namespace readme_test
}  // namespace mti::test
