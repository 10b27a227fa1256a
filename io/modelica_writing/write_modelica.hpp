#pragma once

#include <string>

#include "mti/source/source.hpp"

namespace mti {

/// The model as flat Modelica that any tool can read and read_modelica() reads back (docs/modelica.md). Matrices are written
/// as the equations that they are.
///
/// Errors: InvalidModel, id `modelica-unwritable`, naming what has no meaning in Modelica: laws that are no resets, functions
/// that it has not, models of discrete time.
[[nodiscard]] std::string to_modelica(const Source& source);
/// Of a model that reduced_index() has made of `written`, whose equations say what decides the binaries.
[[nodiscard]] std::string to_modelica(const Source& source, const Source& written);

}  // namespace mti
