#include "io/identification/read_experiments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "io/files/files.hpp"
#include "io/json/csv.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/common/wording.hpp"
#include "mti/source/declarations.hpp"

namespace mti {
namespace {

/// Names that a model cannot have, before anything is read.
void check_names(const ExperimentColumns& columns) {
  std::vector<Fault> faults;
  std::set<std::string> taken;
  for (const auto* group : {&columns.states, &columns.inputs, &columns.modes})
    for (const std::string& name : *group) {
      if (!is_name(name))
        faults.push_back(
            {"bad-name", "",
             "'" + name + "' is not a name: expected letters, digits and _, with dots between parts"});
      else if (is_reserved(name))
        faults.push_back({"reserved-name", "", "'" + name + "' has a meaning in expressions"});
      else if (!taken.insert(name).second)
        faults.push_back(
            {"duplicate-name", "",
             "column " + name + " is named twice among states, inputs and modes, expected once"});
    }
  if (columns.states.empty()) faults.push_back({"bad-option", "", "states: expected one column at least"});
  if (!columns.targets.empty() && columns.targets.size() != columns.states.size())
    faults.push_back({"bad-option", "",
                      "targets: found " + counted(std::ssize(columns.targets), "column") + ", expected " +
                          std::to_string(columns.states.size()) + ", one for each state"});
  if (!faults.empty()) throw InvalidOption(std::move(faults));
}

/// One file while its columns are taken out of it.
class ExperimentReader {
 public:
  ExperimentReader(const std::filesystem::path& file, std::vector<Fault>& faults)
      : name_(file.string()), text_(read_file(file)), faults_(faults) {}

  /// (T × names), T the number of lines; of no use where there were faults.
  Eigen::MatrixXd read(const std::vector<std::string>& names) {
    Eigen::MatrixXd values(static_cast<Eigen::Index>(time_.size()), 0);
    for (const std::string& name : names) {
      std::vector<Fault> found;
      CsvColumn column = read_csv_column(text_, name_, name, "", found);
      // What is wrong with a line is found again with each column.
      for (Fault& fault : found) {
        fault.file = name_;
        if (std::ranges::find(faults_, fault) == faults_.end()) faults_.push_back(std::move(fault));
      }
      if (!faults_.empty()) continue;
      if (time_.empty()) time_ = std::move(column.time);
      values.conservativeResize(static_cast<Eigen::Index>(time_.size()), values.cols() + 1);
      for (std::size_t k = 0; k < column.value.size(); ++k)
        values(static_cast<Eigen::Index>(k), values.cols() - 1) = column.value[k];
    }
    return values;
  }

  /// The mode of each sample.
  std::vector<std::vector<int>> modes(const std::vector<std::string>& names) {
    const Eigen::MatrixXd values = read(names);
    if (!faults_.empty()) return {};
    std::vector<std::vector<int>> result;
    for (Eigen::Index k = 0; k < values.rows(); ++k) {
      std::vector<int>& mode = result.emplace_back();
      for (Eigen::Index c = 0; c < values.cols(); ++c) {
        const double value = values(k, c);
        if (!(value >= 0.0 && value <= std::numeric_limits<int>::max() && value == std::floor(value))) {
          faults_.push_back({"not-an-index", "",
                             "found " + text::format_number(value) + " in column " + names[at(c)] +
                                 " at t = " + text::format_number(time_[at(k)]) +
                                 ", expected modes as whole numbers from 0 on",
                             name_});
          return {};
        }
        mode.push_back(static_cast<int>(value));
      }
    }
    return result;
  }

  [[nodiscard]] std::vector<double> take_time() { return std::move(time_); }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_, text_;
  std::vector<Fault>& faults_;
  std::vector<double> time_ = {};
};

}  // namespace

IdentificationData read_experiments(const std::vector<std::filesystem::path>& files,
                                    const ExperimentColumns& columns) {
  check_names(columns);
  IdentificationData data{
      .states = columns.states, .inputs = columns.inputs, .mode_columns = columns.modes, .experiments = {}};
  std::vector<Fault> faults;
  for (const std::filesystem::path& file : files) {
    std::vector<Fault> of_file;
    ExperimentReader reader(file, of_file);
    SampledExperiment& experiment = data.experiments.emplace_back();
    experiment.name = reader.name();
    experiment.states = reader.read(columns.states);
    experiment.inputs = reader.read(columns.inputs);
    experiment.targets = reader.read(columns.targets);
    if (columns.targets.empty()) experiment.targets.resize(0, 0);
    if (!columns.modes.empty()) experiment.modes = reader.modes(columns.modes);
    experiment.time = reader.take_time();
    faults.insert(faults.end(), of_file.begin(), of_file.end());
  }
  if (!faults.empty()) throw UnusableFile(std::move(faults));
  return data;
}

}  // namespace mti
