#include "mti/text/edit.hpp"

#include "mti/text/parse.hpp"

namespace mti::text {

void edit_relation(std::string& text, const std::function<void(const Node& side, std::string& text)>& edit) {
  const std::string original = text;  // what the tree points into
  try {
    const Relation relation = parse_relation(original);
    edit(relation.left, text);
    edit(relation.right, text);
  } catch (const SyntaxError&) {
    return;
  }
}

void put_in_place(std::string& text, const Node& node, const std::string& name) {
  std::string replaced = text[node.begin] == '(' ? "(" + name + ")" : name;
  replaced.resize(node.end - node.begin, ' ');
  text.replace(node.begin, replaced.size(), replaced);
}

}  // namespace mti::text
