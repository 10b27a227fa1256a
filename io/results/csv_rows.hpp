#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// Takes one piece of a text after the other.
using TextSink = std::function<void(std::string_view piece)>;

/// "time,side,name…" and the line end: the first line of trajectory.csv.
[[nodiscard]] std::string csv_header(const std::vector<std::string>& names);

/// "time,side,d(x)/d(p)…" of a run with derivatives: the first line of sensitivity.csv. A name with a comma is quoted.
[[nodiscard]] std::string csv_header(const SensitivityTable& table);

/// Writes rows as text, as trajectory_csv() describes it, in pieces of about a megabyte. All memory that it needs it
/// has from the beginning: what has been computed can be written where memory has ended.
class CsvRows {
 public:
  explicit CsvRows(std::size_t columns);
  /// A value that is not finite is an empty cell.
  void add(double time, int side, std::span<const double> values, const TextSink& sink);
  /// What has not been handed on yet.
  void flush(const TextSink& sink);
  /// The derivatives of all rows, those that are undefined being no numbers.
  void write_derivatives(const Trajectory& part, const TextSink& sink);

 private:
  std::string line_, text_;
};

}  // namespace mti
