#pragma once

#include <pybind11/pybind11.h>

#include <span>

#include "mti/common/fault.hpp"

namespace mti::python {

/// [mti.Fault(id, pointer, message, file), …].
[[nodiscard]] pybind11::list fault_list(std::span<const Fault> faults);

}  // namespace mti::python
