#include "python/bindings/arrays.hpp"

#include <memory>
#include <string>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

py::object csc_array(const SparseColumns& matrix, py::handle owner) {
  const auto nonzeros = at(static_cast<int>(matrix.nonZeros()));
  const py::tuple parts =
      py::make_tuple(view<double>({matrix.valuePtr(), nonzeros}, owner),
                     view<int>({matrix.innerIndexPtr(), nonzeros}, owner),
                     view<int>({matrix.outerIndexPtr(), at(static_cast<int>(matrix.cols())) + 1}, owner));
  return py::module_::import("scipy.sparse")
      .attr("csc_array")(parts, py::arg("shape") = py::make_tuple(matrix.rows(), matrix.cols()),
                         py::arg("copy") = false);
}

}  // namespace

py::object sparse_view(const SparseColumns& matrix, py::handle owner) {
  // Rows and columns of a matrix that is still being filled do not lie in one piece.
  return matrix.isCompressed() ? csc_array(matrix, owner) : sparse_array(matrix);
}

py::object sparse_array(SparseColumns matrix) {
  matrix.makeCompressed();
  auto held = std::make_unique<SparseColumns>(std::move(matrix));
  const SparseColumns& place = *held;
  const py::capsule owner(held.release(), [](void* pointer) { delete static_cast<SparseColumns*>(pointer); });
  return csc_array(place, owner);
}

std::span<const double> row_of(const Numbers& array, const char* name) {
  if (array.ndim() != 1)
    throw InvalidOption("matrix-size", "",
                        std::string(name) + ": expected one row of numbers, found an array of " +
                            std::to_string(array.ndim()) + " dimensions");
  return {array.data(), static_cast<std::size_t>(array.size())};
}

}  // namespace mti::python
