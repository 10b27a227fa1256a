#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/netcdf/growing_variable.hpp"
#include "io/netcdf/netcdf_file.hpp"
#include "io/results/result_columns.hpp"
#include "io/results/row_variables.hpp"
#include "mti/model/model.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// Rows and events of a run as a file of NetCDF-4, which can be copied behind each synchronize():
///
///     row      time, side, and one variable for each signal, with units, long_name and kind
///     event    event_time, event_kind, and how many entries it has of each of these:
///     change   change_signal, change_before, change_after: binaries that switch, states that jump
///     impulse  impulse_signal, impulse_weight, impulse_order
///     reached  reached_constraint
///
/// The entries of all events stand one after the other (contiguous ragged arrays of the CF conventions); signals are numbers of
/// rows of S, whose names stand in the attribute flag_meanings.
class NetcdfRows {
 public:
  /// Messages name `shown`.
  NetcdfRows(const std::filesystem::path& path, const std::filesystem::path& shown, const Model& model,
             const std::vector<ResultColumns::Column>& columns);

  void describe(const std::string& name, std::string_view text) { file_.describe(name, text); }
  /// Rows have their memory from the beginning, events of a part have it from here on.
  void make_room(const std::vector<Event>& events);
  void add(double time, int side, std::span<const double> values);
  void add(const Event& event);
  void synchronize();
  void close();

 private:
  template <class Number>
  using Buffer = netcdf::GrowingVariable<Number>;
  struct Table {
    Buffer<int> count, signal;
    std::vector<Buffer<double>> numbers;
  };
  void flush_events();
  [[nodiscard]] Table add_table(const std::string& name, const std::string& index,
                                const std::vector<std::string>& numbers, const std::string& meanings);

  netcdf::File file_;
  std::size_t rows_in_block_;
  std::optional<RowVariables> rows_;  ///< once the file has its first attribute
  int events_ = -1;
  Buffer<double> event_time_;
  Buffer<signed char> event_kind_;
  Table changes_, impulses_, reached_;
};

}  // namespace mti
