#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "solvers/identification/identification.hpp"

namespace mti {

/// Which columns of csv files are what. Each name is a column of every file; the first column is the time.
struct ExperimentColumns {
  std::vector<std::string> states = {}, inputs = {};
  std::vector<std::string> targets =
      {};  ///< ẋ or next(x) as measured, one for each state; none: from the states
  std::vector<std::string> modes = {};  ///< whole numbers from 0 on
};

/// Reads csv files, each an experiment (docs/model-format.md, "csv files").
///
/// Errors: InvalidOption, ids `bad-option`, `bad-name`, `reserved-name`, `duplicate-name` for the names of columns;
/// UnusableFile with every fault that was found and its file: `file-unreadable`, `csv-…` (io/json/csv.hpp), `not-an-index` for
/// modes.
[[nodiscard]] IdentificationData read_experiments(const std::vector<std::filesystem::path>& files,
                                                  const ExperimentColumns& columns);

}  // namespace mti
