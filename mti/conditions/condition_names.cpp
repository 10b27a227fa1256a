#include "mti/conditions/condition_names.hpp"

#include <algorithm>

#include "mti/common/characters.hpp"

namespace mti::conditions {
namespace {

/// Whether a relation got its name from its number: eq3, c1, tank.eq2.
bool is_made_name(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) name.remove_prefix(dot + 1);
  while (!name.empty() && name.back() == '_') name.remove_suffix(1);
  if (name.starts_with("eq"))
    name.remove_prefix(2);
  else if (name.starts_with("c"))
    name.remove_prefix(1);
  else
    return false;
  if (name.empty()) return false;
  for (const char c : name)
    if (!is_digit(c)) return false;
  return true;
}

/// The signal s of "s = …" and "der(s) = …", or "".
std::string_view left_signal(const text::Relation& relation) {
  if (relation.comparison != text::Relation::Comparison::equal) return {};
  const text::Node* left = &relation.left;
  if (left->kind == text::Node::Kind::call && (left->name == "der" || left->name == "next") &&
      left->operands.size() == 1)
    left = &left->operands[0];
  return left->kind == text::Node::Kind::name ? left->name : std::string_view();
}

/// True if the first character is a parenthesis that the last one closes.
bool is_enclosed(std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return false;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return false;
  }
  return true;
}

}  // namespace

std::string bare_text(const text::Expansion& place, const text::Node& node) {
  constexpr std::string_view blanks = " \t\n\r";
  std::string_view text = place.text().substr(node.begin, node.end - node.begin);
  while (is_enclosed(text)) {
    text = text.substr(1, text.size() - 2);
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    text.remove_suffix(text.size() - std::min(text.find_last_not_of(blanks) + 1, text.size()));
  }
  return std::string(text);
}

std::string ConditionNames::make(const text::Expansion& place, std::string_view word,
                                 std::string_view numbered_word) {
  std::string stem = place.owner().name;
  bool numbered = stem.empty() || is_made_name(stem);
  if (numbered) {
    const std::string_view signal = left_signal(place.relation());
    if (!signal.empty()) {
      stem = signal;
      numbered = false;
    }
  }
  std::string name = stem + "." + std::string(numbered ? numbered_word : word);
  const int count = ++made_[name];
  if (numbered || count > 1) name += std::to_string(count);
  return name;
}

}  // namespace mti::conditions
