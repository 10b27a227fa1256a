#include "tests/program/gallery.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tests/places.hpp"
#include "tests/program/document.hpp"

namespace mti::test {
namespace {

std::string fixed(double number, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, number);
  return text;
}

}  // namespace

std::vector<std::string> gallery_folders() {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "examples"))
    if (std::filesystem::exists(entry.path() / "model.json")) folders.push_back(entry.path().filename());
  std::sort(folders.begin(), folders.end());
  return folders;
}

SimulationRun run_of_example(const std::string& folder, const std::vector<std::string>& options) {
  const std::filesystem::path model = source_dir() / "examples" / folder / "model.json";
  const nlohmann::json experiment = read_json(model).at("experiment");
  SimulationRun run = simulate(model, experiment.at("rtol"), experiment.at("atol"), options);
  EXPECT_EQ(run.status, 0) << run.errors;
  return run;
}

void expect_quantities(const std::string& folder, const std::vector<Quantity>& quantities) {
  std::string table = "| quantity | unit | exact | mti |\n|:--|:--|--:|--:|\n";
  for (const Quantity& q : quantities) {
    EXPECT_NEAR(q.found, q.exact, q.tolerance) << folder << ": " << q.name;
    table += "| " + q.name + " | " + q.unit + " | " + fixed(q.exact, q.decimals) + " | " +
             fixed(q.found, q.decimals) + " |\n";
  }
  Document("examples/" + folder + "/README.md").expect_block("numbers", table);
}

double sign_change(const std::function<double(double)>& f, double left, double right) {
  const bool sign = std::signbit(f(left));
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (left + right);
    (std::signbit(f(middle)) == sign ? left : right) = middle;
  }
  return right;
}

double first_sign_change(const std::function<double(double)>& f, double left, double step) {
  while (std::signbit(f(left)) == std::signbit(f(left + step))) left += step;
  return sign_change(f, left, left + step);
}

}  // namespace mti::test
