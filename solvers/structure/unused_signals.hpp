#pragma once

#include <string>
#include <vector>

#include "mti/model/model.hpp"

namespace mti {

/// Names of the signals that occur in no equation, constraint, invariant or law, in declared order.
[[nodiscard]] std::vector<std::string> unused_signals(const Model& model);

/// The relations and invariants of a model that hold nothing but binaries and binary inputs: names, or an
/// invariant's text.
[[nodiscard]] std::vector<std::string> rules_of_binaries(const Model& model);

/// A signal made for a power of another one.
[[nodiscard]] bool is_auxiliary(const Signature& signature, int row);

}  // namespace mti
