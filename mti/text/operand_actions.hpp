#pragma once

// What is done where a part of an expression has been read, in whatever grammar: the base of its Action. Private to the
// parsers.

#include <charconv>
#include <system_error>

#include "mti/text/operand_stack.hpp"

namespace mti::text::actions {

/// The number as a node, which keeps its digits.
struct push_number {
  template <typename Input>
  static void apply(const Input& in, OperandStack& operands) {
    Node node{.kind = Node::Kind::number,
              .name = {in.begin(), in.size()},
              .begin = operands.offset_of(in.begin()),
              .end = operands.offset_of(in.end())};
    if (std::from_chars(in.begin(), in.end(), node.number).ec != std::errc{})
      throw SyntaxError(
          {"number-range", node.begin, "the number " + in.string() + " is outside the range of double"});
    operands.stack.push_back(std::move(node));
  }
};

struct push_name {
  template <typename Input>
  static void apply(const Input& in, OperandStack& operands) {
    operands.stack.push_back({.kind = Node::Kind::name,
                              .name = {in.begin(), in.size()},
                              .begin = operands.offset_of(in.begin()),
                              .end = operands.offset_of(in.end())});
  }
};

/// Operands of a call, a list or a choice begin.
struct open_operands {
  static void apply0(OperandStack& operands) { operands.open.push_back(operands.stack.size()); }
};

/// The name below them becomes a call of them.
struct close_call {
  template <typename Input>
  static void apply(const Input& in, OperandStack& operands) {
    std::vector<Node> arguments = operands.close();
    Node& function = operands.stack.back();
    function.kind = Node::Kind::call;
    function.end = operands.offset_of(in.begin()) + 1;
    function.operands = std::move(arguments);
  }
};

template <Node::Kind kind>
struct close_as {
  template <typename Input>
  static void apply(const Input& in, OperandStack& operands) {
    operands.push_closed(kind, in);
  }
};

template <Node::Kind kind, bool inverse = false>
struct wrap_as {
  template <typename Input>
  static void apply(const Input& in, OperandStack& operands) {
    operands.wrap(kind, inverse, in);
  }
};

template <Node::Kind kind, bool inverse = false>
struct join_as {
  static void apply0(OperandStack& operands) { operands.join(kind, inverse); }
};

struct note_comparator {
  template <typename Input>
  static void apply(const Input& in, OperandStack& operands) {
    operands.comparators.emplace_back(in.begin(), in.size());
  }
};
struct compare {
  static void apply0(OperandStack& operands) {
    operands.pair(Node::Kind::comparison, operands.comparators.back());
    operands.comparators.pop_back();
  }
};

struct raise {
  static void apply0(OperandStack& operands) { operands.pair(Node::Kind::power, {}); }
};

/// Parentheses belong to what is in them.
struct take_group {
  template <typename Input>
  static void apply(const Input& in, OperandStack& operands) {
    operands.stack.back().begin = operands.offset_of(in.begin());
    operands.stack.back().end = operands.end_of(in);
  }
};

}  // namespace mti::text::actions
