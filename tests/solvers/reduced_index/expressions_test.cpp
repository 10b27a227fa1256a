// Expressions as text: what is left of them where names are replaced, and their derivatives against differences.

#include "solvers/reduced_index/expressions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/source/declarations.hpp"
#include "mti/text/evaluate.hpp"
#include "mti/text/parse.hpp"

namespace mti::test {
namespace expressions_test {

double value_of(const std::string& expression, double a, double b) {
  Declarations names;
  for (const auto& [name, value] : {std::pair("a", a), std::pair("b", b)}) {
    names.declare(name, {.kind = Declarations::Kind::parameter, .evaluated = true, .value = value});
  }
  std::vector<text::TextFault> faults;
  const std::optional<double> value = text::evaluate(text::parse_expression(expression), names, faults);
  EXPECT_TRUE(value) << expression << ": " << (faults.empty() ? "" : faults.front().message);
  return value.value_or(std::nan(""));
}

class Derivatives : public testing::TestWithParam<const char*> {};

// d/ds with a' = 2, b' = −3, by central differences of fourth order.
TEST_P(Derivatives, AreLimitsOfDifferences) {
  const std::string expression = GetParam();
  const std::string slope = derivative(expression, [](const std::string& name) {
                              return std::optional(number_term(name == "a" ? 2.0 : -3.0));
                            }).text;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(0.15, 0.85);
  for (int trial = 0; trial < 20; ++trial) {
    const double a = number(random), b = number(random), h = 1e-3;
    const auto along_s = [&](double s) { return value_of(expression, a + 2.0 * s, b - 3.0 * s); };
    const double expected =
        (8.0 * (along_s(h) - along_s(-h)) - (along_s(2 * h) - along_s(-2 * h))) / (12.0 * h);
    const double found = value_of(slope, a, b);
    EXPECT_NEAR(found, expected, 1e-6 * (1.0 + std::abs(expected))) << slope << " at " << a << ", " << b;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, Derivatives,
                         testing::Values("3*a - b/2 + 7", "a*b*a", "-(a - b)*(a + 2*b)", "a/(b + 2)",
                                         "1/(a*b)", "(a + b)^3", "a^2.5 - b^(-2)", "2^a", "a^b", "sin(a*b)",
                                         "cos(a)*exp(-b)", "tan(a) + atan(b)", "asin(a) - acos(b)",
                                         "sinh(a) - cosh(b)*tanh(a)", "asinh(a) + atanh(b)", "acosh(a + 1)",
                                         "log(a)/sqrt(b)", "abs(a - 1) + abs(b)",
                                         "if a > 0 then a*b else b"));

TEST(Expressions, LoseWhatIsZeroOrOne) {
  const Replacement values = [](const std::string& name) -> std::optional<WrittenTerm> {
    if (name == "z") return number_term(1.0);
    if (name == "w" || name == "pre(w)") return number_term(0.0);
    return std::nullopt;
  };
  const auto left = [&](const char* text) { return rewritten(std::string(text), values).text; };
  EXPECT_EQ(left("z*(x - y) + (1 - z)*f"), "x - y");
  EXPECT_EQ(left("w*(x - y) + (1 - w)*f"), "f");
  EXPECT_EQ(left("if z then x else y"), "x");
  EXPECT_EQ(left("if w then x elseif z then y else 3"), "y");
  EXPECT_EQ(left("if not w and x > 2 then y else 0"), "if x > 2 then y else 0");
  EXPECT_EQ(left("a - (b - z*c)"), "a - (b - c)");
  EXPECT_EQ(left("a/(b*c) - -d"), "a/(b*c) + d");
  EXPECT_EQ(left("pre(w)*x + der(x)"), "der(x)");
}

TEST(Expressions, TellConstantsThatCancel) {
  const std::map<std::string, double, std::less<>> parameters = {{"K", 3.0}, {"S", 0.1}};
  EXPECT_DOUBLE_EQ(constant_value("2*K - 1/S", parameters).value(), -4.0);
  EXPECT_EQ(constant_value("S + S + S - 3*S", parameters), 0.0);  // 5.6e-17 in doubles
  EXPECT_EQ(constant_value("K*x", parameters), std::nullopt);
}

TEST(Expressions, NameTheFunctionThatHasNoSlope) {
  const Rate one = [](const std::string&) { return std::optional(number_term(1.0)); };
  try {
    static_cast<void>(derivative("clamp(a, 0, 1)", one));
    FAIL() << "has a derivative";
  } catch (const InvalidModel& refused) {
    EXPECT_EQ(refused.faults().front().id, "not-differentiable");
    EXPECT_NE(refused.faults().front().message.find("clamp"), std::string::npos);
  }
}

}  // namespace expressions_test
}  // namespace mti::test
