#pragma once

#include <vector>

#include "mti/transform/recovery.hpp"

namespace mti {

/// Another order: entry i of a new list is entry order[i] of the old one. An empty list leaves its group as
/// it is. The order of binaries decides between modes of the same distance (docs/events.md, "ties").
struct Order {
  std::vector<int> states = {}, inputs = {}, algebraic = {}, binaries = {}, equations = {}, constraints = {};
};

/// The order that leads back.
[[nodiscard]] Order inverse(const Order& order);

/// The model with its signals and rows in another order, and nothing else changed: pre(z) follow the order of
/// the binaries; the columns keep theirs.
///
/// Errors: InvalidOption, id `matrix-size` where a list has another length than its group,
/// `index-out-of-range` and `duplicate-entry` where it is no permutation; the pointer names the list.
[[nodiscard]] Transformed permute(const Model& model, const Order& wanted);

}  // namespace mti
