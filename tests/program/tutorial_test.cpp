// docs/tutorial.md: every file, command and output of the page is compared with what there is and what is
// printed, and the numbers with those of the circuit itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numbers>

#include "tests/places.hpp"
#include "tests/program/document.hpp"
#include "tests/program/program_run.hpp"
#include "tests/program/simulation_run.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace tutorial_test {

namespace fs = std::filesystem;

const fs::path files = source_dir() / "docs/tutorial";
const double R = 2.0, load = 20.0, amplitude = 10.0, omega = 2.0 * std::numbers::pi * 50.0;

/// The folder in which the reader of the page works.
class Folder {
 public:
  Folder() { fs::copy(files, directory_.path(), fs::copy_options::recursive); }
  [[nodiscard]] const fs::path& path() const { return directory_.path(); }
  [[nodiscard]] std::string output(const std::string& command) const {
    return output_of("mti() { '" + program_file().string() + "' \"$@\"; }; cd '" + path().string() + "' && " +
                     command);
  }

 private:
  TemporaryDirectory directory_;
};

template <class... Numbers>
std::string formatted(const char* format, Numbers... numbers) {
  char text[200];
  std::snprintf(text, sizeof text, format, numbers...);
  return text;
}

/// The lowest and highest uC of the last period before `stop`, n branches with C·uC' = Σ max(0, (u_k − uC)/R) −
/// uC/load and u_k = û sin(ωt − 2π(k − 1)/n), by the classical method of Runge and Kutta.
std::pair<double, double> ripple(int n, double C, double stop) {
  const auto slope = [&](double t, double uC) {
    double i = 0.0;
    for (int k = 0; k < n; ++k)
      i += std::max(0.0, (amplitude * std::sin(omega * t - 2.0 * std::numbers::pi * k / n) - uC) / R);
    return (i - uC / load) / C;
  };
  const double h = 2e-6;
  const long steps = std::lround(stop / h), last_period = steps - std::lround(0.02 / h);
  double uC = 0.0, low = amplitude, high = 0.0;
  for (long k = 0; k <= steps; ++k) {
    if (k >= last_period) low = std::min(low, uC), high = std::max(high, uC);
    const double t = static_cast<double>(k) * h, k1 = slope(t, uC), k2 = slope(t + h / 2, uC + h / 2 * k1),
                 k3 = slope(t + h / 2, uC + h / 2 * k2), k4 = slope(t + h, uC + h * k3);
    uC += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return {low, high};
}

/// From uC(0) = 0 on the diode conducts: C·uC' = (u − uC)/R − uC/load.
double conducting_voltage(double t) {
  const double C = 1e-3, k = 1.0 / (R * C) + 1.0 / (load * C);
  return amplitude / (R * C * (k * k + omega * omega)) *
         (k * std::sin(omega * t) - omega * std::cos(omega * t) + omega * std::exp(-k * t));
}

/// Where i = (u − uC)/R first falls to zero.
double first_blocking() {
  double left = 0.003, right = 0.01;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (left + right);
    (amplitude * std::sin(omega * middle) > conducting_voltage(middle) ? left : right) = middle;
  }
  return left;
}

void expect_voltages(const std::string& printed, const char* format, std::pair<double, double> expected,
                     double tolerance) {
  double low = 0.0, high = 0.0;
  ASSERT_EQ(std::sscanf(printed.c_str(), format, &low, &high), 2) << printed;
  EXPECT_NEAR(low, expected.first, tolerance) << printed;
  EXPECT_NEAR(high, expected.second, tolerance) << printed;
}

TEST(Tutorial, ShowsItsFiles) {
  Document page("docs/tutorial.md");
  for (const char* name : {"charging", "rectifier", "branch", "phases"})
    page.expect_block(name, read_text(files / (std::string(name) + ".json")));
  for (const char* name : {"events.py", "plot.gp", "ripple.py"})
    page.expect_block(name, read_text(files / name));
  std::string lines;
  bool shown = false;
  for (const std::string& line : lines_of(read_text(files / "typing.json"))) {
    shown = (shown || line.find("\"equations\"") != std::string::npos) &&
            line.find("\"experiment\"") == std::string::npos;
    if (shown) lines += line + "\n";
  }
  page.expect_block("typing lines", lines);
}

TEST(Tutorial, ShowsWhatItsCommandsPrint) {
  Document page("docs/tutorial.md");
  const Folder folder;
  for (const char* marker : {"charging run", "charging end", "charging set", "rectifier run",
                             "rectifier events", "rectifier ripple", "phases run", "analyze", "explain"})
    page.expect_transcript(marker, folder.path());
}

TEST(Tutorial, ShowsTheMessagesOfWrongModels) {
  Document page("docs/tutorial.md");
  const Folder folder;
  for (const std::string name : {"typing", "forgotten", "sign"}) {
    const ProgramResult result = run_program({"check", name + ".json"}, folder.path());
    EXPECT_EQ(result.status, 2) << name;
    page.expect_block(name + " check", "$ mti check " + name + ".json\n" + result.err + result.out);
  }
}

// "four faults", of which a line each; the twin without faults has none.
TEST(Tutorial, EveryFaultIsReportedOnce) {
  const Folder folder;
  EXPECT_EQ(lines_of(run_program({"check", "typing.json"}, folder.path()).err).size(), 4U);
  const ProgramResult twin = run_program({"check", "rectifier.json"}, folder.path());
  EXPECT_EQ(twin.status, 0);
  EXPECT_EQ(twin.err, "");
}

