#pragma once

#include <string_view>

#include "mti/model/model.hpp"

namespace mti {

/// Refuses a model with function rows or watched divisors where `what` is defined for multilinear equations only.
/// Throws InvalidModel (id `functions-of-signals`) that names the first function.
void require_multilinear(const Model& model, std::string_view what);

}  // namespace mti
