#pragma once

#include <string>
#include <vector>

namespace mti::text {

/// (a + b), but not (a) - (b): the first parenthesis is closed by the last character.
[[nodiscard]] bool is_in_parentheses(const std::string& text);

/// One term of a sum, without its sign.
struct SignedTerm {
  std::string text;
  bool negative = false;
  friend bool operator==(const SignedTerm&, const SignedTerm&) = default;
  friend auto operator<=>(const SignedTerm&, const SignedTerm&) = default;
};
using SignedTerms = std::vector<SignedTerm>;

/// left − right as the sorted terms of one sum, sums in parentheses within it resolved; 0 has none.
[[nodiscard]] SignedTerms difference_terms(const std::string& left, const std::string& right);
/// −(t₁ + t₂ + …)
[[nodiscard]] SignedTerms negated(SignedTerms terms);
/// −a as a text that may stand in a sum in front, or behind `then`.
[[nodiscard]] std::string negated(const std::string& text);

}  // namespace mti::text
