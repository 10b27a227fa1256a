#pragma once

#include <functional>
#include <string>

#include "mti/text/ast.hpp"

namespace mti::text {

/// Calls `edit` for both sides of a relation, whose names point into the text as it was. A text that is no relation stays what
/// it is: building says what is wrong with it.
void edit_relation(std::string& text, const std::function<void(const Node& side, std::string& text)>& edit);

/// `name` in the place of a node that is not shorter, with blanks behind it: places in the text stay what they are.
/// Parentheses stay: then(next(u)) is not thenu.next.
void put_in_place(std::string& text, const Node& node, const std::string& name);

}  // namespace mti::text
