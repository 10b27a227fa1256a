#pragma once

#include "io/json/writer.hpp"
#include "mti/model/model.hpp"
#include "solvers/linearization/linearize.hpp"

namespace mti {

/// The object of linearization_json(), as a part of another document.
void write(json::Writer& out, const Model& model, const Linearization& linearization);

}  // namespace mti
