#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/netcdf/growing_variable.hpp"
#include "io/netcdf/netcdf_file.hpp"
#include "io/results/result_columns.hpp"

namespace mti {

/// Rows in a file of NetCDF: time, side, and one variable for each signal, along a dimension `row` of its own.
class RowVariables {
 public:
  using Names = std::set<std::string, std::less<>>;

  /// `name`, with "KIND." before it as often as it takes to be none of `taken`.
  [[nodiscard]] static std::string free_name(std::string name, std::string_view kind, const Names& taken);

  /// A signal of which the name is one of `taken` is the variable signal.NAME.
  RowVariables(netcdf::File& file, const std::vector<ResultColumns::Column>& columns, std::size_t chunk,
               const Names& taken);

  /// From here on so many rows have their memory.
  void reserve(std::size_t rows);
  /// `values`: by columns.
  void add(double time, int side, std::span<const double> values);
  /// Rows that are not written yet.
  [[nodiscard]] std::size_t waiting() const { return time_.values.size(); }
  void flush(netcdf::File& file);

 private:
  netcdf::GrowingVariable<double> time_;
  netcdf::GrowingVariable<signed char> side_;
  std::vector<netcdf::GrowingVariable<double>> signals_;
};

}  // namespace mti
