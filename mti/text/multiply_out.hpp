#pragma once

#include <string>
#include <string_view>

#include "mti/text/ast.hpp"

namespace mti::text {

/// The part of the text a node was read from.
[[nodiscard]] std::string slice(std::string_view text, const Node& node);

/// Message for a division by `divisor`, an operand somewhere in `relation`, with the relation multiplied by
/// it: for "y = x/(1+u)" it shows "y*(1+u) = x".
[[nodiscard]] std::string division_by_signal(std::string_view text, const Relation& relation,
                                             const Node& divisor);

/// Message for a signal raised to a negative power.
[[nodiscard]] std::string negative_power(std::string_view text, const Node& base);

}  // namespace mti::text
