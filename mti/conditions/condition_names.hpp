#pragma once

#include <map>
#include <string>
#include <string_view>

#include "mti/text/expansion.hpp"

namespace mti::conditions {

/// The text of a condition without parentheses around all of it.
[[nodiscard]] std::string bare_text(const text::Expansion& place, const text::Node& node);

/// Names of what a condition needs, derived from where it stands:
///
///     heat.on      in the relation that is named heat, or in "heat = …" or "der(heat) = …"
///     eq3.if1      in a relation that has neither
///
/// The second of a name in one place is heat.on2.
class ConditionNames {
 public:
  /// `word`: what is made in a place with a name; `numbered_word`: in one without.
  [[nodiscard]] std::string make(const text::Expansion& place, std::string_view word,
                                 std::string_view numbered_word);

 private:
  std::map<std::string, int> made_;
};

}  // namespace mti::conditions
