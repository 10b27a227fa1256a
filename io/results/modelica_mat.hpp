#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/results/csv_rows.hpp"
#include "io/results/result_columns.hpp"

namespace mti {

/// A MAT file of level 4 in the layout that tools for Modelica write and read (Aclass = Atrajectory, 1.1, binTrans): the
/// matrices name, description, dataInfo, data_1 (start and stop) and data_2, one column for each row of the run. At events
/// two of them have the same time.
///
/// dataInfo has four numbers for each name: the matrix (0 for the time, 2), the row there from 1 on, 0 (linear), −1 (nothing
/// is known outside).
class ModelicaMat {
 public:
  ModelicaMat(const std::vector<ResultColumns::Column>& columns, double start, double stop);

  /// All up to the first row, with room for their number.
  [[nodiscard]] const std::string& header() const noexcept { return header_; }
  void add(double time, std::span<const double> values, const TextSink& sink);
  void flush(const TextSink& sink);
  /// The number of rows up to here, which belongs at this place of the file.
  [[nodiscard]] std::string count() const;
  [[nodiscard]] std::size_t place_of_count() const noexcept { return place_of_count_; }

 private:
  std::string header_, bytes_;
  std::size_t place_of_count_ = 0;
  std::int32_t rows_ = 0;
};

}  // namespace mti
