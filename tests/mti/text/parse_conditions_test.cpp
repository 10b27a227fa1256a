// Comparisons, logic, if-then-else and lists: what is written from a tree parses to the same tree.

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "mti/common/number.hpp"
#include "mti/text/parse.hpp"

namespace mti::text {
namespace parse_conditions_test {

using Kind = Node::Kind;

std::string joined(const Node& node, const std::string& by,
                   const std::function<std::string(const Node&)>& one) {
  std::string result;
  for (const Node& operand : node.operands) result += (result.empty() ? "" : by) + one(operand);
  return result;
}

/// Every operand in parentheses, so that no precedence is needed.
std::string written(const Node& node) {
  const auto inner = [](const Node& operand) { return "(" + written(operand) + ")"; };
  switch (node.kind) {
    case Kind::number:
      return format_number(node.number);
    case Kind::name:
      return std::string(node.name);
    case Kind::sum:
    case Kind::product: {
      std::string result;
      for (const Node& operand : node.operands) {
        const bool sum = node.kind == Kind::sum;
        if (operand.inverse)
          result += sum ? " - " : "/";
        else if (!result.empty())
          result += sum ? " + " : "*";
        result += inner(operand);
      }
      return result;
    }
    case Kind::power:
      return inner(node.operands[0]) + "^" + inner(node.operands[1]);
    case Kind::call:
      return std::string(node.name) + "(" + joined(node, ", ", written) + ")";
    case Kind::comparison:
      return inner(node.operands[0]) + " " + std::string(node.name) + " " + inner(node.operands[1]);
    case Kind::negation:
      return "not " + inner(node.operands[0]);
    case Kind::conjunction:
      return joined(node, " and ", inner);
    case Kind::disjunction:
      return joined(node, " or ", inner);
    case Kind::choice: {
      std::string result;
      for (std::size_t i = 0; i + 1 < node.operands.size(); i += 2)
        result +=
            (i == 0 ? "if " : " elseif ") + inner(node.operands[i]) + " then " + inner(node.operands[i + 1]);
      return result + " else " + inner(node.operands.back());
    }
    case Kind::list:
      return "[" + joined(node, ", ", written) + "]";
    case Kind::initial:
      return "initial " + written(node.operands[0]);
  }
  return "";
}

bool same(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.inverse != b.inverse || a.name != b.name || a.number != b.number ||
      a.operands.size() != b.operands.size())
    return false;
  for (std::size_t i = 0; i < a.operands.size(); ++i)
    if (!same(a.operands[i], b.operands[i])) return false;
  return true;
}

/// A random expression of any kind; `depth` more levels.
std::string random_text(std::mt19937& random, int depth) {
  const auto part = [&] { return random_text(random, depth - 1); };
  const auto group = [&] { return "(" + part() + ")"; };
  if (depth == 0)
    return random() % 2 == 0 ? "x" + std::to_string(random() % 5) : std::to_string(random() % 9);
  switch (random() % 12) {
    case 0:
      return group() + " + " + group() + " - 2";
    case 1:
      return "-" + group() + "*3/" + group();
    case 2:
      return group() + "^2";
    case 3:
      return "f(" + part() + ", " + part() + ")";
    case 4:
      return group() + " <= " + group() + " and " + group() + " > " + group();
    case 5:
      return "not " + group() + " or true";
    case 6:
      return "if " + group() + " then " + group() + " else " + group();
    case 7:
      return "if " + group() + " < 1 then 2 elseif " + group() + " then " + group() + " else 0";
    case 8:
      return "table(" + part() + ", [1, 2, 3], [[1], [2*a]])";
    case 9:
      return "hysteresis(" + part() + ", 1, 2, initial 1)";
    case 10:
      return "x1 < x2 or x3 >= x4 and not x5 > x6";
    default:
      return group() + "*(" + part() + ")";
  }
}

TEST(ParseConditions, WhatIsWrittenFromATreeParsesToTheSameTree) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 1000; ++trial) {
    const std::string text = random_text(random, 1 + trial % 5);
    const Node tree = parse_expression(text);
    const std::string again = written(tree);
    ASSERT_TRUE(same(tree, parse_expression(again))) << text << "\n" << again;
    ASSERT_EQ(again, written(parse_expression(again))) << text;
  }
}

