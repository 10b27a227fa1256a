#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/files/input_files.hpp"
#include "io/files/reach.hpp"
#include "solvers/fitting/fit.hpp"

namespace mti {

/// What is to be estimated from which data (docs/fitting.md).
struct FitPlan {
  std::string name = {};
  FitProblem problem = {};
  FitOptions options = {};
  InputFiles inputs = {};  ///< the plan, its model and all data
};

/// Reads the text of a plan, format "mti-fit", version 1, with its model and its csv files, and builds the model of each
/// experiment to see that all names are there. Paths are relative to `directory`.
///
/// Errors: InvalidModel with every fault that could be found; those of the model with the model's file. Ids: `bad-parameter`,
/// `bad-data`, `bad-option`, `unknown-signal`, `unknown-event`, `unknown-derivative`, `unknown-override`, those of the model and of csv files.
[[nodiscard]] FitPlan read_fit_plan(std::string_view json_text, const std::filesystem::path& directory = {},
                                    Reach reach = Reach::anywhere);
/// The same from a file; "-" is standard input.
[[nodiscard]] FitPlan read_fit_plan_file(const std::filesystem::path& path, Reach reach = Reach::anywhere);

}  // namespace mti
