#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "io/netcdf/netcdf_file.hpp"

namespace mti::netcdf {

/// A variable to whose end numbers are written when there are some.
template <class Number>
struct GrowingVariable {
  int variable = -1;
  std::size_t written = 0;
  std::vector<Number> values = {};

  void flush(File& file) {
    if (values.empty()) return;
    file.write(variable, written, std::span<const Number>(values));
    written += values.size();
    values.clear();
  }
};

}  // namespace mti::netcdf
