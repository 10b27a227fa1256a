#pragma once

#include "mti/transform/elimination.hpp"
#include "mti/transform/recovery.hpp"

namespace mti {

/// merge_equal, eliminate_aliases and eliminate_explicit in turn until none of them finds anything more:
/// reducing a reduced model with the same options changes nothing.
/// Errors: InvalidModel, id `unknown-name`, for a name of `options.keep`.
[[nodiscard]] Transformed reduce(const Model& model, const EliminationOptions& options = {});

}  // namespace mti
