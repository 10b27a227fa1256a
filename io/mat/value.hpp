#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "mti/source/source.hpp"

namespace mti::mat {

/// A full matrix, column after column.
struct Matrix {
  int rows = 0, cols = 0;
  std::vector<double> values;
};

struct Value;
using Cell = std::vector<Value>;  ///< n × 1

/// A structure array, n × 1: every element has a value for every field.
struct StructArray {
  std::vector<std::string> fields;
  std::vector<std::vector<Value>> elements;
};

/// What a variable of a .mat file holds. Text is UTF-8; a sparse matrix has its triplets in the order of
/// columns, then rows.
struct Value {
  std::variant<Matrix, TripletSource, std::string, Cell, StructArray> content;
};

using Variables = std::vector<std::pair<std::string, Value>>;

[[nodiscard]] inline Value scalar(double value) { return {Matrix{1, 1, {value}}}; }
[[nodiscard]] inline Value column(std::vector<double> values) {
  const int rows = static_cast<int>(values.size());
  return {Matrix{rows, 1, std::move(values)}};
}
[[nodiscard]] inline Value texts(const std::vector<std::string>& list) {
  Cell cell;
  for (const std::string& text : list) cell.push_back({text});
  return {std::move(cell)};
}

}  // namespace mti::mat
