#include "mti/common/signs.hpp"

#include <algorithm>
#include <utility>

namespace mti::text {
namespace {

/// The terms between + and − that stand in no parentheses. Signs of exponents (1e-08) have no blanks beside them.
SignedTerms split(const std::string& text) {
  SignedTerms terms;
  bool negative = text.starts_with('-');
  std::size_t begin = negative ? 1 : 0;
  int depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    const std::string_view here = std::string_view(text).substr(i, 3);
    if (depth != 0 || (here != " + " && here != " - ")) continue;
    terms.push_back({text.substr(begin, i - begin), negative});
    negative = here == " - ";
    begin = i + 3;
  }
  terms.push_back({text.substr(begin), negative});
  return terms;
}

bool is_sum_in_parentheses(const std::string& text) {
  return is_in_parentheses(text) && !text.starts_with("(if ");
}

std::string inner(const std::string& text) { return text.substr(1, text.size() - 2); }

void add_terms(const std::string& text, bool negative, SignedTerms& terms) {
  for (SignedTerm& term : split(text)) {
    const bool is_negative = term.negative != negative;
    if (is_sum_in_parentheses(term.text))
      add_terms(inner(term.text), is_negative, terms);
    else if (term.text != "0")
      terms.push_back({std::move(term.text), is_negative});
  }
}

}  // namespace

bool is_in_parentheses(const std::string& text) {
  if (text.empty() || text.front() != '(') return false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1 == text.size();
  }
  return false;
}

SignedTerms difference_terms(const std::string& left, const std::string& right) {
  SignedTerms terms;
  add_terms(left, false, terms);
  add_terms(right, true, terms);
  std::ranges::sort(terms);
  return terms;
}

SignedTerms negated(SignedTerms terms) {
  for (SignedTerm& term : terms) term.negative = !term.negative;
  std::ranges::sort(terms);
  return terms;
}

std::string negated(const std::string& text) {
  const SignedTerms terms = split(text);
  if (terms.size() == 1 && terms.front().negative) {
    const std::string& term = terms.front().text;
    return is_sum_in_parentheses(term) ? inner(term) : term;
  }
  return text.find_first_of(" +-*/^") == std::string::npos ? "-" + text : "-(" + text + ")";
}

}  // namespace mti::text
