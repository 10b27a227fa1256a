#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <span>
#include <vector>

#include "mti/multilinear/cp_map.hpp"

namespace mti::python {

/// Numbers of C++ as a NumPy array that can only be read: no copy. The array keeps `owner`, the Python object that
/// holds the numbers, alive.
template <class T>
[[nodiscard]] pybind11::array view(std::span<const T> numbers, pybind11::handle owner,
                                   std::vector<pybind11::ssize_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<pybind11::ssize_t>(numbers.size())};
  pybind11::array_t<T> array(shape, numbers.data(), owner);
  array.attr("setflags")(pybind11::arg("write") = false);
  return array;
}

/// A matrix as scipy.sparse.csc_array on the memory of `owner`, that can only be read.
[[nodiscard]] pybind11::object sparse_view(const SparseColumns& matrix, pybind11::handle owner);
/// The same of a matrix that nobody else holds.
[[nodiscard]] pybind11::object sparse_array(SparseColumns matrix);

/// Numbers that Python gives, in one row. Throws InvalidOption, id `matrix-size`, for an array of other dimensions.
using Numbers = pybind11::array_t<double, pybind11::array::c_style | pybind11::array::forcecast>;
[[nodiscard]] std::span<const double> row_of(const Numbers& array, const char* name);

}  // namespace mti::python
