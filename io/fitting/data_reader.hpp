#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/files/input_files.hpp"
#include "io/files/reach.hpp"
#include "io/json/object_reader.hpp"
#include "solvers/fitting/fit_problem.hpp"

namespace mti::json {

/// Reads what was measured in an experiment, and the tables of its inputs:
///
///     "signals": {"T1": {"csv": "run1.csv", "column": "T1", "deviation": 0.1}, "T2": {"time": [...], "value": [...]}}
///     "events": {"rise(heating)": {"time": [2.1, 5.3], "deviation": 0.05}, "reach(c)": {"csv": "events.csv", "column": "t"}}
///     "inputs": {"u": {"csv": "run1.csv", "column": "u"}}
///
/// A column has the name of its signal if there is no other; "weight": w is the deviation 1/√w. Files are read once, relative to
/// `directory`. Faults: `bad-data`, `csv-…`, those of ObjectReader.
class DataReader {
 public:
  /// All outlive it.
  DataReader(std::filesystem::path directory, Reach reach, InputFiles& inputs, std::vector<Fault>& faults)
      : directory_(std::move(directory)), reach_(reach), inputs_(inputs), faults_(faults) {}

  [[nodiscard]] std::vector<MeasuredSignal> signals(ObjectReader& experiment);
  [[nodiscard]] std::vector<MeasuredEvents> events(ObjectReader& experiment);
  struct InputTable {
    std::string input = {};
    std::vector<double> time = {}, value = {};
  };
  [[nodiscard]] std::vector<InputTable> tables(ObjectReader& experiment);

 private:
  struct Columns {
    std::vector<double> time = {}, value = {};
  };
  template <class Read>
  void each_member(ObjectReader& owner, std::string_view key, const Read& read);
  [[nodiscard]] double deviation_of(ObjectReader& data);
  /// From a csv file; nothing where it is not named.
  [[nodiscard]] std::optional<Columns> csv_columns(ObjectReader& data, const std::string& usual_column);
  [[nodiscard]] const std::string* text_of(const std::string& file, const std::string& pointer);

  std::filesystem::path directory_;
  Reach reach_;
  InputFiles& inputs_;
  std::vector<Fault>& faults_;
  std::map<std::string, std::optional<std::string>> texts_ = {};
};

}  // namespace mti::json
