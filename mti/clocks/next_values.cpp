#include "mti/clocks/next_values.hpp"

#include <string_view>

#include "mti/text/edit.hpp"
#include "mti/text/parse.hpp"

namespace mti {
namespace {

using text::Node;

class Replacement {
 public:
  Replacement(const Source& source, NextValues& found, std::vector<Fault>& faults)
      : found_(found), faults_(faults) {
    for (std::size_t i = 0; i < source.states.size(); ++i) states_.emplace(source.states[i].name, i);
  }

  void apply(std::string& text, const std::string& pointer) {
    text::edit_relation(text, [&](const Node& side, std::string& edited) { walk(side, edited, pointer); });
  }

 private:
  void walk(const Node& node, std::string& text, const std::string& pointer) {
    const bool next = node.kind == Node::Kind::call && node.name == "next";
    if (next || (node.kind == Node::Kind::call && node.name == "der")) {
      const bool named = node.operands.size() == 1 && node.operands[0].kind == Node::Kind::name;
      const auto state = named ? states_.find(std::string(node.operands[0].name)) : states_.end();
      if (state != states_.end()) {
        if (!next) return static_cast<void>(found_.derivatives.emplace(state->second, pointer));
        found_.states.insert(state->second);
        // Shorter than next(u), by one character or more.
        return text::put_in_place(text, node, next_value_of(state->first));
      }
      if (next) {
        faults_.push_back({"next-of-non-state", pointer,
                           text::at_column(text, node.begin,
                                           "next(...) takes the name of a state, found " +
                                               text.substr(node.begin, node.end - node.begin))});
        return;
      }
    }
    for (const Node& operand : node.operands) walk(operand, text, pointer);
  }

  NextValues& found_;
  std::vector<Fault>& faults_;
  std::unordered_map<std::string, std::size_t> states_;
};

}  // namespace

std::string next_value_of(const std::string& state) { return state + ".next"; }

NextValues replace_next_values(Source& source, std::vector<Fault>& faults) {
  NextValues found;
  Replacement replacement(source, found, faults);
  const auto replace = [&](std::vector<RelationSource>& relations, const char* list) {
    for (std::size_t i = 0; i < relations.size(); ++i) {
      const std::string pointer = list + ("/" + std::to_string(i));
      replacement.apply(relations[i].text, relations[i].is_object ? pointer + "/text" : pointer);
    }
  };
  replace(source.equations, "/equations");
  replace(source.constraints, "/constraints");
  return found;
}

}  // namespace mti
