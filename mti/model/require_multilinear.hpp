#pragma once

#include <string_view>

#include "mti/model/model.hpp"

namespace mti {

/// Refuses a model with function rows or watched divisors where `what` is defined for multilinear equations only.
/// Throws InvalidModel (id `functions-of-signals`) that names the first function.
void require_multilinear(const Model& model, std::string_view what);

/// Refuses a model whose start is solved for (Model::solves_start) where `what` says start values only. Throws InvalidModel
/// (id `initial-equations`) that names a free start, if there is one.
void require_fixed_start(const Model& model, std::string_view what);

}  // namespace mti
