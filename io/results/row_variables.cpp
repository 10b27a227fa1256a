#include "io/results/row_variables.hpp"

namespace mti {

std::string RowVariables::free_name(std::string name, std::string_view kind, const Names& taken) {
  while (taken.contains(name)) name = std::string(kind) + "." + name;
  return name;
}

RowVariables::RowVariables(netcdf::File& file, const std::vector<ResultColumns::Column>& columns,
                           std::size_t chunk, const Names& taken) {
  const int rows = file.add_dimension("row");
  time_ = {file.add_doubles("time", rows, chunk)};
  file.describe(time_.variable, "long_name", "time");
  side_ = {file.add_bytes("side", rows, chunk)};
  file.describe(side_.variable, "long_name",
                "0 at an output time, -1 and 1 at the left and right limits of an event");
  Names names = taken;
  for (const ResultColumns::Column& column : columns)
    if (!taken.contains(column.name)) names.insert(column.name);
  for (const ResultColumns::Column& column : columns) {
    const bool is_free = !taken.contains(column.name);
    const std::string name = is_free ? column.name : free_name(column.name, "signal", names);
    names.insert(name);
    const int variable = file.add_doubles(name, rows, chunk);
    signals_.push_back({variable});
    if (!column.unit.empty()) file.describe(variable, "units", column.unit);
    file.describe(variable, "long_name", column.name);
    if (!column.kind.empty()) file.describe(variable, "kind", column.kind);
  }
}

void RowVariables::reserve(std::size_t rows) {
  time_.values.reserve(rows);
  side_.values.reserve(rows);
  for (auto& signal : signals_) signal.values.reserve(rows);
}

void RowVariables::add(double time, int side, std::span<const double> values) {
  time_.values.push_back(time);
  side_.values.push_back(static_cast<signed char>(side));
  for (std::size_t i = 0; i < signals_.size(); ++i) signals_[i].values.push_back(values[i]);
}

/// Times come last: a row that has one has all the rest.
void RowVariables::flush(netcdf::File& file) {
  for (auto& signal : signals_) signal.flush(file);
  side_.flush(file);
  time_.flush(file);
}

}  // namespace mti
