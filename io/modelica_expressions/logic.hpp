#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "io/modelica_text/syntax.hpp"

namespace mti::modelica {

/// A condition with pre(`self`) put in as `before`, and not carried down to comparisons: true and false are left only as the
/// whole. not (a < b) is a >= b.
[[nodiscard]] Node simplified(const Node& condition, std::string_view self, bool before);

/// The comparisons of a disjunction or conjunction (`kind`) of comparisons of numbers alone, or of one; none for the
/// constant that is its empty case. Nothing for any other condition.
[[nodiscard]] std::optional<std::vector<Node>> comparisons_of(const Node& condition, Node::Kind kind);

}  // namespace mti::modelica
