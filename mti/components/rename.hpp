#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "mti/source/source.hpp"

namespace mti {

/// The text of an expression, relation, formula or condition with every name of a signal, parameter or
/// relation written anew by `write(name, result)`; words of the grammar, functions and numbers stay as they
/// are. Nothing is parsed: a text that is wrong stays wrong, at the same place.
[[nodiscard]] std::string rewrite_names(std::string_view text,
                                        const std::function<void(std::string_view, std::string&)>& write);

/// "a*x + sin(b)" → "tank.a*tank.x + sin(tank.b)" with the prefix "tank.".
[[nodiscard]] std::string with_prefix(std::string_view text, std::string_view prefix);
[[nodiscard]] Number number_with_prefix(const Number& number, std::string_view prefix);

/// Names for names, wherever they stand in the texts of a source; declarations stay as they are.
using NameMap = std::unordered_map<std::string, std::string>;
void substitute_names(Source& source, const NameMap& names);

}  // namespace mti