TEST(ParseConditions, HasThePrecedenceOfLogic) {
  const Node node = parse_expression("a < 1 or b + 1 > 2*c and not d");
  ASSERT_EQ(node.kind, Kind::disjunction);
  EXPECT_EQ(node.operands[0].kind, Kind::comparison);
  ASSERT_EQ(node.operands[1].kind, Kind::conjunction);
  EXPECT_EQ(node.operands[1].operands[0].kind, Kind::comparison);
  EXPECT_EQ(node.operands[1].operands[1].kind, Kind::negation);
}

TEST(ParseConditions, BranchesEndBeforeTheComparisonOfARelation) {
  const Relation relation = parse_relation("if a > 0 then b else c <= d");
  EXPECT_EQ(relation.comparison, Relation::Comparison::less_equal);
  EXPECT_EQ(relation.left.kind, Kind::choice);
  EXPECT_EQ(relation.right.name, "d");
  EXPECT_EQ(parse_relation("y = a < b").right.kind, Kind::comparison);
}

TEST(ParseConditions, RememberWhereTheyStand) {
  const std::string text = "y = 2*(if  T < 19  then a else b )";
  const Relation relation = parse_relation(text);
  const Node& choice = relation.right.operands.at(1);
  ASSERT_EQ(choice.kind, Kind::choice);
  EXPECT_EQ(text.substr(choice.begin, choice.end - choice.begin), "(if  T < 19  then a else b )");
  const Node& condition = choice.operands.at(0);
  EXPECT_EQ(text.substr(condition.begin, condition.end - condition.begin), "T < 19");
}

std::string message_of(const std::string& text) {
  try {
    static_cast<void>(parse_relation(text));
  } catch (const SyntaxError& error) {
    return at_column(text, error.fault().offset, error.what());
  }
  return "";
}

TEST(ParseConditions, SayWhatTheyExpected) {
  EXPECT_EQ(
      message_of("y = (a == b)"),
      "column 8: signals are not compared for equality: expected <, <=, >, >= or an equation with =, found "
      "'='");
  EXPECT_EQ(message_of("y = a < b < c"),
            "column 11: one comparison at a time: expected 'and' between two comparisons, found '<'");
  EXPECT_EQ(message_of("y = if a > 0 b else c"), "column 14: expected 'then' after a condition, found 'b'");
  EXPECT_EQ(message_of("y = if a > 0 then b"),
            "column 20: expected an operator, 'elseif' or 'else', found the end of the text");
  EXPECT_EQ(message_of("y = if then b else c"), "column 8: expected a number, a name or '(', found 't'");
  EXPECT_EQ(message_of("y = table(x, [1, 2, [3)"), "column 23: expected an operator, ',' or ']', found ')'");
  EXPECT_EQ(message_of("y = 1 + if a > 0 then b else c"),
            "column 9: expected a number, a name or '(', found 'i'");
}

TEST(ParseConditions, LimitTheDepthOfNesting) {
  std::string text = "x";
  for (int i = 0; i < 100'000; ++i) text = "if a then x else ";
  for (const char* part : {"if a then x else ", "if ", "not ", "f([", "(x < "}) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += part;
    try {
      static_cast<void>(parse_expression(deep));
      ADD_FAILURE() << part;
    } catch (const SyntaxError& error) {
      EXPECT_TRUE(error.fault().id == "too-deep" || error.fault().id == "syntax-error") << part;
    }
  }
}

/// The words of the language are words only where they stand alone, `initial` only before a digit.
TEST(ParseConditions, KeepNamesThatBeginLikeWords) {
  EXPECT_EQ(parse_expression("iff + thenx + else_1 + notz + android").operands.size(), 5U);
  EXPECT_EQ(parse_expression("f(initial, x)").operands[0].name, "initial");
  EXPECT_EQ(parse_expression("f(initial 1)").operands[0].kind, Kind::initial);
}

}  // namespace parse_conditions_test
}  // namespace mti::text
