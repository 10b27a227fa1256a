#pragma once

// What the actions of a grammar of expressions build on. Private to the parsers.

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/text/parse.hpp"

namespace mti::text {

/// A stack of finished operands, as in any bottom-up evaluation.
struct OperandStack {
  std::string_view text = {};
  std::vector<Node> stack = {};
  std::vector<std::size_t> open =
      {};  ///< size of the stack below the operands of each open call, list, choice
  std::vector<std::string_view> comparators = {};  ///< those whose right side is being read
  int depth = 0;

  template <typename ParseInput>
  void enter(const ParseInput& in) {
    if (++depth > kMaximumDepth)
      throw SyntaxError({"too-deep", offset_of(in.current()),
                         "nested deeper than " + std::to_string(kMaximumDepth) + " levels"});
  }
  void leave() { --depth; }

  [[nodiscard]] std::size_t offset_of(const char* place) const { return at(place - text.data()); }

  /// The end of what was read, without the blanks after it.
  template <typename Input>
  [[nodiscard]] std::size_t end_of(const Input& in) const {
    const std::string_view read(in.begin(), in.size());
    return offset_of(in.begin()) + read.find_last_not_of(" \t\n\r") + 1;
  }

  Node pop() {
    Node node = std::move(stack.back());
    stack.pop_back();
    return node;
  }

  /// What was pushed since the last opening.
  std::vector<Node> close() {
    const auto first = stack.begin() + static_cast<std::ptrdiff_t>(open.back());
    open.pop_back();
    std::vector<Node> operands(std::make_move_iterator(first), std::make_move_iterator(stack.end()));
    stack.erase(first, stack.end());
    return operands;
  }

  template <typename Input>
  void push_closed(Node::Kind kind, const Input& in) {
    Node node{.kind = kind, .begin = offset_of(in.begin())};
    node.operands = close();
    node.end = kind == Node::Kind::list ? end_of(in) : node.operands.back().end;
    stack.push_back(std::move(node));
  }

  /// The top of the stack becomes the only operand of a new node.
  template <typename Input>
  void wrap(Node::Kind kind, bool inverse, const Input& in) {
    Node operand = pop();
    operand.inverse = inverse;
    Node node{.kind = kind, .begin = offset_of(in.begin()), .end = operand.end};
    node.operands.push_back(std::move(operand));
    stack.push_back(std::move(node));
  }

  /// The two operands at the top become one node.
  void pair(Node::Kind kind, std::string_view name) {
    Node right = pop();
    Node left = pop();
    Node node{.kind = kind, .name = name, .begin = left.begin, .end = right.end};
    node.operands.push_back(std::move(left));
    node.operands.push_back(std::move(right));
    stack.push_back(std::move(node));
  }

  /// Joins the top of the stack to the operand below it, which becomes a sum or product if it is none.
  void join(Node::Kind kind, bool inverse) {
    Node operand = pop();
    operand.inverse = inverse;
    Node& list = stack.back();
    if (list.kind != kind) {
      Node first = std::move(list);
      list = Node{.kind = kind, .begin = first.begin};
      list.operands.push_back(std::move(first));
    }
    list.end = operand.end;
    list.operands.push_back(std::move(operand));
  }
};

}  // namespace mti::text
