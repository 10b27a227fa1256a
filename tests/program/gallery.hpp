#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/program/simulation_run.hpp"

namespace mti::test {

/// Folders of examples/ that hold a model.json, in the order of their names.
[[nodiscard]] std::vector<std::string> gallery_folders();

/// The run of examples/FOLDER/model.json at the tolerances of its experiment; fails if it ends early.
[[nodiscard]] SimulationRun run_of_example(const std::string& folder,
                                           const std::vector<std::string>& options = {});

/// A number of a README: what an oracle says and what the program found.
struct Quantity {
  std::string name, unit;
  double exact, found;
  int decimals;  ///< that are shown
  double tolerance;
};

/// Fails where a quantity is off by more than its tolerance, and where the block `numbers` of
/// examples/FOLDER/README.md is not the table of all of them. MTI_REWRITE_DOCS=1 writes the table.
void expect_quantities(const std::string& folder, const std::vector<Quantity>& quantities);

/// The instant in (left, right] at which f changes its sign, for f that does so once.
[[nodiscard]] double sign_change(const std::function<double(double)>& f, double left, double right);

/// The same for the first of several changes that are further apart than `step`.
[[nodiscard]] double first_sign_change(const std::function<double(double)>& f, double left, double step);

}  // namespace mti::test