TEST(Tutorial, CapacitorChargesAsOnPaper) {
  const SimulationRun run = simulate(files / "charging.json", 1e-8, 1e-8);
  const double parallel = R * load / (R + load), final = amplitude * load / (R + load);
  const auto exact = [&](double t) { return final * (1.0 - std::exp(-t / (parallel * 1e-3))); };
  for (const SimulationRun::Row& row : run.rows)
    ASSERT_NEAR(run.value(row, "uC"), exact(row.time), 1e-6) << row.time;
  const Document page("docs/tutorial.md");
  EXPECT_NE(page.block("charging end").find(formatted("uC = %.4f V\n", exact(0.01))), std::string::npos);
  EXPECT_NE(page.text().find(formatted("= %.4f\\,\\text{V}", exact(0.01))), std::string::npos);
  EXPECT_NE(page.block("charging set").find("uC = 5.0000 V\n"), std::string::npos);
}

TEST(Tutorial, RectifierSwitchesWhenTheClosedFormSaysSo) {
  const Document page("docs/tutorial.md");
  const double blocks = first_blocking();
  EXPECT_NE(page.block("rectifier events").find(formatted("t = %.6f  switch: conducts 1 -> 0\n", blocks)),
            std::string::npos);
  // Until u = uC again the capacitor feeds the load: uC = uC(t₀) exp(−(t − t₀)/(load·C)).
  double left = 0.02, right = 0.025;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (left + right),
                 uC = conducting_voltage(blocks) * std::exp(-(middle - blocks) / (load * 1e-3));
    (uC > amplitude * std::sin(omega * middle) ? left : right) = middle;
  }
  EXPECT_NE(page.block("rectifier events").find(formatted("t = %.6f  switch: conducts 0 -> 1\n", left)),
            std::string::npos);
}

TEST(Tutorial, RippleIsThatOfTheCircuit) {
  const Document page("docs/tutorial.md");
  const char* const format = "uC between %lf V and %lf V";
  // Printed with three digits; between output times 0.2 ms apart an extremum of curvature |uC''| < 1e6 V/s²
  // is missed by less than 1e6·(0.1e-3)²/2 V.
  const double tolerance = 0.5e-3 + 5e-3;
  const std::string one = page.block("rectifier ripple"), all = page.block("phases run");
  expect_voltages(one.substr(one.find("uC between")), format, ripple(1, 1e-3, 0.1), tolerance);
  std::size_t at = 0;
  for (const int n : {1, 3, 6}) {
    at = all.find("uC between", at + 1);
    ASSERT_NE(at, std::string::npos);
    expect_voltages(all.substr(at), format, ripple(n, 1e-3, 0.1), tolerance);
  }
}

TEST(Tutorial, ToleranceMovesTheEventToItsPlace) {
  const double exact = first_blocking();
  std::string table = "| rtol = atol | the diode first blocks at / s | error / s |\n|--:|--:|--:|\n";
  // g = −i is off by the error of uC over R, and falls with |Dg| = 767 A/s.
  const double slope = 767.0, per_step = amplitude / R / slope;
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    const SimulationRun run = simulate(files / "rectifier.json", tolerance, tolerance, {"--stop", "0.01"});
    const double time = run.events.at(1).at("time"), error = std::abs(time - exact);
    EXPECT_LE(error, 20.0 * tolerance * per_step) << tolerance;
    table += formatted("| %.0e | %.10f | %.0e |\n", tolerance, time, error);
  }
  table += formatted("| exact | %.10f | |\n", exact);
  Document("docs/tutorial.md").expect_block("tolerances", table);
}

// D(−i) = −(u' − uC')/R with uC' = −uC/(load·C) where i = 0.
TEST(Tutorial, ReasonsHaveTheSlopesOfTheClosedForm) {
  const double t = first_blocking(), uC = conducting_voltage(t);
  const double slope = -(amplitude * omega * std::cos(omega * t) + uC / (load * 1e-3)) / R;
  const Document page("docs/tutorial.md");
  EXPECT_NE(page.block("explain").find(formatted("no_reverse_current 0 %.3g ", slope)), std::string::npos)
      << slope;
  EXPECT_NE(page.text().find(formatted("rises at %.0f A/s", slope)), std::string::npos) << slope;
}

TEST(Tutorial, ShowsTheProgramAndItsOutput) {
  Document page("docs/tutorial.md");
  page.expect_block("program", read_text(source_dir() / "examples/tutorial/run.cpp"));
  const std::string output = output_of(examples_dir() / "tutorial");
  page.expect_block("program output", output);
  std::size_t at = 0;
  for (const double C : {1e-3, 2e-3, 4e-3}) {
    at = output.find(" F: ", at + 1);
    ASSERT_NE(at, std::string::npos) << output;
    // Rows 0.1 ms apart; see above.
    expect_voltages(output.substr(at), " F: %lf V to %lf V", ripple(1, C, 0.4), 1.3e-3);
  }
}

TEST(Tutorial, DrawsTheRun) {
  if (std::system("command -v gnuplot > /dev/null") != 0) GTEST_SKIP() << "needs gnuplot";
  const Folder folder;
  fs::remove(folder.path() / "rectifier.svg");
  (void)folder.output("mti simulate rectifier.json --no-report --quiet --out out/rectifier");
  (void)folder.output("gnuplot plot.gp 2>&1");
  const std::string drawn = read_text(folder.path() / "rectifier.svg");
  const std::string shown = read_text(files / "rectifier.svg");
  for (const std::string curve : {">uC<", ">i<", ">conducts<"}) {
    EXPECT_NE(drawn.find(curve), std::string::npos) << curve;
    EXPECT_NE(shown.find(curve), std::string::npos) << curve;
  }
}

}  // namespace tutorial_test
}  // namespace mti::test
