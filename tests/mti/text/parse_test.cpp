#include "mti/text/parse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "mti/common/number.hpp"

namespace mti::text {
namespace parse_test {

/// The tree in prefix form: every grouping is visible.
std::string prefix(const Node& node) {
  switch (node.kind) {
    case Node::Kind::number:
      return format_number(node.number);
    case Node::Kind::name:
      return std::string(node.name);
    default:
      break;
  }
  std::string result = "(";
  if (node.kind == Node::Kind::sum) result += '+';
  if (node.kind == Node::Kind::product) result += '*';
  if (node.kind == Node::Kind::power) result += '^';
  if (node.kind == Node::Kind::call) result += node.name;
  for (const Node& operand : node.operands)
    result += (operand.inverse ? (node.kind == Node::Kind::sum ? " -" : " /") : " ") + prefix(operand);
  return result + ")";
}

std::string parsed(const std::string& text) { return prefix(parse_expression(text)); }

struct Failure {
  std::string id, message;
  std::size_t offset = 0;
};

template <typename Parse>
Failure failure(const std::string& text, Parse parse) {
  try {
    static_cast<void>(parse(text));
  } catch (const SyntaxError& error) {
    return {error.fault().id, at_column(text, error.fault().offset, error.what()), error.fault().offset};
  }
  return {};
}

std::string relation_failure(const std::string& text) { return failure(text, parse_relation).message; }

TEST(Parse, GivesOperatorsTheirUsualPrecedence) {
  EXPECT_EQ(parsed("a + b*c"), "(+ a (* b c))");
  EXPECT_EQ(parsed("a - b - c"), "(+ a -b -c)");
  EXPECT_EQ(parsed("a - (b - c)"), "(+ a -(+ b -c))");
  EXPECT_EQ(parsed("a/b*c"), "(* a /b c)");
  EXPECT_EQ(parsed("a/(b*c)"), "(* a /(* b c))");
  EXPECT_EQ(parsed("-x^2"), "(+ -(^ x 2))");
  EXPECT_EQ(parsed("2^3^2"), "(^ 2 (^ 3 2))");
  EXPECT_EQ(parsed("x^-1"), "(^ x (+ -1))");
  EXPECT_EQ(parsed("a*-b"), "(* a (+ -b))");
  EXPECT_EQ(parsed(" max( a , tank1.T ) "), "(max a tank1.T)");
  EXPECT_EQ(parsed("der(x)^2"), "(^ (der x) 2)");
}

TEST(Parse, RemembersWhereEachPartStands) {
  const std::string text = "y + (x1 + 2)*z";
  const Node sum = parse_expression(text);
  const Node& product = sum.operands.at(1);
  EXPECT_EQ(text.substr(product.begin, product.end - product.begin), "(x1 + 2)*z");
  const Node& group = product.operands.at(0);
  EXPECT_EQ(text.substr(group.begin, group.end - group.begin), "(x1 + 2)");
}

TEST(Parse, ReadsNumbersExactly) {
  EXPECT_EQ(parse_expression("0.1").number, 0.1);
  EXPECT_EQ(parse_expression(".5").number, 0.5);
  EXPECT_EQ(parse_expression("5.").number, 5.0);
  EXPECT_EQ(parse_expression("1E+3").number, 1000.0);
  EXPECT_EQ(parse_expression("4.9e-324").number, std::numeric_limits<double>::denorm_min());
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    double value = 0.0;
    do {
      const std::uint64_t bits = random() >> 1U;  // sign bit 0
      static_assert(sizeof bits == sizeof value);
      std::memcpy(&value, &bits, sizeof value);
    } while (!std::isfinite(value));
    ASSERT_EQ(parse_expression(format_number(value)).number, value);
  }
}

TEST(Parse, RefusesNumbersNoDoubleCanHold) {
  EXPECT_EQ(failure("1 + 1e999", parse_expression).id, "number-range");
  EXPECT_EQ(failure("1 + 1e999", parse_expression).offset, 4U);
}

TEST(Parse, SaysWhatItExpectedAndWhatItFound) {
  EXPECT_EQ(relation_failure("a = )"), "column 5: expected a number, a name or '(', found ')'");
  EXPECT_EQ(relation_failure("a = b +"),
            "column 8: expected a number, a name or '(', found the end of the text");
  EXPECT_EQ(relation_failure("a b = c"), "column 3: expected an operator, '=', '<=' or '>=', found 'b'");
  EXPECT_EQ(relation_failure("2x = 3"), "column 2: expected an operator, '=', '<=' or '>=', found 'x'");
  EXPECT_EQ(relation_failure("a < 3"), "column 3: expected an operator, '=', '<=' or '>=', found '<'");
  EXPECT_EQ(relation_failure("a = (b"), "column 7: expected an operator or ')', found the end of the text");
  EXPECT_EQ(relation_failure("f(a; b) = 0"), "column 4: expected an operator, ',' or ')', found ';'");
  EXPECT_EQ(relation_failure("a = b = c"),
            "column 7: expected an operator or the end of the text, found '='");
  EXPECT_EQ(relation_failure(""), "column 1: expected a number, a name or '(', found the end of the text");
  EXPECT_EQ(relation_failure("a. = 0"), "column 2: expected an operator, '=', '<=' or '>=', found '.'");
  EXPECT_EQ(relation_failure("a = \x01"),
            "column 5: expected a number, a name or '(', found the control character 1");
}

TEST(Parse, CountsColumnsInCharacters) {
  EXPECT_EQ(at_column("äö = ü", 7, "here"), "column 6: here");
  EXPECT_EQ(relation_failure("a = ü"), "column 5: expected a number, a name or '(', found 'ü'");
}

TEST(Parse, LimitsTheDepthOfNestingButNotTheLength) {
  const auto repeated = [](const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  const int deep = 100'000;
  EXPECT_EQ(failure(repeated("(", deep), parse_expression).id, "too-deep");
  EXPECT_EQ(failure(repeated("-", deep) + "x", parse_expression).id, "too-deep");
  EXPECT_EQ(failure(repeated("x^", deep) + "x", parse_expression).id, "too-deep");
  EXPECT_EQ(failure(repeated("f(", deep), parse_expression).id, "too-deep");
  EXPECT_EQ(failure(repeated("not ", deep) + "z", parse_formula).id, "too-deep");
  EXPECT_EQ(failure(repeated("(", deep), parse_formula).id, "too-deep");
  EXPECT_EQ(parse_expression(repeated("(", kMaximumDepth) + "x" + repeated(")", kMaximumDepth)).name, "x");
  EXPECT_EQ(parse_expression(repeated("(", kMaximumDepth) + "x" + repeated(")", kMaximumDepth)).end,
            2U * kMaximumDepth + 1U);
  EXPECT_EQ(parse_expression(repeated("x + ", deep) + "x").operands.size(), deep + 1U);
  EXPECT_EQ(parse_expression(repeated("x*", deep) + "x").operands.size(), deep + 1U);
}

TEST(Parse, ReadsConditionsOfTransitions) {
  const Condition condition = parse_condition(" reach ( tank1.low ) ");
  EXPECT_EQ(condition.trigger, "reach");
  EXPECT_EQ(condition.target, "tank1.low");
  EXPECT_EQ(condition.target_offset, 9U);
  EXPECT_EQ(failure("reached(c)", parse_condition).message, "column 6: expected '(', found 'e'");
  EXPECT_EQ(failure("when(c)", parse_condition).message,
            "column 1: expected 'reach', 'rise', 'fall' or 'risen', found 'w'");
  EXPECT_EQ(failure("rise(2)", parse_condition).message, "column 6: expected a name, found '2'");
  EXPECT_EQ(failure("rise(z) x", parse_condition).message,
            "column 9: expected the end of the text, found 'x'");
}

}  // namespace parse_test
}  // namespace mti::text
