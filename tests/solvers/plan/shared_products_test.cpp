// Rows that share products: which are replaced, and by what is the same where f = 0.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/plan/shared_products.hpp"

namespace mti {
namespace shared_products_test {

/// A source behind R between the nodes a and 0 of two legs, with a leak; the last two equations are of node a and of node 0.
Source legs(const std::string& at_a, const std::string& at_0, double leak = 1e-9) {
  Source source;
  source.parameters = {{"R", 0.7}, {"leak", leak}};
  source.states = {{"u"}};
  source.inputs = {{.name = "e", .form = Number(5.0)}};
  source.algebraic = {{"a"}, {"n"}, {"i1"}, {"i2"}};
  source.binaries = {{"z1"}, {"z2"}};
  source.equations = {"der(u) = i1 - u",
                      {"leg1", "i1 = (a - n)*(z1 + (1 - z1)*leak)"},
                      {"leg2", "i2 = (n - u)*(z2 + (1 - z2)*leak)"},
                      {"at_a", at_a},
                      {"at_0", at_0}};
  source.constraints = {"(1 - 2*z1)*(a - n) <= 0", "(1 - 2*z2)*(n - u) <= 0"};
  return source;
}

std::vector<double> random_v(const Model& model, std::mt19937& engine) {
  std::uniform_real_distribution<double> number(-3.0, 3.0);
  std::vector<double> v(static_cast<std::size_t>(model.signature.size()));
  for (double& entry : v) entry = number(engine);
  return v;
}

/// Row `row` of the new f is f_row − λ f_base at random points, all others are what they were.
void expect_replaced(const Source& source, int row, int base, double lambda) {
  const Model model = build(source);
  const auto changed = without_shared_products(model);
  ASSERT_TRUE(changed);
  const RowMap before(model.f()), after(changed->f());
  std::mt19937 engine(20261201);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<double> v = random_v(model, engine);
    for (int i = 0; i < model.equations(); ++i) {
      const double expected = before.value(i, v) - (i == row ? lambda * before.value(base, v) : 0.0);
      const double size =
          before.magnitude(i, v) + (i == row ? std::abs(lambda) * before.magnitude(base, v) : 0.0);
      EXPECT_NEAR(after.value(i, v), expected, 16.0 * std::numeric_limits<double>::epsilon() * size) << i;
    }
  }
  // Nothing is left of a and e.
  std::vector<double> v = random_v(model, engine);
  const double value = after.value(row, v);
  v[static_cast<std::size_t>(*model.signature.find("a"))] += 1e12;
  v[static_cast<std::size_t>(*model.signature.find("e"))] -= 1e12;
  EXPECT_EQ(after.value(row, v), value);
}

TEST(SharedProducts, AreTakenOutOfOneOfTheRows) {
  expect_replaced(legs("(e - a)/R = i1", "(e - a)/R = i2"), 4, 3, 1.0);
  expect_replaced(legs("(e - a)/R = i1", "(a - e)/R = i2"), 4, 3, -1.0);
  expect_replaced(legs("e - a = R*i1", "3*(a - e) = i2"), 4, 3, -3.0);
  // What binaries multiply by so little stands in the rows themselves.
  expect_replaced(legs("(e - a)/R = n*(z1 + (1 - z1)*leak)", "(e - a)/R = (u - n)*(z2 + (1 - z2)*leak)"), 4,
                  3, 1.0);
}

TEST(SharedProducts, StayWhereNothingIsGained) {
  const auto stays = [](const Source& source) { return !without_shared_products(build(source)); };
  EXPECT_TRUE(stays(legs("(e - a)/R = i1", "i1 = i2"))) << "i1 and i2 are the small ones";
  EXPECT_TRUE(stays(legs("(e - a)/R = i1 + u", "(e - a)/R = i2"))) << "u is not small";
  EXPECT_TRUE(stays(legs("(e - a)/R = i1", "(e - a)/R = i2", 0.1))) << "nor is what leaks so much";
  EXPECT_TRUE(stays(legs("(e - a)/R = i1", "(e - 2*a)/R = i2"))) << "one product alone";
  EXPECT_TRUE(stays(legs("(e - a)/R = i1", "2*(e - a)/R = 2*i1"))) << "one equation twice is told as such";
  EXPECT_TRUE(stays(legs("(e - a)/R = i1 + der(u)*z1*leak", "(e - a)/R = i2"))) << "a derivative";
  EXPECT_TRUE(stays(legs("(e - a)/R = i1*sin(a)", "(e - a)/R = i2"))) << "a function";
  Source law = legs("(e - a)/R = i1", "(e - a)/R = i2");
  law.transitions = {{.when = "rise(z1)", .replaces = {"at_a"}, .equations = {"a = 0"}}};
  EXPECT_TRUE(stays(law)) << "a law puts a row out of force";
  Source sampled = legs("(e - a)/R = i1", "(e - a)/R = i2");
  sampled.sample_time = Number(0.1);
  sampled.equations.front() = {"next(u) = i1 - u"};
  EXPECT_TRUE(stays(sampled));
}

/// Of three rows with the same current the first stays.
TEST(SharedProducts, OfThreeRowsAreTakenOutOfTwo) {
  Source source = legs("(e - a)/R = i1", "(e - a)/R = i2");
  source.algebraic.push_back({"i3"});
  source.algebraic.push_back({"m"});
  source.equations.push_back({"leg3", "i3 = (m - a)*(z1 + (1 - z1)*leak)"});
  source.equations.push_back({"again", "(e - a)/R = i3"});
  const auto changed = without_shared_products(build(source));
  ASSERT_TRUE(changed);
  const int e = *changed->signature.find("e");
  int with_e = 0;
  const RowMap f(changed->f());
  for (int row = 0; row < f.rows(); ++row)
    for (const RowMap::Term& term : f.terms(row))
      for (const RowMap::Factor& factor : f.factors(term.column)) with_e += factor.signal == e ? 1 : 0;
  EXPECT_EQ(with_e, 1);
}

}  // namespace shared_products_test
}  // namespace mti
