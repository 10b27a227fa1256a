#pragma once

#include <optional>

#include "mti/model/model.hpp"

namespace mti {

/// Rows that share products beside which everything else in them may be small, as (e − a)/R stands in the equations of both nodes
/// between which a current flows into a bridge: while its diodes block, it is the difference of these rows that says where the bridge
/// is, by leakages that rounding of e/R hides in each of them. One row is replaced by what is the same where f = 0,
///
///     f_b := f_b − λ f_a ,    Φ_bk = λ Φ_ak for two products k of signals at least, of which nothing is left.
///
/// All other products of both rows hold binaries that make them small in some mode, or a signal that other such products alone
/// give, i = s·(z + (1 − z)·G). Rows take part that hold no derivative and no function, and that no law puts out of force. They keep their names.
///
/// Nothing if no row is replaced. Cost: O(non-zeros of Φ).
[[nodiscard]] std::optional<Model> without_shared_products(const Model& model);

}  // namespace mti
